// The small drawings of the interface: icons in one line weight, emblems of players, the seal.

import { svg } from "./svg.js";

const PATHS = {
  theme:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3l1.8 1.8" +
    "M16.9 16.9l1.8 1.8M5.3 18.7l1.8-1.8M16.9 7.1l1.8-1.8",
  menu: "M4 7h16M4 12h16M4 17h16",
  eye:
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" +
    "M12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z",
  flip: "M7 4v15m-3.5-3.5L7 19l3.5-3.5M17 20V5m-3.5 3.5L17 5l3.5 3.5",
  beamer: "M4.5 4h15A1.5 1.5 0 0 1 21 5.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 14.5v-9A1.5 1.5 0 0 1 4.5 4ZM12 16v4m-4 0h8",
  share: "M12 15V3m-4 4 4-4 4 4M5 12v7a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-7",
  resign: "M6 21V4h11l-2 4 2 4H6",
  right: "M20 12a8 8 0 1 1-2.6-5.9M20 3v4h-4",
  left: "M4 12a8 8 0 1 0 2.6-5.9M4 3v4h4",
  hint: "M9 18h6m-5 3h4M12 3a6 6 0 0 0-3.6 10.8c.6.5 1 1.2 1 2h5.2c0-.8.4-1.5 1-2A6 6 0 0 0 12 3Z",
  pause: "M8 5v14M16 5v14",
  first: "M6 5v14M19 5l-9 7 9 7Z",
  back: "M16 5l-9 7 9 7Z",
  forward: "M8 5l9 7-9 7Z",
  last: "M18 5v14M5 5l9 7-9 7Z",
  copy:
    "M10 8h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2Z" +
    "M16 8V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3",
  save: "M12 4v11m-4-4 4 4 4-4M5 20h14",
  search: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm5 11.5 4.5 4.5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  swap: "M4 8h14m-3.5-3.5L18 8l-3.5 3.5M20 16H6m3.5-3.5L6 16l3.5 3.5",
  person: "M12 4.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2ZM4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6",
  client: "M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0ZM12 17v4",
  engine:
    "M8 6.5h8a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 16V8A1.5 1.5 0 0 1 8 6.5ZM10 3v3.5" +
    "M14 3v3.5M10 17.5V21M14 17.5V21M3 10h3.5M3 14h3.5M17.5 10H21M17.5 14H21",
  remote:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17" +
    "M12 3.5c3 2.6 3.8 5.6 3.8 8.5s-.8 5.9-3.8 8.5c-3-2.6-3.8-5.6-3.8-8.5S9 6.1 12 3.5Z",
  play: "M7 4.5l12 7.5-12 7.5Z",
  close: "M5 5l14 14M19 5 5 19",
  tick: "M5 12.5l5 5L19.5 7",
  equal: "M5 9h14M5 15h14",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7v5.2l3.4 2",
  forbidden: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM6 6l12 12",
  garbled: "M4 4.5h16v11.5h-9.5L6.5 20v-4H4ZM9.5 7.8l5 5M14.5 7.8l-5 5",
  crash: "M13 3 5.5 13.5h5.3L10 21l8.5-11.5h-6Z",
  stall: "M7 3.5h10M7 20.5h10M8.5 3.5c0 5 7 5.5 7 8.5s-7 3.5-7 8.5M15.5 3.5c0 5-7 5.5-7 8.5s7 3.5 7 8.5",
  off: "M12 3.5v8M7.2 6.3a7.5 7.5 0 1 0 9.6 0",
  server: "M5 4.5h14v6H5ZM5 13.5h14v6H5ZM8.5 7.5v.1M8.5 16.5v.1",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9M12 17.5v.1",
};

/** An icon in the current colour; decoration only, the words stand next to it. */
export function icon(name) {
  return svg(
    "svg",
    { class: "ico", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
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
