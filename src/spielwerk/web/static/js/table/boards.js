// The board of a game is fetched when it is needed: its element and its style sheet.

import { html } from "../svg.js";

/** The name of the table's board. */
export function boardName({ game, solid }) {
  return solid ? "solid" : game;
}

/** The board's element, ready to be shown. */
export async function loadBoard(table) {
  const name = boardName(table);
  await Promise.all([import(`../boards/${name}.js`), style(`../../css/boards/${name}.css`)]);
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
  document.head.append(
    html("link", { rel: "stylesheet", href, on: { load: done, error: done } }),
  );
}
