// Connect Four, solid: the board in space, which can be turned, and its layers beside it. What is
// pointed at, advised or played shows in both.

import { Cells } from "./cells.js";
import "./layers.js";
import { Space, markedInSpace } from "./space.js";
import { Board } from "../../js/boards/board.js";
import { ARROWS, html, replace, svg, tool } from "../../js/dom.js";
import { EASE_FALL, arrive } from "../../js/motion.js";
import { t } from "../../js/texts.js";

/** `<sw-solid>`: the board with more than one layer. */
class SolidBoard extends Board {
  cells = null; // of the position
  #space = null;
  #quarters = 0; // turned so far
  #layers = html("sw-layers.inner-board");
  #pointed = null; // the field that is pointed at in the layers
  #resized = new ResizeObserver(() => this.#scaled());

  constructor() {
    super();
    this.targets.addEventListener("keydown", (event) => this.#steer(event));
    this.#layers.onPoint = (field) => this.#pointAt(field);
  }

  connectedCallback() {
    if (!this.contains(this.svg)) this.append(this.#frame());
    this.#resized.observe(this.svg);
    super.connectedCallback();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  #frame() {
    const button = (name, by) => tool(name, t(`connect4.solid.${name}`), () => this.turn(by));
    const tools = html("div.turns", button("left", -1), button("right", 1));
    const room = html("div.room", tools, this.svg);
    return html("div.solid", room, this.#layers);
  }

  async show(position, options) {
    const cells = new Cells(position.view);
    const same = ["width", "height", "layers"].every((side) => cells[side] === this.cells?.[side]);
    this.cells = cells;
    if (!same) this.#newSize();
    this.#layers.show(position);
    await super.show(position, options);
  }

  get input() {
    return super.input;
  }

  set input(input) {
    this.#layers.input = input;
    super.input = input;
  }

  hint(move) {
    this.#layers.hint(move);
    super.hint(move);
  }

  #newSize() {
    this.#space = new Space(this.cells, this.#quarters);
    this.ground.replaceChildren();
  }

  /** Lettering stays readable however small the drawing is. */
  #scaled() {
    const { width } = this.svg.getBoundingClientRect();
    if (width && this.#space) this.style.setProperty("--pixel", this.size[0] / width);
  }

  // turning

  get flipped() {
    return super.flipped;
  }

  set flipped(flipped) {
    if (flipped === super.flipped) return;
    super.flipped = flipped;
    this.turn(1);
  }

  /** Turn by so many quarters, to the right if positive. */
  turn(quarters) {
    this.#quarters -= quarters;
    if (!this.cells) return;
    this.above.querySelector(".m-refused")?.remove();
    this.#space = new Space(this.cells, this.#quarters);
    this.rebuild();
  }

  // what can be pressed: pegs in space, known by their bottom fields, and open fields in the layers

  get size() {
    return this.#space.size;
  }

  get label() {
    return t("connect4.solid.label", this.cells);
  }

  /** The bottom fields of the pegs, the farther first. */
  #order() {
    const depth = new Map();
    for (const bottom of this.cells.bottoms()) depth.set(bottom, this.#foot(bottom)[1]);
    return [...depth.keys()].sort((a, b) => depth.get(a) - depth.get(b));
  }

  #foot(field) {
    const [column, , layer] = this.cells.place(field);
    return this.#space.foot(column, layer);
  }

  fields() {
    return this.#order().map((bottom) => {
      const field = this.cells.front(bottom);
      const box = this.#space.box(...this.cells.place(field));
      return { id: String(bottom), label: this.#said(bottom, field), ...box };
    });
  }

  #said(bottom, field) {
    const [column, , layer] = this.cells.place(bottom);
    const count = this.cells.filled(bottom);
    const peg = t("connect4.solid.peg", { column, layer, stones: t("connect4.solid.stones", { count }) });
    const state = this.cells.said(field, this.inviting(String(bottom)), this.lastMove);
    return t(this.cells.full(bottom) ? "connect4.solid.full" : "connect4.solid.next", { peg, field, state });
  }

  inviting(id) {
    return this.legal.includes(String(this.cells.landing(Number(id))));
  }

  edited(id) {
    return String(this.cells.front(Number(id)));
  }

  press(id) {
    const field = this.edited(id);
    if (this.inviting(id)) this.move(field);
    else this.try(field, field);
  }

  /** Cross out a field for a moment, in both views. */
  refuse(id) {
    super.refuse(id);
    this.#layers.refuse(id);
  }

  spot(id) {
    return this.cells?.holds(id) ? this.#space.box(...this.cells.place(Number(id))) : null;
  }

  #peg(id) {
    return this.targets.querySelector(`[data-id="${id}"]`);
  }

  #steer(event) {
    const node = event.target.closest(".target");
    const turn = event.shiftKey && { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const arrow = ARROWS[event.key];
    if (!node || !(turn || arrow)) return;
    event.preventDefault();
    event.stopPropagation();
    if (turn) return this.turn(turn);
    const [column, , layer] = this.cells.place(Number(node.dataset.id));
    const [dj, dk] = this.#space.direction(...arrow);
    const [j, k] = [column + dj, layer + dk];
    if (j >= 0 && j < this.cells.width) this.#peg(this.cells.field(j, 0, k))?.focus();
  }

  // drawing

  rebuild() {
    if (this.cells) super.rebuild();
  }

  refresh() {
    super.refresh();
    if (!this.isConnected || !this.position) return;
    this.#drawHits();
  }

  drawGround() {
    this.style.setProperty("--line", 1.6 * this.#space.small ** 0.7);
    this.ground.append(...this.#space.ground([t("connect4.solid.width"), t("connect4.solid.depth")]));
  }

  drawPieces() {
    this.pieces.append(...this.#order().map((bottom) => this.#pile(bottom)));
  }

  /** The peg with its stones. */
  #pile(bottom) {
    const place = `translate(${this.#foot(bottom).join(" ")})`;
    const stones = this.#space.pile(this.#stones(bottom));
    return svg("g", { "data-peg": bottom, transform: place }, stones);
  }

  #stones(bottom) {
    const rows = [...Array(this.cells.filled(bottom)).keys()];
    return rows.map((row) => {
      const field = bottom + row * this.cells.width;
      return { player: this.cells.player(field), pale: this.cells.pale(field) };
    });
  }

  /** Pegs are hit where they are seen, not in the box around the next stone. */
  #drawHits() {
    for (const node of this.targets.children) {
      const bottom = Number(node.dataset.id);
      if (!node.lastChild.matches("path")) node.append(svg("path.so-hit"));
      node.lastChild.setAttribute("d", this.#space.hit(this.cells.filled(bottom)));
      node.lastChild.setAttribute("transform", `translate(${this.#foot(bottom).join(" ")})`);
    }
  }

  /** Another field is pointed at in the layers: show it here, too. */
  #pointAt(field) {
    if (field === this.#pointed) return;
    this.#pointed = field;
    if (!this.isConnected || !this.position) return;
    this.marks.replaceChildren();
    this.drawMarks();
  }

  /** The field of the last stone, or null. */
  get lastField() {
    if (!this.cells.holds(this.lastMove)) return null;
    const field = Number(this.lastMove);
    return this.cells.player(field) === null ? null : field;
  }

  drawMarks() {
    const column = this.hovered === null ? null : this.cells.landing(Number(this.hovered));
    const state = {
      last: this.lastField,
      hint: this.cells.holds(this.hinted) ? Number(this.hinted) : null,
      ghost: this.#pointed ?? column,
      player: this.input?.seat ?? 0,
    };
    this.#layers.twin = column;
    this.marks.append(...markedInSpace(this.#space, this.cells, state));
  }

  // motion

  async travel(before, signal) {
    const field = this.lastField;
    if (field === null || before.view.board.cells[field] !== ".") return;
    const [bottom, row] = [this.cells.bottom(field), this.cells.place(field)[1]];
    const pile = this.pieces.querySelector(`[data-peg="${bottom}"]`);
    const stones = this.#stones(bottom);
    if (stones.length !== row + 1) return;
    const stone = this.#space.stone(row, stones[row].player);
    replace(pile, this.#space.pile(stones.slice(0, row)), stone);
    const high = this.#space.top(this.cells.height) - this.#space.top(row);
    await arrive(stone, `translateY(${high}px)`, signal, EASE_FALL);
  }
}

customElements.define("sw-solid", SolidBoard);
