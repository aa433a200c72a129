// Connect Four, flat: a walnut frame whose holes show the paper behind. A column is played as a
// whole: the stone falls onto its lowest free field.

import { columnScores, rounds } from "./cells.js";
import { GridBoard } from "./grid.js";
import { svg } from "../../js/dom.js";
import { EASE_FALL, arrive } from "../../js/motion.js";
import { t } from "../../js/texts.js";

const CELL = 84;
const STRIP = 52; // for the scores above the columns
let clips = 0;

/** `<sw-connect4>`: the flat board. */
class ConnectFourBoard extends GridBoard {
  #scores = null;
  #shade = svg("rect.c4-shade", { rx: 14 });
  #strip = svg("g");

  /** What the analysis has found; no moves while that is not known, null if nothing is analysed. */
  get scores() {
    return this.#scores;
  }

  set scores(found) {
    const strip = Boolean(found) !== Boolean(this.#scores);
    this.#scores = found && columnScores(found);
    if (strip) this.rebuild();
    else this.#drawScores();
  }

  // geometry

  get size() {
    const [width, height] = this.#outer;
    return [width, this.#top + height + 14];
  }

  /** Width and height of the frame. */
  get #outer() {
    const { width, height } = this.cells;
    return [width, height].map((cells) => cells * this.pitch + 2 * this.#margin);
  }

  get unit() {
    return Math.min(1, (9 / Math.max(this.cells.width, this.cells.height)) ** 0.75);
  }

  get pitch() {
    return CELL * this.unit;
  }

  get font() {
    return 16 * this.unit;
  }

  get #margin() {
    return 22 * this.unit;
  }

  get #top() {
    return this.#scores ? 10 + STRIP : 10;
  }

  #x(column) {
    const place = this.flipped ? this.cells.width - 1 - column : column;
    return this.#margin + (place + 0.5) * this.pitch;
  }

  #y(row) {
    return this.#top + this.#margin + (this.cells.height - row - 0.5) * this.pitch;
  }

  middle(field) {
    const [column, row] = this.cells.place(field);
    return [this.#x(column), this.#y(row)];
  }

  scaled() {
    super.scaled();
    this.#drawScores();
  }

  // what can be pressed

  get label() {
    return t("connect4.label", this.cells);
  }

  /** All fields, row by row from the top. */
  open() {
    const { width, height } = this.cells;
    const rows = [...Array(height).keys()].reverse();
    return rows.flatMap((row) => [...Array(width).keys()].map((j) => this.cells.field(j, row)));
  }

  said(field) {
    const [column, row] = this.cells.place(field);
    const state = this.cells.said(field, this.legal.includes(String(field)), this.lastMove);
    return t("connect4.field", { field, column, row, state });
  }

  landing(field) {
    return this.cells.landing(field % this.cells.width);
  }

  // drawing

  drawGround() {
    const [width, height] = this.#outer;
    const box = { x: 0, width, height, rx: 24 * this.unit ** 0.5 };
    this.style.setProperty("--units", width);
    this.ground.append(
      this.#strip,
      svg("rect.c4-edge", { ...box, y: this.#top + 8 }),
      svg("rect.c4-frame", { ...box, y: this.#top }),
      this.#shade,
      this.holes("c4-rim", this.open(), 36.5),
      this.holes("c4-hole", this.open()),
    );
    this.#drawScores();
  }

  #drawScores() {
    const best = [this.#scores?.best ?? []].flat();
    const known = Object.entries(this.#scores ?? {}).filter(([move]) => this.cells?.holds(move));
    this.#strip.replaceChildren(...known.map(([move, text]) => this.#score(move, text, best)));
  }

  #score(move, text, best) {
    const x = this.#x(Number(move) % this.cells.width);
    const width = this.pitch - 12 * this.unit;
    const box = { x: x - width / 2, y: 6, width, height: 36, rx: 6 };
    const size = Math.min(Math.max(17, 12 / this.scale), (1.5 * width) / String(text).length);
    return svg(
      "g",
      { class: best.map(String).includes(move) ? "c4-score is-best" : "c4-score" },
      svg("rect", box),
      svg("text", { x, y: 25, "font-size": size }, String(text)),
    );
  }

  drawMarks() {
    this.#drawShade();
    super.drawMarks();
  }

  /** The column that is pointed at lies in the shade. */
  #drawShade() {
    const inset = 3 * this.unit;
    this.#shade.classList.toggle("is-on", this.hovered !== null);
    if (this.hovered === null) return;
    const box = {
      x: this.#x(Number(this.hovered) % this.cells.width) - this.pitch / 2 + inset,
      y: this.#top + this.#margin - 2 * inset,
      width: this.pitch - 2 * inset,
      height: this.cells.height * this.pitch + 4 * inset,
    };
    for (const [name, value] of Object.entries(box)) this.#shade.setAttribute(name, value);
  }

  // motion

  async travel(before, signal) {
    const field = this.field(this.lastMove);
    const stone = this.pieces.querySelector(`[data-field="${field}"]`);
    if (!stone || before.view.board.cells[field] !== ".") return;
    this.pieces.append(stone); // it falls in front of the numbers
    this.#behind(stone, field);
    const high = this.#y(this.cells.height) - this.middle(field)[1];
    await arrive(stone.firstChild, `translateY(${high}px)`, signal, EASE_FALL);
  }

  /** Let the stone be seen only above the frame and through the holes of its column. */
  #behind(stone, field) {
    const id = `c4-holes-${(clips += 1)}`;
    const [, y] = this.middle(field);
    const rows = [...Array(this.cells.height).keys()];
    const holes = rows.map((row) => [0, this.#y(row) - y]);
    const above = `M${-this.pitch} ${-y - CELL}H${this.pitch}V${this.#top - y}H${-this.pitch}Z`;
    const d = above + rounds(holes, 35 * this.unit);
    stone.append(svg("clipPath", { id }, svg("path", { d })));
    stone.setAttribute("clip-path", `url(#${id})`);
  }
}

customElements.define("sw-connect4", ConnectFourBoard);
