// The seats: emblem, name, connection, kind, clock, and what the game counts for each player. Clocks
// are the server's; between its messages they run on here.

import { action, conn, html, put, render, tool } from "../dom.js";
import { word } from "../games.js";
import { engineOf } from "../names.js";
import { display } from "./display.js";
import { store } from "./state.js";
import { preparing, side, sign } from "./words.js";
import { duration, number, t } from "../texts.js";

const TICK = 100; // milliseconds
const LOW = 20_000; // milliseconds of the game's time that are few
const SHAPES = { connected: "ok", waiting: "wait", lost: "lost", builtin: "in", away: "wait" };
const UNKNOWN = ["–", ""];

let clock = null; // as the server has told it
let taken = 0; // when

/** All seats of the table; `onTake` and `onOpen` are called with a seat's number. */
export class Seats {
  #seats;

  constructor(actions) {
    this.#seats = store.state.seats.map((_, seat) => new Seat(seat, actions));
    this.elements = this.#seats.map(({ element }) => element);
    setInterval(() => this.#tick(), TICK);
  }

  /** Take the clock of the state. */
  take() {
    [clock, taken] = [store.state.clock, performance.now()];
  }

  /** Show the seats of now, with whose turn it is and what counts in the position shown. */
  update() {
    for (const seat of this.#seats) seat.update();
    this.#tick();
  }

  #tick() {
    for (const seat of this.#seats) seat.tick();
  }
}

class Seat {
  element = html("section.seat");
  #number;
  #actions;
  #name = html("span.name");
  #turn = html("em");
  #kept = html("small.kept");
  #meta = html("div.meta");
  #extra = html("div.extra");
  #digits = document.createTextNode("");
  #unit = html("small");
  #bar = html("i");
  #reserved = null; // until when, by the browser's clock

  constructor(seat, actions) {
    this.#number = seat;
    this.#actions = actions;
    const name = html("b", this.#name, this.#turn, this.#kept);
    const look = { role: "timer", "aria-live": "off" };
    this.element.append(
      html("span", store.kind.emblem(seat)),
      html("div.who", name, this.#meta),
      this.#extra,
      html("div.clock.num", look, this.#digits, this.#unit, this.#bar),
    );
  }

  get #seat() {
    return store.state.seats[this.#number];
  }

  get #mine() {
    return store.mine.includes(this.#number);
  }

  update() {
    const seat = this.#seat;
    const turn = display.turn === this.#number;
    this.#reserved = seat.reserved ? performance.now() + seat.reserved : null;
    this.element.classList.toggle("is-turn", turn);
    this.element.classList.toggle("is-mine", this.#mine);
    this.element.setAttribute("aria-label", t("table.seatOf", { name: seat.name }));
    put(this.#name, seat.name);
    put(this.#turn, turn ? t("table.toMove") : "");
    this.#showMeta(seat);
    const extra = display.view && store.kind.counted(display.view, this.#number);
    const key = [extra, seat.free, this.#mine, store.over];
    render(this.#extra, key, () => [this.#button(seat), counter(extra, this.#number)]);
  }

  #showMeta(seat) {
    const words = [kind(seat, this.#mine), this.#place(seat)];
    render(this.#meta, [seat, words, store.over], () => [
      html("span", connection(seat)),
      html("span", words[0]),
      words[1] && html("span.opt", words[1]),
    ]);
  }

  /** Which side it is and where the player is, or how it ended for them. */
  #place(seat) {
    if (store.over) return verdict(store.state.result, this.#number);
    const { address } = engineOf(seat.player);
    const place = side(this.#number);
    return [!calls(seat, place) && place, address ?? seat.peer].filter(Boolean).join(", ");
  }

  #button(seat) {
    const { onTake, onOpen } = this.#actions;
    const look = "btn btn--s btn--ink";
    if (store.over || store.exploring) return null;
    if (seat.free) return action(null, t("table.take"), () => onTake(this.#number), look);
    return this.#mine && tool("menu", t("table.mySeat"), () => onOpen(this.#number));
  }

  tick() {
    const { result } = store.state;
    const timed = store.table.gameTime > 0; // such a clock runs on when its player is lost
    const past = timed && !display.following;
    const lost = this.#seat.connection === "lost";
    const stands = lost && !timed;
    const runs = !result && !stands && !past && clock?.seat === this.#number;
    const rest = runs ? left() : timed && store.left(this.#number, past ? display.shown : undefined);
    this.element.classList.toggle("is-running", runs);
    this.element.classList.toggle("is-low", timed && (past || !result) && rest < LOW);
    put(this.#kept, lost ? this.#reservation() : "");
    if (result && !past) this.#show(points(result, this.#number));
    else if (stands) this.#show([t("table.stands"), ""]);
    else if (timed) this.#show(duration(rest), runs ? rest / store.table.gameTime : 0);
    else if (runs) this.#run(rest);
    else this.#show(this.#lastTime());
  }

  /** Show digits and unit, and how full the bar is. */
  #show([digits, unit], full = 0) {
    if (this.#digits.data !== digits) this.#digits.data = digits;
    put(this.#unit, unit);
    this.#bar.style.setProperty("--f", String(Math.max(0, Math.min(1, full))));
  }

  /** Show the time that is left, or has passed where there is no limit. */
  #run(rest) {
    if (clock.limit) this.#show(duration(rest), rest / clock.limit);
    else this.#show(duration(-rest));
  }

  /** How long the seat of a lost client is still kept. */
  #reservation() {
    const left = Math.ceil(((this.#reserved ?? 0) - performance.now()) / 1000);
    return left > 0 ? t("table.reserved", { seconds: left }) : "";
  }

  /** How long the player's last move took. */
  #lastTime() {
    const last = store.plies.findLast(({ seat, took }) => seat === this.#number && took);
    const time = last?.took ?? store.table.moveTime;
    return time ? duration(time) : UNKNOWN;
  }
}

/** Milliseconds that the player to move has left; less than none where there is no limit. */
function left() {
  return clock.limit - clock.elapsed - (performance.now() - taken);
}

/** What the game counts for a player: a word with a number, or with signs of the side. */
function counter(extra, seat) {
  if (!extra) return null;
  const { word: name, value, signs } = extra;
  if (value !== undefined) return [html("span", name), html("b.num", value)];
  const drawn = Array.from({ length: signs }, () => sign(seat));
  if (!signs) return html("span.opt", name, " ", t("table.none"));
  const row = html("span.minis", { role: "img", "aria-label": signs, title: name }, drawn);
  return [html("span.opt", name), row];
}

/** The state of the connection: shape and word; after the game only people are still there. */
function connection(seat) {
  const stays = seat.kind === "person" && seat.connection === "connected";
  const gone = store.over && !stays && seat.connection !== "builtin";
  if (gone || seat.connection === "over") return html("span.dim", t("table.conn.over"));
  if (preparing(seat)) return conn("wait", t("table.conn.preparing", { percent: seat.preparing }));
  if (seat.free) return conn("wait", t("table.free"));
  return conn(SHAPES[seat.connection] ?? "wait", t(`table.conn.${seat.connection}`));
}

function kind(seat, mine) {
  if (seat.kind === "person") return t(mine ? "table.kind.you" : "table.kind.person");
  if (seat.kind === "client") return word(store.kind, "bot") ?? t("table.kind.client");
  const { address, level, strategy, depth } = engineOf(seat.player);
  const name = t(address ? "table.kind.remote" : "table.kind.engine");
  const strength = level ? t("table.kind.level", { level }) : "";
  if (level) return calls(seat, strength) ? name : `${name}, ${strength}`;
  return strategy ? `${name}, ${t("table.kind.strategy", { strategy, depth })}` : name;
}

/** Whether a seat's name says this already. */
const calls = ({ name }, words) => name.toLowerCase().startsWith(words.toLowerCase());

function verdict({ winner, reason }, seat) {
  if (winner === null) return reason === "rule draw" ? t("table.verdict.draw") : "";
  return t(winner === seat ? "table.verdict.won" : "table.verdict.lost");
}

function points({ winner, reason }, seat) {
  if (winner === null && reason !== "rule draw") return UNKNOWN;
  const value = winner === null ? 0.5 : Number(winner === seat);
  return [value === 0.5 ? "½" : number(value), t("table.unit.points", { count: value })];
}
