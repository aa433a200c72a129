// Quarto's analysis: a matrix of squares and stones, what each pair is worth.

import { picture } from "./stones.js";
import { html, icon } from "../../js/dom.js";
import { proof, verdict } from "../../js/table/words.js";
import { number, signed, t } from "../../js/texts.js";

const MOST = 16; // columns that can still be read

const SIGNS = { win: "tick", draw: "equal", loss: "close" };

/** A tick, an equals sign or a cross. */
const sign = (name) => icon(SIGNS[name]);

/** The name of a proven result, or null. */
function named({ result }) {
  return result === null ? null : ["loss", "draw", "win"][result + 1];
}

/** Whether these are all moves and can be shown as a matrix. */
export function fits({ moves }, { cells, supply }) {
  const free = cells.filter((stone) => stone === null).length;
  return supply.length > 0 && supply.length <= MOST && moves.length === free * supply.length;
}

/** The matrix and its legend. */
export function matrixParts(found, view) {
  const counts = ["win", "draw", "loss"].map((name) => {
    const count = found.moves.filter((move) => named(move) === name).length;
    return html("span", sign(name), t(`analysis.${name}`), " ", number(count));
  });
  const open = found.moves.filter(({ exact }) => !exact).length;
  const words = open
    ? t("analysis.someProven", { proven: found.count - open, count: found.count })
    : t("analysis.allProven", { count: found.count });
  const known = html("span", proof(!open), words);
  return [matrix(found, view.board), html("div.legend", counts, known)];
}

/** The matrix: a row for each square, the most promising first. */
function matrix({ moves, unit }, { supply, attributes }) {
  const square = ({ move }) => move.split(",")[0];
  const sorted = [...Map.groupBy(moves, square)].sort(([, a], [, b]) => worth(b) - worth(a));
  const corner = html("th.corner", { scope: "col" }, t("quarto.square"));
  const stones = supply.map((stone) => {
    const name = html("span.mono", stone);
    return html("th", { scope: "col" }, picture(stone, attributes, "qs--s"), name);
  });
  const best = moves[0].move;
  const lines = sorted.map(([name, own]) => {
    const byStone = new Map(own.map((move) => [move.move.split(",")[1], move]));
    const cells = supply.map((stone) => cell(byStone.get(String(stone)), unit, best));
    return html("tr", html("th.mono", { scope: "row" }, name), cells);
  });
  return html(
    "table.matrix",
    { role: "grid", "aria-label": t("quarto.matrix"), vars: { "--columns": supply.length } },
    html("thead", html("tr", corner, stones)),
    html("tbody", lines),
  );
}

function cell(move, unit, best) {
  if (!move) return html("td");
  const name = named(move);
  const guess = signed(move.value, 1);
  const words = name ? verdict(move, unit) : t("quarto.guess", { value: guess });
  const label = `${move.move}: ${words}`;
  const attributes = {
    class: [name ?? "open", move.move === best && "is-best"].filter(Boolean).join(" "),
    role: "gridcell",
    tabindex: -1,
    tip: label,
    "data-move": move.move,
  };
  return html("td", attributes, name ? sign(name) : html("span", { "aria-hidden": "true" }, "≈"));
}

/** Wins count first, then draws, then what the estimates say. */
function worth(row) {
  return row.reduce((sum, { share, result }) => sum + (result === 1 ? 100 : 0) + share + 1, 0);
}
