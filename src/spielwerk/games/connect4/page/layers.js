// The layers beside the solid board: one flat board for each height, all in one drawing. Holes are
// open only where a stone lies or may come to lie.

import { GridBoard } from "./grid.js";
import { svg } from "../../js/dom.js";
import { t } from "../../js/texts.js";

const PITCH = 46;
const MARGIN = 33;
const TITLE = 24; // room for a layer's name above it
const GAP = 18; // between two layers
const READABLE = 8; // pixels of a field number
const WIDE = 1.5; // pixels a unit at most: narrow boards do not swell

/** `<sw-layers>`: takes and tells what every board does; `onPoint(field)` hears what is pointed at. */
class LayersBoard extends GridBoard {
  #columns = 2; // layers beside each other
  #twin = null; // the field that is pointed at in space
  onPoint = () => {};

  async show(position, options) {
    await super.show(position, options);
    this.scaled();
    this.#follow();
  }

  /** Show the ghost of a stone there, too: the field is pointed at in space. */
  set twin(field) {
    if (field === this.#twin) return;
    this.#twin = field;
    this.marks.replaceChildren();
    this.drawMarks();
  }

  // geometry

  get #small() {
    return Math.min(1, (7 / Math.max(this.cells.width, this.cells.layers)) ** 0.75);
  }

  get unit() {
    return 0.56 * this.#small;
  }

  get pitch() {
    return PITCH * this.#small;
  }

  get font() {
    const digits = String(this.cells.cells.length - 1).length;
    return Math.min(13.5, 34 / (0.62 * digits)) * this.#small;
  }

  /** Width and height of one layer. */
  get #outer() {
    const side = (cells) => (cells - 1) * this.pitch + 2 * MARGIN * this.#small;
    return [side(this.cells.width), side(this.cells.layers)];
  }

  get size() {
    const [width, height] = this.#outer;
    const rows = Math.ceil(this.cells.height / this.#columns);
    return [this.#columns * (width + GAP) - GAP, rows * (TITLE + height + GAP)];
  }

  get label() {
    return t("connect4.solid.layers");
  }

  /** The corner of the layer of this height; the lowest comes first. */
  #corner(row) {
    const [width, height] = this.#outer;
    const line = Math.floor(row / this.#columns);
    return [(row % this.#columns) * (width + GAP), TITLE + line * (TITLE + height + GAP)];
  }

  middle(field) {
    const [column, row, layer] = this.cells.place(field);
    const [x, y] = this.#corner(row);
    const at = (cell) => MARGIN * this.#small + cell * this.pitch;
    return [x + at(column), y + at(layer)];
  }

  /** Two layers stand beside each other where their numbers can be read. */
  scaled() {
    if (!this.cells || !this.clientWidth) return;
    const least = (READABLE * this.#outer[0]) / this.font;
    const columns = this.cells.height > 1 && this.clientWidth > 2.1 * least ? 2 : 1;
    const other = columns !== this.#columns;
    this.#columns = columns;
    this.svg.style.setProperty("max-width", `${WIDE * this.size[0]}px`);
    this.style.setProperty("--least", `${(READABLE / this.font) * this.size[1]}px`);
    if (other) this.rebuild();
    super.scaled();
  }

  /** Bring a layer into sight where a stone may fall, if there is none. */
  #follow() {
    const filled = this.cells.bottoms().map((bottom) => this.cells.filled(bottom));
    const rows = [...new Set(filled)].filter((row) => row < this.cells.height);
    const tops = rows.map((row) => (this.#corner(row)[1] - TITLE) * this.scale);
    const seen = (top) => top >= this.scrollTop - 1 && top < this.scrollTop + this.clientHeight / 2;
    if (!tops.length || tops.some(seen) || this.matches(":hover, :focus-within")) return;
    this.scrollTop = Math.min(...tops);
  }

  // what can be pressed

  /** Where a stone lies or may come to lie. */
  open() {
    const free = this.cells.over ? 0 : 1;
    const filled = (field) => this.cells.filled(this.cells.bottom(field));
    return this.#all().filter((field) => this.cells.place(field)[1] < filled(field) + free);
  }

  #all() {
    return [...Array(this.cells.cells.length).keys()];
  }

  said(field) {
    const [column, row, layer] = this.cells.place(field);
    const state = this.cells.said(field, this.inviting(String(field)), this.lastMove);
    return t("connect4.solid.field", { field, column, row, layer, state });
  }

  landing(field) {
    return field;
  }

  // drawing

  drawGround() {
    const [width, height] = this.#outer;
    for (let row = 0; row < this.cells.height; row += 1) {
      const [x, y] = this.#corner(row);
      const box = { x, width, height, rx: 14 * this.#small ** 0.5 };
      const top = row === this.cells.height - 1 ? "top" : "height";
      const title = t(`connect4.solid.${row ? top : "bottom"}`, { row });
      this.ground.append(
        svg("text.so-title", { x, y: y - 7 }, title),
        svg("rect.c4-edge", { ...box, y: y + 5 }),
        svg("rect.so-frame", { ...box, y }),
      );
    }
    // Those that open later cover the dots of the shut ones.
    this.ground.append(this.holes("c4-rim", this.#all(), 36.5));
    this.ground.append(this.holes("so-shut", this.#all(), 5.4));
  }

  drawPieces() {
    this.pieces.append(this.holes("c4-hole", this.open()));
    super.drawPieces();
  }

  drawMarks() {
    const pointed = this.field(this.hovered);
    this.onPoint(pointed);
    super.drawMarks(pointed ?? this.#twin);
  }

  /** The part of a line in each layer. */
  markLine(line) {
    const rows = new Set(line.map((field) => this.cells.place(field)[1]));
    const part = (row) => line.filter((field) => this.cells.place(field)[1] === row);
    for (const row of rows) super.markLine(part(row));
  }
}

customElements.define("sw-layers", LayersBoard);
