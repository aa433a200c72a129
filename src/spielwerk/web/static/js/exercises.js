// Find the move: a position in which exactly one move is right, and one try at it. The server tells
// the solution with the position, so that a try is judged at once.

import { read } from "./api.js";
import { action, at, html, put, replace } from "./dom.js";
import { kindOf, loadBoard, word } from "./games.js";
import { explained, number, t } from "./texts.js";

const box = at("exercise");
let told = null; // what the server has of the game
let kind = null;
let board = null;
let shown = 0; // which exercise
let solved = false; // it was tried, or the solution was asked for

const next = action(null, t("exercises.next"), () => show(shown + 1), "btn btn--ink");
const before = action(null, t("exercises.before"), () => show(shown - 1), "btn");
const solve = action(null, t("exercises.solve"), () => end("solution"), "btn");

/** Show an exercise; after the last comes the first. */
async function show(wanted) {
  const { exercises } = told;
  shown = (wanted + exercises.length) % exercises.length;
  solved = false;
  const { view, depth, keeps } = exercises[shown];
  const count = { number: number(shown + 1), total: number(exercises.length) };
  put(at("number"), t("exercises.number", count));
  put(at("depth"), t("exercises.depth", { count: depth }));
  const name = word(kind, `side.${view.turn}`) ?? t("common.player", { number: view.turn });
  const kept = ["win", "draw"].includes(keeps) ? keeps : "chance";
  replace(at("task"), kind.emblem(view.turn, "mini"), " ", t(`exercises.task.${kept}`, { name }));
  put(at("verdict"), "");
  solve.disabled = false;
  for (const button of at("choices").children) button.disabled = false;
  history.replaceState(null, "", `?number=${shown + 1}`);
  await board.show({ view, last: null, ...kind.also([]) });
  board.input = { seat: view.turn, legal: view.legal };
}

/** A move was tried: it is right or it is not. */
function tried(move) {
  if (!solved) end(move === told.exercises[shown].move ? "right" : "wrong", move);
}

/** Say how it ended, and show the move: played if it was found, else as advice. */
async function end(verdict, move = "") {
  const { view, solved: last, move: better } = told.exercises[shown];
  solved = true;
  board.input = null;
  solve.disabled = true;
  for (const button of at("choices").children) button.disabled = true;
  const words = { move: named(move), better: named(better) };
  replace(at("verdict"), html("b", t(`exercises.${verdict}`)), " ", t(`exercises.${verdict}.text`, words));
  if (document.activeElement === document.body || board.contains(document.activeElement)) next.focus();
  if (verdict === "right") {
    const { view: after, ...ply } = last;
    await board.show({ view: after, last: ply, ...kind.also([ply]) }, { animate: true });
  } else {
    await board.show({ view: { ...view }, last: null, ...kind.also([]) });
    board.hint(better);
  }
}

const named = (move) => word(kind, move) ?? move;

function choice({ move, look }) {
  return action(null, named(move), () => tried(move), `btn ${look}`);
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const own = kind.choices.find(({ key }) => key === event.key);
  if (own) tried(own.move);
  else if (event.key === "n") show(shown + 1);
  else if (event.key === "N") show(shown - 1);
}

try {
  told = await read(`/api/v1/exercises/${box.dataset.exercise}`);
  kind = kindOf(told);
  board = await loadBoard(kind);
  box.classList.toggle("is-wide", kind.wide);
  replace(at("place"), board);
  replace(at("choices"), kind.choices.map(choice));
  replace(at("do"), solve, before, next);
  board.addEventListener("sw-move", ({ detail }) => tried(detail.move));
  document.addEventListener("keydown", pressed);
  await show((Number(new URLSearchParams(location.search).get("number")) || 1) - 1);
} catch (error) {
  put(at("task"), explained(error));
}
