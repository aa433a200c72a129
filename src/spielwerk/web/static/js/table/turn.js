// The turn banner: one sentence about what happened and what is due, and the controls for it.

import { havePrograms, openPrograms } from "../contest/games.js";
import { action, assign, at, html, icon, put, render } from "../dom.js";
import { word } from "../games.js";
import { choice } from "../pages/fields.js";
import { get, set } from "../settings.js";
import { display } from "./display.js";
import { input } from "./input.js";
import { store } from "./state.js";
import { ending, gameTitle, happened, moveName, preparing } from "./words.js";
import { t } from "../texts.js";

const LEVELS = 10;
const HOST = 0; // the seat of the player who offers a game at an index server

const headline = html("h2");
const text = html("p");
const controls = html("div.do");
let field = null; // for typed moves
let note = ""; // what is said until the position changes
let noted = ""; // at which moment
let filled = ""; // when the field was filled

/** Fill the banner. */
export function startTurn() {
  at("turn").replaceChildren(html("div.say", { "aria-live": "polite" }, headline, text), controls);
}

/** The field for typed moves, if there is one now. */
export const typing = () => (field?.isConnected ? field : null);

/** Say this until the position changes. */
export function remark(words) {
  note = words;
  noted = moment();
}

const moment = () => `${display.shown}/${store.moment}/${store.over}`;

/**
 * Show where things stand; `actions` are rematch(), decide(accept), help(), offer(what) and
 * answer(what, accept).
 */
export function updateTurn(actions) {
  if (noted !== moment()) note = "";
  const { open } = input;
  const told = stand(open);
  put(headline, told.headline);
  put(text, told.text);
  at("turn").className = `turn ${told.tone}`;
  showControls(open, actions);
  fill();
}

/** Show the choice in the field for typed moves; what is being typed stays. */
function fill() {
  const now = moment();
  if (!typing() || (document.activeElement === field && now === filled)) return;
  filled = now;
  field.value = input.choice;
}

// what is said

const quiet = (headline, text) => ({ headline, text, tone: "is-still" });
const loud = (headline, text) => ({ headline, text, tone: "" });

function stand(open) {
  const { over, state, length } = store;
  const { present, following, busy, shown, view } = display;
  const lately = () => note || offers() || happened(shown);
  const host = asking();
  if (input.live.status === "lost") return quiet(t("table.lostTitle"), t("table.lostText"));
  const { exploring } = store;
  const place = { ply: store.number(shown), total: store.number(length) };
  if (!following && !exploring) return quiet(word(store.kind, "atPly", place) ?? t("table.atPly", place), lately());
  if (busy || !(present || exploring)) return moving();
  if (over || state.result) return ended();
  if (input.sending) return loud(whose(open), t("table.sending", { move: moveName(input.sending) }));
  if (host) return loud(t("table.join.asks", { name: host }), t("table.join.text"));
  if (unready() && !open) return quiet(t("table.preparing", unready()), note || getsReady());
  if (state.open && !open) return quiet(t("table.waiting"), note || howToCome());
  if (!open) return quiet(whose(null), lately());
  const task = store.kind.due(view.board, view, input.choice);
  const news = unready() ? getsReady() : state.open ? howToCome() : happened(shown, true);
  const rest = input.choice ? "" : news;
  return loud(whose(open), note || offers() || [task, rest].filter(Boolean).join(" "));
}

/** What one player has offered the other, and what became of it. */
function offers() {
  const { offered, offering } = store;
  const key = ({ what }) => what.replace(" ", "");
  if (offered) return t(`table.offered.${key(offered)}`, { name: store.name(offered.seat) });
  if (!offering) return "";
  const name = store.name(1 - offering.seat);
  return t(`table.${offering.declined ? "declined" : "offering"}.${key(offering)}`, { name });
}

/** The seat whose engine is still being compiled, if there is one. */
const unready = () => store.state.seats.find(preparing);
const getsReady = () => t("table.preparingText", { percent: unready().preparing });

/** Who wants to join, if this browser is to decide that: it has the host's seat. */
export function asking() {
  const { table, mine, over } = store;
  return (mine.includes(HOST) && !over && table.offer?.asking) || null;
}

/** While a move is shown: whose it is; chance decides within the own turn. */
function moving() {
  const { last, shown } = display;
  const { plies, state, mine, kind } = store;
  const drawn = last?.seat < 0; // by chance: told when it lies there
  const seat = drawn ? plies[shown - 2]?.seat : last?.seat;
  const told = happened(drawn && display.busy ? shown - 1 : shown);
  if (seat === undefined) return quiet(gameTitle(kind), told);
  const own = mine.includes(seat) && state.turn === seat;
  return (own ? loud : quiet)(turnOf(seat), told);
}

function whose(open) {
  const seat = open?.seat ?? display.view?.turn ?? -2;
  return seat < 0 ? gameTitle(store.kind) : turnOf(seat);
}

function turnOf(seat) {
  return store.solo === seat ? t("table.yourTurn") : t("table.turnOf", { name: store.name(seat) });
}

function ended() {
  const { headline, reason } = ending();
  const { winner } = store.state.result;
  const colour = winner === null ? "" : ` turn--p${winner}`;
  return { headline, text: note || offers() || reason, tone: `is-still is-over${colour}` };
}

/** What a player has to do to come to this table. */
function howToCome() {
  const { table, state } = store;
  if (table.offer) return t("table.offer.open", table.offer);
  const missing = ({ kind, connection }) => kind === "client" && connection !== "connected";
  if (table.address && state.seats.some(missing)) {
    const { host, port, doors } = table.address;
    if (!doors.length) return t("table.connect", { host, port });
    return t(doors.length > 1 ? "table.connectByOne" : "table.connectById", { host, ...doors[0] });
  }
  return state.seats.some(({ free }) => free) ? t("table.seatIsFree") : t("table.personAway");
}

// controls

function showControls(open, { rematch, decide, help, offer, answer }) {
  const { over, mine, state } = store;
  const playing = Boolean(mine.length > 0 && !over && (!state.open || open || input.sending));
  const { seen } = display;
  const following = display.following || Boolean(store.exploring);
  const news = store.length - seen;
  const again = over && mayAskAgain();
  const programs = havePrograms(store);
  const host = asking();
  const chance = Boolean(store.exploring?.chance);
  const offered = following && store.offered;
  const back = playing && !offered && store.undoing !== null && may("take back");
  const key = [playing, again, programs, state.rematch, following, news, host, chance];
  render(controls, [...key, offered, back], () => [
    host && following && decision(decide),
    !following && !over && newMoves(news),
    offered && reply(offered, answer),
    playing && following && !host && players(help),
    back && following && takeBack(offer),
    again && !offered && rematchButton(state.rematch, rematch),
    programs && action("client", t("table.programs"), () => openPrograms(store), "btn"),
  ]);
  const now = Boolean(open) && !input.sending;
  // A choice that is pressed too early is answered; advice is simply not to be had.
  for (const button of controls.querySelectorAll("[data-now]")) {
    if (button.matches(".btn--big")) assign(button, { "aria-disabled": String(!now) });
    else button.disabled = !now;
  }
  if (typing()) field.readOnly = !now && input.waiting === null;
  const engine = controls.querySelector("[data-engine]");
  if (engine) engine.disabled = !store.exploring.due || Boolean(input.sending);
}

/** Whether this can be offered now: at this table at all, and once in a position. */
export const may = (what) => Boolean(store.table.offers?.includes(what)) && !store.offering;

/** Yes or no to what the other has offered. */
function reply({ what }, answer) {
  const yes = t(what === "rematch" ? "table.rematch" : "table.accept");
  return [
    action("tick", yes, () => answer(what, true), "btn btn--ink"),
    action(null, t("table.decline"), () => answer(what, false), "btn"),
  ];
}

function takeBack(offer) {
  const keyed = html("kbd", { "aria-hidden": "true" }, "u");
  return action("left", [t("table.takeBack"), keyed], () => offer("take back"), "btn");
}

/** Whether there is a game after this one, or this browser may ask for it. */
function mayAskAgain() {
  const { mine, operator, state, table } = store;
  if (table.contest) return false; // its schedule says who plays again
  const persons = state.seats.some(({ kind }) => kind === "person");
  return Boolean(state.rematch) || mine.length > 0 || operator || !persons;
}

function decision(decide) {
  return [
    action(null, t("table.join.accept"), () => decide(true), "btn btn--ink"),
    action(null, t("table.join.refuse"), () => decide(false), "btn"),
  ];
}

function newMoves(count) {
  const words = count ? t("table.newMoves", { count }) : t("table.toPresent");
  return action("last", words, () => display.seek(store.length), "btn");
}

/** The game's own buttons or the field for typed moves, and the hint. */
function players(help) {
  const { choices } = store.kind;
  const own = choices.map(({ move, key, look }) =>
    dueButton(`btn btn--big ${look}`, word(store.kind, move), key, () => input.play(move)),
  );
  const look = own.length ? "btn" : "btn btn--ink";
  if (store.exploring) return [own.length ? own : typed(), engine(look, help)];
  const hint = dueButton(look, [icon("hint"), t("table.hint")], "h", help);
  return [own.length ? own : typed(), hint];
}

/** Lets an engine move, of a level that can be chosen. */
function engine(look, help) {
  const levels = Array.from({ length: LEVELS }, (_, n) => [n + 1, t("explore.level", { level: n + 1 })]);
  const level = choice(levels, get("hintLevel"), (value) => set("hintLevel", Number(value)));
  level.setAttribute("aria-label", t("explore.strength"));
  const words = t(store.exploring.chance ? "explore.chance" : "explore.answer");
  const button = dueButton(look, [icon("engine"), words], "h", help);
  button.dataset.engine = "";
  return [button, level];
}

/** A button that can be pressed only by whose turn it is. */
function dueButton(look, words, key, click) {
  const keyed = html("kbd", { "aria-hidden": "true" }, key);
  return html("button", { class: look, "data-now": true, on: { click } }, words, keyed);
}

function typed() {
  field = html("input.field.mono.type", {
    placeholder: word(store.kind, "example") ?? "",
    "aria-label": t("table.typeMove"),
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    enterkeyhint: "send",
    maxlength: 20,
    on: { keydown: typedKey },
  });
  return field;
}

function typedKey(event) {
  const move = field.value.trim();
  if (event.key !== "Enter" || field.readOnly || !move) return;
  event.preventDefault();
  input.play(move);
}

function rematchButton(other, rematch) {
  if (!other && store.offering) return null; // it is offered, or declined
  if (!other) return action("swap", t("table.rematch"), () => rematch(), "btn");
  const link = { href: `/t/${encodeURIComponent(other)}` };
  return html("a.btn.btn--ink", link, icon("swap"), t("table.toRematch"));
}
