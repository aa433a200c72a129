// Which position the board shows. Moves that arrive are shown one after the other, each in its own
// time; a viewer who has gone back stays there. Before a computer's move the position before it has
// been seen for at least the time that the person has set: only the rest is waited for.

import { step, wait } from "../motion.js";
import { get } from "../settings.js";

const FAR = 5; // moves behind the present, after which the board jumps

/** Leads the board through the store's positions; says `show` when one comes, `rest` after it. */
export class Display extends EventTarget {
  shown = 0;
  following = true;
  busy = false; // something moves on the board
  view = null; // the last position that came to rest
  seen = 0; // the farthest position that was shown
  #store;
  #board;
  #ticket = 0;
  #since = 0;
  #pause = null;
  #running = false;

  constructor(store, board) {
    super();
    this.#store = store;
    this.#board = board;
    document.addEventListener("visibilitychange", () => this.arrived());
  }

  /** Whether the board has come to rest at the present. */
  get present() {
    return this.shown === this.#store.length && !this.busy;
  }

  /** How many plies have not been shown yet. */
  get behind() {
    return this.#store.length - this.shown;
  }

  /** Whose turn it is as far as the board has come; the server's word once it has caught up. */
  get turn() {
    const { state, plies } = this.#store;
    if (!this.following || this.present) return state.turn;
    const mover = this.busy ? this.shown - 1 : this.shown;
    const seats = plies.slice(0, mover + 1).map(({ seat }) => seat);
    return seats.findLast((seat) => seat >= 0) ?? state.turn;
  }

  /** The ply that led to what is shown. */
  get last() {
    return this.shown ? this.#store.plies[this.shown - 1] : null;
  }

  /** Go to the position after so many plies. */
  async seek(index, { animate = false } = {}) {
    const target = Math.max(0, Math.min(index, this.#store.length));
    if (this.following) this.seen = this.#store.length;
    this.following = target === this.#store.length;
    this.#pause?.abort();
    await this.#present(target, animate && target === this.shown + 1);
  }

  /** One ply on or back. */
  async step(by) {
    await this.seek(this.shown + by, { animate: by === 1 });
  }

  /** New plies are there: show them, unless the viewer has gone back. */
  arrived() {
    if (!this.following || !this.behind) this.#tell("show");
    else if (this.#hurried()) this.seek(this.#store.length).catch(() => {});
    else if (!this.#running) this.#follow();
  }

  async #follow() {
    this.#running = true;
    try {
      while (this.following && this.behind) await this.#next();
    } catch (error) {
      console.error(error);
    } finally {
      this.#running = false;
    }
  }

  async #next() {
    await this.#rest(this.#store.plies[this.shown]);
    if (this.following && this.behind) await this.#present(this.shown + 1, true);
  }

  /** Wait until the position has been seen long enough for this ply. */
  async #rest(ply) {
    const left = this.#since + this.#least(ply) - performance.now();
    if (left <= 0) return;
    this.#pause = new AbortController();
    await wait(left, this.#pause.signal).catch(() => {});
  }

  #least(ply) {
    const { seats } = this.#store.state;
    const sameTurn = this.last?.seat === ply.seat;
    const computer = ply.seat >= 0 && seats[ply.seat].kind !== "person" && !sameTurn;
    return computer ? get("display") : 0;
  }

  #hurried() {
    const moves = this.#store.plies.slice(this.shown).filter(({ seat }) => seat >= 0);
    return document.hidden || moves.length > FAR || (step() === 0 && get("display") === 0);
  }

  async #present(index, animate) {
    const ticket = ++this.#ticket;
    const view = await this.#store.view(index);
    if (ticket !== this.#ticket) return;
    this.shown = index;
    this.seen = Math.max(this.seen, index);
    this.busy = animate;
    if (!animate) this.view = view;
    this.#tell("show");
    const also = this.#store.kind.also(this.#store.plies.slice(0, index));
    await this.#board.show({ view, last: this.last, ...also }, { animate });
    if (ticket !== this.#ticket) return;
    this.view = view;
    this.busy = false;
    this.#since = performance.now();
    this.#tell("rest");
  }

  #tell(name) {
    this.dispatchEvent(new Event(name));
  }
}
