// The standings: who stands where, how sure that is, and what it rests on.

import { share } from "./mistakes.js";
import {
  ENDS,
  KINDS,
  chance,
  elo,
  endCount,
  endIcon,
  endWord,
  noteWords,
  percent,
  points,
} from "./words.js";
import { Kept, at, html, icon, render, replace } from "../dom.js";
import { number, said, t } from "../texts.js";

const ROOM = 0.04; // of the span, on both sides
const LEAST = 40; // Elo that the scale spans at least
const STEPS = [10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000];

const kept = new Kept();
const body = html("tbody", { role: "rowgroup" });
const head = html("thead", { role: "rowgroup" });
const caption = html("caption.vh", t("contest.standings"));

replace(at("standings"), html("table.stand", { role: "table" }, caption, head, body));

/** Show the standings of a contest. */
export function updateStandings(contest) {
  const scale = scaleOf(contest.standings);
  const ticks = scale && [scale.ticks, scale.at(0)];
  render(head, [contest.order, ticks, contest.reviewed > 0], () => heading(contest, scale));
  const known = contest.reviewed > 0;
  at("standings").classList.toggle("has-mistakes", known);
  const rows = contest.standings.map((one) => {
    const text = contest.entrants.find(({ number: own }) => own === one.entrant)?.text ?? "";
    return [one.entrant, [one, ticks, text, known], () => row(one, text, scale, known)];
  });
  kept.show(body, rows);
  notes(contest);
}

// the head

function heading({ order, reviewed }, scale) {
  const sorted = (name) => (order === name ? { "aria-sort": "descending" } : {});
  const column = (name, look, more = {}, extra = null) => {
    const title = t(`contest.column.${name}.hint`);
    const attributes = { scope: "col", role: "columnheader", title, ...more };
    return html(`th.${look}`, attributes, html("span", t(`contest.column.${name}`)), extra);
  };
  return html(
    "tr",
    { role: "row" },
    column("rank", "rk"),
    column("name", "nm"),
    column("rating", "br", sorted("rating"), scale && axis(scale)),
    column("elo", "el"),
    column("better", "bt"),
    column("points", "pt", sorted("points")),
    column("record", "wd"),
    column("forfeits", "ff"),
    reviewed > 0 && column("mistakes", "ms"),
  );
}

// a row

function row(one, text, scale, known) {
  const cell = (className, label, ...parts) =>
    html("td", { class: className, role: "cell", "data-label": label }, parts);
  const out = Boolean(one.disqualified);
  const ends = ENDS.filter((end) => one.forfeits[end]);
  const better = one.better === null ? "" : chance(one.better);
  const strength = [
    cell("br", null, scale && bar(scale, one)),
    cell("el num", t("contest.column.elo"), rated(one)),
    cell("bt num", t("contest.column.better.short"), better),
  ];
  return html(
    "tr",
    { class: out ? "is-out" : null, role: "row", "data-entrant": one.entrant },
    cell("rk num", null, number(one.rank)),
    named(one, text),
    out ? html("td.br", { role: "cell", colspan: strength.length }, why(one)) : strength,
    cell("pt num", t("contest.column.points"), scored(one)),
    cell("wd num", t("contest.column.record.long"), record(one)),
    cell("ff", t("contest.column.forfeits"), ends.map((end) => endCount(end, one.forfeits[end]))),
    known && cell("ms num", t("contest.column.mistakes"), share(one.regret)),
  );
}

/** What it is called; an engine has a text besides its name. */
function named({ name, kind }, text) {
  const words = [t(`contest.kind.${kind}`), text].filter(Boolean).join(", ");
  const look = { scope: "row", role: "rowheader" };
  const shown = [html("b", { title: name }, name), html("span.kind", icon(KINDS[kind]), words)];
  return html("th.nm", look, shown);
}

function rated({ rating, low, high, bounded }) {
  if (rating === null) return html("span.dim", "–");
  return [html("b", elo(rating)), html("small", interval(low, high, bounded))];
}

/** The interval in words; one without an end has only the other, or is open on both sides. */
function interval(low, high, bounded) {
  if (low === null && high === null) return t(`contest.interval.${bounded ? "none" : "open"}`);
  if (high === null) return t("contest.interval.from", { low: elo(low) });
  if (low === null) return t("contest.interval.to", { high: elo(high) });
  return t("contest.interval", { low: elo(low), high: elo(high) });
}

function scored({ points: own, games, bonus }) {
  const small = [t("contest.ofGames", { count: games })];
  if (bonus) small.push(t("contest.bonus", { points: number(bonus) }));
  return [html("b", points(own)), small.map((text) => html("small", text))];
}

function record({ wins, draws, losses }) {
  return [wins, draws, losses].map((count, n) => {
    const word = ["wins", "draws", "losses"][n];
    const label = html("span.vh", t(`contest.${word}`, { count }));
    return html("span", html("span", { "aria-hidden": "true" }, number(count)), label);
  });
}

/** Why an entrant is out, and where that can be seen. */
function why({ disqualified, disqualifiedIn, said: message }) {
  const game = disqualifiedIn?.game;
  const [end] = disqualified.split(": ", 1);
  const cause = [ENDS.includes(end) && endWord(end), message && said(message)];
  const words = disqualifiedIn && t("contest.inGame", { number: number(disqualifiedIn.number) });
  return html(
    "div.why",
    html("b", endIcon("illegal move"), t("contest.disqualified")),
    html("span.reason", cause.filter(Boolean).join(": ")),
    words && (game ? html("a", { href: `/t/${encodeURIComponent(game)}` }, words) : words),
  );
}

// below

/** What must be known to read the table. */
function notes(contest) {
  const { firstMove, draws, rated: count, notes: told } = contest;
  render(at("notes"), [firstMove, draws, count, told], () => [
    html("li", t("contest.rated", { count, games: number(count) })),
    firstMove !== null && html("li", t("contest.firstMove", { elo: elo(firstMove) })),
    draws !== null && html("li", t("contest.drawShare", { percent: percent(draws) })),
    told.map((note) => html("li.is-note", noteWords(note))),
  ]);
}

// all ratings on one scale: a bar for each interval, a stroke for the rating itself

/** The scale that holds all who are in the running; null if none of them has a rating. */
export function scaleOf(standings, most = 5) {
  const known = standings.filter(({ rating, disqualified }) => rating !== null && !disqualified);
  if (!known.length) return null;
  const values = known.flatMap(({ rating, low, high }) => [rating, low, high]);
  const finite = values.filter((value) => Number.isFinite(value));
  const [least, largest] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const room = Math.max(LEAST - (largest - least), ROOM * (largest - least)) / 2 + 1;
  const [low, high] = [least - room, largest + room];
  const step = STEPS.find((one) => (high - low) / one <= most) ?? (high - low) / most;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  const ticks = Array.from({ length: count }, (_, n) => (first + n) * step);
  const at = (value) => Math.min(1, Math.max(0, (value - low) / (high - low)));
  return { ticks, at };
}

/** The numbers of the scale, above its column. */
export function axis(scale) {
  return html("div.axis.num", { "aria-hidden": "true" }, marks(scale, "span", elo));
}

/** An element for each tick, at its place. */
function marks({ ticks, at: place }, name, words) {
  return ticks.map((tick) => {
    const vars = { "--at": place(tick).toFixed(4) };
    return html(name, { class: tick === 0 && "zero", vars }, words(tick));
  });
}

/** An entrant's bar. */
export function bar(scale, one) {
  const lines = marks(scale, "i.line", () => null);
  if (one.rating === null) return html("div.elo", { "aria-hidden": "true" }, lines);
  const look = { vars: { "--at": scale.at(one.rating).toFixed(4) }, "aria-hidden": "true" };
  return html("div.elo", look, lines, span(scale, one), html("i.here"));
}

/** The interval, if it is known at all; what has no end on a side is open there. */
function span(scale, { low, high }) {
  if (low === null && high === null) return null;
  const vars = {
    "--low": (low === null ? 0 : scale.at(low)).toFixed(4),
    "--high": (high === null ? 1 : scale.at(high)).toFixed(4),
  };
  const open = high === null ? "is-up" : low === null && "is-down";
  return html("i.span", { class: open, vars });
}
