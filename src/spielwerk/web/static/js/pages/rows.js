// The lobby's list: which tables and contests are in it, their order, and a row for each.

import { doing, doneBar, farWords } from "../contest/words.js";
import { conn, emblem, html, icon } from "../dom.js";
import { kindOf, nameOf, tile, word } from "../games.js";
import { gameName, named } from "../names.js";
import { copyButton, since } from "../page.js";
import { has, number, t } from "../texts.js";

const DOTS = { waiting: "wait", lost: "lost", builtin: "in", away: "wait" };

/** The row of a table. */
export function tableRow(table) {
  const [word, look] = wanted(table);
  return html(
    "li",
    { class: table.mine ? "trow is-own" : "trow", "data-id": table.id },
    tile(kindOf(table)),
    titled(table),
    html("div.tp", seatsOf(table).map(seat)),
    status(table),
    viewers(table.viewers ?? 0),
    since(table.created),
    way(`/t/${table.id}`, word, gameName(table), look),
  );
}

function titled(table) {
  const kind = kindOf(table);
  return html(
    "div.tn",
    html("b", gameName(table), table.mine && html("span.vh", `, ${t("lobby.own")}`)),
    html("span", html("span.vh", `${nameOf(kind)}, `), kind.size(table.options)),
  );
}

/** The seats with names; of an empty one, what it is kept for. */
function seatsOf(table) {
  const kept = ({ name, kind, connection }) => !name && connection === "waiting" && t(`lobby.seat.${kind}`);
  const known = named(kindOf(table), table.seats);
  return table.seats.map((seat, number) => ({ ...known[number], name: kept(seat) || known[number].name }));
}

function seat({ name, connection }, number_) {
  return html("span.pl", emblem(number_), html("span.name", name), connection in DOTS && state(connection));
}

function state(connection) {
  const title = t(`lobby.seat.${connection}`);
  return conn(DOTS[connection], html("span.vh", title), { title });
}

function status(table) {
  return html(
    "div.ts",
    html("b", { class: `st st--${table.status}` }, t(`lobby.status.${table.status}`)),
    html("span.more", detail(table)),
  );
}

function detail(table) {
  if (table.status === "finished") return ended(table);
  if (table.status === "running") return played(table);
  const id = html("span.mono", table.id);
  return [id, copyButton(() => table.id, t("lobby.gameId"))];
}

/** How many moves were made, as the game's table counts them. */
function played(table) {
  const kind = kindOf(table);
  const count = kind.numbered(table.turns);
  return word(kind, "played", { count }) ?? t("lobby.played", { count });
}

/** How a table's game ended. */
export function ended({ result, ...table }) {
  const name = named(kindOf(table), table.seats)[result?.winner ?? -1]?.name;
  if (name) return t("lobby.won", { name });
  if (result?.reason === "rule draw") return t("lobby.drawn");
  const reason = `lobby.reason.${result?.reason}`;
  return has(reason) ? t(reason) : (result?.reason ?? "");
}

function viewers(count) {
  const words = html("span.vh", t("lobby.viewers", { count }));
  const shown = html("span", { "aria-hidden": "true" }, number(count));
  return html("div.tv.num", icon("eye"), shown, words);
}

/** The way there; `name` tells it from the others in the list. */
function way(href, word, name, look = null) {
  const label = t("lobby.of", { action: t(word), name });
  return html("a.btn.btn--s", { class: look, href, "aria-label": label }, t(word));
}

function wanted({ status: state, mine, seats }) {
  if (state === "finished") return ["lobby.replay"];
  if (mine) return ["lobby.back", "btn--ink"];
  const free = seats.some(({ kind, connection }) => kind === "person" && connection === "waiting");
  return [free ? "lobby.take" : "lobby.watch"];
}

const DAY = 24 * 3600 * 1000;
const RECENT = 10; // finished ones among the current ones, at most
const ID = /^(?:[A-Za-z0-9]{11}|[A-Za-z0-9]{13})$/;

export const FILTERS = ["current", "open", "running", "finished"];

/** Whether the text could be a Game-ID. */
export function isId(text) {
  return ID.test(text);
}

/** The tables for a filter and a search, one's own first, then open, running, finished ones. */
export function chosen(tables, filter, query) {
  const found = tables.filter((table) => matches(table, query));
  const shown = filter === "current" ? current(found, query) : withStatus(found, filter);
  return shown.sort(order);
}

function withStatus(tables, status) {
  return tables.filter((table) => table.status === status);
}

/** What is going on, and what has ended lately; a search looks at everything. */
function current(tables, query) {
  if (query) return [...tables];
  const since = Date.now() - DAY;
  const ended = withStatus(tables, "finished").filter(({ created }) => created > since);
  const going = tables.filter(({ status }) => status !== "finished");
  return [...going, ...ended.sort(newer).slice(0, RECENT)];
}

function matches({ id, ...table }, query) {
  if (!query) return true;
  const wanted = query.toLowerCase();
  const texts = [gameName(table), ...seatsOf(table).map((seat) => seat.name)];
  return id === query || texts.some((text) => text.toLowerCase().includes(wanted));
}

const newer = (a, b) => b.created - a.created;

/** One's own come first, what is over comes last. */
const rank = ({ mine, status: state }) => (state === "finished" ? 2 : mine ? 0 : 1);

function order(a, b) {
  return rank(a) - rank(b) || newer(a, b);
}

/** The contests for a filter and a search, as the list's other rows know what they are. */
export function chosenContests(contests, filter, query) {
  const found = contests.filter((one) => isFound(one, query)).map(placed);
  if (filter !== "current") return found.filter(({ status }) => status === filter);
  return query ? found : found.filter(isCurrent);
}

/** Tables and contests in one list; among what goes on, and among what is over, contests first. */
export function together(tables, contests) {
  return [...contests, ...tables].sort((a, b) => rank(a) - rank(b));
}

function isFound({ id, name }, query) {
  return !query || id === query || name.toLowerCase().includes(query.toLowerCase());
}

/** With a key that no table can have. */
function placed(contest) {
  const status = contest.live ? "running" : "finished";
  return { ...contest, status, contest: true, key: `contests/${contest.id}` };
}

/** What this server plays or has played, and what is new. */
function isCurrent({ here, created }) {
  return here || created > Date.now() - DAY;
}

/** The row of a contest. */
export function contestRow(contest) {
  return html(
    "li.trow.trow--contest",
    { "data-id": contest.key },
    tile(kindOf(contest)),
    html("div.tn", html("b", contest.name), html("span", t("lobby.contest"))),
    about(contest),
    contestStatus(contest),
    html("div.tv"),
    since(contest.created),
    way(`/contests/${encodeURIComponent(contest.id)}`, "lobby.contest.open", contest.name),
  );
}

function about({ entrants, ...contest }) {
  const kind = nameOf(kindOf(contest));
  return html("div.tp.num", `${kind}, ${t("contest.entrants", { count: entrants })}`);
}

function contestStatus({ progress, live }) {
  const state = doing(progress, live);
  return html(
    "div.ts",
    html("b", { class: `st st--${state}` }, t(`contest.doing.${state}`)),
    html("span.num", farWords(progress)),
    doneBar(progress),
  );
}
