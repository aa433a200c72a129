// All entrants against each other: points of games in every cell, which opens the list of them. The
// table is one tab stop; arrows lead from cell to cell.

import { openGames } from "./games.js";
import { points } from "./words.js";
import { at, html, replace, roving, stopAt } from "../dom.js";
import { number, t } from "../texts.js";

const DENSE = 16; // entrants, from which on cells are small
const CELLS = "[data-cell]"; // with "row column" by entrants

const box = at("crosstable");
let shown = null; // the contest
let told = "";

/** Show the table of a contest. */
export function updateCrosstable(contest) {
  shown = contest;
  const order = contest.standings.map(({ entrant, name }) => [entrant, name]);
  const news = JSON.stringify([order, contest.crosstable]);
  if (news === told) return;
  told = news;
  const stop = box.querySelector('[data-cell][tabindex="0"]')?.dataset.cell;
  const held = box.contains(document.activeElement);
  replace(box, table(contest));
  stopAt(box, CELLS, cellOf(stop));
  if (held) cellOf(stop)?.focus({ preventScroll: true });
}

const cellOf = (name) => box.querySelector(`[data-cell="${name}"]`);

roving(box, CELLS);
box.addEventListener("click", ({ target }) => {
  const name = target.closest("button")?.dataset.cell;
  if (name) openGames(shown, ...name.split(" ").map(Number), () => cellOf(name)?.focus());
});

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
