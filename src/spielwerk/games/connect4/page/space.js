// The solid board in space: a parallel view from above, in quarter turns. Column j and layer k
// make the floor, stones pile up along the rows. Spacing follows the size: the higher the board,
// the steeper the view and the flatter the stones, so that nothing hides behind what stands before.
// It is not seen quite along the diagonal: every peg stands a little beside those behind it.

import { cut, rounds } from "./cells.js";
import * as marks from "../../js/boards/marks.js";
import { svg } from "../../js/dom.js";

const RIM = 0.78; // cells from the outer pegs to the floor's edge, if that is room for coordinates
const THICK = 16; // the floor
const NAMES = 75; // units from the coordinates to the names of the axes
const TITLE = 80; // room for such a name

const ASIDE = 0.13; // how much more than half a cell the column's axis is seen across

const TURNS = [[1, 0], [0, 1], [-1, 0], [0, -1]]; // cosine and sine of the quarter turns

/** Where everything is seen. */
export class Space {
  #turned;

  /** `quarters` may be any whole number. */
  constructor({ width, height, layers }, quarters) {
    Object.assign(this, { width, height, layers });
    this.#turned = TURNS[((quarters % 4) + 4) % 4];
    const small = Math.min(1, (8 / (width + layers)) ** 0.75);
    const steep = Math.min(52, 40 + 3 * Math.max(0, height - 4));
    this.small = small;
    this.half = 71 * small; // a cell is seen as wide as twice that
    this.pitch = this.half * Math.SQRT2;
    this.rim = Math.max(RIM, 36 / this.pitch);
    this.letters = this.rim - 15 / this.pitch;
    this.flat = steep / 71; // how much shorter depth is seen than width
    this.rx = 31 * small;
    this.ry = this.rx * this.flat;
    this.thick = Math.min(21, (2 * steep + 4) / height) * small;
    this.peg = height * this.thick + 9 * small;
    this.#frame();
  }

  #frame() {
    const [u, v] = this.#half(this.rim);
    const wide = (u + v + ASIDE * Math.abs(u - v)) * this.half; // in every quarter
    const deep = wide * this.flat;
    const cells = (Math.max(this.width, this.layers) - 1) / 2 + this.letters;
    const titles = cells * this.half + NAMES * Math.SQRT1_2 + TITLE;
    const half = Math.max(wide + 12, titles);
    const back = 2 * this.rim * this.half * this.flat; // behind the outer pegs
    const above = Math.max(0, this.peg - back) + 8;
    this.size = [2 * half, above + 2 * deep + THICK + 26];
    this.origin = [half, above + deep];
  }

  #half(more) {
    return [(this.width - 1) / 2 + more, (this.layers - 1) / 2 + more];
  }

  /** A point of the floor, in cells from its middle. */
  floor(u, v) {
    const [cos, sin] = this.#turned;
    const [a, b] = [u * cos - v * sin, u * sin + v * cos];
    const [x, y] = this.origin;
    const [across, down] = [a - b + ASIDE * (a + b), a + b - ASIDE * (a - b)];
    return [round(x + across * this.half), round(y + down * this.half * this.flat)];
  }

  /** Where the peg of column j and layer k stands. */
  foot(j, k) {
    return this.floor(j - (this.width - 1) / 2, k - (this.layers - 1) / 2);
  }

  /** The grid direction that an arrow key means: an eighth of a turn from what is seen. */
  direction(dx, dy) {
    const [cos, sin] = this.#turned;
    return [dx * cos + dy * sin, dy * cos - dx * sin];
  }

  /** The signs of the two edges that lie in front. */
  get #front() {
    const [cos, sin] = this.#turned;
    return [cos + sin, cos - sin];
  }

  /** The floor with grid, pits and coordinates; `names` are those of the two axes. */
  ground(names) {
    const [u, v] = this.#half(this.rim);
    const corners = [[-u, -v], [u, -v], [u, v], [-u, v]].map(([a, b]) => this.floor(a, b));
    const sides = corners.map(([x, y], n) => {
      const [x2, y2] = corners[(n + 1) % 4];
      return `M${x} ${y}L${x2} ${y2}V${y2 + THICK}L${x} ${y + THICK}Z`;
    });
    return [
      ...sides.map((d) => svg("path.so-edge", { d })),
      svg("path.so-floor", { d: `M${corners.join("L")}Z` }),
      svg("path.so-grid", { d: this.#grid() }),
      svg("path.so-pit", { d: rounds(this.#feet(), this.rx, this.ry) }),
      ...this.#letters(names),
    ];
  }

  #feet() {
    const all = [];
    for (let k = 0; k < this.layers; k += 1) {
      for (let j = 0; j < this.width; j += 1) all.push(this.foot(j, k));
    }
    return all;
  }

  #grid() {
    const [u, v] = this.#half(this.rim - 0.18);
    const line = (...ends) => `M${ends.map(([a, b]) => this.floor(a, b)).join("L")}`;
    const along = count(this.width).map((a) => line([a, -v], [a, v]));
    return along.concat(count(this.layers).map((b) => line([-u, b], [u, b]))).join("");
  }

  #letters([across, deep]) {
    const [u, v] = this.#half(this.letters);
    const [su, sv] = this.#front;
    const every = Math.ceil(30 / (0.8 * this.pitch));
    const wanted = (_, n) => n % every === 0;
    return [
      ...count(this.width).map((a, n) => this.#letter(n, a, sv * v)).filter(wanted),
      ...count(this.layers).map((b, n) => this.#letter(n, su * u, b)).filter(wanted),
      this.#title(across, 0, sv * (v + NAMES / this.pitch)),
      this.#title(deep, su * (u + NAMES / this.pitch), 0),
    ];
  }

  #letter(text, u, v) {
    const [x, y] = this.floor(u, v);
    return svg("text.coord.so-coord", { x, y }, text);
  }

  /** The name of an axis, outside of the floor's edge. */
  #title(text, u, v) {
    const [x, y] = this.floor(u, v);
    const side = x < this.origin[0] ? "end" : "start";
    return svg("text.so-axis", { x, y: y + THICK, "text-anchor": side }, text);
  }

  /** The box around a stone there. */
  box(column, row, layer) {
    const [x, y] = this.foot(column, layer);
    const { rx, ry, thick } = this;
    return { x: x - rx, y: y + this.top(row) - ry, width: 2 * rx, height: thick + 2 * ry };
  }

  // stones, around the foot of their peg

  /** How high the upper face of a stone in this row lies (upwards is negative). */
  top(row) {
    return -(row + 1) * this.thick;
  }

  /** The outline of the stones from a row to another, larger by so much. */
  body(from, to, more = 0) {
    const [rx, ry] = [this.rx + more, this.ry + more * this.flat];
    const [high, low] = [round(this.top(to)), round(this.top(from - 1) - this.small)];
    const arc = `A${rx} ${ry} 0 0 `;
    return `M${-rx} ${high}V${low}${arc}0 ${rx} ${low}V${high}${arc}0 ${-rx} ${high}Z`;
  }

  /** The pile on a peg: each stone's side, the upper face of the last, the peg's free end. */
  pile(stones) {
    const sides = stones.map(({ player, pale }, row) =>
      svg("path", { class: `so-side ${named(player, pale)}`, d: this.body(row, row) }),
    );
    const last = stones.at(-1);
    const face = last ? this.#face(stones.length - 1, last) : [];
    return [...sides, ...this.#notches(stones), ...face, this.#rod(stones.length)];
  }

  /** One stone by itself. */
  stone(row, player) {
    const side = svg("path", { class: `so-side so-p${player}`, d: this.body(row, row) });
    return svg("g", side, this.#notches([{ player }], row), this.#face(row, { player }));
  }

  #face(row, { player, pale }) {
    const y = round(this.top(row));
    const d = cut(player, 0.58 * this.rx, 0.58 * this.ry);
    const [face, line] = [`so-face ${named(player, pale)}`, `so-cut ${named(player, pale)}`];
    const drawn = { d, transform: `translate(0 ${y})`, "stroke-width": 2.6 * this.small };
    return [
      svg("ellipse", { class: face, cy: y, rx: this.rx, ry: this.ry }),
      svg("path", { class: line, ...drawn }),
    ];
  }

  /** The players' shapes on the sides, too: a groove around, or a diamond in front. */
  #notches(stones, from = 0) {
    if (this.thick < 9) return [];
    return [0, 1].map((player) => {
      const rows = stones.map((stone, n) => [stone, from + n]).filter(([s]) => s.player === player);
      const d = rows.map(([, row]) => this.#notch(player, row)).join("");
      return d && svg("path", { class: `so-notch so-p${player}`, d });
    });
  }

  #notch(player, row) {
    const y = this.top(row) + this.thick / 2;
    const { rx, ry } = this;
    if (player === 0) return `M${-rx} ${y}A${rx} ${ry} 0 0 0 ${rx} ${y}`;
    const d = 0.22 * this.thick;
    return `M0 ${y + ry - d}l${1.5 * d} ${d}l${-1.5 * d} ${d}l${-1.5 * d} ${-d}Z`;
  }

  #rod(stones) {
    const foot = stones ? this.top(stones - 1) - 0.12 * this.ry : 0;
    const d = `M0 ${round(foot)}V${round(-this.peg)}`;
    return svg("path.so-peg", { d, "stroke-width": Math.max(1, 3.4 * this.small) });
  }

  /** What the pointer can hit of a peg with so many stones. */
  hit(stones) {
    const half = Math.max(4, 9 * this.small);
    // Both run the same way round: where they overlap, the other way would leave a hole.
    return `${this.body(0, stones - 1)}M${-half} 0H${half}V${-this.peg}H${-half}Z`;
  }
}

function named(player, pale) {
  return `so-p${player}${pale ? " is-pale" : ""}`;
}

/** Coordinates around their middle: -1.5, -0.5, 0.5, 1.5. */
function count(size) {
  return [...Array(size).keys()].map((n) => n - (size - 1) / 2);
}

function round(value) {
  return Math.round(value * 100) / 100;
}

// marks, of the same grammar as on the flat boards

/** What is drawn for { last, hint, ghost, player }; the first three are fields or null. */
export function markedInSpace(space, cells, { last, hint, ghost, player }) {
  const marker = new Marker(space, cells);
  const won = cells.won.size > 0;
  return [
    last !== null && !won && marker.last(last),
    hint !== null && marker.hint(hint),
    ghost !== null && !won && marker.ghost(ghost, player),
    ...cells.lines.flatMap((line) => marker.line(line)),
  ].filter(Boolean);
}

class Marker {
  #space;
  #cells;

  constructor(space, cells) {
    this.#space = space;
    this.#cells = cells;
    this.strong = space.small ** 0.5; // marks keep more of their strength than stones of their size
  }

  #foot(field) {
    const [column, , layer] = this.#cells.place(field);
    return this.#space.foot(column, layer);
  }

  #row(field) {
    return this.#cells.place(field)[1];
  }

  /** What is drawn around the foot of the field's peg. */
  #at(field, ...drawn) {
    return svg("g", { transform: `translate(${this.#foot(field).join(" ")})` }, drawn);
  }

  #ellipse(field, more) {
    const { rx, ry, flat } = this.#space;
    return { cy: this.#space.top(this.#row(field)), rx: rx + more, ry: ry + more * flat };
  }

  #outline(field, more, name, width) {
    const row = this.#row(field);
    return marks.haloed("path", { d: this.#space.body(row, row, more) }, name, width);
  }

  last(field) {
    const { small } = this.#space;
    const dot = { ...this.#ellipse(field, 0), rx: 5 * small, ry: 3.2 * small };
    return this.#at(
      field,
      marks.haloed("ellipse", this.#ellipse(field, 3.5 * small), "m-last", 2.8),
      svg("ellipse", { class: `disc-dot--p${this.#cells.player(field)}`, ...dot }),
    );
  }

  /** On the floor or on the stone below. */
  hint(field) {
    const { thick, small } = this.#space;
    const ring = this.#ellipse(field, small);
    ring.cy += thick;
    const dashes = { "stroke-dasharray": `${9 * small} ${8 * small}` };
    const mark = svg(
      "g.is-hint",
      svg("ellipse.m-halo", { ...ring, "stroke-width": 7 }),
      svg("ellipse.m-hint", { ...ring, "stroke-width": 4, ...dashes }),
    );
    return this.#at(field, mark);
  }

  ghost(field, player) {
    const ghost = this.#space.stone(this.#row(field), player);
    ghost.classList.add("ghost");
    const ring = this.#outline(field, 3 * this.#space.small, "m-hover", 3.5 * this.strong);
    return this.#at(field, ghost, ring);
  }

  line(line) {
    const rings = line.map((field) =>
      this.#at(field, this.#outline(field, 2 * this.#space.small, "m-win", 3.5 * this.strong)),
    );
    const points = line.map((field) => this.#middle(field));
    const dots = (name, r) => points.map(([cx, cy]) => svg("circle", { class: name, cx, cy, r }));
    const through = marks.haloed("path", { d: `M${points.join("L")}` }, "m-win", 7 * this.strong);
    const middles = [...dots("m-dot-halo", 7 * this.strong), ...dots("m-dot", 4.5 * this.strong)];
    return [...rings, through, ...middles];
  }

  /** The middle of a stone on the field. */
  #middle(field) {
    const [x, y] = this.#foot(field);
    return [x, y + this.#space.top(this.#row(field)) + this.#space.thick / 2];
  }
}
