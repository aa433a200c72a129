// The empty start of each game, as the server would show it: only for the preview.

const LARGEST = 640; // fields; larger boards are not drawn before they are real

/** The number of attributes of Quarto's stones. */
export const attributes = (n) => Math.max(n, Math.ceil(Math.log2(n * n)));

/** The view of a start, or null if the numbers make no board that one would draw. */
export function sample(kind, options) {
  const board = BOARDS[kind](options);
  return board && { turn: 0, legal: [], board, outcome: null };
}

const between = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;

const BOARDS = {
  quarto({ n: text, first }) {
    const n = Number(text);
    if (!between(n, 2, 16)) return null;
    const stone = first === "" || !between(Number(first), 0, n * n - 1) ? null : Number(first);
    const supply = Array.from({ length: n * n }, (_, one) => one).filter((one) => one !== stone);
    const cells = Array(n * n).fill(null);
    return { n, attributes: attributes(n), cells, stone, supply, lines: [] };
  },
  morris: () => ({
    fields: ".".repeat(24),
    hand: [9, 9],
    lost: [0, 0],
    capture: 0,
    quiet: 0,
    mills: [],
  }),
  oware: () => ({ houses: [Array(6).fill(4), Array(6).fill(4)], stores: [0, 0] }),
  dice({ target, rounds }) {
    const saved = [0, 0, 0];
    const limits = { target: Number(target) || 150, rounds: Number(rounds) || 100 };
    const turn = { round: 1, player: 0, points: 0, dice: null, double: false };
    return { ...limits, ...turn, saved, chances: null };
  },
  connect4: (options) => fields({ ...options, depth: "0" }),
  solid: fields,
};

function fields(options) {
  const [width, height, depth] = ["width", "height", "depth"].map((name) => Number(options[name]));
  const layers = Math.max(depth, 1);
  const count = width * height * layers;
  if (!between(width, 1, 32) || !between(height, 1, 32) || !between(count, 1, LARGEST)) return null;
  return { width, height, layers, cells: ".".repeat(count), lines: [] };
}
