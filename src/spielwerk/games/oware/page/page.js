// Oware on the pages: the form for a new game, the sentences of a table, what a turn collects.

import { t } from "../../js/texts.js";

const SEEDS = 48;

export default [
  {
    name: "oware",
    size: () => t("oware.size"),
    about: () => t("oware.about"),
    sample: () => ({ houses: [Array(6).fill(4), Array(6).fill(4)], stores: [0, 0] }),
    remote: true,
    steps: 9, // choose, take out, sow, collect
    namesSides: true,
    strategies: ["tuned", "simple"],
    movablePort: "oware",
    wide: true,
    facing: true,
    needsAll: true,
    written: (move) => move.replace(/^move;/i, ""),
    facts: ({ stores }, turn) => [turn, t("oware.inPlay", { count: SEEDS - stores[0] - stores[1] })],
    counted({ board, outcome }, seat) {
      const stores = outcome?.score ?? board.stores;
      return { word: t("oware.owns"), value: stores[seat] };
    },
    told(ply, { store, index, name }) {
      const count = collected(store, index);
      const form = count ? "collected" : "sown";
      return t(`oware.told.${form}`, { name, house: ply.move, count: count ?? 0 });
    },
    due: () => t("oware.due"),
    advised: (house) => t("oware.hint", { house }),
    gain: collected,
    edit: { press, text },
  },
];

/** The stones that a ply has collected; null if the position before is not known here. */
function collected(store, index) {
  const { steps = [] } = store.plies[index - 1];
  const before = store.known(index - 1);
  if (!steps.some(([what]) => what === "collect")) return 0;
  return before ? sumOf(steps, structuredClone(before.board.houses)) : null;
}

function sumOf(steps, houses) {
  let sum = 0;
  for (const [what, row, house] of steps) {
    if (what === "sow") houses[row][house] += 1;
    if (what === "collect") sum += houses[row][house];
    if (what === "take" || what === "collect") houses[row][house] = 0;
  }
  return sum;
}

// by hand

/** After a click: the house is empty, and each further one puts a seed in; the stores have the rest. */
function press({ houses: before }, id, again) {
  const houses = before.map((row) => [...row]);
  const [row, house] = ["AB".indexOf(id[0]), Number(id[1])];
  houses[row][house] = again ? houses[row][house] + 1 : 0;
  const rest = Math.max(0, SEEDS - houses.flat().reduce((sum, seeds) => sum + seeds));
  return { houses, stores: [Math.floor(rest / 2), Math.ceil(rest / 2)] };
}

function text({ houses, stores }, turn) {
  return `${[...stores, ...houses.flat()].join(" ")}${turn ? " player B" : ""}`;
}
