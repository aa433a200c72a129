// What somebody chooses for a new game: defaults, what was chosen last time, and the wish that goes
// to the server. A choice holds texts as they were typed; they are judged before they are sent.

import { nameOf, word } from "../games.js";
import { get } from "../settings.js";
import { t } from "../texts.js";

const KEY = "spielwerk.new.";
const LARGEST_PAUSE = 60_000;

/** The options that are asked for, in their order; who begins is asked elsewhere. */
export function askedOptions(kind, game) {
  return game.options.filter(({ name }) => name !== "begins" && !kind.hidden.includes(name));
}

/** What was chosen last time for this kind of game, or what one begins with. */
export function remembered(kind, game) {
  const fresh = defaults(kind, game);
  try {
    const kept = JSON.parse(localStorage.getItem(KEY + kind.name));
    return kept ? sound(kept, fresh) : fresh;
  } catch {
    return fresh;
  }
}

/** Keep the choice for next time: not its name, nor options that are the server's defaults. */
export function remember(kind, game, choice) {
  const usual = defaults(kind, game).options;
  const own = Object.entries(choice.options).filter(([name, value]) => value !== usual[name]);
  const kept = { ...choice, name: "", options: Object.fromEntries(own) };
  try {
    localStorage.setItem(KEY + kind.name, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing.
  }
}

function defaults(kind, game) {
  const options = game.options.map(({ name, default: value }) => [name, String(value ?? "")]);
  const values = { ...Object.fromEntries(options), begins: "", ...kind.defaults };
  return {
    name: "",
    options: values,
    time: null, // null: what fits the seats
    tournament: false,
    wire: Object.fromEntries(Object.keys(game.wire).map((name) => [name, ""])), // empty: as usual
    index: "",
    seats: game.sides.map((_, number) => seat(number ? "engine" : "person")),
  };
}

function seat(kind) {
  return {
    kind,
    name: "",
    here: true,
    level: 5,
    strategy: "0",
    depth: "5",
    host: "",
    port: "7889",
    asked: "0", // the strategy asked of a remote server
  };
}

/** What was kept, as far as it still fits: stored texts may be old, or anybody's. */
function sound(kept, fresh) {
  const seats = Array.isArray(kept.seats) && kept.seats.length === fresh.seats.length;
  return {
    ...alike(kept, fresh),
    time: typeof kept.time === "string" ? kept.time : null,
    options: alike(kept.options, fresh.options),
    wire: { ...alike(kept.wire, fresh.wire), ...("only" in fresh.wire ? { only: "" } : {}) },
    seats: fresh.seats.map((one, number) => (seats ? soundSeat(kept.seats[number], one) : one)),
  };
}

/** The model with those values of the other that are of the same type. */
function alike(kept, model) {
  const same = ([key, value]) => key in model && typeof value === typeof model[key];
  return { ...model, ...Object.fromEntries(Object.entries(kept ?? {}).filter(same)) };
}

function soundSeat(kept, fresh) {
  const seat = alike(kept, fresh);
  const known =
    seat.kind in TYPES &&
    Number.isInteger(seat.level) &&
    /^[0-9]$/.test(seat.strategy) &&
    /^[1-9]$/.test(seat.depth);
  return known ? seat : fresh;
}

// what follows from it

/** Milliseconds for a move that suit these seats: people need none, clients the server's time. */
export function suitableTime(game, { seats }) {
  const kinds = seats.map((one) => one.kind);
  if (!kinds.includes("client")) return 0;
  return kinds.includes("person") ? 60_000 : game.time;
}

/** How long a position stays before a computer moves: the display time and the move's own steps. */
export function pauseOf(kind, { seats }) {
  const computer = seats.some((one) => one.kind === "engine" || one.kind === "remote");
  return computer ? Math.min(LARGEST_PAUSE, get("display") + kind.steps * get("step")) : 0;
}

/** What a table is called if nobody names it: the server says, but an index takes no name twice. */
function tableName(kind, choice) {
  const now = new Date().toLocaleTimeString("de");
  return isHosted(kind, choice) ? `${nameOf(kind)} ${now}` : "";
}

/** Whether the table is to be offered at an index server. */
export function isHosted(kind, { seats }) {
  return Boolean(kind.hosted) && seats[1].kind === "client";
}

/** What a seat is called if nobody names it; two alike are told apart by a number. */
export function defaultName(kind, game, choice, number) {
  const names = choice.seats.map((_, seat) => plainName(kind, game, choice, seat));
  const before = names.slice(0, number).filter((name) => name === names[number]).length;
  return before ? `${names[number]} (${before + 1})` : names[number];
}

function plainName(shown, game, choice, number) {
  const { kind, here, level, strategy, depth, host } = choice.seats[number];
  const first = choice.seats.findIndex((one) => one.kind === "person" && one.here);
  if (kind === "person" && here && number === first && get("name")) return get("name");
  if (kind === "engine" && game.strategies) return t("new.name.strategy", { strategy, depth });
  if (kind === "engine") return t(level === 10 ? "new.name.best" : "new.name.level", { level });
  if (kind === "remote" && host) return t("new.name.remote", { host });
  if (isUnknown(choice.seats[number])) return `Player ${number + 1}`; // as the wire calls them
  return (shown.namesSides && word(shown, `seat.${number}`)) || t("common.player", { number });
}

/** Whether it turns out later who sits there: a client, or a person who takes the seat. */
function isUnknown({ kind, here }) {
  return kind === "client" || (kind === "person" && !here);
}

/** The wish as the server reads it. */
export function wishOf(kind, game, choice) {
  return {
    type: game.name,
    gameGeneric: {
      name: choice.name.trim() || tableName(kind, choice),
      timeout: choice.time === null ? suitableTime(game, choice) : Number(choice.time),
      pause: pauseOf(kind, choice),
      tournament: choice.tournament && haveClients(choice),
      wire: haveClients(choice) ? wireOf(choice) : {},
    },
    gameSpecific: optionsOf(kind, game, choice),
    players: choice.seats.map((_, number) => player(kind, game, choice, number)),
    ...(isHosted(kind, choice) ? { offer: { index: choice.index, port: 0 } } : {}),
  };
}

/** Whether a seat waits for a TCP client. */
export function haveClients({ seats }) {
  return seats.some(({ kind }) => kind === "client");
}

/** How the table speaks, and who may join a hosted game; only a person can be asked. */
function wireOf({ wire, seats }) {
  const asked = ([name]) => name !== "ask" || seats[0].kind === "person";
  const chosen = Object.entries(wire).map(([name, value]) => [name, value.trim()]);
  return Object.fromEntries(chosen.filter(([, value]) => value).filter(asked));
}

function optionsOf(kind, game, choice) {
  const names = [...askedOptions(kind, game).map(({ name }) => name), "begins"];
  const known = game.options.map(({ name }) => name);
  const chosen = names.filter((name) => known.includes(name) && choice.options[name].trim() !== "");
  return Object.fromEntries(chosen.map((name) => [name, Number(choice.options[name])]));
}

const TYPES = { person: "HUMAN", client: "COMPUTER", engine: "ENGINE", remote: "ENGINE" };

function player(kind, game, choice, number) {
  const one = choice.seats[number];
  const name = one.name.trim() || defaultName(kind, game, choice, number);
  return {
    name,
    type: TYPES[one.kind],
    ...(one.kind === "person" && one.here ? { here: true } : {}),
    ...(TYPES[one.kind] === "ENGINE" ? { engine: engine(game, one) } : {}),
  };
}

function engine(game, one) {
  if (one.kind === "remote") {
    const host = one.host.trim().replace(/^\[|\]$/g, "");
    const written = host.includes(":") ? `[${host}]` : host;
    return `remote:${written}:${Number(one.port)},strategy=${Number(one.asked)},depth=${one.depth}`;
  }
  return game.strategies ? `strategy=${one.strategy},depth=${one.depth}` : `level=${one.level}`;
}
