// Fields of boards: their shapes, the nodes that stand for them, how the arrows go between them, and
// how pieces are dragged from one to another.

import { svg } from "../dom.js";

/** The middle of a field, which is a disc (x, y, r) or a rectangle (corner, width, height). */
export function middle(field) {
  return field.r !== undefined
    ? [field.x, field.y]
    : [field.x + field.width / 2, field.y + field.height / 2];
}

/** Half of the field's shorter side. */
export function half(field) {
  return field.r ?? Math.min(field.width, field.height) / 2;
}

/** The box around the field and so much more on every side: [x, y, width, height]. */
export function corners(field, more) {
  const [x, y] = middle(field);
  const w = (field.width ?? 2 * field.r) + 2 * more;
  const h = (field.height ?? 2 * field.r) + 2 * more;
  return [x - w / 2, y - h / 2, w, h];
}

/**
 * The ID of the board's field that a node belongs to, or null. A board inside it has its own, and a
 * click there may have replaced the node before it is heard here.
 */
export function idOf(node, board) {
  if (!board.contains(node)) return null;
  const inner = node?.closest?.(".inner-board") ?? board;
  return inner === board ? (node?.closest?.(".target")?.dataset.id ?? null) : null;
}

/** The nodes in the layer that take the fields' clicks and focus; made anew only for other fields. */
export function targetsOf(layer, fields) {
  const nodes = [...layer.children];
  const known = (field, index) =>
    nodes[index]?.dataset.id === field.id && nodes[index].firstChild.localName === shapeOf(field);
  if (nodes.length !== fields.length || !fields.every(known)) {
    layer.replaceChildren(...fields.map(newTarget));
  }
  return [...layer.children];
}

const shapeOf = ({ r }) => (r !== undefined ? "circle" : "rect");

function newTarget(field) {
  const look = { role: "button", tabindex: "-1", "data-id": field.id };
  return svg("g.target", look, svg(shapeOf(field)));
}

/** Let the shape cover the field, without another node: a click must find what it went down on. */
export function fit(shape, { x, y, r, width, height, rx = 0 }) {
  const values = r !== undefined ? { cx: x, cy: y, r } : { x, y, width, height, rx };
  for (const [name, value] of Object.entries(values)) shape.setAttribute(name, value);
}

/** Of these nodes the nearest in a direction, as the page shows them, if there is any. */
export function nearest(node, nodes, [dx, dy]) {
  const [x, y] = centre(node);
  const measured = nodes.map((other) => {
    const [fx, fy] = centre(other);
    const along = (fx - x) * dx + (fy - y) * dy;
    const aside = Math.abs((fx - x) * dy) + Math.abs((fy - y) * dx);
    return { other, along, aside, cost: along + 2.5 * aside };
  });
  return measured
    .filter(({ along, aside }) => along > 1 && aside <= 2 * along)
    .sort((a, b) => a.cost - b.cost)[0]?.other;
}

function centre(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

// dragging: a piece is pressed where it is taken up, and where it is dropped

const SLACK = 6; // pixels that a pressed pointer may stray before it drags

/** What the pointer drags over a board; `press(id)` and `over(id)` tell where. */
export class Drag {
  #board;
  #press;
  #over;
  #held = null;

  constructor(board, { press, over }) {
    this.#board = board;
    this.#press = press;
    this.#over = over;
    board.addEventListener("pointerdown", (event) => this.#grasp(event));
    board.addEventListener("pointermove", (event) => this.#pull(event));
    board.addEventListener("pointerup", (event) => this.#release(event));
    board.addEventListener("pointercancel", () => this.end());
    // The finger moves the piece, not the page; a tap stays a click.
    const hold = (event) => this.#held && event.cancelable && event.preventDefault();
    board.addEventListener("touchmove", hold, { passive: false });
  }

  /** The field whose piece is being dragged, or null. */
  get id() {
    return this.#held?.moving ? this.#held.id : null;
  }

  #grasp(event) {
    const id = idOf(event.target, this.#board);
    this.end();
    if (!this.#board.input || id === null || event.button !== 0 || !event.isPrimary) return;
    const piece = this.#board.piece(id);
    if (piece) this.#held = { id, piece, pointer: event.pointerId, start: [event.x, event.y] };
  }

  #pull(event) {
    const held = this.#held;
    if (!held || event.pointerId !== held.pointer) return;
    const [x, y] = held.start;
    if (!held.moving && Math.hypot(event.x - x, event.y - y) < SLACK) return;
    if (!held.moving) this.#lift(held, event);
    this.#over(this.#below(event));
    held.ghost.style.setProperty("transform", `translate(${event.x}px, ${event.y}px)`);
  }

  #lift(held, event) {
    held.moving = true;
    this.#board.setPointerCapture(event.pointerId);
    const [width] = this.#board.size;
    const scale = this.#board.svg.getBoundingClientRect().width / width;
    held.ghost = svg("svg.dragged", held.piece);
    held.piece.setAttribute("transform", `scale(${scale})`);
    document.body.append(held.ghost);
    this.#board.classList.add("is-dragging");
    this.#press(held.id);
  }

  #release(event) {
    const held = this.#held;
    if (!held?.moving) return void (this.#held = null);
    const id = this.#below(event);
    if (id !== null && id !== held.id) this.#press(id);
    held.ghost.remove();
    // The click that follows belongs to the drag; only after it the next one counts again.
    setTimeout(() => this.#held === held && this.end());
  }

  /** The board's field under the pointer, or null. */
  #below(event) {
    const over = document.elementFromPoint(event.x, event.y);
    return this.#board.contains(over) ? idOf(over, this.#board) : null;
  }

  /** Let go of the piece, wherever it is. */
  end() {
    const moving = this.id !== null;
    this.#held?.ghost?.remove();
    this.#held = null;
    this.#board.classList.remove("is-dragging");
    if (moving) this.#board.refresh();
  }
}
