// Which position the board shows. Moves that arrive are shown one after the other, each in its own
// time; a viewer who has gone back stays there. Before a computer's move the position before it has
// been seen for at least the time that the person has set: only the rest is waited for.

import { step, wait } from "../motion.js";
import { get } from "../settings.js";
import { store } from "./state.js";

const FAR = 5; // moves behind the present, after which the board jumps

let ticket = 0;
let since = 0; // when the position came to rest
let pause = null;
let running = false;

/** Leads the board through the positions; `onShow` is called when one comes, `onRest` after it. */
export const display = {
  board: null,
  onShow: () => {},
  onRest: () => {},
  shown: 0,
  following: true,
  busy: false, // something moves on the board
  view: null, // the last position that came to rest
  seen: 0, // the farthest position that was shown

  /** Whether the board has come to rest at the present. */
  get present() {
    return display.shown === store.length && !display.busy;
  },

  /** How many plies have not been shown yet. */
  get behind() {
    return store.length - display.shown;
  },

  /** Whose turn it is as far as the board has come; the server's word once it has caught up. */
  get turn() {
    const { state, plies } = store;
    if (!display.following || display.present) return state.turn;
    const mover = display.busy ? display.shown - 1 : display.shown;
    return plies.slice(0, mover + 1).findLast(({ seat }) => seat >= 0)?.seat ?? state.turn;
  },

  /** The ply that led to what is shown. */
  get last() {
    return display.shown ? store.plies[display.shown - 1] : null;
  },

  /** Go to the position after so many plies. */
  async seek(index, { animate = false } = {}) {
    const target = Math.max(0, Math.min(index, store.length));
    if (display.following) display.seen = store.length;
    display.following = target === store.length;
    pause?.abort();
    await present(target, animate && target === display.shown + 1);
  },

  /** One ply on or back. */
  step: (by) => display.seek(display.shown + by, { animate: by === 1 }),

  /** New plies are there: show them, unless the viewer has gone back; or fewer than are shown. */
  arrived() {
    const { kept } = store;
    store.kept = Infinity;
    display.seen = Math.min(display.seen, kept);
    if (display.shown > kept) returned(kept);
    else if (!display.following || !display.behind) display.onShow();
    else if (isHurried()) display.seek(store.length).catch(() => {});
    else if (!running) follow();
  },
};

/** Moves were taken back: go to the position that was left, and on if more has happened since. */
async function returned(kept) {
  await display.seek(kept).catch(() => {});
  display.following = true;
  if (display.behind) display.arrived();
}

async function follow() {
  running = true;
  try {
    while (display.following && display.behind) {
      await rest(store.plies[display.shown]);
      if (display.following && display.behind) await present(display.shown + 1, true);
    }
  } catch (error) {
    console.error(error);
  } finally {
    running = false;
  }
}

/** Wait until the position has been seen long enough for this ply. */
async function rest({ seat }) {
  const sameTurn = display.last?.seat === seat;
  const computer = seat >= 0 && store.state.seats[seat].kind !== "person" && !sameTurn;
  const left = since + (computer ? get("display") : 0) - performance.now();
  if (left <= 0) return;
  pause = new AbortController();
  await wait(left, pause.signal).catch(() => {});
}

function isHurried() {
  const moves = store.plies.slice(display.shown).filter(({ seat }) => seat >= 0);
  return document.hidden || moves.length > FAR || (step() === 0 && get("display") === 0);
}

async function present(index, animate) {
  const own = ++ticket;
  const view = await store.view(index);
  if (own !== ticket) return;
  display.shown = index;
  display.seen = Math.max(display.seen, index);
  display.busy = animate;
  if (!animate) display.view = view;
  display.onShow();
  const also = store.kind.also(store.plies.slice(0, index));
  await display.board.show({ view, last: display.last, ...also }, { animate });
  if (own !== ticket) return;
  display.view = view;
  display.busy = false;
  since = performance.now();
  display.onRest();
}

document.addEventListener("visibilitychange", () => display.board && display.arrived());
