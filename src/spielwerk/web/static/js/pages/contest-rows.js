// Contests in the lobby's list: one row each, in the place of their games.

import { doing, doneBar, farWords } from "../contest/words.js";
import { html } from "../svg.js";
import { t } from "../texts.js";
import { kindOf, nameOf, tile } from "../games.js";
import { age } from "./time.js";

const DAY = 24 * 3600 * 1000;

/** The contests for a filter and a search, as the list's other rows know what they are. */
export function chosenContests(contests, filter, query) {
  const found = contests.filter((one) => matches(one, query)).map(placed);
  if (filter !== "current") return found.filter(({ status }) => status === filter);
  return query ? found : found.filter(isCurrent);
}

/** Tables and contests in one list; among what goes on, and among what is over, contests first. */
export function together(tables, contests) {
  const rank = ({ mine, status }) => (status === "finished" ? 2 : mine ? 0 : 1);
  return [...contests, ...tables].sort((a, b) => rank(a) - rank(b));
}

function matches({ id, name }, query) {
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
    "li",
    { class: "trow trow--contest", "data-id": contest.key },
    tile(kindOf(contest)),
    html("div", { class: "tn" }, html("b", {}, contest.name), html("span", {}, t("lobby.contest"))),
    about(contest),
    status(contest),
    html("div", { class: "tv" }),
    html("div", { class: "ta num", "data-created": contest.created }, age(contest.created)),
    way(contest),
  );
}

function about({ entrants, ...contest }) {
  const kind = nameOf(kindOf(contest));
  return html("div", { class: "tp num" }, `${kind}, ${t("contest.entrants", { count: entrants })}`);
}

function status({ progress, live }) {
  const state = doing(progress, live);
  return html(
    "div",
    { class: "ts" },
    html("b", { class: `st st--${state}` }, t(`contest.doing.${state}`)),
    html("span", { class: "num" }, farWords(progress)),
    doneBar(progress),
  );
}

function way({ id, name }) {
  const word = t("lobby.contest.open");
  const attributes = { class: "btn btn--s", href: `/contests/${encodeURIComponent(id)}` };
  return html("a", { ...attributes, "aria-label": t("lobby.of", { action: word, name }) }, word);
}
