// A contest's page: what the server tells goes to its parts, live.

import { onSigned } from "./api.js";
import { startBeamer, toBeamer } from "./beamer.js";
import { Running } from "./boards/running.js";
import { showBeamer, updateBeamer } from "./contest/beamer.js";
import { updateCrosstable } from "./contest/crosstable.js";
import { updateMistakes } from "./contest/mistakes.js";
import { setLost, takeTables, updateProgress } from "./contest/progress.js";
import { updateEnds, updateResults } from "./contest/results.js";
import { updateStandings } from "./contest/standings.js";
import { contestId, contestPath, seconds } from "./contest/words.js";
import { action, at, html, icon, render, replace } from "./dom.js";
import { kindOf, nameOf } from "./games.js";
import { Live } from "./live.js";
import { t } from "./texts.js";

const BOARDS = 12;
const FEW = 9; // entrants, beside whom the last results are longer than the standings
const LONG = 34; // letters of a name, beyond which it is written smaller on the beamer
const EXPORTS = ["html", "standings", "crosstable", "csv", "jsonl"];

const main = document.querySelector("main");
const running = new Running(at("boards"), BOARDS);
let shown = null; // the contest with the tables that were told last

// what the server tells

function takeContest({ contest, progress, live, last, operator }) {
  shown = contest;
  main.classList.remove("is-empty");
  main.classList.toggle("is-few", contest.standings.length <= FEW);
  title(contest);
  takeTables(contest, operator);
  updateStandings(contest);
  updateCrosstable(contest);
  updateMistakes(contest);
  updateEnds(contest);
  updateBeamer({ contest });
  takeProgress({ progress, live, last });
}

/** How far it is, and what ended last: of a new entrant only when there are tables with its name. */
function takeProgress({ progress, live, last: all }) {
  const known = new Set(shown.entrants.map(({ number }) => number));
  const last = all.filter(({ seats }) => seats.every((entrant) => known.has(entrant)));
  updateProgress({ progress, live });
  updateResults(shown, last);
  updateBeamer({ last });
}

function takeBoards(message) {
  const played = running.take(message);
  at("panel-boards").hidden = !played.length;
  updateBeamer({ games: played });
}

// the title

function title(contest) {
  const kind = nameOf(kindOf(contest));
  render(at("title"), [contest.name, kind], () => [
    html("span", { title: contest.name }, contest.name),
    html("small", kind),
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
    ].map((word) => html("span", word)),
  );
}

// and off

function exported(kind) {
  const look = { download: "", href: `${contestPath}/export/${kind}` };
  return html("li", html("a.btn.btn--s", look, icon("save"), t(`contest.export.${kind}`)));
}

replace(at("leave"), action("close", t("contest.beamer.leave"), () => toBeamer(false), "btn"));
replace(at("acts"), action("beamer", t("contest.beamer"), () => toBeamer(true)));
replace(at("exports"), EXPORTS.map(exported));
startBeamer(showBeamer);

const live = new Live({ contest: contestId });
const on = (type, take) => live.addEventListener(type, ({ detail }) => take(detail));

on("contest", takeContest);
on("progress", takeProgress);
on("boards", takeBoards);
on("missing", () => location.reload()); // the server has a page for that
on("status", (detail) => {
  setLost(detail.status === "lost");
  document.dispatchEvent(new CustomEvent("sw-live", { detail }));
});
onSigned(() => live.renew()); // the server tells the operator so when the connection is made
