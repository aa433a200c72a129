// What the flat board of Connect Four and the layers of the solid one share: walnut with round holes,
// a field number or a stone in each, and the marks. `unit` is 1 for holes that are 84 units apart.

import { Cells, disc, rounds } from "./cells.js";
import { Board } from "../../js/boards/board.js";
import * as marks from "../../js/boards/marks.js";
import { svg } from "../../js/dom.js";

const HOLE = 35;
const STONE = 31.5;
const LEAST = 8; // pixels of a field number, below that it hides

/**
 * A board of holes. A subclass has `unit`, `pitch` (from hole to hole), `font` (of the numbers) and
 * `middle(field)`, and says with `open()` which fields can be pressed, with `said(field)` what they are
 * called and with `landing(field)` where a stone comes to lie.
 */
export class GridBoard extends Board {
  cells = null;
  scale = 1; // pixels a unit
  #resized = new ResizeObserver(() => this.scaled());

  connectedCallback() {
    super.connectedCallback();
    this.#resized.observe(this.svg);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  async show(position, options) {
    const cells = new Cells(position.view);
    const same = ["width", "height", "layers"].every((side) => cells[side] === this.cells?.[side]);
    if (!same) this.ground.replaceChildren();
    this.cells = cells;
    await super.show(position, options);
  }

  /** Numbers come and go with the size of the drawing. */
  scaled() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (!this.cells || !width) return;
    const before = this.#numbered;
    this.scale = Math.min(width / this.size[0], height / this.size[1]);
    if (this.#numbered !== before) this.refresh();
  }

  get #numbered() {
    return this.font * this.scale >= LEAST;
  }

  /** Marks keep more of their strength than stones of their size. */
  get #strong() {
    return this.unit ** 0.5;
  }

  // what can be pressed

  fields() {
    const side = this.pitch;
    return this.open().map((field) => {
      const [x, y] = this.middle(field);
      const box = { x: x - side / 2, y: y - side / 2, width: side, height: side };
      return { id: String(field), label: this.said(field), ...box };
    });
  }

  /** The field that is played by pressing this one, or null. */
  played(id) {
    const field = this.landing(Number(id));
    return field !== null && this.legal.includes(String(field)) ? field : null;
  }

  inviting(id) {
    return this.played(id) !== null;
  }

  press(id) {
    const field = this.played(id);
    if (field === null) this.try(id, id);
    else this.move(String(field));
  }

  // drawing

  /** One path for round holes, so much wider. */
  holes(name, fields, r = HOLE) {
    const d = rounds(fields.map((field) => this.middle(field)), r * this.unit);
    return svg("path", { class: name, d });
  }

  drawPieces() {
    for (const field of this.open()) {
      const player = this.cells.player(field);
      if (player !== null) this.pieces.append(this.#stone(field, player));
      else this.pieces.append(...this.#empty(field, this.legal.includes(String(field))));
    }
  }

  #stone(field, player, look = this.cells.pale(field) && "faded") {
    const drawn = disc(player, { r: STONE * this.unit });
    if (look) drawn.classList.add(look);
    const place = `translate(${this.middle(field).join(" ")})`;
    return svg("g", { "data-field": field, transform: place }, drawn);
  }

  #empty(field, playable) {
    const [x, y] = this.middle(field);
    const dot = (down, r) =>
      svg("circle.c4-legal", { cx: x, cy: y + down * this.unit, r: r * this.unit });
    if (!this.#numbered) return playable ? [dot(0, 10)] : [];
    const number = svg("text.c4-number", { x, y, "font-size": this.font }, field);
    number.classList.toggle("is-legal", playable);
    return playable ? [number, dot(21, 4)] : [number];
  }

  /** A field by its number, or null. */
  field(text) {
    return this.cells.holds(text) ? Number(text) : null;
  }

  /** Draw last move, hint, winning lines, and the stone that would be played. */
  drawMarks(ghost = this.hovered === null ? null : this.played(this.hovered)) {
    const [last, hint] = [this.field(this.lastMove), this.field(this.hinted)];
    if (last !== null && !this.cells.won.size) this.#markLast(last);
    if (hint !== null) this.marks.append(marks.hinted(...this.middle(hint), this.#ring(hint).r));
    if (ghost !== null) this.#markGhost(ghost);
    if (this.sending) this.marks.append(this.#sent(Number(this.sending)));
    for (const line of this.cells.lines) this.markLine(line);
  }

  #sent(field) {
    return marks.selected(...this.middle(field), HOLE * this.unit);
  }

  #ring(field) {
    const [cx, cy] = this.middle(field);
    return { cx, cy, r: 33.5 * this.unit };
  }

  #markLast(field) {
    const ring = this.#ring(field);
    const player = this.cells.player(field);
    if (player === null) return;
    this.marks.append(
      svg("circle.m-last", { ...ring, "stroke-width": 3 * this.#strong }),
      svg(`circle.disc-dot--p${player}`, { ...ring, r: 5 * this.#strong }),
    );
  }

  #markGhost(field) {
    this.marks.append(
      this.holes("c4-hole", [field]),
      this.#stone(field, this.input?.seat ?? 0, "ghost"),
      svg("circle.m-hover", { ...this.#ring(field), "stroke-width": 4.5 * this.#strong }),
    );
  }

  /** A line that won, or the part of it that lies in a row here. */
  markLine(line) {
    const [first, last] = [line[0], line.at(-1)].map((field) => this.middle(field));
    const d = `M${first.join(" ")}L${last.join(" ")}`;
    const ring = (field) => marks.haloed("circle", this.#ring(field), "m-win", 5 * this.#strong);
    const dot = (name, r) => (field) =>
      svg("circle", { ...this.#ring(field), class: name, r: r * this.#strong });
    this.marks.append(
      marks.haloed("path", { d }, "m-win", 9 * this.#strong),
      ...line.map(ring),
      ...line.map(dot("m-dot-halo", 9)),
      ...line.map(dot("m-dot", 5.5)),
    );
  }
}
