// What all boards share: a position goes in, moves come out, and everything can be done with
// pointer, keys and screen reader alike. A board knows no rules: what may be played comes with the
// position, and what is tried besides is handed to the page, which asks the server why not.
//
//   board.show({ view, last }, { animate: true })   a position and the ply that led to it (or null)
//   board.input = { seat, legal } or null           who may play here, and what
//   board.hint("A1:A2"), board.flipped = true, board.cancel(), board.refuse("A2")
//
// What the board of a game writes of its own stands at the end of the class; what else its page has
// to say is in `js/games.js`.
//
// Events: `sw-move` { move }, `sw-try` { move, field } for what is not legal, `sw-choice` { text }
// for what is chosen so far in the wire's notation, `sw-edit` { id } for a field pressed in setting up,
// `sw-early` { field } for what is pressed while no one here may play.
//
// Fields lie in the drawing (`fields()`); whatever else carries the class `target` and a `data-id`
// inside the element (a stone in the supply) is pointed at, pressed and focused in the same way.

import { Drag, corners, fit, half, idOf, middle, nearest, targetsOf } from "./fields.js";
import { cross, frame } from "./marks.js";
import { ARROWS, assign, svg } from "../dom.js";
import { step } from "../motion.js";

const REFUSED = 600; // milliseconds that the cross stays
const PATIENCE = 300; // milliseconds that a move may be on its way before it is shown as done

/** The base of the boards. */
export class Board extends HTMLElement {
  #input = null;
  #flipped = false;
  #motion = null; // while the last move is being shown
  #focused = null; // the board's one tab stop
  #under = null; // the field under the pointer
  #drag = new Drag(this, {
    press: (id) => this.#pressed(id, true),
    over: (id) => this.#goUnder(id),
  });
  #markedAt = 0; // when the marks that move began to
  #waiting = 0; // the timer of a move on its way

  /** The position that is shown. */
  position = null;

  /** The move that is shown as advice, if any. */
  hinted = null;

  /** The legal field under the pointer, or under the focus as the keyboard moves it. */
  hovered = null;

  /** The move on its way to the server, if any; `sent` if it is already to be shown as done. */
  sending = null;
  sent = null;

  /** Whether a position is being set up: every field can be pressed, which no rule judges. */
  editing = false;

  /** The drawing's layers, the later above the earlier. */
  ground = svg("g.ground", { "aria-hidden": "true" });
  pieces = svg("g.pieces", { "aria-hidden": "true" });
  marks = svg("g.marks", { "aria-hidden": "true" });
  targets = svg("g.targets");
  above = svg("g.above", { "aria-hidden": "true" });

  constructor() {
    super();
    const layers = [this.ground, this.pieces, this.marks, this.targets, this.above];
    this.svg = svg("svg.board", { role: "group" }, layers);
    this.addEventListener("click", ({ target, detail }) => {
      if (detail === 0 || this.dragged === null) this.#pressed(idOf(target, this));
    });
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#focus(event.target));
    this.addEventListener("focusout", () => queueMicrotask(() => this.#lookAt()));
    this.addEventListener("pointerover", (event) => this.#point(idOf(event.target, this), event));
    this.addEventListener("pointerleave", (event) => this.#point(null, event));
  }

  // in

  /** The field whose piece is being dragged, or null. */
  get dragged() {
    return this.#drag.id;
  }

  /** The text of the move that led to the position, or "". */
  get lastMove() {
    return this.position?.last?.move ?? "";
  }

  /** Show a position, after its last move has been seen if so wished; a newer one ends that. */
  async show(position, { animate = false } = {}) {
    this.#still();
    const before = this.position;
    const moving = animate && before && this.isConnected && !document.hidden && step() > 0;
    const known = this.sent !== null; // the person has seen it happen
    this.position = position;
    this.#markedAt = performance.now();
    if (before?.view !== position.view) {
      this.#arrived();
      this.hinted = null;
      this.#drag.end();
      this.cancel();
    }
    this.refresh();
    if (moving && !known) await this.#travelled(before);
  }

  async #travelled(before) {
    const motion = (this.#motion = new AbortController());
    this.marks.replaceChildren();
    await this.travel(before, motion.signal).catch((e) => motion.signal.aborted || reportError(e));
    if (this.#motion !== motion) return;
    this.#motion = null;
    this.refresh();
  }

  /** End any motion where it is. */
  #still() {
    this.#motion?.abort();
    this.#motion = null;
  }

  /** Who may play, and what: { seat, legal }; null while no one here may. */
  get input() {
    return this.#input;
  }

  set input(input) {
    const same = input?.legal.join(" ") === this.#input?.legal.join(" ");
    this.#input = input;
    if (input) this.#arrived();
    if (!same) {
      this.#drag.end();
      this.cancel();
    }
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
    this.#markedAt = performance.now();
    this.refresh();
  }

  /** Cross out a field for a moment. */
  refuse(id) {
    const field = this.spot(id);
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
    this.sending = move;
    if (shown) this.sent = move;
    else this.#waiting = setTimeout(() => this.#late(move), PATIENCE);
    this.#tell("sw-move", { move });
  }

  #late(move) {
    this.sent = move;
    this.refresh();
  }

  /** Nothing is on its way any more. */
  #arrived() {
    clearTimeout(this.#waiting);
    this.sending = this.sent = null;
  }

  /** This is not legal: cross it out and let the page find out why not. */
  try(move, field) {
    this.refuse(field);
    this.#tell("sw-try", { move, field });
  }

  /** Say what is chosen so far. */
  chosen(text) {
    this.#markedAt = performance.now();
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
    this.#drag.end();
  }

  /** Draw everything anew. */
  rebuild() {
    if (!this.isConnected || !this.position) return;
    this.#still();
    this.ground.replaceChildren();
    this.refresh();
  }

  /** Draw what may have changed; while a move is being shown, only what fields are called. */
  refresh() {
    if (!this.isConnected || !this.position) return;
    const viewBox = `0 0 ${this.size.join(" ")}`;
    if (!this.ground.hasChildNodes() || this.svg.getAttribute("viewBox") !== viewBox) {
      assign(this.svg, { viewBox, "aria-label": this.label });
      this.ground.replaceChildren();
      this.drawGround();
    }
    const held = this.contains(document.activeElement) && idOf(document.activeElement, this);
    if (!this.#motion) {
      this.pieces.replaceChildren();
      this.drawPieces();
    }
    this.#drawTargets();
    const node = this.#all().find(({ dataset }) => dataset.id === this.#focused);
    if (held && !this.contains(document.activeElement)) node?.focus({ preventScroll: true });
    this.#redrawMarks();
    this.#ring();
  }

  #redrawMarks() {
    this.hovered = this.#legal(this.#under) ?? this.#legal(this.#visible());
    if (this.#motion) return;
    this.marks.replaceChildren();
    this.drawMarks();
    const delay = `${this.#markedAt - performance.now()}ms`; // they go on where they were
    for (const mark of this.querySelectorAll(".is-hint, .m-mill")) {
      mark.style.setProperty("animation-delay", delay);
    }
  }

  #legal(id) {
    return id !== null && (this.editing || (this.#input && this.inviting(id))) ? id : null;
  }

  #drawTargets() {
    const fields = this.fields();
    const nodes = targetsOf(this.targets, fields);
    fields.forEach((field, index) => this.#update(nodes[index], field));
    const ids = this.#all().map((node) => node.dataset.id);
    this.#rove(ids.includes(this.#focused) ? this.#focused : ids[0]);
  }

  #update(node, field) {
    const inviting = this.#legal(field.id) !== null;
    fit(node.firstChild, field);
    assign(node, { "aria-label": field.label, "aria-disabled": String(!inviting) });
    node.classList.toggle("is-legal", inviting);
    node.classList.toggle("is-loose", Boolean(this.#input && this.piece(field.id)));
  }

  // pointer

  #pressed(id, dragged = false) {
    if (id === null) return;
    if (this.editing) return this.#tell("sw-edit", { id: this.edited(id) });
    if (!this.#input) return this.#tell("sw-early", { field: id });
    this.#still();
    this.#arrived();
    this.press(id, dragged);
    this.refresh();
  }

  #point(id, event) {
    if (event.pointerType !== "touch" && this.dragged === null) this.#goUnder(id);
  }

  #goUnder(id) {
    if (id === this.#under) return;
    this.#under = id;
    this.#redrawMarks();
  }

  // focus and keys

  #field(id) {
    return id === null ? undefined : this.fields().find((field) => field.id === id);
  }

  #all() {
    const nodes = [...this.querySelectorAll(".target[tabindex]")];
    return nodes.filter((node) => idOf(node, this) !== null);
  }

  /** Let the field with this ID be the board's one tab stop. */
  #rove(id) {
    this.#focused = id ?? null;
    for (const node of this.#all()) {
      node.setAttribute("tabindex", node.dataset.id === id ? "0" : "-1");
    }
  }

  /** The field that the keyboard has put the focus on, or null. */
  #visible() {
    const node = document.activeElement;
    const here = this.contains(node) && node.matches(".target:focus-visible");
    return here ? idOf(node, this) : null;
  }

  #focus(node) {
    const id = idOf(node, this);
    if (id === null) return;
    this.#rove(id);
    this.#lookAt();
  }

  #lookAt() {
    if (!this.isConnected || !this.position) return;
    this.#ring();
    this.#redrawMarks();
  }

  #ring() {
    this.above.querySelector(".m-focus")?.remove();
    const field = this.#field(this.#visible());
    if (field) this.above.append(frame(...corners(field, 5), 12));
  }

  #key(event) {
    const id = idOf(event.target, this);
    if (id === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) nearest(event.target.closest(".target"), this.#all(), arrow)?.focus();
    else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) this.#pressed(id);
    } else if (event.key === "Escape") {
      if (!this.back()) document.activeElement?.blur();
      this.refresh();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // What the board of a game writes of its own; besides it has `size`, [width, height] of the drawing,
  // and `label`, what a screen reader calls it.

  /** Every field of the drawing: { id, x, y, r } or { id, x, y, width, height, rx }, and label. */
  fields() {
    return [];
  }

  /** Where a field is that is crossed out, if anywhere. */
  spot(id) {
    return this.#field(id);
  }

  /** Draw what does not change during a game. */
  drawGround() {}

  /** Draw the position. */
  drawPieces() {}

  /** Draw last move, legal targets, choice, hint, winning line. */
  drawMarks() {}

  /**
   * `press(id, dragged)`: a field was clicked, Enter pressed on it, or a piece `dragged` from it or
   * dropped on it: `this.move(text)`, `this.try(text, id)` or choose.
   */
  press() {}

  /** `inviting(id)`: whether pointing at the field shows that it can be played. */
  inviting() {}

  /** The field that changes when this one is pressed in setting up. */
  edited(id) {
    return id;
  }

  /** `piece(id)`: what can be dragged from there, as a `<g>` around 0, 0; it and the goal are pressed. */
  piece() {}

  /** `travel(before, signal)`: show how the last move came about; all but the marks is drawn. */
  async travel() {}

  /** Let go of all that is chosen; whether there was anything. */
  cancel() {
    return false;
  }

  /** Take back the latest choice (Esc); whether there was any. */
  back() {
    return this.cancel();
  }
}
