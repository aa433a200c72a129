// What all boards share: a position goes in, moves come out, and everything can be done with
// pointer, keys and screen reader alike. A board knows no rules: what may be played comes with the
// position, and what is tried besides is handed to the page, which asks the server why not.
//
//   board.show({ view, last }, { animate: true })   a position and the ply that led to it (or null)
//   board.input = { seat, legal } or null           who may play here, and what
//   board.hint("A1:A2"), board.flipped = true, board.cancel(), board.refuse("A2")
//
// Events: `sw-move` { move }, `sw-try` { move, field } for what is not legal, `sw-choice` { text }
// for what is chosen so far in the wire's notation.
//
// Fields lie in the drawing (`fields()`); whatever else carries the class `target` and a `data-id`
// inside the element (a stone in the supply) is pointed at, pressed and focused in the same way.

import { step } from "../motion.js";
import { svg } from "../svg.js";
import { corners, fit, half, idOf, middle, nearest, newTarget } from "./fields.js";
import { cross, frame } from "./marks.js";

export { middle };

const REFUSED = 600; // milliseconds that the cross stays
const PATIENCE = 300; // milliseconds that a move may be on its way before it is shown as done
const SLACK = 6; // pixels that a pressed pointer may stray before it drags

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The base of the boards. */
export class Board extends HTMLElement {
  #position = null;
  #input = null;
  #flipped = false;
  #motion = null; // while the last move is being shown
  #focused = null; // the board's one tab stop
  #former = null; // the one before, should it vanish
  #under = null; // the field under the pointer
  #drag = null;
  #hintedAt = 0;
  #sending = 0; // the timer of a move on its way

  /** The move that is shown as advice, if any. */
  hinted = null;

  /** The legal field under the pointer, or under the focus as the keyboard moves it. */
  hovered = null;

  /** The move on its way to the server that is already to be shown as done, if any. */
  sent = null;

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

  constructor() {
    super();
    this.addEventListener("click", (event) => this.#clicked(event));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#focus(event.target));
    this.addEventListener("focusout", () => queueMicrotask(() => this.#lookAt()));
    this.addEventListener("pointerover", (event) => this.#point(idOf(event.target), event));
    this.addEventListener("pointerleave", (event) => this.#point(null, event));
    this.addEventListener("pointerdown", (event) => this.#grasp(event));
    this.addEventListener("pointermove", (event) => this.#pull(event));
    this.addEventListener("pointerup", (event) => this.#release(event));
    this.addEventListener("pointercancel", () => this.#endDrag());
    // The finger moves the piece, not the page; a tap stays a click.
    const hold = (event) => this.#drag && event.cancelable && event.preventDefault();
    this.addEventListener("touchmove", hold, { passive: false });
  }

  // to be written for each game

  /** Width and height of the drawing. */
  get size() {
    return [600, 600];
  }

  /** What the board is called by a screen reader. */
  get label() {
    return "";
  }

  /** Every field of the drawing: { id, x, y, r } or { id, x, y, width, height, rx }, and label. */
  fields() {
    return [];
  }

  /** Draw what does not change during a game. */
  drawGround() {}

  /** Draw the position. */
  drawPieces() {}

  /** Draw last move, legal targets, choice, hint, winning line. */
  drawMarks() {}

  /**
   * A field was clicked, Enter pressed on it, or a piece `dragged` from it or dropped on it:
   * `this.move(text)`, `this.try(text, id)` or choose.
   */
  press(id, dragged) {} // eslint-disable-line no-unused-vars

  /** Whether pointing at the field shows that it can be played. */
  inviting(id) {} // eslint-disable-line no-unused-vars

  /** What can be dragged from the field, as a `<g>` around 0, 0; it and the goal are pressed. */
  piece(id) {} // eslint-disable-line no-unused-vars

  /** Show how the last move came about; the new position is drawn, without marks. */
  async travel(before, signal) {} // eslint-disable-line no-unused-vars

  /** Let go of all that is chosen; whether there was anything. */
  cancel() {
    return false;
  }

  /** Take back the latest choice (Esc); whether there was any. */
  back() {
    return this.cancel();
  }

  // in

  /** The position that is shown. */
  get position() {
    return this.#position;
  }

  /** The field whose piece is being dragged, or null. */
  get dragged() {
    return this.#drag?.moving ? this.#drag.id : null;
  }

  /** The text of the move that led to the position, or "". */
  get lastMove() {
    return this.#position?.last?.move ?? "";
  }

  /** Show a position, after its last move has been seen if so wished; a newer one ends that. */
  async show(position, { animate = false } = {}) {
    this.#still();
    const before = this.#position;
    const moving = animate && before && this.isConnected && !document.hidden && step() > 0;
    const known = this.sent !== null; // the person has seen it happen
    this.#position = position;
    if (before?.view !== position.view) this.#forget();
    this.refresh();
    if (moving && !known) await this.#travelled(before);
  }

  async #travelled(before) {
    const motion = (this.#motion = new AbortController());
    this.marks.replaceChildren();
    try {
      await this.travel(before, motion.signal);
    } catch (error) {
      if (!motion.signal.aborted) reportError(error);
    }
    if (this.#motion !== motion) return;
    this.#motion = null;
    this.refresh();
  }

  /** End any motion where it is. */
  #still() {
    this.#motion?.abort();
    this.#motion = null;
  }

  #forget() {
    this.#arrived();
    this.hinted = null;
    this.#endDrag();
    this.cancel();
  }

  /** Who may play, and what: { seat, legal }; null while nobody may here. */
  get input() {
    return this.#input;
  }

  set input(input) {
    const same = input?.legal.join(" ") === this.#input?.legal.join(" ");
    this.#input = input;
    if (input) this.#arrived();
    if (!same) this.#endDrag();
    if (!same) this.cancel();
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
    this.#hintedAt = performance.now();
    this.refresh();
  }

  /** Cross out a field for a moment. */
  refuse(id) {
    const field = this.#field(id);
    if (!field) return;
    this.above.querySelector(".m-refused")?.remove();
    const mark = cross(...middle(field), 0.55 * half(field));
    this.above.append(mark);
    setTimeout(() => mark.remove(), REFUSED);
  }

  // out

  /** Play this; `shown` if the person sees it as done already, as after dragging. */
  move(move, shown = this.dragged !== null) {
    this.cancel();
    this.#arrived();
    if (shown) this.sent = move;
    else this.#sending = setTimeout(() => this.#late(move), PATIENCE);
    this.#tell("sw-move", { move });
  }

  #late(move) {
    this.sent = move;
    this.refresh();
  }

  /** Nothing is on its way any more. */
  #arrived() {
    clearTimeout(this.#sending);
    this.sent = null;
  }

  /** This is not legal: cross it out and let the page find out why not. */
  try(move, field) {
    this.refuse(field);
    this.#tell("sw-try", { move, field });
  }

  /** Say what is chosen so far. */
  chosen(text) {
    this.#tell("sw-choice", { text });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  // drawing

  connectedCallback() {
    if (!this.contains(this.svg)) this.prepend(this.svg);
    this.rebuild();
  }

  disconnectedCallback() {
    this.#still();
    this.#arrived();
    this.#endDrag();
  }

  /** Draw everything anew. */
  rebuild() {
    if (!this.isConnected || !this.#position) return;
    this.#still();
    this.ground.replaceChildren();
    this.refresh();
  }

  #build(box) {
    this.svg.setAttribute("viewBox", box);
    this.svg.setAttribute("aria-label", this.label);
    this.ground.replaceChildren();
    this.drawGround();
  }

  /** Draw what may have changed; while a move is being shown, only what fields are called. */
  refresh() {
    if (!this.isConnected || !this.#position) return;
    const box = `0 0 ${this.size.join(" ")}`;
    if (!this.ground.hasChildNodes() || this.svg.getAttribute("viewBox") !== box) this.#build(box);
    const held = idOf(document.activeElement) !== null && this.contains(document.activeElement);
    if (!this.#motion) {
      this.pieces.replaceChildren();
      this.drawPieces();
    }
    this.#drawTargets();
    if (held && !this.contains(document.activeElement)) this.#node(this.#focused)?.focus();
    this.#redrawMarks();
    this.#ring();
  }

  #redrawMarks() {
    this.hovered = this.#legal(this.#under) ?? this.#legal(this.#visible());
    if (this.#motion) return;
    this.marks.replaceChildren();
    this.drawMarks();
    for (const mark of this.querySelectorAll(".is-hint")) this.#beat(mark);
  }

  /** A hint that is drawn again goes on beating where it was. */
  #beat(mark) {
    mark.style.setProperty("animation-delay", `${this.#hintedAt - performance.now()}ms`);
  }

  #legal(id) {
    return id !== null && this.#input && this.inviting(id) ? id : null;
  }

  #drawTargets() {
    const fields = this.fields();
    const nodes = [...this.targets.children];
    const same = nodes.length === fields.length;
    if (!same || fields.some(({ id }, index) => nodes[index].dataset.id !== id)) {
      this.targets.replaceChildren(...fields.map(newTarget));
    }
    fields.forEach((field, index) => this.#update(this.targets.children[index], field));
    const ids = this.#all().map((node) => node.dataset.id);
    this.#rove([this.#focused, this.#former].find((id) => ids.includes(id)) ?? ids[0]);
  }

  #update(node, field) {
    const inviting = this.#legal(field.id) !== null;
    fit(node.firstChild, field);
    node.setAttribute("aria-label", field.label);
    node.setAttribute("aria-disabled", String(!inviting));
    node.classList.toggle("is-legal", inviting);
    node.classList.toggle("is-loose", Boolean(this.#input && this.piece(field.id)));
  }

  // pointer

  #clicked(event) {
    const id = idOf(event.target);
    if (event.detail !== 0 && this.#drag?.moving) return;
    if (id !== null) this.#pressed(id);
  }

  #pressed(id, dragged = false) {
    if (!this.#input || id === null) return;
    this.#still();
    this.#arrived();
    this.press(id, dragged);
    this.refresh();
  }

  #point(id, event) {
    if (event.pointerType === "touch" || this.#drag?.moving) return;
    this.#goUnder(id);
  }

  #goUnder(id) {
    if (id === this.#under) return;
    this.#under = id;
    this.#redrawMarks();
  }

  #grasp(event) {
    const id = idOf(event.target);
    this.#endDrag();
    if (!this.#input || id === null || event.button !== 0 || !event.isPrimary) return;
    const piece = this.piece(id);
    if (piece) this.#drag = { id, piece, pointer: event.pointerId, start: [event.x, event.y] };
  }

  #pull(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const [x, y] = drag.start;
    if (!drag.moving && Math.hypot(event.x - x, event.y - y) < SLACK) return;
    if (!drag.moving) this.#lift(drag, event);
    const over = document.elementFromPoint(event.x, event.y);
    this.#goUnder(this.contains(over) ? idOf(over) : null);
    drag.ghost.style.setProperty("transform", `translate(${event.x}px, ${event.y}px)`);
  }

  #lift(drag, event) {
    drag.moving = true;
    this.setPointerCapture(event.pointerId);
    const [width] = this.size;
    const scale = this.svg.getBoundingClientRect().width / width;
    drag.ghost = svg("svg", { class: "dragged" }, drag.piece);
    drag.piece.setAttribute("transform", `scale(${scale})`);
    document.body.append(drag.ghost);
    this.classList.add("is-dragging");
    this.#pressed(drag.id, true);
  }

  #release(event) {
    const drag = this.#drag;
    if (!drag?.moving) return void (this.#drag = null);
    const over = document.elementFromPoint(event.x, event.y);
    const id = this.contains(over) ? idOf(over) : null;
    if (id !== null && id !== drag.id) this.#pressed(id, true);
    drag.ghost.remove();
    // The click that follows belongs to the drag; only after it the next one counts again.
    setTimeout(() => this.#drag === drag && this.#endDrag());
  }

  #endDrag() {
    const moving = this.dragged !== null;
    this.#drag?.ghost?.remove();
    this.#drag = null;
    this.classList.remove("is-dragging");
    if (moving) this.refresh();
  }

  // focus and keys

  #field(id) {
    return this.fields().find((field) => field.id === id);
  }

  #all() {
    return [...this.querySelectorAll(".target[tabindex]")];
  }

  #node(id) {
    return this.#all().find((node) => node.dataset.id === id);
  }

  /** Let the field with this ID be the board's one tab stop. */
  #rove(id) {
    if (id !== this.#focused) this.#former = this.#focused;
    this.#focused = id ?? null;
    for (const node of this.#all()) {
      node.setAttribute("tabindex", node.dataset.id === id ? "0" : "-1");
    }
  }

  /** The field that the keyboard has put the focus on, or null. */
  #visible() {
    const node = document.activeElement;
    return this.contains(node) && node.matches(".target:focus-visible") ? node.dataset.id : null;
  }

  #focus(node) {
    const id = idOf(node);
    if (id === null) return;
    this.#rove(id);
    this.#lookAt();
  }

  #lookAt() {
    if (!this.isConnected || !this.#position) return;
    this.#ring();
    this.#redrawMarks();
  }

  #ring() {
    this.above.querySelector(".m-focus")?.remove();
    const id = this.#visible();
    const field = id === null ? undefined : this.#field(id);
    if (field) this.above.append(frame(...corners(field, 5), 12));
  }

  #key(event) {
    const id = idOf(event.target);
    if (id === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) nearest(event.target.closest(".target"), this.#all(), arrow)?.focus();
    else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) this.#pressed(id);
    } else if (event.key === "Escape") this.#escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #escape() {
    if (!this.back()) document.activeElement?.blur();
    this.refresh();
  }
}
