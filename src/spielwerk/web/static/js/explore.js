// The page to explore on: a table without players at which every side may be played. It is the
// table's page with another connection, one that tries moves and keeps all lines.

import { at, html, replace } from "./dom.js";
import { Exploration } from "./explore/lines.js";
import { startPosition, updatePosition } from "./explore/position.js";
import { kindNamed, kinds, loadBoard, optionsOf } from "./games.js";
import { moved, startPage } from "./table/page.js";
import { store } from "./table/state.js";
import { refusal } from "./table/words.js";

/** What the address asks for: a game of this server, or a position; and moves from there. */
function wanted() {
  const query = new URLSearchParams(location.search);
  const moves = query.getAll("move");
  const ply = query.get("ply");
  const at = /^\d{1,6}$/.test(ply ?? "") ? { ply: Number(ply) } : {};
  if (query.has("from")) return { id: query.get("from"), ...at, moves };
  const name = query.get("game");
  const kind = kindNamed(name) ?? kinds.find(({ game }) => game === name) ?? kinds[0];
  const chosen = Object.entries({ ...kind.defaults, ...optionsOf(query.get("options")) });
  const options = Object.fromEntries(chosen.map(([option, value]) => [option, Number(value)]));
  const game = kindNamed(name)?.game ?? name ?? kind.game; // several kinds may be of one game
  return { game, options, start: query.get("position") ?? "", moves };
}

const exploration = new Exploration({ start: startPosition, update: updatePosition });
let ready = false; // whether the page shows what the store has

exploration.addEventListener("table", ({ detail }) => {
  store.takeTable(detail);
  if (ready) moved();
});

try {
  const ply = await exploration.load(wanted());
  const board = await loadBoard(store.kind);
  ready = true;
  await startPage(board, exploration, ply);
} catch (error) {
  replace(at("turn"), html("h2", refusal(error)), html("p", html("a", { href: "/explore" }, "/explore")));
}
