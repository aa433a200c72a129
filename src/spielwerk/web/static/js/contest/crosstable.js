// Everybody against everybody: points of games in every cell, which opens the list of them. The
// table is one tab stop; arrows lead from cell to cell.

import { openGames } from "./games.js";
import { points } from "./words.js";
import { at, html, replace } from "../dom.js";
import { number, t } from "../texts.js";

const DENSE = 16; // entrants, from which on cells are small
const ARROWS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** The panel. */
export class Crosstable {
  #contest = null;
  #told = "";
  #stop = null; // "row column" of the tab stop, by entrants
  #box = at("crosstable");

  constructor() {
    this.#box.addEventListener("keydown", (event) => this.#key(event));
    this.#box.addEventListener("click", (event) => this.#open(event.target.closest("button")));
    this.#box.addEventListener("focusin", ({ target }) => this.#rove(target.dataset.cell));
  }

  update(contest) {
    this.#contest = contest;
    const order = contest.standings.map(({ entrant, name }) => [entrant, name]);
    const told = JSON.stringify([order, contest.crosstable]);
    if (told === this.#told) return;
    this.#told = told;
    const held = this.#box.querySelector(":focus")?.dataset.cell;
    replace(this.#box, table(contest));
    this.#rove(this.#stop);
    if (held) this.#cell(held)?.focus({ preventScroll: true });
  }

  #cell(name) {
    return this.#box.querySelector(`[data-cell="${name}"]`);
  }

  /** Let this cell be the one tab stop, or the first if there is no such. */
  #rove(name) {
    const first = this.#box.querySelector("[data-cell]");
    const next = (name && this.#cell(name)) || first;
    if (!next) return;
    this.#box.querySelector('[data-cell][tabindex="0"]')?.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    this.#stop = next.dataset.cell;
  }

  #key(event) {
    const way = ARROWS[event.key];
    const from = event.target.closest("[data-cell]");
    if (!way || !from || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const to = neighbour(from.closest("td"), way);
    to?.focus();
    to?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #open(button) {
    if (!button) return;
    const [one, other] = button.dataset.cell.split(" ").map(Number);
    openGames(this.#contest, one, other, () => this.#cell(button.dataset.cell)?.focus());
  }
}

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
    html("th", { scope: "col", title: name, class: "num" }, number(n + 1), spoken(name)),
  );
  const head = html("tr", {}, html("td", { class: "corner" }), heads);
  const rows = standings.map((one, n) => line(one, n, standings, cells));
  return html(
    "table",
    { class: standings.length > DENSE ? "cross is-dense" : "cross" },
    html("caption", { class: "vh" }, t("contest.crosstable")),
    html("thead", {}, head),
    html("tbody", {}, rows),
  );
}

const spoken = (name) => html("span", { class: "vh" }, ` ${name}`);

function line(one, n, standings, cells) {
  const name = html(
    "th",
    { scope: "row", title: one.name },
    html("span", { class: "rk num" }, number(n + 1)), // ranks may be shared, places are not
    html("span", { class: "name" }, one.name),
  );
  const met = (other) => cells.get(`${one.entrant} ${other.entrant}`);
  const row = standings.map((other) => cell(one, other, met(other)));
  return html("tr", { class: one.disqualified ? "is-out" : null }, name, row);
}

function cell(one, other, met) {
  if (one === other) return html("td", { class: "self" }, html("span", { class: "vh" }, "–"));
  if (!met) return html("td", { class: "none" });
  const [own, games, faults] = met;
  const told = { name: one.name, other: other.name, points: points(own), count: games };
  const words = t("contest.cell", told);
  const label = faults ? `${words}, ${t("contest.cell.faults", { count: faults })}` : words;
  const share = Math.min(1, Math.max(0, own / games)).toFixed(3);
  return html(
    "td",
    { vars: { "--share": share } },
    html(
      "button",
      {
        type: "button",
        tabindex: "-1",
        class: faults ? "has-faults" : null,
        "data-cell": `${one.entrant} ${other.entrant}`,
        "aria-label": label,
        title: label,
      },
      html("b", { class: "num" }, points(own)),
      html("small", { class: "num" }, number(games)),
    ),
  );
}
