// The beamer's panel: who stands better, as a bar, and how that came, as a curve. A running game's
// curve has what the analysis has found since the page was opened; a finished one has its own panel.

import { at, html, render, svg } from "../dom.js";
import { areas, pointAt } from "./curve.js";
import { display } from "./display.js";
import { store } from "./state.js";
import { balance, proof, sign, stack, verdict } from "./words.js";
import { t } from "../texts.js";

const points = []; // by ply: { ply, value, exact, words }, value as curves have it

/** Take what the analysis has found in the position shown; null or no moves: nothing. */
export function takeEvaluation(found) {
  if (!found?.moves.length) return;
  const { ply, moves, perspective, chances, unit } = found;
  const [best] = moves;
  const value = chances?.[0] ?? (perspective === 0 ? best.share : -best.share);
  points[ply] = { ply, value, exact: best.exact, words: verdict(best, unit), perspective };
  updateEvaluation();
}

/** Show the evaluation of the position shown, or of the last one before it that is known. */
export function updateEvaluation() {
  if (store.exploring) return; // lines branch there: a ply is more than one position
  const until = points.slice(0, display.shown + 1);
  const known = pointAt(display.shown) ?? until.findLast(Boolean) ?? null;
  const line = store.over ? [] : points.slice(0, store.length + 1);
  at("evaluation").hidden = !known;
  render(at("evaluation"), [known, line], () => known && [bar(known), line.length > 0 && curve(line)]);
}

/** The bar grows towards who stands better: the first player's side is the right one. */
function bar({ value, exact, words, perspective = 0 }) {
  const many = typeof value !== "number";
  return html(
    "div.score",
    many ? null : sign(1),
    many ? stack(value) : balance({ share: value }, 0),
    many ? null : sign(0),
    words && html("b", { class: exact ? "is-proven" : "is-guess" }, !many && sign(perspective), words),
    proof(exact),
  );
}

function curve(line) {
  const look = { viewBox: "0 -4 620 100", role: "img", "aria-label": t("analysis.curve") };
  return svg("svg.curve", look, areas([...line].map((point) => point ?? null)));
}
