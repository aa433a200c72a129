// What happened, how it ended and what a move is worth, in words.

import { html, seal, waves } from "../dom.js";
import { nameOf, word } from "../games.js";
import { withNames } from "../names.js";
import { explained, number, said, signed, t } from "../texts.js";
import { store } from "./state.js";

/** What the ply was, told of the player by name; `brief` leaves out what the next one is told. */
export function happened(index, brief = false) {
  const ply = store.plies[index - 1];
  return ply ? store.kind.told(ply, { store, index, brief, name: store.name(ply.seat) }) : "";
}

/** How the game ended: a headline and the reason. */
export function ending() {
  const { result } = store.state;
  const name = result.winner === null ? "" : store.name(result.winner);
  const round = store.known(store.length)?.board.round;
  const told = { name, turn: store.turns().length, round };
  return { headline: headline(result, told), reason: reason(result) };
}

function headline({ winner, reason: why }, told) {
  if (winner !== null && !store.length) return t("table.end.winsUnplayed", told);
  if (winner !== null) return t(told.round ? "table.end.winsRound" : "table.end.wins", told);
  return t(why === "rule draw" ? "table.end.draw" : "table.end.void", told);
}

function reason({ reason: why, said: told, culprit }) {
  const { board, outcome } = store.known(store.length) ?? {};
  const message = told && withNames(told, store.name);
  const detail = message && sentence(said(message));
  const { score } = outcome ?? {};
  const points = score?.length ? t("table.end.score", { score: score.join(" : ") }) : "";
  if (why.startsWith("rule ")) {
    const seen = board && store.kind.decided(board);
    return [seen ?? detail, points].filter(Boolean).join(" ");
  }
  const name = store.name(culprit);
  if (detail && name && message.values.name === name) return detail; // it says who and why
  const missing = store.table.contest && why === "aborted" && name; // a contest blames for nothing else
  const end = missing ? "no_start" : why.replace(/\W/g, "_");
  const cause = t(`table.end.${end}${name ? "" : ".nobody"}`, { name });
  return [...new Set([cause, detail])].filter(Boolean).join(" ");
}

/** With a capital and a full stop. */
export function sentence(text) {
  const whole = text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** A move as people read it: the word on its button, or the wire's notation. */
export const moveName = (move) => word(store.kind, move) ?? move;

/** What the server has said against something. */
export function refusal({ message, said: told }) {
  return sentence(explained({ message, said: told && withNames(told, store.name) }));
}

/** What the game is called, and which of its boards it uses. */
export const gameTitle = (kind) => word(kind, "title") ?? nameOf(kind);

/** Whether a seat's engine is still being compiled. */
export const preparing = ({ preparing: percent }) => typeof percent === "number";

/** What a side is called in its game. */
export function side(seat) {
  return word(store.kind, `side.${seat}`) ?? t("table.side.player", { number: seat });
}

/** The small sign of a player in lists. */
export const sign = (seat) => store.kind.emblem(seat, "mini");

// what a move is worth, in words and as a bar; what is proven never looks like an estimate

const DIGITS = { stones: 1, "stones left": 1, points: 0 };

/** The unit of games of chance. */
export const CHANCE = "chance to win";

/** A chance in percent. */
export function percent(chance) {
  return t("analysis.percent", { number: number(100 * chance, 1) });
}

/** A score in words: "win in 17", or a number in the engine's unit. */
export function verdict({ value, result, plies }, unit) {
  if (unit === CHANCE) return percent(value);
  if (result === null || result === undefined) return signed(value, DIGITS[unit] ?? 2);
  if (!result) return t("analysis.draw");
  const word = result > 0 ? "win" : "loss";
  return plies ? t(`analysis.${word}In`, { count: plies }) : t(`analysis.${word}`);
}

/** The seal or the waves, with their word. */
export function proof(exact) {
  return exact ? seal(t("analysis.proven")) : waves(t("analysis.estimated"));
}

/** A bar from the middle, to the right for the player whose view it is. */
export function balance({ share }, perspective) {
  const player = share < 0 ? 1 - perspective : perspective;
  const vars = { "--v": Math.abs(share).toFixed(3), "--c": `var(--p${player})` };
  return html("div.balance", html("i", { class: share < 0 && "neg", vars }));
}

/** The chances of all players side by side. */
export function stack(chances) {
  const parts = chances.map((chance, player) =>
    html("i", { class: `stack--p${player}`, vars: { "--v": chance.toFixed(4) } }),
  );
  return html("div.stackbar", parts);
}

/** A large number, rounded as people say it. */
export function rounded(value) {
  if (value >= 1e6) return t("analysis.millions", { number: number(value / 1e6, 1) });
  return number(value);
}
