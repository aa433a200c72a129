// What the moves of the entrants cost in the games that have been reviewed, in all and by phase.

import { percent } from "./words.js";
import { at, html, render } from "../dom.js";
import { proof } from "../table/words.js";
import { number, t } from "../texts.js";

const PHASES = ["opening", "middle", "end"];

/** Show the table; there is none before the first review. */
export function updateMistakes({ reviewed, standings }) {
  const known = standings.filter(({ regret }) => regret.moves);
  at("panel-mistakes").hidden = !known.length;
  const told = known.map(({ name, regret, phases }) => [name, regret, phases]);
  render(at("mistakes"), [reviewed, told], () => [
    html("p.second", t("contest.mistakes.text", { count: number(reviewed) })),
    html("div.scroll", table(known)),
  ]);
}

/** How many moves were mistakes, and of how many. */
export function share({ mistakes, moves }) {
  if (!moves) return html("span.dim", "–");
  return [html("b", number(mistakes)), html("small", ` / ${number(moves)}`)];
}

function table(known) {
  const names = ["mistakes", "wins", "draws", "accuracy", ...PHASES];
  const heads = names.map((name) => html("th.num", { scope: "col" }, t(`contest.cost.${name}`)));
  return html(
    "table.costs",
    html("caption.vh", t("contest.mistakes")),
    html("thead", html("tr", html("td"), heads)),
    html("tbody", known.map(line)),
  );
}

function line({ name, regret, phases }) {
  const { wins, draws, accuracy, exact, moves } = regret;
  const cells = [
    share(regret),
    number(wins),
    number(draws),
    accuracy === null ? "–" : [proof(exact === moves), percent(accuracy)],
    ...PHASES.map((phase) => share(phases[phase])),
  ];
  const head = html("th", { scope: "row", title: name }, name);
  return html("tr", head, cells.map((parts) => html("td.num", parts)));
}
