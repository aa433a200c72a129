// Connect Four, flat: a walnut frame whose holes show the paper behind. A column is played as a
// whole: the stone falls onto its lowest free field.

import { Cells, arrowOf, columnScores, disc, rounds } from "./cells.js";
import { Board } from "../../js/boards/board.js";
import * as marks from "../../js/boards/marks.js";
import { svg } from "../../js/dom.js";
import { EASE_FALL, arrive } from "../../js/motion.js";
import { t } from "../../js/texts.js";

const CELL = 84;
const STRIP = 52; // for the scores above the columns
const LARGE = 150; // fields; of larger boards only what is played or playable takes the focus
const LEAST = 8; // pixels of a field number, below that it hides
let clips = 0;

/** `<sw-connect4>`: the flat board. */
class ConnectFourBoard extends Board {
  #cells = null;
  #scores = null;
  #scale = 1; // pixels a unit
  #shade = svg("rect.c4-shade", { rx: 14 });
  #strip = svg("g.c4-scores");
  #columns = svg("g");
  #watch = new ResizeObserver(() => this.#scaled());

  constructor() {
    super();
    this.targets.before(this.#columns);
    this.targets.addEventListener("keydown", (event) => this.#steer(event));
  }

  connectedCallback() {
    super.connectedCallback();
    this.#watch.observe(this.svg);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#watch.disconnect();
  }

  async show(position, options) {
    const { width, height } = position.view.board;
    if (this.#cells?.width !== width || this.#cells?.height !== height) {
      this.ground.replaceChildren();
    }
    this.#cells = new Cells(position.view);
    await super.show(position, options);
  }

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
    const { width, height } = this.#cells;
    return [width, height].map((cells) => cells * this.#cell + 2 * this.#margin);
  }

  /** How much smaller than usual everything is; marks keep their strength. */
  get #small() {
    return Math.min(1, (9 / Math.max(this.#cells.width, this.#cells.height)) ** 0.75);
  }

  get #cell() {
    return CELL * this.#small;
  }

  get #margin() {
    return 22 * this.#small;
  }

  get #top() {
    return this.#scores ? 10 + STRIP : 10;
  }

  #x(column) {
    const place = this.flipped ? this.#cells.width - 1 - column : column;
    return this.#margin + (place + 0.5) * this.#cell;
  }

  #y(row) {
    return this.#top + this.#margin + (this.#cells.height - row - 0.5) * this.#cell;
  }

  #middle(field) {
    const [column, row] = this.#cells.place(field);
    return [this.#x(column), this.#y(row)];
  }

  #scaled() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (!this.#cells || !width) return;
    const before = this.#numbered;
    this.#scale = Math.min(width / this.size[0], height / this.size[1]);
    this.#drawScores();
    if (this.#numbered !== before) this.refresh();
  }

  get #numbered() {
    return 16 * this.#small * this.#scale >= LEAST;
  }

  // what can be pressed

  get label() {
    return t("connect4.label", this.#cells);
  }

  fields() {
    const side = this.#cell;
    return this.#reachable().map((field) => {
      const [x, y] = this.#middle(field);
      const box = { x: x - side / 2, y: y - side / 2, width: side, height: side };
      return { id: String(field), label: this.#said(field), ...box };
    });
  }

  /** Fields row by row from the top. */
  #reachable() {
    const { width, height, cells } = this.#cells;
    const every = cells.length <= LARGE;
    const all = [];
    for (let row = height - 1; row >= 0; row -= 1) {
      for (let column = 0; column < width; column += 1) {
        if (every || row <= this.#cells.filled(column)) all.push(this.#cells.field(column, row));
      }
    }
    return all;
  }

  #said(field) {
    const [column, row] = this.#cells.place(field);
    const state = this.#cells.said(field, this.legal.includes(String(field)), this.lastMove);
    return t("connect4.field", { field, column, row, state });
  }

  /** The column of a field's ID or of a column's ("c3"). */
  #column(id) {
    return id[0] === "c" ? Number(id.slice(1)) : Number(id) % this.#cells.width;
  }

  #landing(id) {
    const field = this.#cells.landing(this.#column(id));
    return field !== null && this.legal.includes(String(field)) ? field : null;
  }

  inviting(id) {
    return this.#landing(id) !== null;
  }

  press(id) {
    const field = this.#landing(id);
    const other = id[0] === "c" ? String(this.#cells.front(this.#column(id))) : id;
    if (field === null) this.try(other, other);
    else this.move(String(field));
  }

  #steer(event) {
    const arrow = arrowOf(event);
    const id = event.target.closest(".target")?.dataset.id;
    if (!arrow || id === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.#next(Number(id), ...arrow);
    this.targets.querySelector(`[data-id="${next}"]`)?.focus();
  }

  /** Sideways from column to column, where a stone would fall; up and down within the column. */
  #next(field, dx, dy) {
    if (dy) return field - dy * this.#cells.width;
    const column = (field % this.#cells.width) + (this.flipped ? -dx : dx);
    return column >= 0 && column < this.#cells.width ? this.#cells.front(column) : null;
  }

  // drawing

  drawGround() {
    const [width, height] = this.#outer;
    const box = { x: 0, width, height, rx: 24 * this.#small ** 0.5 };
    const middles = [...this.#cells.cells].map((_, field) => this.#middle(field));
    this.style.setProperty("--units", width);
    this.ground.append(
      this.#strip,
      svg("rect.c4-edge", { ...box, y: this.#top + 8 }),
      svg("rect.c4-frame", { ...box, y: this.#top }),
      this.#shade,
      svg("path.c4-rim", { d: rounds(middles, 36.5 * this.#small) }),
      svg("path.c4-hole", {
        d: rounds(middles, 35 * this.#small),
        transform: `translate(0 ${this.#small})`,
      }),
    );
    this.#drawScores();
    this.#drawColumns(height);
  }

  #drawColumns(height) {
    const columns = [...Array(this.#cells.width).keys()].map((column) =>
      svg("rect.target", {
        "data-id": `c${column}`,
        x: this.#x(column) - this.#cell / 2,
        y: this.#top,
        width: this.#cell,
        height,
      }),
    );
    this.#columns.replaceChildren(...columns);
  }

  #drawScores() {
    const best = [this.#scores?.best ?? []].flat();
    const known = Object.entries(this.#scores ?? {}).filter(([move]) => this.#cells?.holds(move));
    this.#strip.replaceChildren(...known.map(([move, text]) => this.#score(move, text, best)));
  }

  #score(move, text, best) {
    const x = this.#x(Number(move) % this.#cells.width);
    const width = this.#cell - 12 * this.#small;
    const box = { x: x - width / 2, y: 6, width, height: 36, rx: 6 };
    const size = Math.min(Math.max(17, 12 / this.#scale), (1.5 * width) / String(text).length);
    return svg(
      "g",
      { class: best.map(String).includes(move) ? "c4-score is-best" : "c4-score" },
      svg("rect", box),
      svg("text", { x, y: 25, "font-size": size }, String(text)),
    );
  }

  drawPieces() {
    const playable = new Set(this.legal.map(Number));
    const numbered = this.#numbered;
    [...this.#cells.cells].forEach((_, field) => {
      const player = this.#cells.player(field);
      if (player !== null) this.pieces.append(this.#stone(field, player));
      else if (playable.has(field)) this.pieces.append(...this.#target(field, numbered));
      else if (numbered) this.pieces.append(this.#number(field, 16));
    });
    for (const node of this.#columns.children) {
      node.classList.toggle("is-legal", this.inviting(node.dataset.id));
    }
  }

  #stone(field, player) {
    const [x, y] = this.#middle(field);
    const attributes = { "data-field": field, transform: `translate(${x} ${y})` };
    const drawn = disc(player, { r: 31.5 * this.#small });
    drawn.classList.toggle("faded", this.#cells.pale(field));
    return svg("g", attributes, drawn);
  }

  #number(field, size, name = "c4-number") {
    const [x, y] = this.#middle(field);
    return svg("text", { class: name, x, y: y + 1, "font-size": size * this.#small }, field);
  }

  #target(field, numbered) {
    const [x, y] = this.#middle(field);
    const dot = (down, r) => svg("circle.c4-legal", { cx: x, cy: y + down, r });
    if (!numbered) return [dot(0, 10 * this.#small)];
    return [this.#number(field, 18, "c4-number is-legal"), dot(20 * this.#small, 4 * this.#small)];
  }

  drawMarks() {
    this.#drawShade();
    const won = this.#cells.lines;
    if (this.#cells.holds(this.lastMove) && !won.length) this.#markLast(Number(this.lastMove));
    if (this.#cells.holds(this.hinted)) {
      this.marks.append(marks.hinted(...this.#middle(Number(this.hinted)), this.#ring));
    }
    if (this.hovered !== null) this.#markHover(this.#landing(this.hovered));
    for (const line of won) this.#markLine(line);
  }

  get #ring() {
    return 33.5 * this.#small;
  }

  #drawShade() {
    const { height } = this.#cells;
    const inset = 3 * this.#small;
    this.#shade.classList.toggle("is-on", this.hovered !== null);
    if (this.hovered === null) return;
    const box = {
      x: this.#x(this.#column(this.hovered)) - this.#cell / 2 + inset,
      y: this.#top + this.#margin - 2 * inset,
      width: this.#cell - 2 * inset,
      height: height * this.#cell + 4 * inset,
    };
    for (const [name, value] of Object.entries(box)) this.#shade.setAttribute(name, value);
  }

  #markLast(field) {
    const [x, y] = this.#middle(field);
    const player = this.#cells.player(field);
    if (player === null) return;
    this.marks.append(
      svg("circle.m-last", { cx: x, cy: y, r: this.#ring + 1, "stroke-width": 3 }),
      svg("circle", { class: `disc-dot--p${player}`, cx: x, cy: y, r: 5 * this.#small ** 0.5 }),
    );
  }

  #markHover(field) {
    const [x, y] = this.#middle(field);
    const ghost = disc(this.input.seat, { r: 31.5 * this.#small });
    ghost.classList.add("ghost");
    this.marks.append(
      svg("circle.c4-hole", { cx: x, cy: y + this.#small, r: 35 * this.#small }),
      svg("g", { transform: `translate(${x} ${y})` }, ghost),
      svg("circle.m-hover", { cx: x, cy: y, r: this.#ring, "stroke-width": 4.5 }),
    );
  }

  #markLine(line) {
    const points = line.map((field) => this.#middle(field));
    const small = this.#small ** 0.5;
    const rings = points.map(([cx, cy]) => [
      marks.haloed("circle", { cx, cy, r: 33 * this.#small }, "m-win", 5 * small),
      svg("circle.m-dot-halo", { cx, cy, r: 9 * small }),
      svg("circle.m-dot", { cx, cy, r: 5.5 * small }),
    ]);
    const ends = [points[0], points.at(-1)];
    const d = `M${ends.map((point) => point.join(" ")).join("L")}`;
    this.marks.append(marks.haloed("path", { d }, "m-win", 9 * small), ...rings.flat());
  }

  // motion

  async travel(before, signal) {
    const field = this.lastMove;
    if (!this.#cells.holds(field) || before.view.board.cells[field] !== ".") return;
    const stone = this.pieces.querySelector(`[data-field="${field}"]`);
    if (!stone) return;
    this.pieces.append(stone); // it falls in front of the numbers
    this.#behind(stone, Number(field) % this.#cells.width);
    const high = this.#y(this.#cells.height) - this.#middle(Number(field))[1];
    await arrive(stone.firstChild, `translateY(${high}px)`, signal, EASE_FALL);
  }

  /** Let the stone be seen only above the frame and through the holes of its column. */
  #behind(stone, column) {
    const id = `c4-holes-${(clips += 1)}`;
    const [x, y] = this.#middle(Number(stone.dataset.field));
    const rows = [...Array(this.#cells.height).keys()];
    const holes = rows.map((row) => [this.#x(column) - x, this.#y(row) - y + this.#small]);
    const above = `M${-this.#cell} ${-y - CELL}H${this.#cell}V${this.#top - y}H${-this.#cell}Z`;
    const d = above + rounds(holes, 35 * this.#small);
    stone.append(svg("clipPath", { id }, svg("path", { d })));
    stone.setAttribute("clip-path", `url(#${id})`);
  }
}

customElements.define("sw-connect4", ConnectFourBoard);
