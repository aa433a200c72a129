// Seeds as they lie in houses, stores and the hand. Every place has its own pattern, always the
// same, and a seed stays where it is when another one comes (until they have to be smaller).

import { svg } from "../../js/dom.js";

const TURN = (137.5 * Math.PI) / 180;
const ROOM = [6, 9, 14, 20]; // up to these counts the seeds in a disc lie still
const STEPS = [0.7548776662, 0.569840291]; // of the R2 sequence

/**
 * How the first so many seeds lie in a place: a disc (x, y, r) or a rectangle with round ends
 * (x, y, width, height); `pattern` is its number, `sizes` says how large seeds are up to a count.
 */
export function lying(place, count) {
  const [, size] = place.sizes.find(([limit]) => count <= limit) ?? place.sizes.at(-1);
  const spots = place.r === undefined ? scattered(place, size) : sunflower(place, count, size);
  return Array.from({ length: count }, (_, n) => ({ ...look(place, n), size, ...spots(n) }));
}

/** A seed; the group itself is free to be moved. */
export function seed({ x, y, size, length, width, angle, tone }) {
  const [rx, ry] = [size * length, size * width].map(short);
  const line = `M${-0.7 * rx} ${0.15 * ry}Q0 ${0.55 * ry} ${0.72 * rx} ${0.1 * ry}`;
  const light = { cx: -0.28 * rx, cy: -0.36 * ry, rx: 0.3 * rx, ry: 0.2 * ry };
  return svg(
    "g.seed",
    svg(
      "g",
      { transform: `translate(${short(x)} ${short(y)})` },
      svg("ellipse.seed-shade", { cx: 1.2, cy: 2.4, rx, ry }),
      svg(
        "g",
        { transform: `rotate(${angle})` },
        svg("ellipse", { class: `seed-body seed-body--${tone}`, rx, ry }),
        svg("path.seed-line", { d: line }),
      ),
      svg("ellipse.seed-light", { transform: "rotate(-24)", ...light }),
    ),
  );
}

/** From the middle outwards, each 137.5 degrees further; close enough for some more to come. */
function sunflower({ x, y, r, pattern }, count, size) {
  const room = ROOM.find((limit) => count <= limit) ?? count;
  const gap = (r - 1.1 * size) / Math.sqrt(room - 0.2);
  const start = 2 * Math.PI * chance(pattern, 0)();
  return (n) => {
    const random = chance(pattern, n + 1);
    const far = gap * (Math.sqrt(n + 0.8) - 0.15 * random());
    const angle = start + n * TURN + 0.2 * (random() - 0.5);
    return { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle) };
  };
}

/** Evenly over a rectangle with round ends, each next seed where there is most room (R2 sequence). */
function scattered({ x, y, width, height, pattern }, size) {
  const rim = size + 3;
  const round = Math.min(width, height) / 2 - rim;
  return (n) => {
    const [along, across] = STEPS.map((step) => (0.13 * pattern + (n + 1) * step) % 1);
    const aside = round * (2 * across - 1);
    const end = round - Math.sqrt(round * round - aside * aside);
    const far = rim + end + along * (Math.max(width, height) - 2 * (rim + end));
    const middle = Math.min(width, height) / 2 + aside;
    return width > height ? { x: x + far, y: y + middle } : { x: x + middle, y: y + far };
  };
}

function look({ pattern }, n) {
  const random = chance(pattern, 200 + n);
  return {
    length: 1 + 0.1 * random(),
    width: 0.83 + 0.09 * random(),
    angle: Math.round(180 * random()),
    tone: 1 + Math.floor(3 * random()),
  };
}

/** Numbers from 0 to 1 that are the same every time for this pattern and seed (mulberry32). */
function chance(pattern, n) {
  let state = Math.imul(pattern * 257 + n + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function short(value) {
  return Math.round(value * 10) / 10;
}
