// One height of the solid board: a flat board whose holes are open only where a stone lies or may
// come to lie.

import { disc, rounds } from "./cells.js";
import * as marks from "../../js/boards/marks.js";
import { html, svg } from "../../js/dom.js";
import { t } from "../../js/texts.js";

const PITCH = 46;
const MARGIN = 33;
const AT_ONCE = 4; // layers that are drawn before anybody knows what is in sight

/** The board of one height; it is drawn only while it is in sight. */
export class Layer {
  visible = false;
  #key = null;
  #ground = svg("g", { "aria-hidden": "true" });
  #pieces = svg("g", { "aria-hidden": "true" });
  #marks = svg("g.marks", { "aria-hidden": "true" });
  #targets = svg("g");
  #above = svg("g.above", { "aria-hidden": "true" });

  constructor(row, { width, height, layers }) {
    const small = Math.min(1, (7 / Math.max(width, layers)) ** 0.75);
    const name = row === 0 ? "bottom" : row === height - 1 ? "top" : "height";
    const title = t(`connect4.solid.${name}`, { row });
    Object.assign(this, { row, small, width, layers, visible: row < AT_ONCE });
    const digits = String(width * height * layers - 1).length;
    this.fontSize = Math.min(13.5, 34 / (0.62 * digits)) * small;
    const viewBox = `0 0 ${this.size.join(" ")}`;
    this.svg = svg(
      "svg.board.layer",
      { viewBox, role: "group", "aria-label": title },
      this.#ground,
      this.#pieces,
      this.#targets,
      this.#marks,
      this.#above,
    );
    const caption = html("figcaption", { "aria-hidden": "true" }, title);
    this.figure = html("figure", caption, this.svg);
  }

  get size() {
    const side = (cells) => ((cells - 1) * PITCH + 2 * MARGIN) * this.small;
    return [side(this.width), side(this.layers) + 5];
  }

  /** Forget the drawing. */
  clear() {
    this.#key = null;
    for (const part of this.svg.children) part.replaceChildren();
  }

  #middle(cells, field) {
    const [column, , layer] = cells.place(field);
    return [(MARGIN + column * PITCH) * this.small, (MARGIN + layer * PITCH) * this.small];
  }

  /** The field under the pointer, whether open or not. */
  fieldAt({ clientX, clientY }, cells) {
    const inverse = this.svg.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(inverse);
    const at = (units) => Math.round((units / this.small - MARGIN) / PITCH);
    const [column, layer] = [at(x), at(y)];
    const inside = column >= 0 && column < this.width && layer >= 0 && layer < this.layers;
    return inside ? cells.field(column, this.row, layer) : null;
  }

  #all(cells) {
    return cells.bottoms().map((bottom) => bottom + this.row * this.width);
  }

  /** Where a stone lies or may come to lie. */
  open(cells) {
    const free = cells.over ? 0 : 1;
    return this.#all(cells).filter((field) => this.row < cells.filled(cells.bottom(field)) + free);
  }

  /** Whether a stone may come to lie here. */
  opens(cells) {
    return !cells.over && cells.bottoms().some((bottom) => this.row === cells.filled(bottom));
  }

  /** Draw the position if it is another one here. */
  draw(cells, host, numbered) {
    const open = this.open(cells);
    const state = (field) => cells.cells[field] + (host.playable(field) ? "!" : "");
    const known = open.map((field) => field + state(field));
    const key = [numbered, host.lastField, ...cells.won, known].join();
    if (key === this.#key) return;
    this.#key = key;
    this.#drawGround(cells, open);
    this.#pieces.replaceChildren(
      ...open.flatMap((field) => this.#piece(cells, field, host.playable(field), numbered)),
    );
    this.#targets.replaceChildren(...open.map((field) => this.#target(cells, field, host)));
  }

  #drawGround(cells, open) {
    const [width, height] = this.size;
    const box = { width, height: height - 5, rx: 14 * this.small ** 0.5 };
    const seen = new Set(open);
    const all = this.#all(cells);
    const middles = (fields) => fields.map((field) => this.#middle(cells, field));
    this.#ground.replaceChildren(
      svg("rect.c4-edge", { ...box, y: 5 }),
      svg("rect.so-frame", box),
      svg("path.c4-rim", { d: rounds(middles(all), 20.5 * this.small) }),
      svg("path.c4-hole", { d: rounds(middles(open), 19.8 * this.small) }),
      svg("path.so-shut", {
        d: rounds(middles(all.filter((field) => !seen.has(field))), 3 * this.small),
      }),
    );
  }

  #piece(cells, field, playable, numbered) {
    const [x, y] = this.#middle(cells, field);
    const player = cells.player(field);
    if (player !== null) return this.#stone(x, y, player, cells.pale(field));
    const dot = (down, r) => svg("circle.c4-legal", { cx: x, cy: y + down, r });
    if (!numbered) return playable ? [dot(0, 4.5 * this.small)] : [];
    const name = playable ? "c4-number is-legal" : "c4-number";
    const lift = playable ? 1 : 0;
    const size = { "font-size": this.fontSize };
    const number = svg("text", { class: name, x, y: y - lift * this.small, ...size }, field);
    return playable ? [number, dot(12 * this.small, 2.4 * this.small)] : [number];
  }

  #stone(x, y, player, pale, name = "") {
    const drawn = disc(player, { r: 17.6 * this.small });
    if (pale) drawn.classList.add("faded");
    return [svg("g", { class: name, transform: `translate(${x} ${y})` }, drawn)];
  }

  #target(cells, field, host) {
    const [cx, cy] = this.#middle(cells, field);
    const [column, row, layer] = cells.place(field);
    const playable = host.playable(field);
    const state = cells.said(field, playable, String(host.lastField));
    const label = t("connect4.solid.field", { field, column, row, layer, state });
    return svg(
      "g",
      {
        class: playable ? "so-target is-legal" : "so-target",
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
  mark(cells, { last, hint, ghost, player, focus }) {
    const here = (field) => field !== null && cells.place(field)[1] === this.row;
    const drawn = [];
    const won = cells.won.size > 0;
    if (here(last) && !won) drawn.push(...this.#last(cells, last));
    if (here(ghost)) drawn.push(...this.#ghost(cells, ghost, player));
    if (here(hint)) drawn.push(this.#hint(cells, hint));
    for (const line of cells.lines) drawn.push(...this.#won(cells, line.filter(here)));
    if (here(focus)) drawn.push(this.#frame(cells, focus));
    this.#marks.replaceChildren(...drawn);
  }

  #ring(cells, field) {
    const [cx, cy] = this.#middle(cells, field);
    return { cx, cy, r: 19.5 * this.small };
  }

  #last(cells, field) {
    const ring = this.#ring(cells, field);
    const dot = { class: `disc-dot--p${cells.player(field)}`, r: 3.4 * this.small };
    return [
      svg("circle.m-last", { ...ring, "stroke-width": 2 }),
      svg("circle", { ...ring, ...dot }),
    ];
  }

  #ghost(cells, field, player) {
    const ring = this.#ring(cells, field);
    return [
      svg("circle.c4-hole", ring),
      ...this.#stone(ring.cx, ring.cy, player, false, "ghost"),
      svg("circle.m-hover", { ...ring, "stroke-width": 3.2 * this.small ** 0.5 }),
    ];
  }

  #hint(cells, field) {
    const ring = this.#ring(cells, field);
    const dashes = { "stroke-dasharray": `${6 * this.small} ${5.5 * this.small}` };
    const width = { "stroke-width": 3.6 * this.small ** 0.5 };
    const drawn = svg("circle.m-hint", { ...ring, ...width, ...dashes });
    return svg("g.is-hint", drawn);
  }

  #won(cells, fields) {
    if (!fields.length) return [];
    const points = fields.map((field) => this.#middle(cells, field));
    const d = `M${points[0]}L${points.at(-1)}`;
    const rings = fields.map((field) =>
      marks.haloed("circle", this.#ring(cells, field), "m-win", 3 * this.small ** 0.5),
    );
    return [marks.haloed("path", { d }, "m-win", 5 * this.small ** 0.5), ...rings];
  }

  #frame(cells, field) {
    const [x, y] = this.#middle(cells, field);
    const half = 23 * this.small;
    return marks.frame(x - half, y - half, 2 * half, 2 * half, 8);
  }

  /** Cross out a field; the mark is to be removed. */
  cross(cells, field) {
    const mark = marks.cross(...this.#middle(cells, field), 11 * this.small);
    this.#above.append(mark);
    return mark;
  }
}
