// What all boards share: a position goes in, moves come out, and everything can be done with
// pointer, keys and screen reader alike. A board knows no rules: what may be played comes with the
// position, and what is tried besides is handed to the page, which asks the server why not.
//
//   board.show({ view, last }, { animate: true })   a position and the move that led to it
//   board.input = { seat, legal } or null           who may play here, and what
//   board.hint("A1:A2"), board.flipped = true, board.cancel(), board.refuse("A2")
//
// Events: `sw-move` { move }, `sw-try` { move, field } for what is not legal, `sw-choice` { text }
// for what is chosen so far in the wire's notation.

import { svg } from "../svg.js";

const REFUSED = 600; // milliseconds that the cross stays

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The base of the boards that have fields on one drawing. */
export class Board extends HTMLElement {
  #position = null;
  #input = null;
  #flipped = false;
  #motion = null;
  #focused = null;

  /** The drawing's layers, the later above the earlier. */
  ground = svg("g", { class: "ground", "aria-hidden": "true" });
  pieces = svg("g", { class: "pieces", "aria-hidden": "true" });
  marks = svg("g", { class: "marks", "aria-hidden": "true" });
  targets = svg("g", { class: "targets" });
  above = svg("g", { class: "above", "aria-hidden": "true" });

  svg = svg(
    "svg",
    { class: "board", role: "group" },
    this.ground,
    this.pieces,
    this.marks,
    this.targets,
    this.above,
  );

  // to be written for each game

  /** Width and height of the drawing. */
  get size() {
    return [600, 600];
  }

  /** What the board is called by a screen reader. */
  get label() {
    return "";
  }

  /** Every field that can be pointed at: { id, x, y, r } or { id, x, y, width, height }, and label. */
  fields() {
    return [];
  }

  /** Draw what does not change during a game. */
  drawGround() {}

  /** Draw the position. */
  drawPieces() {}

  /** Draw last move, legal targets, choice, hint, winning line. */
  drawMarks() {}

  /** A field was clicked, or Enter pressed on it: `this.move(text)`, `this.try(text, id)` or choose. */
  press(id) {} // eslint-disable-line no-unused-vars

  /** Whether pointing at the field shows that it can be played. */
  inviting(id) {} // eslint-disable-line no-unused-vars

  /** Show how the last move came about; `before` is the position before it. */
  async travel(before, signal) {} // eslint-disable-line no-unused-vars

  /** Let go of what is chosen; whether there was anything. */
  cancel() {
    return false;
  }

  // in

  /** The position that is shown. */
  get position() {
    return this.#position;
  }

  /** Show a position, after its last move has been seen if so wished; a newer one ends that. */
  async show(position, { animate = false } = {}) {
    this.#motion?.abort();
    const before = this.#position;
    const motion = (this.#motion = new AbortController());
    this.#position = position;
    this.cancel();
    this.hint(null);
    try {
      if (animate && before) await this.travel(before, motion.signal);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
    if (this.#motion === motion) this.refresh();
  }

  /** Who may play, and what: { seat, legal }; null while nobody may here. */
  get input() {
    return this.#input;
  }

  set input(input) {
    this.#input = input;
    if (!input) this.cancel();
    this.refresh();
  }

  get legal() {
    return this.#input?.legal ?? [];
  }

  /** Whether the board is seen from the other side. */
  get flipped() {
    return this.#flipped;
  }

  set flipped(flipped) {
    this.#flipped = flipped;
    this.rebuild();
  }

  /** Show this move as advice, or none. */
  hint(move) {
    this.hinted = move;
    this.refresh();
  }

  /** Cross out a field for a moment. */
  refuse(id) {
    const field = this.#field(id);
    if (!field) return;
    const [x, y] = middle(field);
    const arm = 0.55 * (field.r ?? Math.min(field.width, field.height) / 2);
    const d = `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}`;
    const cross = svg(
      "g",
      { class: "m-refused" },
      svg("path", { class: "m-halo", d }),
      svg("path", { class: "m-bad", d }),
    );
    this.above.append(cross);
    setTimeout(() => cross.remove(), REFUSED);
  }

  // out

  move(move) {
    this.cancel();
    this.#tell("sw-move", { move });
  }

  try(move, field) {
    this.#tell("sw-try", { move, field });
  }

  chosen(text) {
    this.#tell("sw-choice", { text });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  // drawing

  connectedCallback() {
    if (!this.svg.isConnected) this.prepend(this.svg);
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => this.#focus(event.target));
    this.svg.addEventListener("focusout", () => this.#ring(null));
    this.rebuild();
  }

  /** Draw everything anew. */
  rebuild() {
    if (!this.isConnected || !this.#position) return;
    this.svg.setAttribute("viewBox", `0 0 ${this.size.join(" ")}`);
    this.svg.setAttribute("aria-label", this.label);
    this.ground.replaceChildren();
    this.drawGround();
    this.refresh();
  }

  /** Draw what may have changed. */
  refresh() {
    if (!this.isConnected || !this.#position) return;
    if (!this.ground.hasChildNodes()) return this.rebuild();
    this.pieces.replaceChildren();
    this.marks.replaceChildren();
    this.drawPieces();
    this.drawMarks();
    this.#drawTargets();
  }

  #drawTargets() {
    const fields = this.fields();
    const known = new Map([...this.targets.children].map((node) => [node.dataset.id, node]));
    const held = known.get(this.#focused)?.matches(":focus");
    this.targets.replaceChildren(...fields.map((field) => this.#target(field, known)));
    const stop = fields.some(({ id }) => id === this.#focused) ? this.#focused : fields[0]?.id;
    this.#rove(stop);
    if (held) this.#node(this.#focused)?.focus();
  }

  #target(field, known) {
    const node = known.get(field.id) ?? this.#newTarget(field.id);
    const inviting = Boolean(this.#input) && Boolean(this.inviting(field.id));
    node.replaceChildren(shape(field));
    node.setAttribute("aria-label", field.label);
    node.setAttribute("aria-disabled", String(!inviting));
    node.classList.toggle("is-legal", inviting);
    return node;
  }

  #newTarget(id) {
    const node = svg("g", { class: "target", role: "button", tabindex: "-1", "data-id": id });
    node.addEventListener("click", () => this.#pressed(id));
    node.addEventListener("pointerenter", (event) => this.#hover(id, event));
    node.addEventListener("pointerleave", () => this.#hover(null));
    return node;
  }

  #pressed(id) {
    if (!this.#input) return;
    this.#focused = id;
    this.#rove(id);
    this.press(id);
  }

  /** The legal field under the pointer, or null; redraws the marks. */
  #hover(id, event) {
    if (event?.pointerType === "touch") return;
    const legal = id !== null && this.#input && this.inviting(id) ? id : null;
    if (legal === (this.hovered ?? null)) return;
    this.hovered = legal;
    this.marks.replaceChildren();
    this.drawMarks();
  }

  // focus and keys

  #field(id) {
    return this.fields().find((field) => field.id === id);
  }

  #node(id) {
    return [...this.targets.children].find((node) => node.dataset.id === id);
  }

  /** Let the field with this ID be the board's one tab stop. */
  #rove(id) {
    for (const node of this.targets.children) {
      node.setAttribute("tabindex", node.dataset.id === id ? "0" : "-1");
    }
  }

  #focus(node) {
    const id = node.closest?.(".target")?.dataset.id;
    if (id === undefined) return;
    this.#focused = id;
    this.#rove(id);
    this.#ring(node.matches(":focus-visible") ? this.#field(id) : null);
  }

  #ring(field) {
    this.above.querySelector(".m-focus")?.remove();
    if (!field) return;
    const [x, y] = middle(field);
    const w = field.width ?? 2 * field.r;
    const h = field.height ?? 2 * field.r;
    const box = { x: x - w / 2 - 5, y: y - h / 2 - 5, width: w + 10, height: h + 10, rx: 12 };
    const ring = svg(
      "g",
      { class: "m-focus" },
      svg("rect", { class: "m-halo", ...box }),
      svg("rect", { class: "m-sel", ...box }),
    );
    this.above.append(ring);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.#step(...arrow);
    else if (event.key === "Enter" || event.key === " ") this.#pressed(this.#focused);
    else if (event.key === "Escape") {
      if (!this.cancel()) document.activeElement?.blur();
      this.refresh();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Focus the nearest field in this direction. */
  #step(dx, dy) {
    const fields = this.fields();
    const here = fields.find(({ id }) => id === this.#focused) ?? fields[0];
    if (!here) return;
    const [x, y] = middle(here);
    const ahead = fields
      .filter((field) => field !== here)
      .map((field) => {
        const [fx, fy] = middle(field);
        const along = (fx - x) * dx + (fy - y) * dy;
        const aside = Math.abs((fx - x) * dy) + Math.abs((fy - y) * dx);
        return { id: field.id, along, aside, cost: along + 2.5 * aside };
      })
      .filter(({ along, aside }) => along > 1 && aside <= 2 * along)
      .sort((a, b) => a.cost - b.cost);
    if (ahead.length) this.#node(ahead[0].id)?.focus();
  }
}

/** The middle of a field, which is a disc (x, y, r) or a rectangle (corner, width, height). */
export function middle(field) {
  return field.r !== undefined
    ? [field.x, field.y]
    : [field.x + field.width / 2, field.y + field.height / 2];
}

function shape(field) {
  return field.r !== undefined
    ? svg("circle", { cx: field.x, cy: field.y, r: field.r })
    : svg("rect", {
        x: field.x,
        y: field.y,
        width: field.width,
        height: field.height,
        rx: field.rx ?? 0,
      });
}
