// Where the houses and stores of Oware are: two rows of six, each player's store at the right hand.
// On narrow screens the board stands upright: the lower row becomes the left one, downwards.

const LETTERS = "AB";
const layouts = new Map();

/** The layout with this player's houses below (upright: at the left). */
export function layout(upright, below) {
  const key = `${upright} ${below}`;
  if (!layouts.has(key)) layouts.set(key, (upright ? standing : lying)(below));
  return layouts.get(key);
}

/** What a house is called: A3. */
export function houseName(row, house) {
  return `${LETTERS[row]}${house}`;
}

/** What a player's row is called: A or B. */
export function rowName(row) {
  return LETTERS[row];
}

function lying(below) {
  return {
    upright: false,
    size: [1200, 437],
    corner: 60,
    houses: both((row, house) => disc(row, house, row === below)),
    stores: [0, 1].map((row) => tallStore(row, row === below)),
    /** Between four houses, ahead of this one, there is room for what is held in the hand. */
    hand({ x, row }) {
      const ahead = x + (row === below ? 75 : -75);
      return { x: Math.max(301, Math.min(899, ahead)), y: 206, r: 34, ...HAND };
    },
  };
}

const HAND = { pattern: 14, sizes: [[6, 10], [12, 8.5], [48, 6.5]], label: 43, spacious: true };
const SMALL_HAND = { pattern: 14, sizes: [[6, 6.5], [12, 5.5], [48, 4.5]], label: 25 };

function disc(row, house, below) {
  const x = below ? 226 + 149.6 * house : 974 - 149.6 * house;
  const y = below ? 302 : 128;
  const out = below ? 1 : -1;
  const sizes = [[9, 13.5], [14, 11.5], [48, 9.5]];
  return {
    id: houseName(row, house),
    ...{ row, house, x, y, r: 64 },
    pit: { x, y: y + 3, r: 60, pattern: 6 * row + house, sizes },
    count: [x, below ? 399 : 35],
    name: [x - 67, y + 66 * out],
    dot: [x + 51.4, y + 51.4 * out],
  };
}

function tallStore(row, below) {
  const x = below ? 1052 : 40;
  const sizes = [[24, 13], [34, 11.5], [48, 10]];
  return {
    id: rowName(row),
    ...{ row, x, y: 64, width: 108, height: 302 },
    pit: { x: x + 3.5, y: 70, width: 101, height: 292, pattern: 12 + row, sizes },
    count: [x + 54, below ? 399 : 35],
    emblem: { x: x + 39, y: below ? 19 : 384, width: 30, height: 30 },
  };
}

function standing(below) {
  return {
    upright: true,
    size: [360, 486],
    corner: 26,
    houses: both((row, house) => pill(row, house, row === below)),
    stores: [0, 1].map((row) => wideStore(row, row === below)),
    hand({ y, row }) {
      const ahead = y + 25 + (row === below ? 29.3 : -29.3);
      const middle = Math.max(121, Math.min(356, ahead));
      return { x: 180, y: middle - 3, r: 21, ...SMALL_HAND };
    },
  };
}

function pill(row, house, left) {
  const x = left ? 48 : 186;
  const y = left ? 67 + 58.6 * house : 360 - 58.6 * house;
  const side = left ? 28 : 332;
  const sizes = [[9, 9.4], [14, 8], [48, 6.6]];
  return {
    id: houseName(row, house),
    ...{ row, house, x, y, width: 126, height: 50, rx: 25 },
    pit: { x: x + 2, y: y + 3, width: 122, height: 46, pattern: 6 * row + house, sizes },
    count: [side, y + 21],
    name: [side, y + 41],
    dot: [left ? 48 : 312, y + 47],
  };
}

function wideStore(row, below) {
  const y = below ? 423 : 11;
  const sizes = [[14, 9.2], [26, 7.8], [48, 6.4]];
  return {
    id: rowName(row),
    ...{ row, x: 48, y, width: 264, height: 44 },
    pit: { x: 50, y: y + 3, width: 260, height: 40, pattern: 12 + row, sizes },
    count: [below ? 28 : 332, y + 22],
    emblem: { x: below ? 323 : 19, y: y + 13, width: 18, height: 18 },
  };
}

function both(make) {
  return [0, 1].map((row) => Array.from({ length: 6 }, (_, house) => make(row, house)));
}
