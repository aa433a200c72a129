// The list of moves, turn by turn, in the wire's notation; each of them leads to its position.

import { html, replace } from "../dom.js";
import { word } from "../games.js";
import { sign } from "./seats.js";
import { side } from "./words.js";
import { t } from "../texts.js";

/** The panel's list; `onSeek` is called with a position. */
export class Moves {
  #body;
  #store;
  #faults = new Set();
  #table = html("table", { class: "moves" });

  constructor(body, store, onSeek) {
    this.#body = body;
    this.#store = store;
    replace(body, this.#table);
    this.#table.addEventListener("click", (event) => {
      const button = event.target.closest("[data-ply]");
      if (button) onSeek(Number(button.dataset.ply));
    });
  }

  /** Mark these plies (counted from 0) as mistakes. */
  faults(plies) {
    this.#faults = new Set(plies);
    this.list();
  }

  /** List all moves anew; the focus stays at its move. */
  list() {
    const { kind } = this.#store;
    const button = (first, end, ...content) => this.#button(first, end, ...content);
    const rows = kind.moveRows?.(this.#store, button) ?? this.#pairs();
    const held = this.#table.contains(document.activeElement) && document.activeElement.dataset.ply;
    replace(this.#table, rows);
    if (held) this.#table.querySelector(`[data-ply="${held}"]`)?.focus({ preventScroll: true });
  }

  /** Mark the move that led to the position shown, and bring it into sight. */
  show(shown) {
    const buttons = [...this.#table.querySelectorAll("[data-ply]")];
    const leads = ({ dataset: { first, ply } }) => Number(first) < shown && shown <= Number(ply);
    const here = buttons.findLast(leads);
    for (const button of buttons) {
      button.classList.toggle("here", button === here);
      button.tabIndex = button === (here ?? buttons[0]) ? 0 : -1;
      if (button === here) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    if (here) this.#reveal(here.closest("tr"));
    else this.#body.scrollTop = 0;
  }

  #reveal(row) {
    const box = this.#body.getBoundingClientRect();
    const { top, bottom } = row.getBoundingClientRect();
    const head = 1.5 * (bottom - top);
    if (bottom > box.bottom) this.#body.scrollTop += bottom - box.bottom;
    else if (top < box.top + head) this.#body.scrollTop += top - box.top - head;
  }

  // two players: a row for both

  #pairs() {
    const { begins, opening } = this.#store;
    const starts = this.#store.turns();
    const parts = { opening: [], played: [] }; // rows: their number, and a turn of each player
    let number = 0;
    starts.forEach((first, n) => {
      const end = starts[n + 1] ?? this.#store.length;
      const rows = first < opening ? parts.opening : parts.played;
      const column = this.#store.plies[first].seat === begins ? 1 : 2;
      if (column === 1 || number === 0) number += 1;
      if (rows.at(-1)?.[0] !== number) rows.push([number, "", ""]);
      rows.at(-1)[column] = this.#turn(first, end);
    });
    const apart = parts.opening.length > 0;
    const shown = Object.entries(parts).filter(([, rows]) => rows.length);
    const bodies = shown.map(([part, rows]) => body(rows, apart && part));
    return [this.#heads(begins), bodies];
  }

  #heads(begins) {
    const head = (seat) => html("th", { scope: "col" }, html("div", {}, this.#headParts(seat)));
    const number = html("th", { scope: "col" }, html("span", { class: "vh" }, t("table.number")));
    return html("thead", {}, html("tr", {}, number, [begins, 1 - begins].map(head)));
  }

  #headParts(seat) {
    const sided = word(this.#store.kind, `side.${seat}`) !== null;
    const name = sided ? side(this.#store, seat) : this.#store.name(seat);
    return [sign(this.#store.kind, seat), html("span", { title: name }, name)];
  }

  #turn(first, end) {
    const plies = this.#store.plies.slice(first, end).filter(({ seat }) => seat >= 0);
    const [start, ...captures] = plies.map(({ move }) => move);
    const more = captures.length ? html("span", { class: "cap" }, `;${captures.join(";")}`) : null;
    return [this.#button(first, end, start, more, this.#fault(first, end)), this.#gain(end)];
  }

  #gain(end) {
    const count = this.#store.kind.gain(this.#store, end);
    return count ? html("small", { class: "cap" }, `+${count}`) : null;
  }

  #fault(first, end) {
    for (let n = first; n < end; n += 1) if (this.#faults.has(n)) return mistake();
    return null;
  }

  #button(first, end, ...content) {
    const attributes = { type: "button", class: "mv", "data-first": first, "data-ply": end };
    return html("button", { ...attributes, tabindex: -1 }, content);
  }
}

/** Rows of turns; a drawn opening and what was played after it say which they are. */
function body(rows, part) {
  const lines = rows.map((row) => html("tr", {}, row.map((cell) => html("td", {}, cell))));
  const head = part && html("th", { scope: "rowgroup", colspan: 3 }, t(`table.part.${part}`));
  return html("tbody", { class: part || null }, head && html("tr", {}, head), lines);
}

function mistake() {
  return html("span", { class: "bad", title: t("table.mistake") }, "?");
}
