// Numbers, ends and times of contests, as people say them.

import { html, icon } from "../dom.js";
import { has, number, signed, t } from "../texts.js";

/** The ID of the contest that the page is about, and where the API has it. */
export const contestId = decodeURIComponent(location.pathname.split("/")[2] ?? "");
export const contestPath = `/api/v1/contests/${encodeURIComponent(contestId)}`;

const MINUTE = 60; // seconds
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a contest is doing: running, held, not begun, over, or waiting to be taken up again. */
export function doing({ total, new: fresh, done: played, failed, growing }, live) {
  if (live) return live.jobs ? "running" : "held";
  if (fresh === total) return "unbegun";
  return !growing && played + failed === total ? "over" : "resting";
}

/** How many games are done, and of how many: that is not known while more are drawn up. */
export function done({ done: played, total, growing }) {
  if (growing) return t("contest.played", { done: number(played), count: played });
  return t("contest.done", { done: number(played), total: number(total), count: total });
}

/** How many games will never have a result, and why: one text for each reason. */
export function fallen({ dropped, lost }) {
  const told = [dropped > 0 && t("contest.dropped", { count: dropped })];
  return [...told, lost > 0 && t("contest.lost", { count: lost })].filter(Boolean);
}

/** All of that in a list. */
export const farWords = (progress) => [done(progress), ...fallen(progress)].join(", ");

/** The same as a bar, where all are known; nothing more will come of games that fell away. */
export function doneBar({ done: played, failed, total, growing }) {
  if (growing) return null;
  const vars = { "--share": (total ? (played + failed) / total : 0).toFixed(4) };
  return html("i.much", { "aria-hidden": "true", vars });
}

const ICONS = {
  win: "tick",
  draw: "equal",
  "time-out": "clock",
  "illegal move": "forbidden",
  "protocol error": "garbled",
  crash: "crash",
  stall: "stall",
  "no start": "off",
  "server error": "server",
};

/** How a game of a contest may end; all after the second are a player's fault, the last is ours. */
export const ENDS = Object.keys(ICONS);

export const KINDS = { engine: "engine", command: "client", remote: "remote", open: "person" };

/** The word for an end. */
export const endWord = (end) => t(`contest.end.${end}`);

/** The drawing of an end. */
export const endIcon = (end) => icon(ICONS[end] ?? "forbidden");

/** How often something ended like this: drawing and number, the words for who cannot see it. */
export function endCount(end, count) {
  const words = `${endWord(end)}: ${number(count)}`;
  return html(
    "span.mark",
    { title: words },
    endIcon(end),
    html("span.num", { "aria-hidden": "true" }, number(count)),
    html("span.vh", words),
  );
}

/** Points: halves as such, other parts with a comma. */
export function points(value) {
  const full = Math.floor(value);
  if (value === full) return number(value);
  if (value - full === 0.5) return `${full ? number(full) : ""}½`;
  return number(value, 1);
}

/** Milliseconds as seconds, with as many digits as they have. */
export function seconds(milliseconds) {
  const digits = [0, 1, 2].find((count) => milliseconds % 10 ** (3 - count) === 0) ?? 3;
  return number(milliseconds / 1000, digits);
}

/** A whole number; halves to the even one, as in the report and on the command line. */
function whole(value) {
  const low = Math.floor(value);
  const half = value - low === 0.5;
  return half ? 2 * Math.round(value / 2) : Math.round(value);
}

/** A rating with its sign. */
export const elo = (value) => signed(whole(value));

/** A share of a whole, in whole percent. */
export const percent = (share) => t("contest.percent", { number: number(whole(100 * share)) });

/** What happened in this share of the draws; it is never said to be certain. */
export function chance(share) {
  if (share < 0.01) return t("contest.percent", { number: "< 1" });
  return share > 0.99 ? t("contest.percent", { number: "> 99" }) : percent(share);
}

/** About how long this is, in one or two units. */
export function duration(seconds) {
  const minutes = Math.round(seconds / MINUTE);
  if (seconds < MINUTE) return t("contest.time.seconds", { number: number(Math.ceil(seconds)) });
  if (seconds < HOUR) return t("contest.time.minutes", { number: number(minutes) });
  if (seconds < DAY) {
    const values = { hours: number(Math.floor(minutes / 60)), minutes: number(minutes % 60) };
    return t("contest.time.hours", values);
  }
  return t("contest.time.days", { count: Math.round(seconds / DAY) });
}

const GROUPED = new Set(["pools", "groups"]); // each of their names is a list

/** What the server says about the ranking. */
export function noteWords({ code, names, count }) {
  const key = `contest.note.${code}`;
  const values = { names: GROUPED.has(code) ? names.join(" | ") : listed(names), count };
  return has(key) || has(`${key}.other`) ? t(key, values) : `${code} ${listed(names)}`;
}

const lists = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" });

/** Names as a sentence lists them. */
export const listed = (names) => lists.format(names);
