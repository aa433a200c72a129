// The board of Nine Men's Morris: its fields and mills, where they lie, and its stones.

import { legal } from "../../js/boards/marks.js";
import { svg } from "../../js/dom.js";

export const SIDE = 600;
export const R = 28; // of a stone
export const FREE = ".";
export const NAMES = [..."ABC"].flatMap((square) => [..."01234567"].map((place) => square + place));

/** The sides of the three squares, and the four lines that join them, by field numbers. */
export const MILLS = [
  ...[0, 8, 16].flatMap((s) => [0, 2, 4, 6].map((p) => [s + p, s + p + 1, s + ((p + 2) % 8)])),
  ...[1, 3, 5, 7].map((p) => [p, 8 + p, 16 + p]),
];

/** The field's place with A0 at the top left. */
export function place(name) {
  const near = 66 + 78 * (name.charCodeAt(0) - 65);
  const far = SIDE - near;
  const mid = SIDE / 2;
  const xs = [near, mid, far, far, far, mid, near, near];
  const ys = [near, near, near, mid, far, far, far, mid];
  return [xs[name[1]], ys[name[1]]];
}

/** The fields that a line joins with this one. */
export function neighbours(name) {
  const field = NAMES.indexOf(name);
  return MILLS.filter((mill) => mill.includes(field)).flatMap((mill) =>
    mill.filter((_, n) => Math.abs(n - mill.indexOf(field)) === 1).map((n) => NAMES[n]),
  );
}

/** A stone around the origin: "0" white with two grooves, "1" black with a diamond. */
export function man(content, className = "") {
  const cuts =
    content === "0"
      ? [0.66, 0.34].map((part) => svg("circle.man-cut", { r: part * R }))
      : svg("path.man-cut", { d: rhomb(0.42 * R) });
  return svg(
    "g",
    { class: `man man--${content} ${className}` },
    svg("circle.man-shadow", { cy: 0.09 * R, r: R }),
    svg("circle.man-face", { r: R }),
    cuts,
  );
}

function rhomb(arm) {
  return `M0 ${-arm}L${arm} 0L0 ${arm}L${-arm} 0Z`;
}

/** A legal target on a node or a stone: the dot needs its halo. */
export function dot(x, y) {
  const halo = svg("circle.m-halo", { cx: x, cy: y, r: 10, "stroke-width": 4 });
  return svg("g", halo, legal(x, y, 9));
}
