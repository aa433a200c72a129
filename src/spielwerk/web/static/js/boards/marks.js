// The marks on boards: one grammar for five games. Every mark lies on a halo, so that it can be read
// on wood, stone and seed alike.

import { svg } from "../svg.js";

const HALO = 4;

/** Something drawn twice: the halo below, wider, then the mark itself. */
export function haloed(name, attributes, className, width) {
  return svg(
    "g",
    {},
    svg(name, { ...attributes, class: "m-halo", "stroke-width": width + HALO }),
    svg(name, { ...attributes, class: className, "stroke-width": width }),
  );
}

/** A legal target. */
export function legal(x, y, r = 7) {
  return svg("circle", { class: "m-legal", cx: x, cy: y, r });
}

/** The thin ring around a legal target under the pointer. */
export function hover(x, y, r) {
  return haloed("circle", { cx: x, cy: y, r }, "m-hover", 3);
}

/** The thick ring around what is chosen. */
export function selected(x, y, r) {
  return haloed("circle", { cx: x, cy: y, r }, "m-sel", 5);
}

/** The dashed ring around what is advised; it beats three times. */
export function hinted(x, y, r) {
  const ring = haloed("circle", { cx: x, cy: y, r, "stroke-dasharray": "14 9" }, "m-hint", 5);
  ring.classList.add("is-hint");
  return ring;
}

/** Where the last move came from: dotted, in ink. */
export function origin(x, y, r) {
  return haloed("circle", { cx: x, cy: y, r, "stroke-dasharray": "1 7" }, "m-last", 3);
}

/** Where the last move went: a thin ring in ink. */
export function last(x, y, r) {
  return haloed("circle", { cx: x, cy: y, r }, "m-last", 3);
}

/** The line that won, through the middles of its pieces. */
export function winning(points) {
  const d = `M${points.map(([x, y]) => `${x} ${y}`).join("L")}`;
  return haloed("path", { d }, "m-win", 10);
}

/** The face of a wooden board with its lower edge and some grain, seeded so that it lies still. */
export function wood(width, height, radius, name = "wood") {
  const clip = `${name}-${width}-${height}-${radius}`.replaceAll(".", "_");
  return [
    svg("rect", { class: "wood-edge", x: 2, y: 9, width: width - 4, height: height - 11, rx: radius }),
    svg("clipPath", { id: clip }, face(width, height, radius, {})),
    face(width, height, radius, { class: "wood" }),
    svg("g", { "clip-path": `url(#${clip})` }, grain(width, height)),
    face(width, height, radius, { class: "wood-rim" }),
  ];
}

function face(width, height, rx, attributes) {
  return svg("rect", { ...attributes, x: 2, y: 2, width: width - 4, height: height - 11, rx });
}

function grain(width, height) {
  const random = numbers(width * 31 + height);
  const lines = [];
  for (let y = 10; y < height; y += 30 + 22 * random()) {
    const bend = 3 + 6 * random();
    const d =
      `M2 ${y} C${width / 4} ${y - bend} ${0.35 * width} ${y + bend} ${width / 2} ${y + 2}` +
      ` S${0.8 * width} ${y - bend} ${width} ${y + 2}`;
    lines.push(svg("path", { class: "grain", d }));
  }
  return lines;
}

/** Numbers from 0 to 1 that are the same every time. */
export function numbers(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
