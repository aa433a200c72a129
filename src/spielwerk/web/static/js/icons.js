// The small drawings of the interface: icons in one line weight, emblems of players, the seal.

import { svg } from "./dom.js";

const DRAWN = new URL("../icons.svg", import.meta.url).href;

/** An icon in the current colour; decoration only, the words stand next to it. */
export function icon(name) {
  return svg(
    "svg",
    { class: "ico", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("use", { href: `${DRAWN}#${name}` }),
  );
}

/** A player's emblem by wire number: circle, diamond, triangle. */
export function emblem(player) {
  return svg(
    "svg",
    { class: `emblem emblem--p${player}`, viewBox: "0 0 40 40", "aria-hidden": "true" },
    EMBLEMS[player](),
  );
}

const EMBLEMS = [
  () => [
    svg("circle", { class: "fill", cx: 20, cy: 20, r: 17 }),
    svg("circle", { class: "cut", cx: 20, cy: 20, r: 9.5 }),
  ],
  () => [
    svg("path", { class: "fill", d: "M20 2 38 20 20 38 2 20Z" }),
    svg("path", { class: "cut", d: "M20 11.5 28.5 20 20 28.5 11.5 20Z" }),
  ],
  () => [
    svg("path", { class: "fill", d: "M20 2.5 38.5 35.5H1.5Z" }),
    svg("path", { class: "cut", d: "M20 17 27.5 30h-15Z" }),
  ],
];

/** The shape of a connection's state: ok, wait, lost, or in (built in). */
export function dot(state) {
  return svg("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, DOTS[state]());
}

const DOTS = {
  ok: () => svg("circle", { cx: 5, cy: 5, r: 4.2, fill: "currentColor" }),
  wait: () =>
    svg("circle", {
      cx: 5,
      cy: 5,
      r: 3.6,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.6,
      "stroke-dasharray": "2 1.5",
    }),
  lost: () =>
    svg("path", {
      d: "M1.5 1.5l7 7m0-7-7 7",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linecap": "round",
    }),
  in: () => svg("rect", { x: 1.2, y: 1.2, width: 7.6, height: 7.6, rx: 1, fill: "currentColor" }),
};

/** The seal of what is proven. */
export function seal(label) {
  return svg(
    "svg",
    { class: "proof proof--seal", viewBox: "0 0 20 20", role: "img", "aria-label": label },
    svg("path", {
      class: "fill",
      d:
        "M10 1.2l2.3 1.7 2.9-.2.8 2.7 2.5 1.5-1 2.6 1 2.7-2.5 1.5-.8 2.7-2.9-.2L10 18.3" +
        "l-2.3-1.9-2.9.2-.8-2.7L1.5 12.4l1-2.7-1-2.6L4 5.6l.8-2.7 2.9.2Z",
    }),
    svg("path", { class: "cut", d: "m6.3 9.9 2.6 2.5 4.8-5" }),
  );
}

/** The waves of what is estimated. */
export function waves(label) {
  return svg(
    "svg",
    { class: "proof proof--waves", viewBox: "0 0 20 20", role: "img", "aria-label": label },
    svg("path", {
      d: "M3 9c2.3-3.2 4.6-3.2 7-.6s4.7 2.6 7-.6M3 14c2.3-3.2 4.6-3.2 7-.6s4.7 2.6 7-.6",
    }),
  );
}
