// What ended last, and how games end here altogether.

import { ENDS, endIcon, endWord } from "./words.js";
import { Kept, at, html, render } from "../dom.js";
import { age, number, t } from "../texts.js";

/** The last results. */
export class Results {
  #kept = new Kept();
  #most;

  constructor(most) {
    this.#most = most;
  }

  update(contest, last) {
    const games = last.slice(0, this.#most);
    const rows = games.map((game) => [game.number, game, () => result(contest, game)]);
    this.#kept.show(at("last"), rows);
    at("last-none").hidden = rows.length > 0;
    this.age();
  }

  /** Say how long ago they ended. */
  age() {
    for (const node of at("last").querySelectorAll("[data-ended]")) {
      const text = age(Number(node.dataset.ended));
      if (node.textContent !== text) node.textContent = text;
    }
  }
}

function result(contest, game) {
  const { outcome } = game;
  const inside = [
    html("span", { class: "no num" }, number(game.number)),
    html("span", { class: "pair" }, players(contest, game)),
    html("span", { class: "how" }, how(outcome)),
    html("span", { class: "ta num", "data-ended": outcome.ended }),
  ];
  const href = game.game && `/t/${encodeURIComponent(game.game)}`;
  return html("li", {}, href ? html("a", { href }, inside) : html("span", {}, inside));
}

/** Who played: the winner in bold, whoever failed crossed out. */
export function players(contest, { seats, outcome }) {
  return seats.map((entrant, seat) => {
    const name = contest.entrants.find(({ number: own }) => own === entrant)?.name ?? "";
    const won = outcome.winner === seat;
    const failed = outcome.culprits.includes(seat);
    const words = won ? t("contest.won") : failed ? endWord(outcome.end) : "";
    const look = won ? "name is-winner" : failed ? "name is-culprit" : "name";
    const spoken = words && html("span", { class: "vh" }, ` (${words})`);
    return html("span", { class: look }, name, spoken);
  });
}

/** How it ended, if that was not simply won. */
function how({ end, overloaded }) {
  if (end === "win") return null;
  const words = overloaded ? `${endWord(end)}, ${t("contest.overloaded")}` : endWord(end);
  const spoken = html("span", { class: "vh" }, words);
  return html("span", { class: "mark", title: words }, endIcon(end), spoken);
}

/** How many games ended how. */
export function ends(contest) {
  const counts = contest.ends;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const shown = ENDS.filter((end) => counts[end]);
  render(at("ends"), counts, () =>
    shown.map((end) =>
      html(
        "li",
        { vars: { "--share": (counts[end] / all).toFixed(4) } },
        endIcon(end),
        html("span", { class: "word" }, endWord(end)),
        html("b", { class: "num" }, number(counts[end])),
        html("i", { class: "much", "aria-hidden": "true" }),
      ),
    ),
  );
  at("ends-none").hidden = all > 0;
}
