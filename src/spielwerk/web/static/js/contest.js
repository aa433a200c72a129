// A contest's page: what the server tells goes to its parts, live.

import { onSigned } from "./api.js";
import { Beamer } from "./contest/beamer.js";
import { Crosstable } from "./contest/crosstable.js";
import { Progress } from "./contest/progress.js";
import { Results, ends } from "./contest/results.js";
import { Running } from "./contest/running.js";
import { Standings } from "./contest/standings.js";
import { seconds } from "./contest/words.js";
import { action, at, html, render, replace } from "./dom.js";
import { kindOf, nameOf } from "./games.js";
import { icon } from "./icons.js";
import { Live } from "./live.js";
import { announce } from "./page.js";
import { t } from "./texts.js";

const BOARDS = 12;
const RESULTS = 10;
const FEW = 9; // entrants, beside whom the last results are longer than the standings
const LONG = 34; // letters of a name, beyond which it is written smaller on the beamer
const EXPORTS = ["html", "standings", "crosstable", "csv", "jsonl"];

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const main = document.querySelector("main");

const parts = {
  standings: new Standings(),
  crosstable: new Crosstable(),
  progress: new Progress(id),
  results: new Results(RESULTS),
  boards: new Running(at("boards"), BOARDS),
  beamer: new Beamer(),
};
const games = new Map(); // that are shown on boards, by place
let shownContest = null; // with the tables that were told last

// what the server tells

function takeContest({ contest, progress, live, last, operator }) {
  shownContest = contest;
  main.classList.remove("is-empty");
  main.classList.toggle("is-few", contest.standings.length <= FEW);
  title(contest);
  parts.progress.operator = operator;
  parts.progress.counted = counted(contest);
  parts.standings.update(contest);
  parts.crosstable.update(contest);
  ends(contest);
  parts.beamer.update(contest);
  takeProgress({ progress, live, last });
}

/** How many games the tables are made of. */
const counted = ({ ends }) => Object.values(ends).reduce((sum, count) => sum + count, 0);

/** How far it is, and what ended last: of somebody new only when there are tables with its name. */
function takeProgress({ progress, live, last }) {
  const known = new Set(shownContest.entrants.map(({ number }) => number));
  const named = last.filter(({ seats }) => seats.every((entrant) => known.has(entrant)));
  parts.progress.update({ progress, live });
  parts.results.update(shownContest, named);
  parts.beamer.results(named);
}

/** Boards that have changed, and how many places there are now. */
function takeBoards({ places, boards }) {
  for (const { place, ...game } of boards) games.set(place, game);
  for (const place of games.keys()) if (place >= places) games.delete(place);
  const shown = Array.from({ length: places }, (_, place) => games.get(place)).filter(Boolean);
  at("panel-boards").hidden = !shown.length;
  parts.boards.update(shown);
  parts.beamer.boards(shown);
}

function listen(live) {
  const on = (type, take) => live.addEventListener(type, ({ detail }) => take(detail));
  on("contest", takeContest);
  on("progress", takeProgress);
  on("boards", takeBoards);
  on("missing", () => location.reload()); // the server has a page for that
  on("status", (detail) => {
    parts.progress.lost = detail.status === "lost";
    document.dispatchEvent(new CustomEvent("sw-live", { detail }));
  });
}

// the title

function title(contest) {
  const kind = nameOf(kindOf(contest));
  render(at("title"), [contest.name, kind], () => [
    html("span", { title: contest.name }, contest.name),
    html("small", {}, kind),
  ]);
  at("title").classList.toggle("is-long", contest.name.length > LONG);
  document.title = `${contest.name} · Spielwerk`;
  const { format, phase, standings, moveTime } = contest;
  render(at("facts"), [format, phase, standings.length, moveTime], () =>
    [
      t(`contest.format.${format}`),
      t(`contest.phase.${phase}`),
      t("contest.entrants", { count: standings.length }),
      kindOf(contest).size(contest.options),
      t("contest.moveTime", { seconds: seconds(moveTime) }),
    ].map((word) => html("span", {}, word)),
  );
}

function exports() {
  const path = `/api/v1/contests/${encodeURIComponent(id)}/export`;
  const look = { class: "btn btn--s", download: "" };
  replace(
    at("exports"),
    EXPORTS.map((kind) => {
      const words = [icon("save"), t(`contest.export.${kind}`)];
      return html("li", {}, html("a", { ...look, href: `${path}/${kind}` }, words));
    }),
  );
}

// the beamer

const wanted = () => new URLSearchParams(location.search).has("beamer");

function toBeamer(on, { remember = true } = {}) {
  const address = new URL(location.href);
  if (on) address.searchParams.set("beamer", "");
  else address.searchParams.delete("beamer");
  const shown = address.href.replace("beamer=", "beamer");
  if (remember) history.pushState(history.state, "", shown);
  parts.beamer.show(on);
  if (remember) announce(t(on ? "contest.beamer.on" : "contest.beamer.off"));
}

function elsewhere(event) {
  const field = event.target.closest?.("input, textarea, select");
  const command = event.ctrlKey || event.altKey || event.metaKey;
  return command || field || document.querySelector("dialog[open]");
}

document.addEventListener("keydown", (event) => {
  if (elsewhere(event)) return;
  if (event.key.toLowerCase() === "b") toBeamer(!parts.beamer.on);
  else if (event.key === "Escape" && parts.beamer.on) toBeamer(false);
});
addEventListener("popstate", () => toBeamer(wanted(), { remember: false }));

// and off

replace(at("leave"), action("close", t("contest.beamer.leave"), () => toBeamer(false), "btn"));
replace(at("acts"), action("beamer", t("contest.beamer"), () => toBeamer(true)));
exports();
if (wanted()) toBeamer(true, { remember: false });
setInterval(() => parts.results.age(), 1000);
const live = new Live({ contest: id });
listen(live);
onSigned(() => live.renew()); // the server tells the operator so when the line is made
