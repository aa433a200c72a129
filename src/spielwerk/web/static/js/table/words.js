// What happened, what is due and how it ended, each in one sentence.

import { nameOf, word } from "../games.js";
import { said, t } from "../texts.js";

/** What the ply was, told of the player by name; `brief` leaves out what the next one is told. */
export function happened(store, index, brief = false) {
  const ply = store.plies[index - 1];
  if (!ply) return "";
  return store.kind.told(ply, { store, index, brief, name: store.name(ply.seat) });
}

/** What the person who has to move is to do; `choice` is what is chosen so far. */
export function due(store, view, choice = "") {
  return store.kind.due(view.board, view, choice);
}

/** How the game ended: a headline and the reason. */
export function ending(store) {
  const { result } = store.state;
  const name = result.winner === null ? "" : store.name(result.winner);
  const round = store.known(store.length)?.board.round;
  const told = { name, turn: store.turns().length, round };
  return { headline: headline(result, told), reason: reason(store, result) };
}

function headline({ winner, reason: why }, told) {
  if (winner !== null) return t(told.round ? "table.end.winsRound" : "table.end.wins", told);
  return t(why === "rule draw" ? "table.end.draw" : "table.end.void", told);
}

function reason(store, { reason: why, detail, culprit }) {
  const score = store.known(store.length)?.outcome?.score;
  const points = score?.length ? t("table.end.score", { score: score.join(" : ") }) : "";
  if (why.startsWith("rule ")) return [sentence(said(detail)), points].filter(Boolean).join(" ");
  const name = culprit === null || culprit === undefined ? "" : store.name(culprit);
  const missing = store.table.contest && why === "aborted" && name; // a contest blames for nothing else
  const end = missing ? "no_start" : why.replace(/\W/g, "_");
  const cause = t(`table.end.${end}${name ? "" : ".nobody"}`, { name });
  return [...new Set([cause, detail && sentence(said(detail))])].filter(Boolean).join(" ");
}

/** With a capital and a full stop. */
export function sentence(text) {
  const whole = text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** What the game is called, and which of its boards it uses. */
export const gameTitle = (kind) => word(kind, "title") ?? nameOf(kind);

/** What a side is called in its game. */
export function side(store, seat) {
  return word(store.kind, `side.${seat}`) ?? t("table.side.player", { number: seat });
}
