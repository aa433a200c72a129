// The layers beside the solid board: one flat board for each height, holes open only where a stone
// lies or may come to lie. All of them together are one tab stop.

import { arrowOf, disc, rounds } from "./cells.js";
import * as marks from "../../js/boards/marks.js";
import { html, svg } from "../../js/dom.js";
import { t } from "../../js/texts.js";

const PITCH = 46;
const MARGIN = 33;
const LEAST = 8; // pixels of a field number, below that it hides

/** All layers of a board; `host` has `cells`, says what may be played, hears what is pointed at. */
export class Layers {
  #host;
  #layers = [];
  #scale = 1;
  #stop = null; // the field that is the tab stop
  #resized = new ResizeObserver(() => this.#scaled());

  /** The open field under the pointer, or null. */
  pointed = null;

  constructor(host) {
    this.#host = host;
    this.element = html("div.layers", {
      role: "group",
      "aria-label": t("connect4.solid.layers"),
      on: {
        click: (event) => this.#clicked(event),
        keydown: (event) => this.#key(event),
        focusin: (event) => this.#focused(event.target),
        focusout: () => queueMicrotask(() => host.remark()),
        pointerover: (event) => this.#point(event),
        pointerleave: () => this.#goUnder(null),
      },
    });
    this.#resized.observe(this.element);
  }

  /** Make the layers for boards of another size. */
  build() {
    const rows = [...Array(this.#host.cells.height).keys()];
    this.#stop = this.pointed = null;
    this.#layers = rows.map((row) => new Layer(row, this.#host));
    const [{ size, fontSize }] = this.#layers;
    this.element.style.setProperty("--units", size[0]);
    this.element.style.setProperty("--least", `${Math.ceil((LEAST * size[0]) / fontSize)}px`);
    this.element.replaceChildren(...this.#layers.map((layer) => layer.figure));
    this.#scaled();
  }

  /** Draw the position wherever it changed. */
  draw() {
    const held = this.element.contains(document.activeElement);
    for (const layer of this.#layers) layer.draw(this.#numbered);
    this.#rove();
    if (held) this.#node(this.#stop)?.focus({ preventScroll: true });
  }

  get #numbered() {
    return this.#layers[0].fontSize * this.#scale >= LEAST;
  }

  /** Draw last move, hint, ghost, focus and winning lines. */
  mark(state) {
    for (const layer of this.#layers) layer.mark(state);
  }

  /** Cross out a field; the mark is to be removed. */
  refuse(field) {
    return this.#layerOf(field).cross(field);
  }

  #layerOf(field) {
    return this.#layers[this.#host.cells.place(field)[1]];
  }

  /** Bring a layer into sight where a stone may fall, if there is none. */
  follow() {
    const { cells } = this.#host;
    if (!cells || cells.over) return;
    const rows = new Set(cells.bottoms().map((bottom) => cells.filled(bottom)));
    const open = this.#layers.filter(({ row }) => rows.has(row));
    const { scrollTop, clientHeight } = this.element;
    const shown = ({ figure }) =>
      figure.offsetTop >= scrollTop - 1 && figure.offsetTop < scrollTop + clientHeight / 2;
    if (!open.length || open.some(shown) || this.element.matches(":hover, :focus-within")) return;
    this.element.scrollTop = open[0].figure.offsetTop;
  }

  #scaled() {
    const [layer] = this.#layers;
    const width = layer?.svg.getBoundingClientRect().width;
    if (!width) return;
    const before = this.#numbered;
    this.#scale = width / layer.size[0];
    if (this.#numbered !== before) this.draw();
  }

  // pointer

  #clicked(event) {
    const node = event.target.closest("[data-field]");
    const layer = this.#layers.find(({ svg: drawing }) => drawing.contains(event.target));
    const field = node ? Number(node.dataset.field) : event.detail ? layer?.fieldAt(event) : null;
    if (field !== null && field !== undefined) this.#host.pressField(field);
  }

  #point(event) {
    if (event.pointerType === "touch") return;
    const node = event.target.closest("[data-field]");
    const field = node ? Number(node.dataset.field) : null;
    this.#goUnder(this.#host.playable(field) ? field : null);
  }

  #goUnder(field) {
    if (field === this.pointed) return;
    this.pointed = field;
    this.#host.remark();
  }

  // focus and keys

  /** The field that the keyboard has put the focus on, or null. */
  get focused() {
    const node = document.activeElement;
    const here = this.element.contains(node) && node.matches("[data-field]:focus-visible");
    return here ? Number(node.dataset.field) : null;
  }

  #node(field) {
    return field === null ? null : this.element.querySelector(`[data-field="${field}"]`);
  }

  #focused(node) {
    if (node.dataset.field === undefined) return;
    this.#stop = Number(node.dataset.field);
    this.#rove();
    this.#host.remark();
  }

  #rove() {
    const node = this.#node(this.#stop) ?? this.element.querySelector("[data-field]");
    this.#stop = node ? Number(node.dataset.field) : null;
    for (const other of this.element.querySelectorAll('[tabindex="0"]')) {
      if (other !== node) other.setAttribute("tabindex", "-1");
    }
    node?.setAttribute("tabindex", "0");
  }

  #key(event) {
    const node = event.target.closest("[data-field]");
    if (!node) return;
    const field = Number(node.dataset.field);
    const arrow = arrowOf(event);
    const storey = { PageUp: 1, PageDown: -1 }[event.key];
    if (arrow) this.#go(this.#step(field, ...arrow));
    else if (storey) this.#go(this.#storey(field, storey));
    else if (event.key === "Escape") node.blur();
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (!event.repeat) this.#host.pressField(field);
    event.preventDefault();
    event.stopPropagation();
  }

  #go(field) {
    if (field === null) return;
    this.#node(field)?.focus();
    this.#layerOf(field).figure.scrollIntoView({ block: "nearest" });
  }

  /** The nearest open field in this direction, else the nearest one of the layer that follows. */
  #step(field, dx, dy) {
    const { cells } = this.#host;
    const [column, row, depth] = cells.place(field);
    const cost = (other) => {
      const [j, , k] = cells.place(other);
      const along = (j - column) * dx + (k - depth) * dy;
      const aside = Math.abs((j - column) * dy) + Math.abs((k - depth) * dx);
      return along > 0 && aside <= along ? along + 2.5 * aside : Infinity;
    };
    return cheapest(this.#layers[row].open(), cost) ?? this.#storey(field, dx + dy);
  }

  /** The nearest open field of the next layer above (1) or below (-1) that has any. */
  #storey(field, up) {
    const { cells } = this.#host;
    const [column, row, depth] = cells.place(field);
    const distance = (other) => {
      const [j, , k] = cells.place(other);
      return Math.abs(j - column) + Math.abs(k - depth);
    };
    for (let next = row + up; next in this.#layers; next += up) {
      const found = cheapest(this.#layers[next].open(), distance);
      if (found !== null) return found;
    }
    return null;
  }
}

function cheapest(fields, cost) {
  const priced = fields.map((field) => [cost(field), field]).filter(([price]) => price < Infinity);
  const least = Math.min(...priced.map(([price]) => price));
  return priced.find(([price]) => price === least)?.[1] ?? null;
}

/** The board of one height. */
class Layer {
  #host;
  #key = null; // what it was drawn for
  #ground = svg("g", { "aria-hidden": "true" });
  #pieces = svg("g", { "aria-hidden": "true" });
  #marks = svg("g.marks", { "aria-hidden": "true" });
  #targets = svg("g");
  #above = svg("g.above", { "aria-hidden": "true" });

  constructor(row, host) {
    const { width, height, layers } = host.cells;
    const small = Math.min(1, (7 / Math.max(width, layers)) ** 0.75);
    const name = row === 0 ? "bottom" : row === height - 1 ? "top" : "height";
    const title = t(`connect4.solid.${name}`, { row });
    const digits = String(width * height * layers - 1).length;
    const side = (cells) => ((cells - 1) * PITCH + 2 * MARGIN) * small;
    this.#host = host;
    this.row = row;
    this.small = small;
    this.fontSize = Math.min(13.5, 34 / (0.62 * digits)) * small;
    this.size = [side(width), side(layers) + 5];
    const look = { viewBox: `0 0 ${this.size.join(" ")}`, role: "group", "aria-label": title };
    const parts = [this.#ground, this.#pieces, this.#targets, this.#marks, this.#above];
    this.svg = svg("svg.board.layer", look, parts);
    this.figure = html("figure", html("figcaption", { "aria-hidden": "true" }, title), this.svg);
  }

  #middle(field) {
    const [column, , layer] = this.#host.cells.place(field);
    return [(MARGIN + column * PITCH) * this.small, (MARGIN + layer * PITCH) * this.small];
  }

  /** The field under the pointer, whether open or not. */
  fieldAt({ clientX, clientY }) {
    const { cells } = this.#host;
    const inverse = this.svg.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(inverse);
    const at = (units) => Math.round((units / this.small - MARGIN) / PITCH);
    const [column, layer] = [at(x), at(y)];
    const inside = column >= 0 && column < cells.width && layer >= 0 && layer < cells.layers;
    return inside ? cells.field(column, this.row, layer) : null;
  }

  #all() {
    const { cells } = this.#host;
    return cells.bottoms().map((bottom) => bottom + this.row * cells.width);
  }

  /** Where a stone lies or may come to lie. */
  open() {
    const { cells } = this.#host;
    const free = cells.over ? 0 : 1;
    return this.#all().filter((field) => this.row < cells.filled(cells.bottom(field)) + free);
  }

  /** Draw the position if it is another one here. */
  draw(numbered) {
    const { cells, lastField } = this.#host;
    const open = this.open();
    const state = (field) => cells.cells[field] + (this.#host.playable(field) ? "!" : "");
    const known = open.map((field) => field + state(field));
    const key = [numbered, lastField, ...cells.won, known].join();
    if (key === this.#key) return;
    this.#key = key;
    this.#drawGround(open);
    this.#pieces.replaceChildren(...open.flatMap((field) => this.#piece(field, numbered)));
    this.#targets.replaceChildren(...open.map((field) => this.#target(field)));
  }

  #drawGround(open) {
    const [width, height] = this.size;
    const box = { width, height: height - 5, rx: 14 * this.small ** 0.5 };
    const seen = new Set(open);
    const shut = this.#all().filter((field) => !seen.has(field));
    const holes = (fields, r) =>
      rounds(fields.map((field) => this.#middle(field)), r * this.small);
    this.#ground.replaceChildren(
      svg("rect.c4-edge", { ...box, y: 5 }),
      svg("rect.so-frame", box),
      svg("path.c4-rim", { d: holes(this.#all(), 20.5) }),
      svg("path.c4-hole", { d: holes(open, 19.8) }),
      svg("path.so-shut", { d: holes(shut, 3) }),
    );
  }

  #piece(field, numbered) {
    const { cells } = this.#host;
    const [x, y] = this.#middle(field);
    const playable = this.#host.playable(field);
    const player = cells.player(field);
    if (player !== null) return [this.#stone(x, y, player, cells.pale(field) && "faded")];
    const dot = (down, r) => svg("circle.c4-legal", { cx: x, cy: y + down, r: r * this.small });
    if (!numbered) return playable ? [dot(0, 4.5)] : [];
    const place = { x, y: playable ? y - this.small : y, "font-size": this.fontSize };
    const number = svg("text.c4-number", { class: playable && "is-legal", ...place }, field);
    return playable ? [number, dot(12 * this.small, 2.4)] : [number];
  }

  #stone(x, y, player, look, name = "") {
    const drawn = disc(player, { r: 17.6 * this.small });
    if (look) drawn.classList.add(look);
    return svg("g", { class: name, transform: `translate(${x} ${y})` }, drawn);
  }

  #target(field) {
    const { cells, lastField } = this.#host;
    const [cx, cy] = this.#middle(field);
    const [column, row, layer] = cells.place(field);
    const playable = this.#host.playable(field);
    const state = cells.said(field, playable, String(lastField));
    const label = t("connect4.solid.field", { field, column, row, layer, state });
    return svg(
      "g.so-target",
      {
        class: playable && "is-legal",
        role: "button",
        tabindex: "-1",
        "data-field": field,
        "aria-label": label,
        "aria-disabled": String(!playable),
      },
      svg("circle", { cx, cy, r: 21 * this.small }),
    );
  }

  // marks

  /** Draw what is marked of this height. */
  mark({ last, hint, ghost, player, focus }) {
    const { cells } = this.#host;
    const here = (field) => field !== null && cells.place(field)[1] === this.row;
    const drawn = [];
    if (here(last) && !cells.won.size) drawn.push(...this.#last(last));
    if (here(ghost)) drawn.push(...this.#ghost(ghost, player));
    if (here(hint)) drawn.push(this.#hint(hint));
    for (const line of cells.lines) drawn.push(...this.#won(line.filter(here)));
    if (here(focus)) drawn.push(this.#frame(focus));
    this.#marks.replaceChildren(...drawn);
  }

  #ring(field) {
    const [cx, cy] = this.#middle(field);
    return { cx, cy, r: 19.5 * this.small };
  }

  #last(field) {
    const ring = this.#ring(field);
    const dot = `circle.disc-dot--p${this.#host.cells.player(field)}`;
    const look = { ...ring, "stroke-width": 2 };
    return [svg("circle.m-last", look), svg(dot, { ...ring, r: 3.4 * this.small })];
  }

  #ghost(field, player) {
    const ring = this.#ring(field);
    return [
      svg("circle.c4-hole", ring),
      this.#stone(ring.cx, ring.cy, player, null, "ghost"),
      svg("circle.m-hover", { ...ring, "stroke-width": 3.2 * this.small ** 0.5 }),
    ];
  }

  #hint(field) {
    const dashes = { "stroke-dasharray": `${6 * this.small} ${5.5 * this.small}` };
    const look = { ...this.#ring(field), "stroke-width": 3.6 * this.small ** 0.5, ...dashes };
    return svg("g.is-hint", svg("circle.m-hint", look));
  }

  #won(fields) {
    if (!fields.length) return [];
    const strong = this.small ** 0.5;
    const d = `M${this.#middle(fields[0])}L${this.#middle(fields.at(-1))}`;
    const ring = (field) => marks.haloed("circle", this.#ring(field), "m-win", 3 * strong);
    return [marks.haloed("path", { d }, "m-win", 5 * strong), ...fields.map(ring)];
  }

  #frame(field) {
    const [x, y] = this.#middle(field);
    const half = 23 * this.small;
    return marks.frame(x - half, y - half, 2 * half, 2 * half, 8);
  }

  /** Cross out a field; the mark is to be removed. */
  cross(field) {
    const mark = marks.cross(...this.#middle(field), 11 * this.small);
    this.#above.append(mark);
    return mark;
  }
}
