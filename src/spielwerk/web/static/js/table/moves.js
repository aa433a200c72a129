// The list of moves, turn by turn, in the wire's notation; each of them leads to its position.

import { assign, at, html, icon, put, render, replace } from "../dom.js";
import { word } from "../games.js";
import { display } from "./display.js";
import { store } from "./state.js";
import { side, sign } from "./words.js";
import { t } from "../texts.js";

let mistakes = new Map(); // grades by plies, counted from 0

const table = html("table.moves", {
  on: {
    click: ({ target }) => {
      const button = target.closest("[data-ply]");
      if (button) display.seek(Number(button.dataset.ply));
    },
  },
});

/** Fill the panel. */
export function startMoves() {
  put(at("moves-title"), word(store.kind, "movesTitle") ?? t("table.moves"));
  put(at("moves-sub"), word(store.kind, "movesSub") ?? "");
  replace(at("moves"), table);
}

/** Mark these moves as mistakes. */
export function markMistakes(found) {
  mistakes = new Map(found.map(({ ply, grade }) => [ply, grade]));
  updateMoves();
}

/** List the moves if there are others; mark the one that led to the position shown. */
export function updateMoves() {
  const { moment, over, state, kind } = store;
  const known = kind.needsAll ? store.knownCount : 0;
  const names = state.seats.map(({ name }) => name);
  const rows = () => kind.moveRows?.(store, moveButton) ?? pairs();
  render(table, [moment, over, known, names, [...mistakes]], rows);
  mark(display.shown);
}

function mark(shown) {
  const buttons = [...table.querySelectorAll("[data-ply]")];
  const leads = ({ dataset: { first, ply } }) => Number(first) < shown && shown <= Number(ply);
  const here = buttons.findLast(leads);
  for (const button of buttons) {
    button.classList.toggle("here", button === here);
    button.tabIndex = button === (here ?? buttons[0]) ? 0 : -1;
    assign(button, { "aria-current": button === here && "step" });
  }
  if (here) reveal(here.closest("tr"));
  else at("moves").scrollTop = 0;
}

/** Scroll the list, not the page, so that the row and its head are seen. */
function reveal(row) {
  const body = at("moves");
  const box = body.getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  const head = 1.5 * (bottom - top);
  if (bottom > box.bottom) body.scrollTop += bottom - box.bottom;
  else if (top < box.top + head) body.scrollTop += top - box.top - head;
}

// two players: a row for both

function pairs() {
  const { begins, opening, plies } = store;
  const starts = store.turns();
  const parts = { opening: [], played: [] }; // rows: their number, and a turn of each player
  let number = 0;
  starts.forEach((first, n) => {
    const rows = first < opening ? parts.opening : parts.played;
    const column = plies[first].seat === begins ? 1 : 2;
    if (column === 1 || number === 0) number = n + 1;
    if (rows.at(-1)?.[0] !== number) rows.push([number, "", ""]);
    rows.at(-1)[column] = turn(first, starts[n + 1] ?? store.length);
  });
  const apart = parts.opening.length > 0;
  const shown = Object.entries(parts).filter(([, rows]) => rows.length);
  return [heads(begins), shown.map(([part, rows]) => body(rows, apart && part))];
}

function heads(begins) {
  const number = html("th", { scope: "col" }, html("span.vh", t("table.number")));
  const players = [begins, 1 - begins].map((seat) => {
    const sided = word(store.kind, `side.${seat}`) !== null;
    const title = sided ? side(seat) : store.name(seat);
    return html("th", { scope: "col" }, html("div", sign(seat), html("span", { title }, title)));
  });
  return html("thead", html("tr", number, players));
}

function turn(first, end) {
  const plies = store.plies.slice(first, end);
  const [start, ...captures] = plies.filter(({ seat }) => seat >= 0).map(({ move }) => move);
  const more = captures.length ? html("span.cap", `;${captures.join(";")}`) : null;
  const grade = plies.map((_, n) => mistakes.get(first + n)).find(Boolean);
  const mistake = grade && html("span.bad", { title: t("table.mistake") }, grade);
  const gain = store.kind.gain(store, end);
  return [moveButton(first, end, start, more, mistake), gain ? html("small.cap", `+${gain}`) : null];
}

/** The mark of a turn for which the player has asked for hints. */
function hinted(first, end) {
  const count = store.plies.slice(first, end).reduce((sum, { hints = 0 }) => sum + hints, 0);
  const title = t("table.hints", { count });
  return count ? html("span.hinted", { title }, icon("hint"), html("span.vh", title)) : null;
}

function moveButton(first, end, ...content) {
  const place = { "data-first": first, "data-ply": end, tabindex: -1 };
  return html("button.mv", place, content, hinted(first, end));
}

/** Rows of turns; a drawn opening and what was played after it say which they are. */
function body(rows, part) {
  const lines = rows.map((row) => html("tr", row.map((cell) => html("td", cell))));
  const head = part && html("th", { scope: "rowgroup", colspan: 3 }, t(`table.part.${part}`));
  return html("tbody", { class: part }, head && html("tr", head), lines);
}
