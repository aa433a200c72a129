// What the analysis has found, as short as the flat board shows it above its columns.

import { signed } from "../../js/table/verdicts.js";

/** The scores by move, and the best of them; nothing yet gives an empty row. */
export function columnScores(found) {
  if (!found?.moves.length) return {};
  const best = found.moves.filter((move) => equal(move, found.moves[0]));
  const scores = Object.fromEntries(found.moves.map((move) => [move.move, short(move)]));
  return { ...scores, best: best.map(({ move }) => move) };
}

function equal(one, other) {
  return one.value === other.value && one.result === other.result && one.plies === other.plies;
}

/** "+12" is a win in 12, "=" a draw, "−11" a loss in 11; what is estimated stays a number. */
function short({ result, plies, value }) {
  if (result === 0) return "=";
  if (result) return `${result > 0 ? "+" : "−"}${plies ?? ""}`;
  return signed(value, 0);
}
