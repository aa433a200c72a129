// The analysis of the position shown: what every move is worth, and the line that is expected.

import { assign, at, emblem, html, icon, replace, roving, stopAt, whenSeen } from "../dom.js";
import { word } from "../games.js";
import { get, set, watch } from "../settings.js";
import { display } from "./display.js";
import { input } from "./input.js";
import { store } from "./state.js";
import { CHANCE, balance, moveName, proof, rounded, sentence } from "./words.js";
import { sign, stack, verdict } from "./words.js";
import { number, said, t } from "../texts.js";

const MOVES = "[data-move]";
const PATIENCE = 220; // milliseconds that a position must stay before it is looked at
const AGAIN = 3000; // milliseconds before a busy server is asked again
const PAUSE = 300; // milliseconds between a look and a deeper one
const DEEPEST = 2;

let onFound = () => {}; // hears what was found: no moves while it is not known, null for no analysis
let on = get("analysis");
let shown = {}; // the position that the panel is about: { ply, view, secret }
let request = null;
let timer = 0;
let picked = null; // the move that is pointed at
let mistakes = null; // of a finished game: { list, count, shown }

const sub = html("span.sub");
const body = html("div.body", { "aria-live": "off" });
const toggle = () => set("analysis", !get("analysis"));
const pause = html("button.tool", { on: { click: toggle } });
const choice = html("span.seg.seg--s", { role: "group", "aria-label": t("analysis.title") });

/** Fill the panel; `found(answer)` hears what is found. */
export function startAnalysis(found) {
  onFound = found;
  const title = html("h2", t("analysis.title"));
  replace(at("analysis"), html("header", title, sub, html("div.tools", choice, pause)), body);
  watch(switched);
  showHeader();
}

/** The list of a finished game's mistakes, `count` null until all were sought, takes the panel. */
export function offerMistakes(list, count) {
  mistakes = { list, count, shown: mistakes?.shown ?? true };
  showHeader();
  if (mistakes.shown) analyse();
}

// what is looked at

/** The analysis was switched on or off, perhaps in another tab. */
function switched() {
  if (on === get("analysis")) return;
  on = get("analysis");
  showHeader();
  shown = {};
  analyse();
}

/**
 * Ask for the position shown, unless that was done, there is nothing to decide, or analysis is off.
 * Some tables keep it secret until the game is over, and say why.
 */
export function analyse() {
  const { shown: ply, view, busy } = display;
  const secret = !store.over && store.table.withheld;
  at("analysis").classList.toggle("is-withheld", Boolean(secret));
  if (mistakes?.shown) return listMistakes();
  if (busy || !view) return;
  const same = view === shown.view && secret === shown.secret;
  if (same && !body.classList.contains("is-stale")) return;
  cancel();
  shown = { ply, view, secret };
  onFound(on && !view.outcome && !secret ? { ply, moves: [] } : null);
  if (secret) return say(sentence(said(secret)));
  if (!on) return say(t("analysis.paused"));
  if (view.turn < 0) return say(t(view.outcome ? "analysis.over" : "analysis.chance"));
  body.classList.add("is-stale");
  timer = setTimeout(() => ask(ply, 0), PATIENCE);
}

function cancel() {
  clearTimeout(timer);
  request?.abort();
  request = null;
  pick(null);
}

async function ask(ply, effort) {
  const { signal } = (request = new AbortController());
  body.setAttribute("aria-busy", "true");
  try {
    const found = await store.judged(ply, effort, signal);
    signal.throwIfAborted();
    take(ply, effort, found);
  } catch (error) {
    if (!signal.aborted) refused(ply, effort, error);
  }
  if (!signal.aborted) body.removeAttribute("aria-busy");
}

function take(ply, effort, found) {
  show(found);
  const deeper = !found.proven && effort < DEEPEST && found.moves.length > 0;
  const more = () => whenSeen(() => ask(ply, effort + 1), request?.signal);
  if (deeper) timer = setTimeout(more, PAUSE);
}

function refused(ply, effort, { status, said: message }) {
  if (!status) return say(t("analysis.unreachable"));
  if (effort > 0) return; // what is shown is good enough
  say(message ? said(message) : "");
  if (status === 429) timer = setTimeout(() => ask(ply, effort), AGAIN);
}

// what is shown

function showHeader() {
  const label = t(on ? "analysis.pause" : "analysis.resume");
  assign(pause, { "aria-label": label, title: label, hidden: Boolean(mistakes?.shown) });
  replace(pause, icon(on ? "pause" : "play"));
  choice.hidden = !mistakes;
  if (mistakes) replace(choice, tab(true), tab(false));
}

function tab(own) {
  const counted = () => t("analysis.mistakes", { count: mistakes.count });
  const list = () => (mistakes.count === null ? t("analysis.mistakes.sought") : counted());
  const words = own ? list() : t("analysis.position");
  const click = () => {
    mistakes.shown = own;
    showHeader();
    shown = {};
    analyse();
    choice.children[own ? 0 : 1].focus();
  };
  return html("button", { "aria-pressed": String(mistakes.shown === own), on: { click } }, words);
}

function listMistakes() {
  cancel();
  if (shown.view) onFound(null);
  shown = {};
  body.classList.remove("is-stale");
  body.removeAttribute("aria-busy");
  replace(sub);
  if (body.firstChild !== mistakes.list) replace(body, mistakes.list);
}

function say(sentence) {
  body.classList.remove("is-stale");
  replace(sub);
  replace(body, note(sentence));
}

async function show(found) {
  const { view } = shown;
  const own = await store.kind.analysis(found, view);
  if (view !== shown.view) return;
  const kept = body.querySelector("[data-move]:focus")?.dataset.move;
  body.classList.remove("is-stale");
  const tight = Boolean(mistakes); // the header also holds the choice
  if (own) replace(sub, tight ? "" : own.title);
  else replace(sub, subtitle(found, tight));
  replace(body, own?.parts ?? listParts(found, view));
  rove(kept);
  onFound(found);
}

// pointing at moves

function pickAt({ target }) {
  const own = target.closest("[data-move]");
  const row = own ?? target.closest(".eval tr")?.querySelector("[data-move]");
  pick(row?.dataset.move ?? null);
}

for (const event of ["pointerover", "focusin"]) body.addEventListener(event, pickAt);
for (const event of ["pointerleave", "focusout"]) body.addEventListener(event, () => pick(null));
roving(body, MOVES);

/** Point at a move on the board, or at none; a hint that was asked for stays where it is. */
function pick(move) {
  if (move === picked) return;
  picked = move;
  display.board.hint(move ?? input.hinted);
}

/** One tab stop for all moves: the best, or the one that had the focus. */
function rove(kept) {
  const own = [...body.querySelectorAll(MOVES)].find(({ dataset }) => dataset.move === kept);
  stopAt(body, MOVES, own ?? body.querySelector(".is-best[data-move], .is-best [data-move]"));
  own?.focus({ preventScroll: true });
}

// the parts

function subtitle({ unit, perspective, count }, tight) {
  const { kind } = store;
  const brief = tight && unit !== CHANCE;
  const own = () => word(kind, `unit.${unit}`) ?? word(kind, "unit") ?? unit;
  const who = html("span.who", sign(perspective), html("span.vh", perspective));
  const moves = kind.countsMoves && !tight && [t("analysis.moves", { count }), " · "];
  return [moves, brief ? t("analysis.seenBy") : own(), " ", who];
}

const note = (sentence) => html("p.note", sentence);

function listParts(found, view) {
  const { kind } = store;
  if (!found.moves.length) {
    return [note(word(kind, "unsolved") ?? t("analysis.none")), list(found), legend(found)];
  }
  const facts = kind.analysisFacts?.(found, view).filter(Boolean) ?? searchFacts(found);
  const told = facts.map(([name, value, look = "num"]) =>
    html("div", html("dt", name), html("dd", { class: look }, value)),
  );
  const remarks = found.said.map((message) => note(said(message)));
  return [remarks, list(found), html("dl.pv", told), legend(found)];
}

function list({ moves, unit, perspective, chances }) {
  const rows = moves.map((move, n) => {
    const look = { "data-move": move.move, tabindex: -1 };
    const button = html("button.pick", look, moveName(move.move));
    const gain = move.gain && html("span.gain", t("analysis.collects", { count: move.gain }));
    const bar = chances ? stack(chances[n]) : balance(move, perspective);
    return html(
      "tr",
      { class: n === 0 && "is-best" },
      html("td.mv", button, gain || null),
      html("td.bar", { "aria-hidden": "true" }, bar),
      html("td.val", { class: move.exact ? "is-proven" : "is-guess" }, verdict(move, unit)),
      html("td.seal", proof(move.exact)),
    );
  });
  return html("table.eval", html("caption.vh", t("analysis.title")), html("tbody", rows));
}

function searchFacts({ variation, depth, nodes, time }) {
  const values = { depth, nodes: rounded(nodes), time: number(time, 2) };
  return [
    [t("analysis.variation"), variation.slice(0, 12).join(" "), "mono"],
    [t("analysis.search"), t("analysis.searched", values)],
  ];
}

function legend({ moves, depth, chances }) {
  const proven = moves.some(({ exact }) => exact);
  const guessed = moves.some(({ exact }) => !exact);
  const how = word(store.kind, "computed") ?? t("analysis.proven");
  return html(
    "div.legend",
    proven && html("span", proof(true), how),
    guessed && html("span", proof(false), t("analysis.estimatedTo", { depth })),
    chances && html("span", [0, 1, 2].map(emblem), t("analysis.allChances")),
  );
}
