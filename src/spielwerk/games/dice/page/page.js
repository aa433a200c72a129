// The dice race on the pages: the form for a new game, the sentences of a table, the list of throws.

import { die } from "./die.js";
import { emblem, html } from "../../js/dom.js";
import { wait } from "../../js/motion.js";
import { number, t } from "../../js/texts.js";

const UNKNOWN = 1500; // milliseconds until a position is asked for again

export default [
  {
    name: "dice",
    size: ({ target = 150 } = {}) => t("dice.size", { target }),
    about: () => t("dice.about"),
    sample({ target, rounds }) {
      const limits = { target: Number(target) || 150, rounds: Number(rounds) || 100 };
      const turn = { round: 1, player: 0, points: 0, dice: null, double: false };
      return { ...limits, ...turn, saved: [0, 0, 0], chances: null };
    },
    wide: true,
    turnable: false,
    choices: [
      { move: "ROLL", key: "r", look: "btn--ink" },
      { move: "SAVE", key: "s", look: "" },
    ],
    written: (move) => move.toUpperCase(),
    started: ({ store, display }) => chances(store, display),
    facts: ({ round, rounds, target }) => [
      t("dice.round", { number: round, total: rounds }),
      t("dice.target", { points: target }),
    ],
    told(ply, { store, index, name }) {
      if (ply.move === "ROLL") return t("dice.told.rolls", { name });
      const points = { name, count: turnPoints(store, index - 1) };
      if (ply.move === "SAVE") return t("dice.told.saved", points);
      const [first, second] = ply.move.split(" ");
      const form = first === second ? "double" : "threw";
      const thrower = store.name(store.plies[index - 2]?.seat);
      return t(`dice.told.${form}`, { name: thrower, first, second });
    },
    due: ({ points }) => t(points ? "dice.due.risk" : "dice.due.roll", { count: points }),
    numbered: (turns) => Math.ceil(turns / 3), // rounds
    /** The dice that lie in the tray: the last throw so far. */
    also(plies) {
      const last = plies.findLast(({ seat }) => seat < 0);
      return { thrown: last?.move.split(" ").map(Number) ?? null };
    },
    moveRows(store, button) {
      const starts = store.turns();
      const ends = [...starts.slice(1), store.length];
      const rows = starts.map((first, n) => turnRow(store, first, ends[n], button));
      return html("tbody.dmoves", rows);
    },
    analysisFacts({ hold }, { board }) {
      const saved = board.saved[board.player];
      const lacking = board.target - saved - board.points;
      const chance = t("analysis.percent", { number: number(100 / 6, 1) });
      return [
        [t("dice.double"), t("dice.afterDouble", { chance, count: saved })],
        hold && [t("dice.hold"), t("dice.holdFrom", { count: hold })],
        [t("dice.toTarget"), t("dice.lacking", { count: lacking })],
      ];
    },
  },
];

/** The first race that a server shows has no chances yet: ask again a few times. */
async function chances(store, display, tries = 3) {
  const { shown, view } = display;
  if (!tries || store.exploring || view?.outcome || view?.board.chances) return;
  await wait(UNKNOWN);
  const { board } = await store.reload(shown);
  const same = display.shown === shown && !display.busy;
  if (board.chances && same) await display.seek(shown);
  else await chances(store, display, tries - 1);
}

/** The points of the turn that reaches up to this ply; a game may start in the middle of one. */
function turnPoints(store, index) {
  let points = 0;
  let n = index - 1;
  for (; n >= 0 && store.plies[n].move !== "SAVE"; n -= 1) {
    if (store.plies[n].seat >= 0) continue;
    if (isDouble(store.plies[n].move)) break;
    const [first, second] = store.plies[n].move.split(" ").map(Number);
    points += first + second;
  }
  return n < 0 ? points + (store.known(0)?.board.points ?? 0) : points;
}

function isDouble(move) {
  const [first, second] = move.split(" ");
  return first === second;
}

// the list of throws: a row a turn

function turnRow(store, first, end, button) {
  const { seat } = store.plies[first];
  const name = store.name(seat);
  const pairs = [];
  for (let n = first; n < end; n += 1) {
    const { seat: who, move } = store.plies[n];
    if (who < 0) pairs.push(button(n - 1, n + 1, pair(move)));
  }
  const { move } = store.plies[end - 1];
  const saved = move === "SAVE";
  const words = result(store, end);
  return html(
    "tr",
    html("td", { title: name }, emblem(seat), html("span.vh", name)),
    html("td.throws", pairs),
    html(
      "td",
      { class: saved || isDouble(move) ? "res" : "res here2" },
      saved ? button(end - 1, end, words) : words,
    ),
  );
}

function result(store, end) {
  const { move } = store.plies[end - 1];
  if (move === "SAVE") return `${t("dice.SAVE")} +${turnPoints(store, end - 1)}`;
  if (isDouble(move)) return t("dice.row.double");
  const points = turnPoints(store, end);
  return store.over ? `+${points}` : `+${points} …`;
}

function pair(move) {
  const look = `pair${isDouble(move) ? " is-double" : ""}`;
  return html("span", { class: look }, move.split(" ").map((value) => die(Number(value))));
}
