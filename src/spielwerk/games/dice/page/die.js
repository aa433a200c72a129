// Dice: their pips, for the tray and for lists of throws.

import { svg } from "../../js/dom.js";

const FAR = 0.265; // of a pip from the middle, as part of the edge
const PIPS = [
  [],
  ["m"],
  ["a", "i"],
  ["a", "m", "i"],
  ["a", "c", "g", "i"],
  ["a", "c", "m", "g", "i"],
  ["a", "c", "d", "f", "g", "i"],
];
const SPOTS = {
  ...{ a: [-1, -1], c: [1, -1], d: [-1, 0], m: [0, 0] },
  ...{ f: [1, 0], g: [-1, 1], i: [1, 1] },
};

/** A small die for lists. Anything but 1 to 6 gives a blank one. */
export function die(value) {
  const look = { viewBox: "-13 -13 26 26", role: "img", "aria-label": value };
  return svg("svg.small-die", look, face(value, 23));
}

/** What lies in the tray: a die around the origin with this edge. */
export function face(value, edge) {
  return svg(
    "g",
    square("die-shade", edge, { x: 2 - edge / 2, y: 0.07 * edge - edge / 2 }),
    square("die-body", edge),
    edge > 40 && square("die-bevel", 0.88 * edge, { rx: 0.24 * edge }),
    (PIPS[value] ?? []).map((name) => pip(SPOTS[name], edge)),
  );
}

/** A square around the origin. */
export function square(className, edge, more = {}) {
  const box = { x: -edge / 2, y: -edge / 2, width: edge, height: edge, rx: 0.19 * edge };
  return svg("rect", { class: className, ...box, ...more });
}

function pip([x, y], edge) {
  const far = FAR * edge;
  return svg("circle.die-pip", { cx: x * far, cy: y * far, r: 0.088 * edge });
}
