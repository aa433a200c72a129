// Lines of moves that are tried: a tree of positions, one line of which is on the page. The server
// says what follows from a move. To the table's page this stands where its connection is.

import { ask, send } from "../api.js";
import { kindOf, optionsText, word } from "../games.js";
import { get } from "../settings.js";
import { display } from "../table/display.js";
import { store } from "../table/state.js";
import { t } from "../texts.js";

const PATH = "/api/v1/explore";
const LIVE = "live";
const CHANCE = -1; // whose turn it is then

/** What is explored: `parts` are start() and update(), which show what only this page has. */
export class Exploration extends EventTarget {
  status = LIVE;
  #parts;
  #told = null; // the game, its options and sides
  #origin = null; // the game of this server that it came from: { id, before }
  #line = []; // the nodes that the page shows, the root first

  constructor(parts) {
    super();
    this.#parts = parts;
    store.exploring = this;
    store.judged = (ply, effort, signal) => this.#judged(ply, effort, signal);
  }

  // where it begins

  /** Begin with what is wished for; the place of the position that is to be shown. */
  async load(wish) {
    return this.#begin(await send(PATH, wish), wish);
  }

  /** Begin anew with another position, or with the usual one, unless `late()` says so then. */
  async set(start, late) {
    const { game, options } = this.#told;
    const told = await send(PATH, { game, options, start });
    if (late()) return;
    this.#begin(told, {});
    await display.seek(0);
  }

  #begin(told, wish) {
    const { at, before, start, plies } = told;
    const played = wish.moves?.length ? (wish.ply ?? 0) - before : plies.length;
    const root = { parent: null, ply: null, depth: 0, children: [], own: true, ...start };
    this.#told = told;
    this.#origin = wish.id ? { id: wish.id, before } : null;
    this.#through(plies.reduce((node, ply, n) => grown(node, ply, n < played), root));
    return at;
  }

  // for the table's page, as a connection

  /** Try a move where the board stands. */
  play(_seat, _ply, move) {
    return this.#go({ moves: [move] });
  }

  /** What the rules say against a move, null if nothing. */
  async why(move) {
    try {
      await send(PATH, { ...this.#here(), moves: [move] });
      return null;
    } catch (error) {
      if (!error.said) throw error;
      return error.said;
    }
  }

  /** Let an engine move, or chance where it decides. */
  answer() {
    return this.#go(this.chance ? {} : { answer: `level=${get("hintLevel")}` });
  }

  /** Whether chance decides where the board stands. */
  get chance() {
    return this.node.view.turn === CHANCE;
  }

  /** Whether something is to be decided there. */
  get due() {
    return !display.busy && !display.board.editing && this.node.view.turn >= CHANCE;
  }

  async #go(wish) {
    const before = this.node;
    const { plies } = await send(PATH, { ...this.#here(), ...wish });
    if (this.node !== before) return; // the viewer has gone elsewhere
    const last = plies.reduce((node, ply) => grown(node, ply, false), before);
    this.#through(last);
    walk(before.depth, last.depth).catch(console.error);
  }

  #here() {
    const { game, options } = this.#told;
    return { game, options, start: this.node.position };
  }

  #judged(ply, effort, signal) {
    const { game, options } = this.#told;
    const position = { game, options, start: this.#line[ply].position };
    return ask("POST", `${PATH}/analysis`, { ...position, effort }, signal);
  }

  // lines

  /** The position that the board shows, or is on its way to. */
  get node() {
    return this.#line[Math.min(display.shown, this.#line.length - 1)];
  }

  /** All lines, each by the position where it leaves those before it. */
  get lines() {
    const shown = new Set(this.#line);
    return [...leaves(this.#line[0], null)].map(({ from, to }) => {
      const moves = [];
      for (let node = to; node && node !== from?.parent; node = node.parent) moves.unshift(node);
      return { from, to, moves: moves.filter(({ ply }) => ply), here: shown.has(to) };
    });
  }

  /** Go to where a line leaves the others. */
  visit({ from, to }) {
    this.#through(to);
    return display.seek(from?.depth ?? 0);
  }

  /** Show the line through this position, and on to the end of what was tried first there. */
  #through(node) {
    const line = [];
    for (let one = node; one; one = one.parent) line.unshift(one);
    for (let next = node.children[0]; next; next = next.children[0]) line.push(next);
    this.#line = line;
    display.following = false;
    const detail = this.#message();
    this.dispatchEvent(new CustomEvent("table", { detail }));
    store.mine = detail.state.seats.map(({ number }) => number);
  }

  /** The line as a table's message. */
  #message() {
    const { game, options, sides, solid } = this.#told;
    const table = { id: "", game, options, sides, solid, name: t("common.explore"), training: true, moveTime: 0 };
    const kind = kindOf(table);
    const seats = sides.map((_, number) => ({
      number,
      name: word(kind, `side.${number}`) ?? t("common.player", { number }),
      kind: "person",
      connection: "connected",
      player: "",
      free: false,
      reserved: 0,
    }));
    const nothing = { open: false, clock: null, rematch: null, offers: [] };
    const state = { ...standing(this.node), ...nothing, seats };
    const [root, ...nodes] = this.#line;
    const plies = nodes.map(({ ply }) => ply);
    return { table, from: 0, plies, start: root.view, view: this.#line.at(-1).view, state };
  }

  // for the page, whenever it shows something

  /** Let the state be that of the position shown. */
  follow() {
    Object.assign(store.state, standing(this.node));
  }

  start() {
    this.#parts.start(this);
  }

  /** Show what only this page has, and let the address name the position. */
  update() {
    this.#parts.update(this);
    const address = `${location.pathname}?${this.#query()}`;
    if (address !== location.pathname + location.search) history.replaceState(null, "", address);
  }

  #query() {
    const { id, before } = this.#origin ?? {};
    const path = this.#line.slice(1, this.node.depth + 1);
    const tried = id ? path.filter(({ own }) => !own) : path;
    const ply = before + path.length - tried.length;
    const query = id ? new URLSearchParams({ from: id, ply }) : this.query(this.#line[0].position);
    for (const { ply } of tried) query.append("move", ply.move);
    return query;
  }

  /** A position of this game as addresses have it. */
  query(position) {
    const { game, options } = this.#told;
    return new URLSearchParams({ game, options: optionsText(options), position });
  }

  /** The address of the form for a new table that starts where the board stands. */
  get playOn() {
    const query = this.query(this.node.position);
    query.set("game", store.kind.name);
    return `/new?${query}`;
  }

  /** The address of the game that this came from, at its position; null if it came from none. */
  get game() {
    if (!this.#origin) return null;
    const { id, before } = this.#origin;
    const depth = this.#line.findLastIndex(({ own, depth }) => own && depth <= this.node.depth);
    return `/t/${encodeURIComponent(id)}?ply=${before + depth}`;
  }
}

/** The position after this ply; the one that is there, if it was tried before. */
function grown(parent, ply, own) {
  const known = parent.children.find((child) => child.ply.move === ply.move);
  if (known) return known;
  const { view, position, result } = ply;
  const node = { parent, ply, depth: parent.depth + 1, children: [], own, view, position, result };
  parent.children.push(node);
  return node;
}

/** The ends of all lines, and where each leaves those before it. */
function* leaves(node, from) {
  if (!node.children.length) yield { from, to: node };
  for (const [n, child] of node.children.entries()) yield* leaves(child, n ? child : from);
}

const standing = ({ view, result }) => ({ turn: view.turn, result });

/** Show the moves from one depth to another, one after the other. */
async function walk(from, to) {
  for (let depth = from + 1; depth <= to; depth += 1) await display.seek(depth, { animate: true });
}
