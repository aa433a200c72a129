// The seats: emblem, name, connection, kind, clock, and what the game counts for each player.

import { html, put, render } from "../dom.js";
import { word } from "../games.js";
import { dot, icon } from "../icons.js";
import { Clock, Running, duration } from "./clock.js";
import { side } from "./words.js";
import { number, t } from "../texts.js";

const TICK = 100; // milliseconds

const SHAPES = { connected: "ok", waiting: "wait", lost: "lost", builtin: "in", away: "wait" };

/** All seats of a table; `onTake` and `onOpen` are called with a seat's number. */
export class Seats {
  #store;
  #seats;
  #running = new Running();

  constructor(store, actions) {
    this.#store = store;
    this.#seats = store.state.seats.map((_, seat) => new Seat(store, seat, actions));
    setInterval(() => this.#tick(), TICK);
  }

  /** The elements by seat. */
  get elements() {
    return this.#seats.map((seat) => seat.element);
  }

  /** Take the server's clock of the state. */
  take(clock) {
    this.#running.take(clock);
  }

  /** Show the seats of now, with whose turn it is and what counts in the position shown. */
  update({ view, turn }) {
    for (const seat of this.#seats) seat.update(view, turn);
    this.#tick();
  }

  #tick() {
    for (const seat of this.#seats) seat.tick(this.#running);
  }
}

class Seat {
  element = html("section", { class: "seat" });
  #store;
  #number;
  #actions;
  #emblem = html("span", { class: "seat-emblem" });
  #name = html("span", { class: "name" });
  #turn = html("em");
  #kept = html("small", { class: "kept" });
  #meta = html("div", { class: "meta" });
  #extra = html("div", { class: "extra" });
  #clock = new Clock();
  #reserved = null; // until when, by the browser's clock

  constructor(store, seat, actions) {
    this.#store = store;
    this.#number = seat;
    this.#actions = actions;
    this.#emblem.append(store.kind.emblem(seat));
    const name = html("b", {}, this.#name, this.#turn, this.#kept);
    const who = html("div", { class: "who" }, name, this.#meta);
    this.element.append(this.#emblem, who, this.#extra, this.#clock.element);
  }

  get #seat() {
    return this.#store.state.seats[this.#number];
  }

  get #mine() {
    return this.#store.mine.includes(this.#number);
  }

  update(view, player) {
    const seat = this.#seat;
    const turn = player === this.#number;
    this.#reserved = seat.reserved ? performance.now() + seat.reserved : null;
    this.element.classList.toggle("is-turn", turn);
    this.element.classList.toggle("is-mine", this.#mine);
    this.element.setAttribute("aria-label", t("table.seatOf", { name: seat.name }));
    put(this.#name, seat.name);
    put(this.#turn, turn ? t("table.toMove") : "");
    this.#showMeta(seat);
    const extra = view && this.#store.kind.counted(view, this.#number);
    const key = [extra, seat.free, this.#mine, this.#store.over];
    render(this.#extra, key, () => [this.#button(seat), this.#counter(extra)]);
  }

  #showMeta(seat) {
    const words = [kind(seat, this.#store.kind, this.#mine), this.#place(seat)];
    render(this.#meta, [seat, words, this.#store.over], () => [
      html("span", {}, connection(seat, this.#store.over)),
      html("span", {}, words[0]),
      words[1] && html("span", { class: "opt" }, words[1]),
    ]);
  }

  /** Which side it is, and where the player is. */
  #place(seat) {
    const { result } = this.#store.state;
    if (result) return verdict(result, this.#number);
    const { address } = player(seat);
    return [side(this.#store, this.#number), address ?? seat.peer].filter(Boolean).join(", ");
  }

  #button(seat) {
    if (this.#store.over) return null;
    const press = (act) => ({ on: { click: () => act(this.#number) }, type: "button" });
    if (seat.free) {
      const look = { class: "btn btn--s btn--ink seat-take" };
      return html("button", { ...look, ...press(this.#actions.onTake) }, t("table.take"));
    }
    if (!this.#mine) return null;
    const label = t("table.mySeat");
    const look = { class: "tool", "aria-label": label, title: label };
    return html("button", { ...look, ...press(this.#actions.onOpen) }, icon("menu"));
  }

  /** What the game counts for a player: a word with a number, or with signs of the side. */
  #counter(extra) {
    if (!extra) return null;
    const { word: name, value, signs } = extra;
    const label = html("span", { class: value === undefined ? "opt" : null }, name);
    if (value !== undefined) return [label, html("b", { class: "num" }, value)];
    const drawn = Array.from({ length: signs }, () => sign(this.#store.kind, this.#number));
    const row = html("span", { class: "minis", role: "img", "aria-label": signs }, drawn);
    return [label, signs ? row : t("table.none")];
  }

  tick(running) {
    const { result } = this.#store.state;
    const lost = this.#seat.connection === "lost";
    const runs = !result && !lost && running.seat === this.#number;
    this.element.classList.toggle("is-running", runs);
    put(this.#kept, lost ? this.#reservation() : "");
    if (result) return this.#clock.show(points(result, this.#number));
    if (lost) return this.#clock.show([t("table.stands"), ""]);
    if (!runs) return this.#clock.show(this.#lastTime());
    const { time, left } = running.read();
    this.#clock.show(time, left);
  }

  /** How long the seat of a lost client is still kept. */
  #reservation() {
    const left = Math.ceil(((this.#reserved ?? 0) - performance.now()) / 1000);
    return left > 0 ? t("table.reserved", { seconds: left }) : "";
  }

  /** How long the player's last move took. */
  #lastTime() {
    const { plies } = this.#store;
    for (let n = plies.length - 1; n >= 0; n -= 1) {
      if (plies[n].seat === this.#number && plies[n].took) return duration(plies[n].took);
    }
    const { moveTime } = this.#store.table;
    return moveTime ? duration(moveTime) : ["–", ""];
  }
}

/** The state of the connection: shape and word; after the game only people are still there. */
function connection(seat, over) {
  const stays = seat.kind === "person" && seat.connection === "connected";
  const gone = over && !stays && seat.connection !== "builtin";
  if (seat.free && !over) return conn("wait", t("table.free"));
  if (gone || seat.connection === "over") return html("span", { class: "dim" }, t("table.conn.over"));
  return conn(SHAPES[seat.connection] ?? "wait", t(`table.conn.${seat.connection}`));
}

function conn(shape, word) {
  return html("span", { class: `conn conn--${shape}` }, dot(shape), word);
}

function kind(seat, game, mine) {
  if (seat.kind === "person") return t(mine ? "table.kind.you" : "table.kind.person");
  if (seat.kind === "client") return word(game, "bot") ?? t("table.kind.client");
  const { address, level, strategy, depth } = player(seat);
  const name = t(address ? "table.kind.remote" : "table.kind.engine");
  if (level) return `${name}, ${t("table.kind.level", { level })}`;
  return strategy ? `${name}, ${t("table.kind.strategy", { strategy, depth })}` : name;
}

/** What an engine's text says: `level=7`, or `remote:HOST:PORT,strategy=0,depth=5`. */
function player({ player: text }) {
  const parts = (text ?? "").split(",").map((part) => part.trim());
  const values = Object.fromEntries(parts.map((part) => part.split("=")));
  const remote = parts.find((part) => part.startsWith("remote:"));
  return remote ? { ...values, address: remote.slice("remote:".length) } : values;
}

function verdict({ winner, reason }, seat) {
  if (winner === null) return reason === "rule draw" ? t("table.verdict.draw") : "";
  return t(winner === seat ? "table.verdict.won" : "table.verdict.lost");
}

function points({ winner, reason }, seat) {
  if (winner === null && reason !== "rule draw") return ["–", ""];
  const value = winner === null ? 0.5 : Number(winner === seat);
  return [value === 0.5 ? "½" : number(value), t("table.unit.points", { count: value })];
}

/** The small sign of a player in lists. */
export const sign = (kind, seat) => kind.emblem(seat, "mini");
