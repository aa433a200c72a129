// The line to the server: one socket that comes back by itself and asks for what it has missed.

import { Refused } from "./api.js";

const PING = 2500; // milliseconds between two pings
const PATIENCE = 9000; // of silence after a ping, then the line is given up
const FIRST = 300; // before the first attempt to come back; longer after each that fails
const LONGEST = 5000;
const GROWTH = 1.7;
const NO_SUCH_GAME = 4404;
const CONFLICT = 409;
const MEASURED = 5; // pings that the shown one is the median of

/**
 * Tells what the server says: an event for each message by its type, the message as its detail;
 * besides "status" when the line is lost or back, and "missing" if there is no such table or contest.
 */
export class Live extends EventTarget {
  #watched;
  #socket = null;
  #status = "connecting";
  #pings = [];
  #failures = 0;
  #timers = {};
  #waiting = new Map(); // what was asked and not yet answered, by id
  #named = Math.random().toString(36).slice(2); // unlike any other page's
  #count = 0;
  #times = []; // when each ply was played that the page knows
  #followed = new Set(); // what is to be heard besides
  #ended = false;

  /** Look at a table, at a contest, or at the lobby. */
  constructor({ table = null, contest = null } = {}) {
    super();
    this.#watched = { table, contest };
    addEventListener("online", () => this.#wake());
    addEventListener("pageshow", () => this.#wake());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#wake();
    });
    this.#connect();
  }

  /** "connecting", "live" or "lost". */
  get status() {
    return this.#status;
  }

  /** Milliseconds to the server and back; null if that is not known. */
  get ping() {
    const sorted = [...this.#pings].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? null;
  }

  /** Say something, if the line stands; whether it does. */
  send(message) {
    const open = this.#socket?.readyState === WebSocket.OPEN;
    if (open) this.#socket.send(JSON.stringify(message));
    return open;
  }

  /** Play a move; settled when the server has kept or refused it, however often the line breaks. */
  play(seat, ply, move) {
    return this.#ask({ type: "move", seat, ply, move });
  }

  /** What the rules say against a move, null if nothing. */
  why(move) {
    return this.#ask({ type: "why", move });
  }

  /** Whether this is to be heard besides: a table's `wire`, the `show` game, the `wall`. */
  follow(what, on) {
    if (on === this.#followed.has(what)) return;
    if (on) this.#followed.add(what);
    else this.#followed.delete(what);
    this.send({ type: what, on });
  }

  /** Connect again: this browser has signed in or out. */
  renew() {
    if (!this.#ended) this.#connect();
  }

  #ask(question) {
    this.#count += 1;
    const message = { ...question, id: `${this.#named}-${this.#count}` };
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, { message, resolve, reject });
      this.send(message);
    });
  }

  // connecting

  #connect() {
    this.#hangUp();
    const socket = new WebSocket(this.#address());
    this.#socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (event) => this.#heard(socket, event.data));
    socket.addEventListener("close", (event) => this.#closed(socket, event.code));
    this.#doubt();
  }

  #address() {
    const { table, contest } = this.#watched;
    const address = new URL("/live", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    if (contest !== null) address.searchParams.set("contest", contest);
    else if (table !== null) {
      const at = this.#times.at(-1) ?? 0; // another ply may stand there by now
      address.search = new URLSearchParams({ table, seen: this.#times.length, at });
    }
    return address;
  }

  #opened() {
    this.#timers.ping = setInterval(() => this.#sendPing(), PING);
    this.#sendPing();
    for (const type of this.#followed) this.send({ type, on: true });
    for (const { message } of this.#waiting.values()) this.send(message);
  }

  #closed(socket, code) {
    if (socket !== this.#socket) return;
    this.#hangUp();
    if (code === NO_SUCH_GAME) {
      this.#ended = true;
      this.dispatchEvent(new CustomEvent("missing"));
    }
    this.#set("lost");
    if (!this.#ended) this.#later();
  }

  #later() {
    const wait = Math.min(LONGEST, FIRST * GROWTH ** this.#failures);
    this.#failures += 1;
    this.#timers.retry = setTimeout(() => this.#connect(), wait * (0.8 + 0.4 * Math.random()));
  }

  #hangUp() {
    const { ping, doubt, retry } = this.#timers;
    clearInterval(ping);
    clearTimeout(doubt);
    clearTimeout(retry);
    this.#timers = {};
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** The network is back, or the page is looked at again. */
  #wake() {
    if (this.#ended) return;
    if (this.#socket) this.#sendPing();
    else this.#connect();
  }

  // pings

  #sendPing() {
    if (this.send({ type: "ping", t: Math.round(performance.now() * 10) / 10 })) this.#doubt();
  }

  /** Give the line up if nothing is heard from now on. */
  #doubt() {
    const socket = this.#socket;
    this.#timers.doubt ??= setTimeout(() => this.#closed(socket, 0), PATIENCE);
  }

  #heard(socket, text) {
    if (socket !== this.#socket) return;
    clearTimeout(this.#timers.doubt);
    delete this.#timers.doubt;
    this.#failures = 0;
    this.#set("live");
    const message = JSON.parse(text);
    this.#note(message);
    this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }

  /** What is to be known here before the page hears of it. */
  #note(message) {
    const { type, id } = message;
    if (type === "pong") this.#measured(performance.now() - message.t);
    if (type === "table" || type === "moved") {
      this.#times.splice(message.from, Infinity, ...message.plies.map(({ at }) => at));
    }
    if (type === "ack") this.#settle(id, "resolve", message);
    if (type === "why") this.#settle(id, "resolve", message.said);
    if (type === "refused") this.#settle(id, "reject", new Refused(CONFLICT, message.error, message.said));
  }

  #settle(id, how, value) {
    this.#waiting.get(id)?.[how](value);
    this.#waiting.delete(id);
  }

  #measured(milliseconds) {
    this.#pings = [...this.#pings, milliseconds].slice(-MEASURED);
    this.#tell();
  }

  #set(status) {
    if (status === this.#status) return;
    this.#status = status;
    if (status === "lost") this.#pings = [];
    this.#tell();
  }

  #tell() {
    const detail = { status: this.status, ping: this.ping };
    this.dispatchEvent(new CustomEvent("status", { detail }));
  }
}
