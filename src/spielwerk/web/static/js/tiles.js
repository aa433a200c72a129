// The pictures of the six games, 64 x 66 units, drawn from the same tokens as the boards.

import { numbers } from "./boards/marks.js";
import { svg } from "./svg.js";

const token = (name) => `var(--${name})`;

/** The picture of a game: quarto, morris, dice, oware, connect4 or solid. */
export function tile(game) {
  return svg("svg", { class: "gi", viewBox: "0 0 64 66", "aria-hidden": "true" }, DRAWN[game]?.());
}

/** Which of the six a table's game is. */
export function pictured({ game, solid, options }) {
  return solid || options?.depth > 1 ? "solid" : game;
}

const DRAWN = { quarto, morris, dice, oware, connect4, solid };

function ground(face = "wood", edge = "wood-lo") {
  return [
    svg("rect", { x: 2, y: 4, width: 60, height: 60, rx: 9, fill: token(edge) }),
    svg("rect", { x: 2, y: 2, width: 60, height: 59, rx: 9, fill: token(face) }),
  ];
}

// Quarto: a tall pale square stone and a low dark round one that is hollow

function quarto() {
  return [ground(), tallSquare(20, 44), lowRound(44, 46)];
}

function stonePart(d, fill, edge) {
  const attributes = { d, fill: token(fill), stroke: token(edge) };
  return svg("path", { ...attributes, "stroke-width": 1.5, "stroke-linejoin": "round" });
}

function tallSquare(x, y) {
  return svg(
    "g",
    { transform: `translate(${x} ${y}) scale(.5)` },
    shadow(32.5, 16.1),
    stonePart("M-29 -54L0 -40V14L-29 0Z", "stone-l-side", "stone-l-edge"),
    stonePart("M29 -54L0 -40V14L29 0Z", "stone-l-deep", "stone-l-edge"),
    stonePart("M-29 -54L0 -68L29 -54L0 -40Z", "stone-l", "stone-l-edge"),
  );
}

function lowRound(x, y) {
  const hole = { cx: 0, cy: -24, rx: 15.1, ry: 7.2, fill: token("stone-d-hole") };
  const shade = "M-15.1 -24A15.1 7.2 0 0 0 15.1 -24A15.1 4 0 0 1 -15.1 -24Z";
  return svg(
    "g",
    { transform: `translate(${x} ${y}) scale(.5)` },
    shadow(29.1, 14.4),
    stonePart("M-26 -24V0A26 12.5 0 0 0 26 0V-24Z", "stone-d-side", "stone-d-edge"),
    svg("path", { d: "M6.5 -24V12.1A26 12.5 0 0 0 26 0V-24Z", fill: token("stone-d-deep") }),
    stonePart("M-26 -24A26 12.5 0 0 0 26 -24A26 12.5 0 0 0 -26 -24Z", "stone-d", "stone-d-edge"),
    svg("ellipse", hole),
    svg("path", { d: shade, fill: token("stone-d-deep") }),
  );
}

function shadow(rx, ry) {
  return svg("ellipse", { cx: 3, cy: 4, rx, ry, fill: token("wood-line"), opacity: 0.22 });
}

// Morris: two of its squares and five stones

const MEN = [
  [11, 11, 1],
  [32, 22, 0],
  [53, 32, 1],
  [22, 42, 0],
  [32, 53, 0],
];

function morris() {
  const line = { fill: "none", stroke: token("wood-line"), "stroke-width": 2 };
  return [
    ground(),
    svg("path", { ...line, d: "M11 11H53V53H11ZM22 22H42V42H22Z" }),
    svg("path", { ...line, d: "M32 11v11M32 42v11M11 32h11M42 32h11" }),
    MEN.map(([x, y, player]) => man(x, y, player)),
  ];
}

function man(x, y, black) {
  const edge = { fill: "none", stroke: token(black ? "man-d-line" : "stone-l-side") };
  const diamond = `M${x} ${y - 2.7}l2.7 2.7l-2.7 2.7l-2.7 -2.7Z`;
  return [
    svg("circle", { cx: x, cy: y + 0.6, r: 6.5, fill: token("wood-line"), opacity: 0.35 }),
    svg("circle", {
      cx: x,
      cy: y,
      r: 6.5,
      fill: token(black ? "man-d" : "man-l"),
      stroke: token(black ? "man-d-line" : "stone-l-edge"),
      "stroke-width": 0.4,
    }),
    black
      ? svg("path", { d: diamond, ...edge, "stroke-width": 0.6 })
      : [4.3, 2.2].map((r) => svg("circle", { cx: x, cy: y, r, ...edge, "stroke-width": 0.7 })),
  ];
}

// Dice: a five and a three in their tray

const PIPS = {
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
};

function dice() {
  return [
    ground(),
    svg("rect", { x: 8, y: 8, width: 48, height: 47, rx: 5, fill: token("pit") }),
    die(25, 25, -9, 5),
    die(41, 41, 8, 3),
  ];
}

function die(x, y, turn, pips) {
  const face = { width: 25, height: 25, rx: 4.8 };
  const look = { fill: token("die"), stroke: token("die-edge"), "stroke-width": 1.3 };
  return svg(
    "g",
    { transform: `translate(${x} ${y}) rotate(${turn})` },
    svg("rect", { x: -10.5, y: -10.8, ...face, opacity: 0.2 }),
    svg("rect", { x: -12.5, y: -12.5, ...face, ...look }),
    PIPS[pips].map(([dx, dy]) =>
      svg("circle", { cx: 6.6 * dx, cy: 6.6 * dy, r: 2.2, fill: token("pip") }),
    ),
  );
}

// Oware: six houses, seeds that lie still

const HOUSES = [
  [15, 23, 4],
  [32, 23, 2],
  [49, 23, 0],
  [15, 42, 0],
  [32, 42, 6],
  [49, 42, 3],
];

function oware() {
  const random = numbers(7);
  return [
    svg("rect", { x: 2, y: 14, width: 60, height: 42, rx: 15, fill: token("wood-lo") }),
    svg("rect", { x: 2, y: 12, width: 60, height: 41, rx: 15, fill: token("wood") }),
    HOUSES.map(([x, y]) => [
      svg("circle", { cx: x, cy: y, r: 7.6, fill: token("pit-lo") }),
      svg("circle", { cx: x, cy: y + 0.8, r: 6.8, fill: token("pit") }),
    ]),
    HOUSES.map(([x, y, seeds]) => heap(x, y, seeds, random)),
  ];
}

function heap(x, y, seeds, random) {
  return Array.from({ length: seeds }, (_, index) => {
    const angle = 2.4 * index + random();
    const far = seeds > 4 ? 4.4 * Math.sqrt((index + 0.5) / seeds) : 3.6;
    return seed(x + far * Math.cos(angle), y + far * Math.sin(angle), 180 * random(), index);
  });
}

function seed(x, y, turn, index) {
  return svg(
    "g",
    { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(0)})` },
    svg("ellipse", {
      rx: 2.8,
      ry: 2.3,
      fill: token(`seed-${1 + (index % 3)}`),
      stroke: token("seed-edge"),
      "stroke-width": 1.1,
    }),
    svg("ellipse", { cx: -0.8, cy: -0.9, rx: 0.8, ry: 0.5, fill: token("seed-hi"), opacity: 0.75 }),
  );
}

// Connect Four, flat: nine holes, five discs and one that is about to fall

const DISCS = [
  [0, 2, 0],
  [1, 2, 1],
  [2, 2, 0],
  [1, 1, 0],
  [0, 1, 1],
  [2, 0, 1],
];

const hole = (column, row) => [14.5 + 17.5 * column, 14 + 17.5 * row];

function connect4() {
  const holes = Array.from({ length: 9 }, (_, field) => hole(field % 3, Math.floor(field / 3)));
  return [
    ground("walnut", "walnut-lo"),
    holes.map(([cx, cy]) => svg("circle", { cx, cy, r: 7.6, fill: token("paper") })),
    DISCS.map(([column, row, player]) => disc(...hole(column, row), player, row === 0)),
  ];
}

function disc(x, y, player, ghost) {
  const cut = { fill: "none", stroke: token(`p${player}-on`), "stroke-width": 0.7, opacity: 0.62 };
  return svg(
    "g",
    { opacity: ghost ? 0.7 : 1 },
    svg("circle", {
      cx: x,
      cy: y,
      r: 6.4,
      fill: token(`p${player}`),
      stroke: token(`p${player}-text`),
      "stroke-width": 0.4,
    }),
    player
      ? svg("path", { d: `M${x} ${y - 4.1}l4.1 4.1l-4.1 4.1l-4.1 -4.1Z`, ...cut })
      : svg("circle", { cx: x, cy: y, r: 3.8, ...cut }),
  );
}

// Connect Four, solid: four pegs with rings, the back ones first

const PEGS = [
  [32, 36, [0, 1]],
  [17, 43, [1]],
  [47, 43, [0, 0]],
  [32, 51, [1, 0]],
];

function solid() {
  return [
    svg("path", { d: "M32 60 2 43v4l30 17 30-17v-4Z", fill: token("wood-lo") }),
    svg("path", { d: "M32 26 62 43 32 60 2 43Z", fill: token("wood") }),
    PEGS.map(([x, y]) =>
      svg("path", {
        d: `M${x} ${y}v-30`,
        stroke: token("peg"),
        "stroke-width": 2.4,
        "stroke-linecap": "round",
      }),
    ),
    PEGS.map(([x, y, rings]) => rings.map((player, height) => ring(x, y - 6 * height, player))),
  ];
}

function ring(x, y, player) {
  const edge = { stroke: token("paper"), "stroke-width": 1.6 };
  const side = `M${x - 8.5} ${y - 6}V${y}A8.5 4.8 0 0 0 ${x + 8.5} ${y}V${y - 6}Z`;
  const top = { cx: x, cy: y - 6 };
  const cut = { fill: "none", stroke: token(`p${player}-on`), "stroke-width": 2.6, opacity: 0.7 };
  return [
    svg("path", { d: side, fill: token(`p${player}`), ...edge }),
    svg("path", { d: side, opacity: 0.3 }),
    svg("ellipse", { ...top, rx: 8.5, ry: 4.8, fill: token(`p${player}`), ...edge }),
    player
      ? svg("path", { d: `M${x} ${y - 9}l5.4 3l-5.4 3l-5.4 -3Z`, ...cut })
      : svg("ellipse", { ...top, rx: 4.8, ry: 2.7, ...cut }),
  ];
}
