// What the page knows about its table: who sits there, the plies, and the positions seen so far.
// Position i is the one after i plies. Old ones are asked for when somebody goes back to them.

import { read } from "../api.js";
import { kindOf } from "../games.js";

const CHUNK = 20; // positions asked for at once

/** The table as the server has told it. */
export class Store {
  table = null;
  state = null;
  plies = [];
  mine = []; // seats of this browser
  operator = false;
  viewers = 0;
  #id;
  #views = new Map();
  #asked = new Map();

  constructor(id) {
    this.#id = id;
  }

  get id() {
    return this.#id;
  }

  /** How many plies have been played. */
  get length() {
    return this.plies.length;
  }

  get game() {
    return this.table.game;
  }

  /** The kind of game, as the pages know it. */
  get kind() {
    return kindOf(this.table);
  }

  get over() {
    return Boolean(this.state?.result);
  }

  /** How many plies at the beginning nobody here has chosen: a contest's drawn opening. */
  get opening() {
    return this.table.contest?.opening ?? 0;
  }

  /** The seat of this browser, if it has exactly one. */
  get solo() {
    return this.mine.length === 1 ? this.mine[0] : null;
  }

  /** Take the message `table`: all of it, or what was missed. */
  takeTable({ table, from, plies, start, view, state }) {
    this.table = table;
    if (start) this.#views.set(0, start);
    this.#append(from, plies);
    this.#views.set(this.length, view);
    this.state = state;
  }

  /** Take the message `moved`. */
  takeMoves({ from, plies, state }) {
    this.#append(from, plies);
    this.state = state;
  }

  #append(from, plies) {
    plies.forEach((ply, n) => {
      this.plies[from + n] = ply;
      if (ply.view) this.#views.set(from + n + 1, ply.view);
    });
  }

  /** The position after so many plies, if it is known here. */
  known(index) {
    return this.#views.get(index) ?? null;
  }

  /** How many positions are known here. */
  get knownCount() {
    return this.#views.size;
  }

  /** The position after so many plies; asks the server if need be. */
  async view(index) {
    if (!this.#views.has(index)) await this.load(Math.floor(index / CHUNK));
    const view = this.#views.get(index);
    if (!view) throw new Error(`position ${index} is not known`);
    return view;
  }

  /** The position after so many plies, asked for once more. */
  async reload(index) {
    await this.load(Math.floor(index / CHUNK));
    return this.view(index);
  }

  /** Ask for a chunk of positions; the same question is under way only once. */
  async load(chunk) {
    const pending = this.#asked.get(chunk) ?? this.#load(chunk);
    this.#asked.set(chunk, pending);
    await pending.finally(() => this.#asked.delete(chunk));
  }

  async #load(chunk) {
    const first = chunk * CHUNK;
    const last = Math.min(first + CHUNK - 1, this.length);
    const { from, views } = await read(
      `/api/v1/matches/${this.#id}/views?from=${first}&to=${last}`,
    );
    views.forEach((view, n) => this.#views.set(from + n, view));
  }

  /** Ask for all positions, the newest first; `done` is called after each chunk that came. */
  async loadAll(done) {
    for (let chunk = Math.floor(this.length / CHUNK); chunk >= 0; chunk -= 1) {
      if (this.#whole(chunk)) continue;
      await this.load(chunk);
      done();
    }
  }

  #whole(chunk) {
    const last = Math.min(chunk * CHUNK + CHUNK - 1, this.length);
    for (let n = chunk * CHUNK; n <= last; n += 1) if (!this.#views.has(n)) return false;
    return true;
  }

  /** The name of a seat. */
  name(seat) {
    return this.state.seats[seat]?.name ?? "";
  }

  /** The seat that has the first turn. */
  get begins() {
    return this.plies.find(({ seat }) => seat >= 0)?.seat ?? this.table.options.begins ?? 0;
  }

  /** Where the turns begin that were played up to a position: indices of their first plies. */
  turns(until = this.length) {
    const starts = [];
    for (let n = 0; n < until; n += 1) {
      const { seat } = this.plies[n];
      if (seat >= 0 && !(n > 0 && this.kind.continues(this.plies, n))) starts.push(n);
    }
    return starts;
  }
}
