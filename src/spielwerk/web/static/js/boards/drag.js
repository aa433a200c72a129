// Dragging a piece over a board: it is pressed where it is taken up, and where it is dropped.

import { svg } from "../dom.js";
import { idOf } from "./fields.js";

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
    const id = idOf(event.target);
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
    return this.#board.contains(over) ? idOf(over) : null;
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
