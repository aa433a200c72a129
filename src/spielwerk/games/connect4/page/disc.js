// The stones of Connect Four: colour and engraving, ring for player 0, diamond for player 1.

import { svg } from "../../js/dom.js";

/** A player's disc around the origin. */
export function disc(player, { r = 31.5 } = {}) {
  const edge = 0.057 * r;
  return svg(
    "g",
    { class: `disc disc--p${player}` },
    svg("circle", { class: "disc-face", r: r - edge / 2, "stroke-width": edge }),
    svg("path", { class: "disc-cut", d: cut(player, 0.6 * r), "stroke-width": 0.105 * r }),
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
