// The marks on the solid board in space, of the same grammar as on the flat ones.

import * as marks from "../../js/boards/marks.js";
import { svg } from "../../js/dom.js";

/** What is drawn for { last, hint, ghost, player, focus }, which are fields or null. */
export function markedInSpace(space, cells, { last, hint, ghost, player, focus }) {
  const marker = new Marker(space, cells);
  const won = cells.won.size > 0;
  return [
    last !== null && !won && marker.last(last),
    hint !== null && marker.hint(hint),
    ghost !== null && !won && marker.ghost(ghost, player),
    ...cells.lines.flatMap((line) => marker.line(line)),
    focus !== null && marker.focus(focus),
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
      "g",
      { class: "is-hint" },
      svg("ellipse", { ...ring, class: "m-halo", "stroke-width": 7 }),
      svg("ellipse", { ...ring, class: "m-hint", "stroke-width": 4, ...dashes }),
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

  focus(field) {
    const { x, y, width, height } = this.#space.box(...this.#cells.place(field));
    return marks.frame(x - 5, y - 5, width + 10, height + 10, 12);
  }
}
