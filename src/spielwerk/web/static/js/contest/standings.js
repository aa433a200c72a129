// The standings: who stands where, how sure that is, and what it rests on.

import { axis, bar, scaleOf } from "./scale.js";
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
import { Kept, at, html, render, replace } from "../dom.js";
import { icon } from "../icons.js";
import { number, said, t } from "../texts.js";

/** The panel; it shows a contest as often as there is news. */
export class Standings {
  #kept = new Kept();
  #body = html("tbody", { role: "rowgroup" });
  #head = html("thead", { role: "rowgroup" });

  constructor() {
    const caption = html("caption", { class: "vh" }, t("contest.standings"));
    replace(
      at("standings"),
      html("table", { class: "stand", role: "table" }, caption, this.#head, this.#body),
    );
  }

  update(contest) {
    const scale = scaleOf(contest.standings);
    const ticks = scale && [scale.ticks, scale.at(0)];
    render(this.#head, [contest.order, ticks], () => heading(contest.order, scale));
    const rows = contest.standings.map((one) => {
      const told = [one, ticks, text(contest, one.entrant)];
      return [one.entrant, told, () => row(contest, one, scale)];
    });
    this.#kept.show(this.#body, rows);
    notes(contest);
  }
}

/** What an engine is called besides its name. */
function text({ entrants }, number_) {
  return entrants.find((one) => one.number === number_)?.text ?? "";
}

// the head

function heading(order, scale) {
  const sorted = (name) => (order === name ? { "aria-sort": "descending" } : {});
  const column = (name, className, more = {}, ...extra) =>
    html(
      "th",
      { class: className, scope: "col", role: "columnheader", title: hint(name), ...more },
      html("span", {}, t(`contest.column.${name}`)),
      extra,
    );
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
  );
}

const hint = (name) => t(`contest.column.${name}.hint`);

// a row

function row(contest, one, scale) {
  const cell = (className, label, ...parts) =>
    html("td", { class: className, role: "cell", "data-label": label }, parts);
  const out = Boolean(one.disqualified);
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
    named(contest, one),
    out ? html("td", { class: "br", role: "cell", colspan: strength.length }, why(one)) : strength,
    cell("pt num", t("contest.column.points"), scored(one)),
    cell("wd num", t("contest.column.record.long"), record(one)),
    cell("ff", t("contest.column.forfeits"), forfeits(one.forfeits)),
  );
}

function named(contest, { entrant, name, kind }) {
  const words = t(`contest.kind.${kind}`);
  const more = text(contest, entrant);
  return html(
    "th",
    { class: "nm", scope: "row", role: "rowheader" },
    html("b", { title: name }, name),
    html("span", { class: "kind" }, icon(KINDS[kind]), more ? `${words}, ${more}` : words),
  );
}

function rated({ rating, low, high, bounded }) {
  if (rating === null) return html("span", { class: "dim" }, "–");
  return [html("b", {}, elo(rating)), html("small", {}, interval(low, high, bounded))];
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
  return [html("b", {}, points(own)), small.map((text) => html("small", {}, text))];
}

function record({ wins, draws, losses }) {
  return [wins, draws, losses].map((count, n) => {
    const word = ["wins", "draws", "losses"][n];
    const label = html("span", { class: "vh" }, t(`contest.${word}`, { count }));
    return html("span", {}, html("span", { "aria-hidden": "true" }, number(count)), label);
  });
}

function forfeits(counts) {
  return ENDS.filter((end) => counts[end]).map((end) => endCount(end, counts[end]));
}

/** Why somebody is out, and where that can be seen. */
function why({ disqualified, disqualifiedIn }) {
  const game = disqualifiedIn?.game;
  const words = disqualifiedIn && t("contest.inGame", { number: number(disqualifiedIn.number) });
  return html(
    "div",
    { class: "why" },
    html("b", {}, endIcon("illegal move"), t("contest.disqualified")),
    html("span", { class: "reason" }, cause(disqualified)),
    words && (game ? html("a", { href: `/t/${encodeURIComponent(game)}` }, words) : words),
  );
}

/** The server's "protocol error: what it was" in the page's language. */
function cause(text) {
  const [, end, detail] = /^([a-z -]+)(?:: (.*))?$/s.exec(text) ?? [];
  if (!ENDS.includes(end)) return said(text);
  return [endWord(end), detail && said(detail)].filter(Boolean).join(": ");
}

// below

/** What must be known to read the table. */
function notes(contest) {
  const { firstMove, draws, rated: count, notes: told } = contest;
  render(at("notes"), [firstMove, draws, count, told], () => [
    html("li", {}, t("contest.rated", { count, games: number(count) })),
    firstMove !== null && html("li", {}, t("contest.firstMove", { elo: elo(firstMove) })),
    draws !== null && html("li", {}, t("contest.drawShare", { percent: percent(draws) })),
    told.map((note) => html("li", { class: "is-note" }, noteWords(note))),
  ]);
}
