// Everybody against everybody: points of games in every cell, which opens the list of them. The
// table is one tab stop; arrows lead from cell to cell.

import { openGames } from "./games.js";
import { points } from "./words.js";
import { at, html, replace } from "../dom.js";
import { number, t } from "../texts.js";

const DENSE = 16; // entrants, from which on cells are small
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

const box = at("crosstable");
let shown = null; // the contest
let told = "";
let stop = null; // "row column" of the tab stop, by entrants

/** Show the table of a contest. */
export function updateCrosstable(contest) {
  shown = contest;
  const order = contest.standings.map(({ entrant, name }) => [entrant, name]);
  const news = JSON.stringify([order, contest.crosstable]);
  if (news === told) return;
  told = news;
  const held = box.querySelector(":focus")?.dataset.cell;
  replace(box, table(contest));
  rove(stop);
  if (held) cellOf(held)?.focus({ preventScroll: true });
}

const cellOf = (name) => box.querySelector(`[data-cell="${name}"]`);

/** Let this cell be the one tab stop, or the first if there is no such. */
function rove(name) {
  const next = (name && cellOf(name)) || box.querySelector("[data-cell]");
  if (!next) return;
  box.querySelector('[data-cell][tabindex="0"]')?.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  stop = next.dataset.cell;
}

box.addEventListener("focusin", ({ target }) => rove(target.dataset.cell));
box.addEventListener("click", ({ target }) => {
  const name = target.closest("button")?.dataset.cell;
  if (name) openGames(shown, ...name.split(" ").map(Number), () => cellOf(name)?.focus());
});
box.addEventListener("keydown", (event) => {
  const way = ARROWS[event.key];
  const from = event.target.closest("[data-cell]");
  if (!way || !from || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const to = neighbour(from.closest("td"), way);
  to?.focus();
  to?.scrollIntoView({ block: "nearest", inline: "nearest" });
});

/** The next cell with games that way; empty ones are passed over. */
function neighbour(cell, [down, right]) {
  let row = cell.parentElement;
  let column = cell.cellIndex;
  for (;;) {
    row = down < 0 ? row.previousElementSibling : down > 0 ? row.nextElementSibling : row;
    column += right;
    const next = row?.cells[column];
    if (!next) return null;
    const button = next.querySelector("[data-cell]");
    if (button) return button;
  }
}

function table(contest) {
  const { standings, crosstable } = contest;
  const cells = new Map(crosstable.map(([one, other, ...rest]) => [`${one} ${other}`, rest]));
  const heads = standings.map(({ name }, n) =>
    html("th.num", { scope: "col", title: name }, number(n + 1), html("span.vh", ` ${name}`)),
  );
  const head = html("tr", html("td.corner"), heads);
  const rows = standings.map((one, n) => line(one, n, standings, cells));
  return html(
    "table",
    { class: standings.length > DENSE ? "cross is-dense" : "cross" },
    html("caption.vh", t("contest.crosstable")),
    html("thead", head),
    html("tbody", rows),
  );
}

function line(one, n, standings, cells) {
  const name = html(
    "th",
    { scope: "row", title: one.name },
    html("span.rk.num", number(n + 1)), // ranks may be shared, places are not
    html("span.name", one.name),
  );
  const met = (other) => cells.get(`${one.entrant} ${other.entrant}`);
  const row = standings.map((other) => cell(one, other, met(other)));
  return html("tr", { class: one.disqualified ? "is-out" : null }, name, row);
}

function cell(one, other, met) {
  if (one === other) return html("td.self", html("span.vh", "–"));
  if (!met) return html("td.none");
  const [own, games, faults] = met;
  const told = { name: one.name, other: other.name, points: points(own), count: games };
  const words = t("contest.cell", told);
  const tip = faults ? `${words}, ${t("contest.cell.faults", { count: faults })}` : words;
  const share = Math.min(1, Math.max(0, own / games)).toFixed(3);
  const look = { class: faults && "has-faults", "data-cell": `${one.entrant} ${other.entrant}` };
  const shown = [html("b.num", points(own)), html("small.num", number(games))];
  const button = html("button", { ...look, tabindex: "-1", tip }, shown);
  return html("td", { vars: { "--share": share } }, button);
}
