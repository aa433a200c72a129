// Connect Four on the pages, flat and solid: sizes, samples, sentences, and games at an index server.

import { number, t } from "../../js/texts.js";

const LARGEST = 640; // fields; larger boards are not drawn before they are real
const EDGE = "4"; // fields along each edge of the usual solid board

const both = {
  hosted: true,
  countsMoves: true,
  written: (move) => move.replace(/^move;/i, ""),
  advised: (field) => t("connect4.hint", { field }),
  edit: { press, text },
  told: (ply, { name }) => t("connect4.told.dropped", { name, field: ply.move }),
  size({ width = 7, height = 6, depth = 0 } = {}) {
    return depth > 1 ? `${width} × ${height} × ${depth}` : `${width} × ${height}`;
  },
};

const isSolid = ({ solid, options }) => Boolean(solid) || options?.depth > 1;

export default [
  {
    ...both,
    name: "connect4",
    suits: (table) => !isSolid(table),
    hidden: ["depth"],
    about: (options) => about("connect4.about", { ...options, depth: "0" }),
    sample: (options) => sample({ ...options, depth: "0" }),
    due: ({ cells }) => t(begun(cells) ? "connect4.due" : "connect4.due.first"),
    lobbySection: {
      words: "connect4.index",
      open: async (address) => (await import("./index.js")).openIndex(address),
    },
  },
  {
    ...both,
    name: "solid",
    words: "connect4.solid",
    board: "solid",
    tile: "solid",
    suits: isSolid,
    wide: true,
    together: true,
    least: { depth: 2 },
    defaults: { width: EDGE, height: EDGE, depth: EDGE },
    about: (options) => about("connect4.solid.about", options),
    sample,
    due: () => t("connect4.solid.due"),
  },
];

const sizes = (options) => ["width", "height", "depth"].map((name) => Number(options[name]) || 0);

function about(text, options) {
  const [width, height, depth] = sizes(options);
  return t(text, { fields: number(width * height * Math.max(1, depth)), layers: depth });
}

function sample(options) {
  const [width, height, depth] = sizes(options);
  const layers = Math.max(depth, 1);
  const count = width * height * layers;
  const fits = [width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= 32);
  if (!fits || !Number.isInteger(count) || count > LARGEST) return null;
  return { width, height, layers, cells: ".".repeat(count), lines: [] };
}

/** Whether each side has played, so that it is known how stones fall. */
function begun(cells) {
  return cells.includes("1") && cells.includes("2");
}

// by hand

/** After a click: a stone falls onto the column, one that lies there changes sides, then it is gone. */
function press(board, id) {
  const { width, height } = board;
  const [field, cells] = [Number(id), [...board.cells]];
  const row = Math.floor(field / width) % height;
  const column = Array.from({ length: height }, (_, n) => field + (n - row) * width);
  if (cells[field] === ".") cells[column.find((free) => cells[free] === ".")] = "1";
  else if (cells[field] === "1") cells[field] = "2";
  else for (const above of column.slice(row)) cells[above] = ".";
  return { ...board, cells: cells.join(""), lines: [] };
}

function text({ width, height, layers, cells }) {
  const row = (n) => cells.slice(n * width, (n + 1) * width);
  const rows = (layer) => Array.from({ length: height }, (_, n) => row((layer + 1) * height - 1 - n));
  return Array.from({ length: layers }, (_, layer) => rows(layer).join("/")).join(" ");
}
