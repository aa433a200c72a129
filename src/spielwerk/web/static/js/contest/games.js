// The games of two entrants, in a dialog: each with its end and a way to it, and of a program that
// failed the last lines that it wrote; and the same lines for the page of a game.

import { read } from "../api.js";
import { endIcon, endWord, listed } from "./words.js";
import { html, icon, replace } from "../dom.js";
import { fill } from "../page.js";
import { openDialog } from "../table/dialogs.js";
import { number, said, t } from "../texts.js";

const SIGNS = { win: "tick", draw: "equal", loss: "close", void: "minus" };

/** Open the list; `closed()` is called afterwards. */
export function openGames(contest, one, other, closed) {
  const list = html("ul.games");
  const more = html("div.more", { role: "status" });
  const name = (entrant) => contest.entrants.find((each) => each.number === entrant)?.name ?? "";
  const title = t("contest.against", { name: name(one), other: name(other) });
  const box = openDialog(title, html("div.body", list, more));
  box.classList.add("dialog--games");
  box.addEventListener("close", closed);
  load(contest, { one, other, list, more, name, after: -1 });
}

async function load(contest, wanted) {
  const { one, other, list, more, name, after } = wanted;
  replace(more, t("contest.games.loading"));
  const query = new URLSearchParams({ entrant: one, against: other, after });
  await fill(more, async () => {
    const found = await read(`/api/v1/contests/${encodeURIComponent(contest.id)}/games?${query}`);
    list.append(...found.games.map((game) => item(contest, one, game, name)));
    const next = found.games.at(-1)?.number;
    const click = () => load(contest, { ...wanted, after: next });
    return [found.more && html("button.btn", { on: { click } }, t("contest.games.more"))];
  });
}

// a game

function item(contest, own, game, name) {
  const seat = game.seats.indexOf(own);
  const place = html("div.output");
  return html(
    "li",
    { class: `is-${verdict(game, seat)}` },
    html("span.no.num", number(game.number)),
    html(
      "div.what",
      html("b", counts(game) ? ending(game, seat, name) : t(`contest.state.${game.state}`)),
      html("span.seats", seated(game, name)),
      details(game).map((words) => words && html("span.detail", words)),
    ),
    html("div.ways", ways(contest, game, place, name)),
    place,
  );
}

/** Whether it is over with what came of it; of what is to be repeated an attempt is known. */
const counts = ({ state, outcome }) => Boolean(outcome) && state !== "repeat";

/** What it was for the one on this seat; where three play a spoilt game has no winner. */
function verdict(game, seat) {
  if (!counts(game)) return "open";
  const { winner, end, culprits } = game.outcome;
  if (winner === seat) return "win";
  if (end === "draw") return "draw";
  return winner !== null || culprits.includes(seat) ? "loss" : "void";
}

/** What else is to be said: of what counts why it ended so, else why it does not count. */
function details(game) {
  const { outcome, repeated } = game;
  const detail = outcome?.said && said(outcome.said);
  if (!outcome || counts(game)) return [detail, repeated && t("contest.repeated")];
  const why = [endWord(outcome.end), detail].filter(Boolean).join(": ");
  return [why, outcome.overloaded && t("contest.overloaded")];
}

/** How it ended for the one on this seat: "gewonnen", "verloren, Gegner: Absturz". */
function ending(game, seat, name) {
  const { outcome } = game;
  const found = verdict(game, seat);
  const regular = outcome.end === "win" || outcome.end === "draw";
  const more = regular ? beaten(game, found, name) : cause(game, seat, name);
  const words = [t(`contest.result.${found}`), more].filter(Boolean).join(", ");
  return [regular ? icon(SIGNS[found]) : endIcon(outcome.end), words];
}

/** Of three players it must be said which of the others has won. */
function beaten({ outcome, seats }, found, name) {
  if (found !== "loss" || seats.length < 3) return "";
  return t("contest.winner", { name: name(seats[outcome.winner]) });
}

/** Whose fault it was: one's own, the opponent's or that of one of them, or ours. */
function cause({ outcome, seats }, seat, name) {
  const end = endWord(outcome.end);
  if (outcome.end === "server error") return t("contest.cause.ours", { end });
  if (outcome.culprits.includes(seat)) return t("contest.cause.own", { end });
  if (seats.length < 3) return t("contest.cause.theirs", { end });
  const names = listed(outcome.culprits.map((culprit) => name(seats[culprit])));
  return t("contest.cause.named", { names, end });
}

function seated({ seats, round }, name) {
  const order = seats.map((entrant) => name(entrant)).join(", ");
  return t("contest.game.seats", { round: number(round + 1), names: order });
}

function ways(contest, game, place, name) {
  const path = game.game && `/t/${encodeURIComponent(game.game)}`;
  const link = (href, word) => {
    const label = t("contest.of", { word, number: game.number });
    return html("a.btn.btn--s", { href, "aria-label": label }, word);
  };
  const faulty = counts(game) && game.outcome.culprits.length > 0;
  const spoke = faulty && game.outcome.end !== "no start"; // who never came has no wire
  return [
    path && link(path, t(counts(game) ? "contest.game.watch" : "contest.game.earlier")),
    path && spoke && link(`${path}#wire`, t("contest.game.wire")),
    faulty && output(contest, game, place, name),
    ...game.earlier.map((id) => link(`/t/${encodeURIComponent(id)}`, t("contest.game.earlier"))),
  ];
}

/** What the program wrote, fetched when it is asked for. */
function output(contest, game, place, name) {
  const word = t("contest.game.output");
  const label = t("contest.of", { word, number: game.number });
  const click = async () => {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    replace(place);
    if (open) return;
    const path = `/api/v1/contests/${encodeURIComponent(contest.id)}/games/${game.number}`;
    await fill(place, async () => guilty(game, (await read(path)).reports, name));
    place.querySelector("pre")?.focus();
  };
  const look = { "aria-label": label, "aria-expanded": "false", on: { click } };
  const button = html("button.btn.btn--s", look, word);
  return button;
}

/** What is known of those who failed; of all players if none did. */
function guilty(game, told, name) {
  const found = told.filter(({ seat }) => game.outcome.culprits.includes(seat));
  const shown = found.length ? found : told;
  return shown.map((report) => reported(report, name(game.seats[report.seat])));
}

// what is known of players after a game: how their programs ended, and what they wrote last

/** A report as parts of a page; `who` is the player's name. */
function reported(report, who) {
  const label = t("contest.output.of", { name: who });
  const look = { tabindex: "0", role: "group", "aria-label": label };
  const output = report.output
    ? html("pre.snip", look, report.output)
    : html("p.second", t("contest.output.none", { name: who }));
  return html("div.report", html("p.second", facts(who, report)), output);
}

function facts(who, { said: status, moves, took, cpu, memory }) {
  const parts = [
    status && t("contest.report.status", { status: said(status) }),
    t("contest.report.moves", { count: moves, time: number(took / 1000, 2) }),
    cpu !== null && t("contest.report.cpu", { time: number(cpu / 1000, 2) }),
    memory !== null && t("contest.report.memory", { megabytes: number(memory / 1e6, 1) }),
  ];
  return `${who}: ${parts.filter(Boolean).join(", ")}`;
}

/** Whether programs played, whose output a contest keeps. */
export function havePrograms({ over, table, state }) {
  return over && Boolean(table.contest) && state.seats.some(({ kind }) => kind === "client");
}

/** Open the dialog; those who failed come first. */
export async function openPrograms(store) {
  const body = html("div.body", t("table.programs.loading"));
  openDialog(t("table.programs"), body).classList.add("dialog--programs");
  const { id, number } = store.table.contest;
  const path = `/api/v1/contests/${encodeURIComponent(id)}/games/${number}`;
  await fill(body, async () => told(store, await read(path)));
}

/** The reports are those of the last attempt, which may be another game than this. */
function told(store, { game, outcome, reports }) {
  if (game !== store.id || !reports.length) return html("p", t("table.programs.none"));
  const failed = ({ seat }) => Number(outcome.culprits.includes(seat));
  const sorted = [...reports].sort((one, other) => failed(other) - failed(one));
  return sorted.map((report) => reported(report, store.name(report.seat)));
}
