// The table as a whole: the parts of its page, and what ties them together.

import { read, send } from "../api.js";
import { isBeamer, startBeamer, toBeamer } from "../beamer.js";
import { at, html, replace } from "../dom.js";
import { word } from "../games.js";
import { announce } from "../page.js";
import { analyse, startAnalysis } from "./analysis.js";
import { seekMistake, showBetter, updateCurve } from "./curve.js";
import { confirm, openRules, ownSeat, takeSeat } from "./dialogs.js";
import { display } from "./display.js";
import { takeEvaluation, updateEvaluation } from "./evaluation.js";
import { input } from "./input.js";
import { listen, visit } from "./keys.js";
import { startMoves, updateMoves } from "./moves.js";
import { notice } from "./notices.js";
import { steps } from "./replay.js";
import { Seats } from "./seats.js";
import { store } from "./state.js";
import { updateTitle } from "./title.js";
import { asking, may, remark, startTurn, typing, updateTurn } from "./turn.js";
import { startWire, updateWire } from "./wire.js";
import { happened, refusal } from "./words.js";
import { t } from "../texts.js";

const main = document.querySelector("main");
let seats = null; // of the table, when that is known
let flipped = false;

/** Show the table on this board: the position that the address names, or the present one. */
export async function startPage(board, live, ply) {
  const { kind } = store;
  display.board = board;
  display.onShow = update;
  display.onRest = rested;
  input.start(live, say);
  seats = new Seats({ onTake: take, onOpen: openSeat });
  startTurn();
  startMoves();
  startAnalysis(found);
  if (store.exploring) store.exploring.start();
  else startWire(live);
  replace(at("steps"), steps());
  main.classList.remove("table--tall", "is-empty");
  main.classList.add(kind.wide ? "table--wide" : "table--tall", `table--${kind.name}`);
  place();
  listenToKeys();
  stateChanged();
  await display.seek(ply ?? store.length);
  shape();
  if (kind.needsAll) store.loadAll(updateMoves).catch(() => {});
  kind.started?.({ store, display }).catch(() => {});
  if (location.hash === "#wire") visit("wire");
  startBeamer(shape, { keys: false });
}

/** Boards that can show what moves are worth do so; null: no analysis. */
function found(answer) {
  takeEvaluation(answer);
  if (!("scores" in display.board)) return;
  display.board.scores = answer;
  shape();
}

/** Give the stage the board's proportions, which are known when it shows something. */
function shape() {
  const [width, height] = display.board.size ?? [1, 1];
  main.style.setProperty("--aspect", (width / height).toFixed(3));
}

/** Put seats and board on the stage, the own seat below. */
function place() {
  const { board } = display;
  const { facing, together } = store.kind;
  const holding = "seats" in board; // it has places for the seats
  const below = (store.solo === 1) !== flipped ? 1 : 0;
  const turned = facing ? below === 1 : flipped;
  if (board.flipped !== turned) board.flipped = turned;
  const order = together || holding ? "0" : String(below);
  if (at("stage").dataset.below === order) return;
  at("stage").dataset.below = order;
  const [first, second] = [seats.elements[1 - below], seats.elements[below]];
  if (holding) replace(at("stage"), board);
  else if (together) replace(at("stage"), html("div.twoseats", seats.elements), board);
  else replace(at("stage"), first, board, second);
  if (holding) board.seats = seats.elements;
}

function listenToKeys() {
  const actions = {
    back: () => display.step(-1),
    forward: () => display.step(1),
    first: () => display.seek(0),
    present: () => display.seek(store.length),
    type: () => typing()?.focus(),
    hint: help,
    takeBack: () => store.undoing !== null && may("take back") && offer("take back"),
    flip,
    analysis: () => visit("analysis"),
    wire: () => visit(store.exploring ? "position" : "wire"),
    nextMistake: () => seekMistake(1),
    lastMistake: () => seekMistake(-1),
    beamer,
    rules,
    cancel,
  };
  const own = ({ move, key }) => [key, word(store.kind, `key.${move}`), () => input.play(move)];
  listen(actions, store.kind.choices.map(own));
}

// showing

/** There are new plies, or others than we knew. */
export function moved() {
  display.arrived();
  stateChanged();
}

/** Seats, clock or result have changed. */
export function stateChanged() {
  seats.take();
  if (!store.exploring) updateWire();
  update();
  notice();
  followRematch();
}

/** Show everything as it stands. */
export function update() {
  store.exploring?.follow();
  const { shown, following, board } = display;
  const { over, length, state } = store;
  place();
  // A race may be decided on the board and still have no winner: a player gave a wrong score.
  if ("spoilt" in board) board.spoilt = over && state.result.winner === null;
  updateTitle({ rules, flip, beamer, resign: () => resign(), offer });
  seats.update();
  input.update();
  updateTurn({ rematch, decide, help, offer, answer });
  updateMoves();
  if (over) updateCurve();
  updateEvaluation();
  if (store.exploring) store.exploring.update();
  else remember(following || length === shown ? null : shown);
}

function rested() {
  update();
  analyse();
  const better = store.over && showBetter();
  if (better) say(`${happened(display.shown)} ${better}`);
  else if (store.over) announce(happened(display.shown)); // else the banner says it
}

/** Let the address name the position, so that it can be copied and reloaded. */
function remember(ply) {
  const here = new URL(location.href);
  if (ply === null) here.searchParams.delete("ply");
  else here.searchParams.set("ply", ply);
  if (here.href !== location.href) history.replaceState(history.state, "", here);
}

// doing

/** Say something in the banner, until the position changes; null leaves what is said. */
export function say(text) {
  if (text !== null) remark(text);
  update();
}

/** Ask the server for something; what it refuses is said in the banner. */
async function ask(path, body, then = () => {}) {
  try {
    then(await send(store.path + path, body));
  } catch (error) {
    say(refusal(error));
  }
}

/** An engine's advice; where moves are only tried it moves itself. */
async function help() {
  if (!store.exploring) return input.hint();
  if (!store.exploring.due || input.sending) return;
  say(t("table.thinking"));
  try {
    await store.exploring.answer();
  } catch (error) {
    say(refusal(error));
  }
}

function flip() {
  if (!store.kind.turnable) return;
  flipped = !flipped;
  update();
}

const beamer = () => toBeamer(!isBeamer());
const rules = () => openRules(store.kind);

function cancel() {
  if (isBeamer()) toBeamer(false);
  document.activeElement?.blur();
  input.drop();
  display.board.cancel();
  display.board.refresh?.();
  update();
}

function take(seat) {
  const title = t("table.takeTitle", { name: store.name(seat) });
  takeSeat(title, (name) => send(`${store.path}/seats/${seat}/take`, { name }));
}

/** Let who asks for it join, or not. */
function decide(accept) {
  const player = asking();
  if (player) ask("/seats/0/opponent", { player, accept });
}

function openSeat(seat) {
  ownSeat(store.name(seat), {
    link: async () => {
      const { path } = await read(`${store.path}/seats/${seat}/link`);
      return new URL(path, location.href).href;
    },
    leave: () => ask(`/seats/${seat}/leave`),
    resign: () => resign(seat),
  });
}

function resign(seat = store.solo ?? store.state.turn) {
  if (!store.mine.includes(seat)) return;
  const text = t("table.resignText", { name: store.name(seat) });
  confirm(t("table.resign"), text, t("table.resign"), () => ask("/resign", { seat }));
}

let offering = false; // whether the server is just being told of an offer

/** Offer to take the last own turn back, or a draw. */
async function offer(what) {
  if (offering) return;
  offering = true;
  const seat = what === "draw" ? (store.solo ?? store.state.turn) : store.undoing;
  await ask("/offer", { seat, what });
  offering = false;
}

/** Answer what the other has offered. */
function answer(what, accept) {
  const { offered } = store;
  if (what === "rematch") rematch(accept);
  else if (offered) ask("/answer", { seat: 1 - offered.seat, what, accept });
}

function rematch(accept = true) {
  ask("/rematch", { accept }, ({ id }) => id && goTo(id));
}

let wished = false; // whether this browser has asked for a rematch

/** Who has asked for a rematch goes there when the other agrees. */
function followRematch() {
  const { state, offering } = store;
  if (wished && state.rematch) goTo(state.rematch);
  wished = offering?.what === "rematch" && !offering.declined;
}

function goTo(id) {
  location.href = `/t/${encodeURIComponent(id)}`;
}
