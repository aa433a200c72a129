// What is chosen for a new game: defaults, what was chosen last time, and the wish that goes to the
// server. A choice holds texts as they were typed; they are judged before they are sent.

import { nameOf } from "../games.js";
import { named } from "../names.js";
import { alike, get, keep, kept } from "../settings.js";
import { decimal, plain } from "../texts.js";

const KEY = "spielwerk.new.";
const LARGEST_PAUSE = 60_000;
const TYPES = { person: "HUMAN", client: "COMPUTER", engine: "ENGINE", remote: "ENGINE" };

/** What the form is about: the kind and its game as the server offers it, and what is chosen. */
export const form = { kind: null, game: null, choice: null };

/** Turn to another kind of game: with what was chosen last time, or what one begins with. */
export function begin(kind, game) {
  Object.assign(form, { kind, game });
  form.choice = sound(kept(KEY + kind.name) ?? {}, defaults());
}

/** The wish of a visitor who just wants to play: against this level, all else as it is usual. */
export function quickWish(kind, game, { level, begins }) {
  Object.assign(form, { kind, game });
  form.choice = defaults();
  const drawn = Math.floor(Math.random() * game.sides.length);
  const own = { person: 0, computer: 1, random: drawn }[begins];
  form.choice.options.begins = "0"; // where the rules do not say it anyway
  form.choice.seats = game.sides.map((_, number) => seat(number === own ? "person" : "engine"));
  const wish = wishOf();
  const strong = (one) => ({ ...one, ...(one.engine && { engine: `level=${level}` }) });
  return { ...wish, players: wish.players.map(strong) };
}

/** Keep the choice for next time: not its name and start, nor options that are the server's defaults. */
export function remember() {
  const { kind, choice } = form;
  const usual = defaults().options;
  const own = Object.entries(choice.options).filter(([name, value]) => value !== usual[name]);
  keep(KEY + kind.name, { ...choice, name: "", start: "", options: Object.fromEntries(own) });
}

function defaults() {
  const { kind, game } = form;
  const options = game.options.map(({ name, default: value }) => [name, String(value ?? "")]);
  return {
    name: "",
    start: "", // the first position, empty: the usual one
    options: { ...Object.fromEntries(options), begins: "", ...kind.defaults },
    time: { limit: "", seconds: "", minutes: "5", increment: "3" }, // empty: what fits the seats
    tournament: false,
    training: false,
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
    exact: false, // strategy and depth count in place of the level
    strategy: "0",
    depth: "5",
    host: "",
    port: "7889",
    asked: "0", // the strategy asked of a remote server
  };
}

/** What was kept, as far as it still fits. */
function sound(old, fresh) {
  const seats = Array.isArray(old.seats) && old.seats.length === fresh.seats.length;
  return {
    ...alike(old, fresh),
    time: alike(old.time, fresh.time),
    options: alike(old.options, fresh.options),
    wire: { ...alike(old.wire, fresh.wire), ...("only" in fresh.wire ? { only: "" } : {}) },
    seats: fresh.seats.map((one, number) => (seats ? soundSeat(old.seats[number], one) : one)),
  };
}

function soundSeat(old, fresh) {
  const seat = alike(old, fresh);
  const known = seat.kind in TYPES && Number.isInteger(seat.level);
  return known && /^[0-9]$/.test(seat.strategy) && /^[1-9]$/.test(seat.depth) ? seat : fresh;
}

// what follows from it

/** The options that are asked for, in their order; who begins is asked elsewhere. */
export function askedOptions() {
  const { hidden } = form.kind;
  return form.game.options.filter(({ name }) => name !== "begins" && !hidden.includes(name));
}

const isComputer = ({ kind }) => TYPES[kind] === "ENGINE";

/** Whether a seat waits for a TCP client. */
export const haveClients = () => form.choice.seats.some(({ kind }) => kind === "client");

/** Whether people play: else everybody may see the analysis anyway. */
export const havePersons = () => form.choice.seats.some(({ kind }) => kind === "person");

/** Whether the table is to be offered at an index server. */
export const isHosted = () => Boolean(form.kind.hosted) && form.choice.seats[1].kind === "client";

/** Milliseconds for a move that suit these seats: people need none, clients the server's time. */
function suitableTime() {
  if (!haveClients()) return 0;
  return form.choice.seats.some(({ kind }) => kind === "person") ? 60_000 : form.game.time;
}

/** Whether the clients of this game could not be told how much of a clock they have left. */
export const clockBarred = () => haveClients() && !form.game.clock;

/** How the time is limited: "none", "move" or "clock". */
export function limitOf() {
  const { limit } = form.choice.time;
  const known = ["none", "move"].includes(limit) || (limit === "clock" && !clockBarred());
  return known ? limit : suitableTime() ? "move" : "none";
}

/** Seconds for a move, where none were typed, as people write them. */
export const usualSeconds = () => plain((suitableTime() || 60_000) / 1000);

/** The times as the server reads them. */
function timesOf({ seconds, minutes, increment }) {
  const milliseconds = (text) => Math.round(1000 * decimal(text));
  const limit = limitOf();
  if (limit === "move") return { timeout: milliseconds(seconds || usualSeconds()) };
  const clock = { time: 60 * milliseconds(minutes), increment: milliseconds(increment) };
  return { timeout: 0, ...(limit === "clock" ? { clock } : {}) };
}

/** How long a position stays before a computer moves: the display time and the move's own steps. */
export function pauseOf() {
  const least = get("display") + form.kind.steps * get("step");
  return form.choice.seats.some(isComputer) ? Math.min(LARGEST_PAUSE, least) : 0;
}

/** What a seat is called that has no name of its own. */
export function defaultName(number) {
  const seats = form.choice.seats.map((one, seat) => ({
    name: seat === number ? ownName(one, seat) : one.name.trim() || ownName(one, seat),
    kind: isComputer(one) ? "engine" : one.kind,
    player: isComputer(one) ? engine(one) : "",
  }));
  return named(form.kind, seats)[number].name;
}

/** What the person at this browser is called, on the first seat that is theirs. */
function ownName(seat, number) {
  const own = ({ kind, here }) => kind === "person" && here;
  return own(seat) && form.choice.seats.findIndex(own) === number ? get("name") : "";
}

/** The wish as the server reads it. */
export function wishOf() {
  const { kind, game, choice } = form;
  const time = new Date().toLocaleTimeString("de");
  const name = isHosted() ? `${nameOf(kind)} ${time}` : ""; // an index takes no name twice
  return {
    type: game.name,
    gameGeneric: {
      name: choice.name.trim() || name,
      ...timesOf(choice.time),
      pause: pauseOf(),
      tournament: choice.tournament && haveClients(),
      training: choice.training && havePersons(),
      wire: haveClients() ? wireOf(choice) : {},
    },
    gameSpecific: optionsOf(choice.options),
    start: choice.start.trim(),
    players: choice.seats.map(player),
    ...(isHosted() ? { offer: { index: choice.index, port: 0 } } : {}),
  };
}

/** How the table speaks, and who may join a hosted game; only a person can be asked. */
function wireOf({ wire, seats }) {
  const asked = ([name]) => name !== "ask" || seats[0].kind === "person";
  const chosen = Object.entries(wire).map(([name, value]) => [name, value.trim()]);
  return Object.fromEntries(chosen.filter(([, value]) => value).filter(asked));
}

/** The options that are given, as numbers. */
export function optionsOf(values) {
  const known = form.game.options.filter(({ name }) => name === "begins");
  const names = [...askedOptions(), ...known].map(({ name }) => name);
  const chosen = names.filter((name) => values[name].trim() !== "");
  return Object.fromEntries(chosen.map((name) => [name, Number(values[name])]));
}

function player(one, number) {
  return {
    name: one.name.trim() || ownName(one, number), // else pages find words, each in its language
    type: TYPES[one.kind],
    ...(one.kind === "person" && one.here ? { here: true } : {}),
    ...(isComputer(one) ? { engine: engine(one) } : {}),
  };
}

function engine({ kind, level, exact, strategy, depth, host, port, asked }) {
  if (kind === "remote") {
    const bare = host.trim().replace(/^\[|\]$/g, "");
    const written = bare.includes(":") ? `[${bare}]` : bare;
    return `remote:${written}:${Number(port)},strategy=${Number(asked)},depth=${depth}`;
  }
  return exact ? `strategy=${strategy},depth=${depth}` : `level=${level}`;
}
