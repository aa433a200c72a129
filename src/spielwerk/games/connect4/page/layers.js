// The layers beside the solid board: one flat board for each height, holes open only where a stone
// lies or may come to lie. All of them together are one tab stop. Only those in sight are drawn.

import { arrowOf } from "./cells.js";
import { Layer } from "./layer.js";
import { html } from "../../js/dom.js";
import { t } from "../../js/texts.js";

const LEAST = 8; // pixels of a field number, below that it hides

/** All layers of a board; `host` says what may be played and is told what is pointed at. */
export class Layers {
  #host;
  #layers = [];
  #cells = null;
  #scale = 1;
  #stop = null; // the field that is the tab stop
  #sight = null;
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
  }

  connect() {
    this.disconnect();
    this.#sight = new IntersectionObserver((entries) => this.#seen(entries), {
      root: this.element,
      rootMargin: "50%",
    });
    for (const layer of this.#layers) this.#sight.observe(layer.figure);
    this.#resized.observe(this.element);
  }

  disconnect() {
    this.#sight?.disconnect();
    this.#resized.disconnect();
  }

  /** Make the layers for boards of this size. */
  build(cells) {
    this.#cells = cells;
    this.#stop = this.pointed = null;
    this.#layers = [...Array(cells.height).keys()].map((row) => new Layer(row, cells));
    const [{ size, fontSize }] = this.#layers;
    this.element.style.setProperty("--units", size[0]);
    this.element.style.setProperty("--least", `${Math.ceil((LEAST * size[0]) / fontSize)}px`);
    this.element.replaceChildren(...this.#layers.map((layer) => layer.figure));
    this.connect();
    this.#scaled();
  }

  /** Draw the position wherever it changed. */
  draw(cells) {
    this.#cells = cells;
    const held = this.element.contains(document.activeElement) && this.#stop;
    for (const layer of this.#layers) this.#drawLayer(layer);
    this.#rove();
    if (held !== false) this.#node(this.#stop)?.focus({ preventScroll: true });
  }

  #drawLayer(layer) {
    if (layer.visible) layer.draw(this.#cells, this.#host, this.#numbered(layer));
  }

  #numbered(layer) {
    return layer.fontSize * this.#scale >= LEAST;
  }

  /** Draw last move, hint, ghost, focus and winning lines. */
  mark(state) {
    for (const layer of this.#layers) if (layer.visible) layer.mark(this.#cells, state);
  }

  /** Cross out a field. */
  refuse(field) {
    const layer = this.#layers[this.#cells.place(field)[1]];
    return layer?.visible ? layer.cross(this.#cells, field) : null;
  }

  /** Bring a layer into sight where a stone may fall, if there is none. */
  follow() {
    const rows = this.#layers.filter((layer) => layer.opens(this.#cells));
    const { scrollTop, clientHeight } = this.element;
    const shown = ({ figure }) =>
      figure.offsetTop >= scrollTop - 1 && figure.offsetTop < scrollTop + clientHeight / 2;
    if (!rows.length || rows.some(shown) || this.element.matches(":hover, :focus-within")) return;
    this.element.scrollTop = rows[0].figure.offsetTop;
  }

  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      const layer = this.#layers.find(({ figure }) => figure === target);
      if (!layer || layer.visible === isIntersecting) continue;
      if (target.contains(document.activeElement)) continue;
      layer.visible = isIntersecting;
      if (isIntersecting) this.#drawLayer(layer);
      else layer.clear();
    }
    this.#rove();
    this.#host.remark();
  }

  #scaled() {
    const layer = this.#layers[0];
    const width = layer?.svg.getBoundingClientRect().width;
    if (!width) return;
    const before = this.#numbered(layer);
    this.#scale = width / layer.size[0];
    if (this.#numbered(layer) !== before) this.draw(this.#cells);
  }

  // pointer

  #fieldAt(event) {
    const node = event.target.closest("[data-field]");
    if (node) return Number(node.dataset.field);
    const layer = this.#layers.find(({ svg: drawing }) => drawing.contains(event.target));
    return layer && event.detail ? layer.fieldAt(event, this.#cells) : null;
  }

  #clicked(event) {
    const field = this.#fieldAt(event);
    if (field !== null && field !== undefined) this.#host.pressField(field);
  }

  #point(event) {
    if (event.pointerType === "touch") return;
    const node = event.target.closest("[data-field]");
    const field = node ? Number(node.dataset.field) : null;
    this.#goUnder(field !== null && this.#host.playable(field) ? field : null);
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
    const layer = this.#layers[this.#cells.place(field)[1]];
    layer.visible = true;
    this.#drawLayer(layer);
    this.#node(field)?.focus();
    layer.figure.scrollIntoView({ block: "nearest" });
  }

  /** The nearest open field in this direction, else the nearest one of the layer that follows. */
  #step(field, dx, dy) {
    const [column, row, depth] = this.#cells.place(field);
    const cost = (other) => {
      const [j, , k] = this.#cells.place(other);
      const along = (j - column) * dx + (k - depth) * dy;
      const aside = Math.abs((j - column) * dy) + Math.abs((k - depth) * dx);
      return along > 0 && aside <= along ? along + 2.5 * aside : Infinity;
    };
    return cheapest(this.#layers[row].open(this.#cells), cost) ?? this.#storey(field, dx + dy);
  }

  /** The nearest open field of the next layer above (1) or below (-1) that has any. */
  #storey(field, up) {
    const [column, row, depth] = this.#cells.place(field);
    const distance = (other) => {
      const [j, , k] = this.#cells.place(other);
      return Math.abs(j - column) + Math.abs(k - depth);
    };
    for (let next = row + up; next in this.#layers; next += up) {
      const found = cheapest(this.#layers[next].open(this.#cells), distance);
      if (found !== null) return found;
    }
    return null;
  }
}

function cheapest(fields, cost) {
  let best = null;
  let least = Infinity;
  for (const field of fields) {
    const price = cost(field);
    if (price < least) [best, least] = [field, price];
  }
  return best;
}
