// The marks on boards: one grammar for five games. Every mark lies on a halo, so that it can be
// read on wood, stone and seed alike.

import { svg } from "../dom.js";

const HALO = 4;
let faces = 0;

/** Something drawn twice: the halo below, wider, then the mark itself. */
export function haloed(name, attributes, className, width) {
  return svg(
    "g",
    svg(name, { ...attributes, class: "m-halo", "stroke-width": width + HALO }),
    svg(name, { ...attributes, class: className, "stroke-width": width }),
  );
}

/** A legal target. */
export function legal(x, y, r = 7) {
  return svg("circle.m-legal", { cx: x, cy: y, r });
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
  const dashes = { "stroke-dasharray": "14 9" };
  return beating(
    svg("circle.m-halo", { cx: x, cy: y, r, "stroke-width": 5 + HALO }),
    svg("circle.m-hint", { cx: x, cy: y, r, "stroke-width": 5, ...dashes }),
  );
}

/** The dashed arrow of an advised move, from the rim of its origin to the rim of its target. */
export function arrow([x1, y1], [x2, y2], rim) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [fx, fy, tx, ty] = [x1 + dx * rim, y1 + dy * rim, x2 - dx * rim, y2 - dy * rim];
  const [bx, by] = [tx - 22 * dx, ty - 22 * dy]; // the head's base
  const line = `M${fx} ${fy}L${bx} ${by}`;
  const head = `M${tx} ${ty}L${bx - 13 * dy} ${by + 13 * dx}L${bx + 13 * dy} ${by - 13 * dx}Z`;
  return beating(
    svg("path.m-halo", { d: line, "stroke-width": 6 + HALO }),
    svg("path.m-halo", { d: head, "stroke-width": HALO }),
    svg("path.m-hint", { d: line, "stroke-width": 6, "stroke-dasharray": "12 10" }),
    svg("path.m-hint-head", { d: head }),
  );
}

function beating(...parts) {
  return svg("g.is-hint", parts);
}

/** Where the last move came from: dotted, in ink. */
export function origin(x, y, r) {
  const dots = { "stroke-width": 3, "stroke-dasharray": "1 7" };
  return svg("circle.m-last", { cx: x, cy: y, r, ...dots });
}

/** The way of the last move, pale; to be drawn below the pieces. */
export function trail([x1, y1], [x2, y2]) {
  return svg("path.m-last.m-trail", { d: `M${x1} ${y1}L${x2} ${y2}`, "stroke-width": 7 });
}

/** Where the last move went: a thin ring in ink. */
export function last(x, y, r) {
  return haloed("circle", { cx: x, cy: y, r }, "m-last", 3);
}

/** What was taken: a thin cross in ink. */
export function taken(x, y, arm) {
  return haloed("path", { d: crossed(x, y, arm) }, "m-last", 3);
}

/** The line that won, through the middles of its pieces. */
export function winning(points, width = 10) {
  const d = `M${points.map(([x, y]) => `${x} ${y}`).join("L")}`;
  return haloed("path", { d }, "m-win", width);
}

/** The cross of a refused click. */
export function cross(x, y, arm) {
  const mark = haloed("path", { d: crossed(x, y, arm) }, "m-bad", 7);
  mark.classList.add("m-refused");
  return mark;
}

function crossed(x, y, arm) {
  return `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}`;
}

/** The rounded square of the focus. */
export function frame(x, y, width, height, rx) {
  const mark = haloed("rect", { x, y, width, height, rx }, "m-sel", 4);
  mark.classList.add("m-focus");
  return mark;
}

/** The face of a wooden board with its lower edge and some grain, seeded so that it lies still. */
export function wood(width, height, radius, name = "wood") {
  const clip = `${name}-${(faces += 1)}`;
  const edge = { x: 2, y: 9, width: width - 4, height: height - 11, rx: radius };
  return [
    svg("rect.wood-edge", edge),
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
    lines.push(svg("path.grain", { d }));
  }
  return lines;
}

/** Numbers from 0 to 1 that are the same every time. */
function numbers(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
