// What the page knows about its table: who sits there, the plies, and the positions seen so far.
// Position i is the one after i plies. Old ones are asked for when the viewer goes back to them.

import { ask, read } from "../api.js";
import { kindOf } from "../games.js";
import { gameName, named } from "../names.js";

const CHUNK = 20; // positions asked for at once

const views = new Map();
const asked = new Map(); // chunks that are on their way

/** The table as the server has told it. */
export const store = {
  id: decodeURIComponent(location.pathname.split("/")[2] ?? ""),
  table: null,
  state: null,
  plies: [],
  mine: [], // seats of this browser
  operator: false,
  viewers: 0,
  exploring: null, // what leads a page on which moves are only tried
  cuts: 0, // how often moves were taken back
  kept: Infinity, // plies that were left when it happened last; the board sets it back

  /** Where the API has the table. */
  get path() {
    return `/api/v1/matches/${encodeURIComponent(store.id)}`;
  },

  /** How many plies have been played. */
  get length() {
    return store.plies.length;
  },

  /** Another one after every change of the game. */
  get moment() {
    return `${store.length}/${store.cuts}`;
  },

  /** The kind of game, as the pages know it. */
  get kind() {
    return kindOf(store.table);
  },

  get over() {
    return Boolean(store.state?.result) && !store.exploring;
  },

  /** How many plies at the beginning are a contest's drawn opening. */
  get opening() {
    return store.table.contest?.opening ?? 0;
  },

  /** The seat of this browser, if it has exactly one. */
  get solo() {
    return store.mine.length === 1 ? store.mine[0] : null;
  },

  /** The seat of this browser that takes its last turn back, if it has had one. */
  get undoing() {
    const movers = store.plies.filter(({ seat }) => store.mine.includes(seat));
    return movers.at(-1)?.seat ?? null;
  },

  /** What another seat offers to this browser, if anything. */
  get offered() {
    const { mine, state } = store;
    const open = ({ seat, declined }) => !declined && !mine.includes(seat);
    return (mine.length > 0 && state.offers.find(open)) || null;
  },

  /** What this browser has offered, if anything; it may be declined. */
  get offering() {
    return store.state.offers.find(({ seat }) => store.mine.includes(seat)) ?? null;
  },

  /** The seat that has the first turn. */
  get begins() {
    return store.plies.find(({ seat }) => seat >= 0)?.seat ?? store.table.options.begins ?? 0;
  },

  /** How many positions are known here. */
  get knownCount() {
    return views.size;
  },

  /** Take the message `table`: all of it, or what was missed. */
  takeTable({ table, from, plies, start, view, state }) {
    store.table = { ...table, name: gameName(table), named: Boolean(table.name) };
    store.plies.length = Math.min(store.length, from); // there may be fewer than before
    if (start) views.set(0, start);
    store.takeMoves({ from, plies, state });
    views.set(store.length, view);
  },

  /** Take the message `moved`; what was known from there on has been taken back. */
  takeMoves({ from, plies, state }) {
    if (from < store.length) cut(from);
    plies.forEach((ply, n) => {
      store.plies[from + n] = ply;
      if (ply.view) views.set(from + n + 1, ply.view);
    });
    store.takeState({ state });
  },

  /** Take the message `state`. */
  takeState({ state }) {
    store.state = { ...state, seats: named(store.kind, state.seats) };
  },

  /** The position after so many plies, if it is known here. */
  known: (index) => views.get(index) ?? null,

  /** The position after so many plies; asks the server if need be. */
  async view(index) {
    return views.get(index) ?? store.reload(index);
  },

  /** The position after so many plies, asked for once more. */
  async reload(index) {
    await load(Math.floor(index / CHUNK));
    if (!views.has(index)) throw new Error(`position ${index} is not known`);
    return views.get(index);
  },

  /** Ask for all positions, the newest first; `done` is called after each chunk that came. */
  async loadAll(done) {
    for (let chunk = Math.floor(store.length / CHUNK); chunk >= 0; chunk -= 1) {
      if (span(chunk).every((n) => views.has(n))) continue;
      await load(chunk);
      done();
    }
  },

  /** Milliseconds that a seat had left of the game's time after so many plies. */
  left(seat, until = store.length) {
    const { gameTime, increment } = store.table;
    let left = gameTime;
    let next = store.state.turn; // who decides after a ply: with the turn comes the increment
    for (const ply of store.plies.filter((one) => one.seat >= 0).reverse()) {
      if (ply.seat === seat && ply.n < until) left += (next === seat ? 0 : increment) - ply.took;
      next = ply.seat;
    }
    return left;
  },

  /** Ask what the moves are worth in the position after so many plies. */
  judged: (ply, effort, signal) =>
    ask("GET", `${store.path}/analysis?ply=${ply}&effort=${effort}`, undefined, signal),

  /** The name of a seat. */
  name: (seat) => store.state.seats[seat]?.name ?? "",

  /** The number of the move that led to a position, as it is told everywhere. */
  number: (index) => store.kind.numbered(store.turns(index).length),

  /** Where the turns begin that were played up to a position: indices of their first plies. */
  turns(until = store.length) {
    const begun = [];
    let mover = null; // chance decides within the turns of players
    for (const [n, { seat }] of store.plies.slice(0, until).entries()) {
      if (seat >= 0 && seat !== mover) begun.push(n);
      if (seat >= 0) mover = seat;
    }
    return begun;
  },
};

/** Forget all plies but the first so many. */
function cut(kept) {
  store.plies.length = kept;
  store.kept = Math.min(store.kept, kept);
  store.cuts += 1;
  for (const index of views.keys()) if (index > kept) views.delete(index);
}

/** The positions of a chunk. */
function span(chunk) {
  const count = Math.min(CHUNK, store.length + 1 - chunk * CHUNK);
  return Array.from({ length: count }, (_, n) => chunk * CHUNK + n);
}

/** Ask for a chunk of positions; the same question is under way only once. */
async function load(chunk) {
  if (!asked.has(chunk)) asked.set(chunk, fetched(chunk));
  await asked.get(chunk).finally(() => asked.delete(chunk));
}

async function fetched(chunk) {
  const wanted = span(chunk);
  const { cuts } = store;
  const { from, views: found } = await read(`${store.path}/views?from=${wanted[0]}&to=${wanted.at(-1)}`);
  if (cuts === store.cuts) found.forEach((view, n) => views.set(from + n, view));
}
