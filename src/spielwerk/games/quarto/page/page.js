// Quarto on the pages: sizes, the form for a new game, the sentences of a table, its analysis.

import { alike } from "./stones.js";
import { number, t } from "../../js/texts.js";

/** The number of attributes of the stones. */
const attributes = (n) => Math.max(n, Math.ceil(Math.log2(n * n)));

const between = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;

export default [
  {
    name: "quarto",
    size: ({ n = 4 } = {}) => `${n} × ${n}`,
    about({ n: text }) {
      const n = Number(text) || 0;
      if (!between(n, 2, 16)) return "";
      const count = attributes(n);
      return t("quarto.about", { fields: n * n, all: number(2 ** count), count });
    },
    sample({ n: text, first }) {
      const n = Number(text);
      if (!between(n, 2, 16)) return null;
      const stone = first === "" || !between(Number(first), 0, n * n - 1) ? null : Number(first);
      const supply = Array.from({ length: n * n }, (_, one) => one).filter((one) => one !== stone);
      const cells = Array(n * n).fill(null);
      return { n, attributes: attributes(n), cells, stone, supply, lines: [] };
    },
    most: (option, { n }) => (option === "first" ? Number(n) ** 2 - 1 || null : null),
    foresees: false, // the other player chooses the stone
    written: (move) => move.toUpperCase(),
    /** Squares alone are listed: any stone left may be handed on with each of them. */
    playable(move, legal, view) {
      const [square, stone] = move.split(",");
      const supply = view?.board.supply ?? [];
      const handed = supply.length ? supply.map(String).includes(stone) : stone === undefined;
      return legal.includes(square) && handed;
    },
    told(ply, { store, index, brief, name }) {
      if (ply.seat < 0) return brief ? "" : t("quarto.told.first", { stone: ply.move });
      const [field, next] = ply.move.split(",");
      if (brief) return t("quarto.told.set", { name, field });
      const stone = store.known(index - 1)?.board.stone ?? "";
      const form = next === undefined ? "last" : "placed";
      return t(`quarto.told.${form}`, { name, field, stone, next });
    },
    due({ stone, supply }, _view, choice) {
      if (!supply.length) return t("quarto.due.placeLast", { stone });
      if (/^[A-P]/.test(choice)) return t("quarto.due.handOn", { field: choice.split(",")[0] });
      if (choice) return t("quarto.due.placeFor", { stone, next: choice.replace(",", "") });
      return t("quarto.due.place", { stone });
    },
    advised(move) {
      const [field, next] = move.split(",");
      return t(next === undefined ? "quarto.hint.last" : "quarto.hint", { field, next });
    },
    decided({ lines, cells, attributes: count }) {
      const stones = lines[0]?.map((square) => cells[square]);
      return stones ? t("quarto.line", { stones: alike(stones, count) }) : null;
    },
    edit: { press, text },
    async analysis(found, view) {
      const { fits, matrixParts } = await import("./matrix.js");
      const fitting = found.moves.length > 0 && fits(found, view.board);
      return fitting ? { title: t("quarto.matrix"), parts: matrixParts(found, view) } : null;
    },
  },
];

// by hand

/** After a click: a stone of the supply is in hand, the one in hand lies there, or the other way. */
function press(board, id) {
  const cells = [...board.cells];
  const all = [...cells.keys()];
  const left = () => all.filter((one) => !cells.includes(one));
  const square = id.charCodeAt(0) - 65 + (Number(id.slice(1)) - 1) * board.n;
  let { stone } = board;
  if (id.startsWith("stone-")) stone = Number(id.slice(6));
  else if (square in cells && cells[square] !== null) [stone, cells[square]] = [cells[square], null];
  else if (square in cells) [cells[square], stone] = [stone ?? left()[0], null];
  stone ??= left()[0] ?? null;
  return { ...board, cells, stone, supply: left().filter((one) => one !== stone), lines: [] };
}

function text({ n, cells, stone }) {
  const row = (_, i) => cells.slice(i * n, (i + 1) * n).map((one) => one ?? "*").join(" ");
  return `${Array.from({ length: n }, row).reverse().join(" / ")} next ${stone ?? "-"}`;
}
