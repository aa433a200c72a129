// The games as pages show them. What only one game knows stands in its folder `games/NAME/page/`:
//
//   page.js              `export default [kind, ...]`: what follows, for each kind of table
//   board.js, board.css  the element `sw-KIND`, a subclass of Board (js/boards/board.js), and its style
//   words.de.json, ...   its texts, asked for as t("NAME.key")
//   rules.de.md, ...     its rules for people (web/rules.py has the form)
//   help.html            its chapter of the help page; session.txt the session that is shown there
//
// A kind is a plain object. Only `name`, its name in addresses, is needed: PLAIN says what there is
// besides, and how a kind is that does not say.

import { emblem, html, svg } from "./dom.js";
import { has, t } from "./texts.js";

const PLAIN = {
  words: null, // where its texts begin, if not with the game's name, under which the rest is found
  suits: (_table) => true, // whether a table of the game is of this kind
  board: "board", // the name of the board's files
  tile: "tile", // its picture's file: an SVG of 64 x 66 units, a group #tile is coloured by tokens
  size: (_options) => "", // what tells two of its tables apart, in a few words

  // for the form of a new game
  about: (_options) => "", // the kind in a few words
  sample: (_options) => null, // the board of an empty start; null if it cannot be drawn
  hidden: [], // options that are not asked for
  least: {}, // lowest values of options
  defaults: {}, // values to begin with
  most: (_option, _options) => null, // the highest value of an option, null for the usual one
  hosted: false, // whether clients come through an index server
  remote: false, // whether players may be servers
  steps: 2, // of an ordinary move, for the pause before a computer's
  namesSides: false, // whether people who are not named are called like their seats in the form
  strategies: null, // of the engine, if one may be chosen in place of a level
  movablePort: null, // the service whose port the operator may change
  lobbySection: null, // { words, open(address) }: something to open from the lobby

  // for the table
  wide: false, // the board is wide
  together: false, // both seats stand above it
  turnable: true, // it can be turned
  facing: false, // it turns with the own seat
  foresees: true, // a move can be chosen before the other player has moved
  needsAll: false, // the list of moves needs all positions
  started: async (_page) => {}, // called when the table is shown
  choices: [], // moves that are buttons, { move, key, look } each, in place of the text field
  written: (text) => text, // a typed move as the wire writes it
  playable: (move, legal, _view) => legal.includes(move),
  told: ({ move }, { name }) => t("table.told", { name, move }), // also { store, index, brief }
  due: (_board, _view, _choice) => t("table.due"), // what is to be done
  advised: (move, _view) => move, // a hint in words
  decided: (_board) => null, // why a game ended, where the board says more than the rules
  facts: (_board, turn) => [turn], // how far the game is, with the number of the turn in words
  numbered: (turns) => turns, // what so many turns are counted as
  also: (_plies) => ({}), // what the board is told besides view and last ply
  moveRows: null, // (store, button): the list of moves, if not two columns
  gain: (_store, _end) => 0, // what the turn that ends there has won
  emblem: (seat, _className) => emblem(seat), // the sign of a side
  counted: (_view, _seat) => null, // for a player: { word, value } or { word, signs }
  countsMoves: false, // whether the analysis says how many moves there are
  analysis: (_found, _view) => null, // { title, parts } in place of the list of moves
  // to set up by hand: { press(board, id, again), text(board, turn) }, the board after a click on a
  // field (`again`: the one before was on the same), of which the rules need not approve, and the
  // position's text; null: by its text only
  edit: null,
  analysisFacts: null, // (found, view): [[name, value], ...] in place of what the search says
};

const listed = JSON.parse(document.body.dataset.games); // [{ name, title, services, page, rules }]

/** All kinds of games, in the order in which they are offered. */
export const kinds = (await Promise.all(listed.map(loaded))).flat();

async function loaded({ name, title, services, page, rules }) {
  const known = { ...PLAIN, words: name, game: name, title, services, rules };
  if (!page) return { ...known, name, plain: true };
  const { default: own } = await import(`../games/${name}/page.js`);
  return own.map((kind) => ({ ...known, ...kind }));
}

/** The kind that a table is of, a row of a list or a contest. */
export function kindOf(table) {
  return kinds.find((kind) => kind.game === table.game && kind.suits(table)) ?? unknown(table.game);
}

function unknown(game) {
  return { ...PLAIN, words: game, game, name: game, title: game, services: [], plain: true };
}

/** The kind of that name, if there is one. */
export const kindNamed = (name) => kinds.find((kind) => kind.name === name);

/** A text of the kind's own, or null if it has none of that name. */
export function word({ words, game }, name, values) {
  const key = [`${words}.${name}`, `${game}.${name}`].find(has);
  return key ? t(key, values) : null;
}

/** Options as addresses have them, `n=4,begins=0`, and back. */
export const optionsText = (options) => Object.entries(options).map((pair) => pair.join("=")).join(",");
export const optionsOf = (text) =>
  Object.fromEntries((text ?? "").split(",").filter(Boolean).map((one) => one.split("=")));

/** What a kind is called. */
export const nameOf = (kind) => word(kind, "name") ?? kind.title;

/** The names of all kinds with that property, to be put into a sentence. */
export function namesWith(property) {
  return kinds.filter((kind) => kind[property]).map(nameOf).join(", ");
}

/** The picture of a kind. */
export function tile(kind) {
  const drawn = kind.plain ? initial(nameOf(kind)) : svg("use", { href: pictureOf(kind) });
  return svg("svg.gi", { viewBox: "0 0 64 66", "aria-hidden": "true" }, drawn);
}

function pictureOf({ game, tile: file }) {
  return new URL(`../games/${game}/${file}.svg#tile`, import.meta.url).href;
}

function initial(name) {
  const middle = { "text-anchor": "middle", "dominant-baseline": "central" };
  return [
    svg("rect", { x: 2, y: 2, width: 60, height: 60, rx: 9, fill: "var(--wood)" }),
    svg("text", { x: 32, y: 33, "font-size": 30, fill: "var(--wood-line)", ...middle }, name[0]),
  ];
}

// boards

/** The board's element for a kind, ready to be shown. */
export async function loadBoard({ name, game, board, plain }) {
  if (plain) {
    await import("./boards/plain.js");
    return document.createElement("sw-plain");
  }
  const path = `../games/${game}/${board}`;
  await Promise.all([import(`${path}.js`), style(`${path}.css`)]);
  return document.createElement(`sw-${name}`);
}

const sheets = new Map(); // that are loaded or on their way

/** Load a style sheet, once; one that cannot be had leaves the board plain, not missing. */
function style(path) {
  const href = new URL(path, import.meta.url).href;
  if (!sheets.has(href)) sheets.set(href, new Promise((resolve) => linked(href, resolve)));
  return sheets.get(href);
}

function linked(href, done) {
  document.head.append(html("link", { rel: "stylesheet", href, on: { load: done, error: done } }));
}
