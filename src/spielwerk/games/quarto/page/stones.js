// Quarto's stones: prisms in oblique view. The bits of a stone's number are its attributes: colour,
// height, form, core, band, foot, grooves, dot.

import { svg } from "../../js/dom.js";
import { has as known, t } from "../../js/texts.js";

const SHADE = 0.25; // of the radius: where the shaded part of a round stone begins

/** The attributes in the order in which people say them, by bit. */
const ATTRIBUTES = [
  [1, "height"],
  [2, "form"],
  [0, "colour"],
  [3, "core"],
  [4, "band"],
  [5, "foot"],
  [6, "grooves"],
  [7, "dot"],
];

/** The stone's attributes in words: "tall, square, light, solid". */
export function words(number, attributes) {
  return ATTRIBUTES.filter(([bit]) => bit < attributes)
    .map(([bit, name]) => t(`quarto.${name}${(number >> bit) & 1}`))
    .join(", ");
}

/** Stones by what they have in common: "Four tall, light stones with a band". */
export function alike(numbers, attributes) {
  const common = ATTRIBUTES.filter(([bit]) => bit < attributes)
    .map(([bit, name]) => [name, new Set(numbers.map((number) => (number >> bit) & 1))])
    .filter(([, values]) => values.size === 1)
    .map(([name, [value]]) => `${name}${value}`);
  const adjectives = common.filter((name) => known(`quarto.line.${name}`));
  const details = common.filter((name) => !adjectives.includes(name));
  const count = `quarto.line.${numbers.length}`;
  return [
    known(count) ? t(count) : numbers.length,
    adjectives.map((name) => t(`quarto.line.${name}`)).join(", "),
    t("quarto.line.stones"),
    details.map((name) => t(`quarto.${name}`)).join(", "),
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * A stone for a square of the board: a `<g>` whose origin is the square's middle, or with
 * `standing` the middle of the stone's base, so that stones in a row stand on one line.
 */
export function stone(number, attributes, { standing = false } = {}) {
  const has = (bit) => bit < attributes && Boolean((number >> bit) & 1);
  const height = has(1) ? 54 : 24;
  const form = has(2) ? SQUARE : ROUND;
  const down = standing ? 0 : height / 2 + 2;
  return svg(
    "g",
    { class: `stone stone--${has(0) ? "d" : "l"}`, transform: `translate(0 ${down})` },
    svg("ellipse.s-shadow", { cx: 3, cy: 4, rx: form.rx * 1.12, ry: form.ry * 1.15 }),
    has(5) && form.body(-5, 2, 1.28),
    form.body(-height, 0, 1),
    has(4) && form.band(height > 40 ? -37.8 : -17.3),
    has(6) && [-0.5, 0.5].map((side) => form.groove(side * form.rx, height)),
    has(7) && svg("circle.s-dot", { cy: height > 40 ? 0.5 : 7, r: 5.2 }),
    has(3) && form.core(-height),
  );
}

/** The stone as a picture of its own, for text and tables. */
export function picture(number, attributes, className = "") {
  return svg(
    "svg",
    { class: `qs ${className}`, viewBox: "-40 -72 80 96", "aria-hidden": "true" },
    stone(number, attributes, { standing: true }),
  );
}

const ROUND = {
  rx: 26,
  ry: 12.5,
  body(top, base, wide) {
    const [rx, ry] = [this.rx * wide, this.ry * wide];
    const side = `M${-rx} ${top}V${base}A${rx} ${ry} 0 0 0 ${rx} ${base}V${top}`;
    const x = SHADE * rx;
    const y = base + ry * Math.sqrt(1 - SHADE * SHADE);
    const shade = `M${x} ${top}V${y}A${rx} ${ry} 0 0 0 ${rx} ${base}V${top}Z`;
    return [
      svg("path.s-side", { d: `${side}Z` }),
      svg("path.s-shade", { d: shade }),
      svg("path.s-line", { d: side }),
      svg("ellipse.s-top", { cy: top, rx, ry }),
    ];
  },
  band(y) {
    const arc = `A${this.rx} ${this.ry} 0 0`;
    return svg("path.s-band", {
      d: `M${-this.rx} ${y}${arc} 0 ${this.rx} ${y}v8${arc} 1 ${-this.rx} ${y + 8}Z`,
    });
  },
  groove: (x, height) => svg("path.s-groove", { d: `M${x} ${12.8 - height}V8.8` }),
  core: (y) => [
    svg("ellipse.s-hole", { cy: y, rx: 15.1, ry: 7.2 }),
    svg("path.s-shade", { d: `M-15.1 ${y}A15.1 7.2 0 0 0 15.1 ${y}A15.1 4 0 0 1 -15.1 ${y}Z` }),
  ],
};

const SQUARE = {
  rx: 29,
  ry: 14,
  body(top, base, wide) {
    const [rx, ry] = [this.rx * wide, this.ry * wide];
    const side = (x) => `M${x} ${top}L0 ${top + ry}V${base + ry}L${x} ${base}Z`;
    return [
      svg("path.s-side", { d: side(-rx) }),
      svg("path.s-side.s-side--far", { d: side(rx) }),
      svg("path.s-top", { d: rhomb(top, rx, ry) }),
    ];
  },
  band(y) {
    const [rx, ry] = [this.rx, this.ry];
    return svg("path.s-band", {
      d: `M${-rx} ${y}L0 ${y + ry}L${rx} ${y}v8L0 ${y + ry + 8}L${-rx} ${y + 8}Z`,
    });
  },
  groove: (x, height) => svg("path.s-groove", { d: `M${x} ${9 - height}V5` }),
  core: (y) => [
    svg("path.s-hole", { d: rhomb(y, 16.8, 8.1) }),
    svg("path.s-shade", { d: `M-16.8 ${y}L0 ${y + 8.1}L16.8 ${y}L0 ${y + 4.6}Z` }),
  ],
};

function rhomb(y, rx, ry) {
  return `M${-rx} ${y}L0 ${y - ry}L${rx} ${y}L0 ${y + ry}Z`;
}
