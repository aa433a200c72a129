// What ended last, and how games end here altogether.

import { ENDS, endIcon, endWord } from "./words.js";
import { Kept, at, html, render } from "../dom.js";
import { since } from "../page.js";
import { number, t } from "../texts.js";

const MOST = 10;
const kept = new Kept();

/** Show what ended last. */
export function updateResults(contest, last) {
  const games = last.slice(0, MOST);
  kept.show(at("last"), games.map((game) => [game.number, game, () => result(contest, game)]));
  at("last-none").hidden = games.length > 0;
}

function result(contest, game) {
  const { outcome } = game;
  const inside = [
    html("span.no.num", number(game.number)),
    html("span.pair", players(contest, game)),
    html("span.how", how(outcome)),
    since(outcome.ended),
  ];
  const href = game.game && `/t/${encodeURIComponent(game.game)}`;
  return html("li", href ? html("a", { href }, inside) : html("span", inside));
}

/** Who played: the winner in bold, a player that failed crossed out. */
export function players(contest, { seats, outcome }) {
  return seats.map((entrant, seat) => {
    const name = contest.entrants.find(({ number: own }) => own === entrant)?.name ?? "";
    const won = outcome.winner === seat;
    const failed = outcome.culprits.includes(seat);
    const words = won ? t("contest.won") : failed ? endWord(outcome.end) : "";
    const look = won ? "name is-winner" : failed ? "name is-culprit" : "name";
    const spoken = words && html("span.vh", ` (${words})`);
    return html("span", { class: look }, name, spoken);
  });
}

/** How it ended, if that was not simply won. */
function how({ end, overloaded }) {
  if (end === "win") return null;
  const words = overloaded ? `${endWord(end)}, ${t("contest.overloaded")}` : endWord(end);
  return html("span.mark", { title: words }, endIcon(end), html("span.vh", words));
}

/** How many games ended how. */
export function updateEnds({ ends: counts }) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  render(at("ends"), counts, () => ENDS.filter((end) => counts[end]).map((end) => endRow(end, counts[end], all)));
  at("ends-none").hidden = all > 0;
}

function endRow(end, count, all) {
  return html(
    "li",
    { vars: { "--share": (count / all).toFixed(4) } },
    endIcon(end),
    html("span.word", endWord(end)),
    html("b.num", number(count)),
    html("i.much", { "aria-hidden": "true" }),
  );
}
