// The turn banner: one sentence about what happened and what is due, and the controls for it.

import { havePrograms, openPrograms } from "../contest/games.js";
import { action, at, html, icon, put, render } from "../dom.js";
import { word } from "../games.js";
import { display } from "./display.js";
import { input } from "./input.js";
import { store } from "./state.js";
import { ending, gameTitle, happened, moveName } from "./words.js";
import { t } from "../texts.js";

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

const moment = () => `${display.shown}/${store.length}/${store.over}`;

/** Show where things stand; `actions` are rematch() and decide(accept). */
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
  const lately = () => note || happened(shown);
  const host = asking();
  if (input.live.status === "lost") return quiet(t("table.lostTitle"), t("table.lostText"));
  if (!following) return quiet(t("table.atPly", { ply: shown, total: length }), lately());
  if (busy || !present) return moving();
  if (over) return ended();
  if (input.sending) return loud(whose(open), t("table.sending", { move: moveName(input.sending) }));
  if (host) return loud(t("table.join.asks", { name: host }), t("table.join.text"));
  if (state.open && !open) return quiet(t("table.waiting"), note || howToCome());
  if (!open) return quiet(whose(null), lately());
  const task = store.kind.due(view.board, view, input.choice);
  const rest = input.choice ? "" : state.open ? howToCome() : happened(shown, true);
  return loud(whose(open), note || [task, rest].filter(Boolean).join(" "));
}

/** Who wants to join, if this browser is to decide that: it has the host's seat. */
export function asking() {
  const { table, mine, over } = store;
  return (mine.includes(HOST) && !over && table.offer?.asking) || null;
}

/** While a move is shown: whose it is; chance decides within the own turn. */
function moving() {
  const { last, shown } = display;
  const { plies, state, mine, kind } = store;
  const seat = last?.seat >= 0 ? last.seat : plies[shown - 2]?.seat;
  if (seat === undefined) return quiet(gameTitle(kind), happened(shown));
  const own = mine.includes(seat) && state.turn === seat;
  return (own ? loud : quiet)(turnOf(seat), happened(shown));
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
  return { headline, text: note || reason, tone: `is-still is-over${colour}` };
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

function showControls(open, { rematch, decide }) {
  const { over, mine, state } = store;
  const playing = Boolean(mine.length > 0 && !over && (!state.open || open || input.sending));
  const { following, seen } = display;
  const news = store.length - seen;
  const again = over && mayAskAgain();
  const programs = havePrograms(store);
  const host = asking();
  const key = [playing, again, programs, state.rematch, following, news, host];
  render(controls, key, () => [
    host && following && decision(decide),
    !following && !over && newMoves(news),
    playing && following && !host && players(),
    again && rematchButton(state.rematch, rematch),
    programs && action("client", t("table.programs"), () => openPrograms(store), "btn"),
  ]);
  const now = Boolean(open) && !input.sending;
  for (const button of controls.querySelectorAll("[data-now]")) button.disabled = !now;
  if (typing()) field.readOnly = !now;
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
  return action("last", words, () => display.seek(store.length), "btn to-present");
}

/** The game's own buttons or the field for typed moves, and the hint. */
function players() {
  const { choices } = store.kind;
  const own = choices.map(({ move, key, look }) =>
    dueButton(`btn btn--big ${look}`, word(store.kind, move), key, () => input.play(move)),
  );
  const look = own.length ? "btn" : "btn btn--ink";
  const hint = dueButton(look, [icon("hint"), t("table.hint")], "h", input.hint);
  return [own.length ? own : typed(), hint];
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
  if (!other) return action("swap", t("table.rematch"), rematch, "btn");
  const link = { href: `/t/${encodeURIComponent(other)}` };
  return html("a.btn.btn--ink", link, icon("swap"), t("table.toRematch"));
}
