// What lies where on a board of width x height x layers, by field number as in the protocol:
// layer * width * height + row * width + column. Stones fall along the rows; a column is known by
// its bottom field.

import { svg } from "../../js/dom.js";
import { signed, t } from "../../js/texts.js";

/** The stones of a position and where the next ones fall. */
export class Cells {
  #filled = new Map();

  constructor({ board: { width, height, layers, cells, lines = [] }, outcome }) {
    Object.assign(this, { width, height, layers, cells, lines, over: Boolean(outcome) });
    this.won = new Set(lines.flat());
    for (const bottom of this.bottoms()) this.#filled.set(bottom, this.#count(bottom));
  }

  #count(bottom) {
    let row = 0;
    while (row < this.height && this.cells[bottom + row * this.width] !== ".") row += 1;
    return row;
  }

  /** The bottom fields of all columns. */
  bottoms() {
    const all = [];
    for (let k = 0; k < this.layers; k += 1) {
      for (let j = 0; j < this.width; j += 1) all.push(this.field(j, 0, k));
    }
    return all;
  }

  field(column, row, layer = 0) {
    return (layer * this.height + row) * this.width + column;
  }

  /** [column, row, layer] of a field. */
  place(field) {
    const row = Math.floor(field / this.width);
    return [field % this.width, row % this.height, Math.floor(row / this.height)];
  }

  /** Whether the text is the number of a field here. */
  holds(text) {
    return /^\d+$/.test(text ?? "") && Number(text) < this.cells.length;
  }

  bottom(field) {
    const [column, , layer] = this.place(field);
    return this.field(column, 0, layer);
  }

  /** The player whose stone lies there, or null. */
  player(field) {
    return this.cells[field] === "." ? null : Number(this.cells[field]) - 1;
  }

  /** How many stones the column holds. */
  filled(bottom) {
    return this.#filled.get(bottom);
  }

  full(bottom) {
    return this.filled(bottom) === this.height;
  }

  /** Where the next stone comes to lie, or null in a full column. */
  landing(bottom) {
    return this.full(bottom) ? null : bottom + this.filled(bottom) * this.width;
  }

  /** The field that stands for the column: where a stone falls, or the topmost one. */
  front(bottom) {
    return this.landing(bottom) ?? bottom + (this.height - 1) * this.width;
  }

  /** Whether the stone there is to be seen less, because others have won. */
  pale(field) {
    return this.won.size > 0 && !this.won.has(field);
  }

  /** What a screen reader says of the field. */
  said(field, playable, last) {
    const player = this.player(field);
    if (player === null) return t(playable ? "connect4.playable" : "connect4.free");
    const state = t(`connect4.stone${player}`);
    if (this.won.has(field)) return t("connect4.won", { state });
    return String(field) === last ? t("connect4.last", { state }) : state;
  }
}

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
  return signed(value);
}

// stones: colour and engraving, ring for player 0, diamond for player 1

/** A player's disc around the origin. */
export function disc(player, { r = 31.5 } = {}) {
  const edge = 0.057 * r;
  return svg(
    "g",
    { class: `disc disc--p${player}` },
    svg("circle.disc-face", { r: r - edge / 2, "stroke-width": edge }),
    svg("path.disc-cut", { d: cut(player, 0.6 * r), "stroke-width": 0.105 * r }),
  );
}

/** The engraving of a player around the origin: a path with half-axes rx and ry. */
export function cut(player, rx, ry = rx) {
  return player === 0
    ? rounds([[0, 0]], 0.97 * rx, 0.97 * ry)
    : `M0 ${-1.06 * ry}L${1.06 * rx} 0L0 ${1.06 * ry}L${-1.06 * rx} 0Z`;
}

/** One path for many circles or ellipses of the same size. */
export function rounds(middles, rx, ry = rx) {
  const arc = `a${rx} ${ry} 0 1 0 `;
  return middles.map(([x, y]) => `M${x - rx} ${y}${arc}${2 * rx} 0${arc}${-2 * rx} 0Z`).join("");
}
