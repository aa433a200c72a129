// Pictures of boards: a figure says what is to be seen, and the game's own board shows it.

import { kindOf, loadBoard } from "./games.js";

/** Draw the pictures in this part of the page. */
export async function drawPictures(root) {
  await Promise.all([...root.querySelectorAll("[data-board]")].map(draw));
}

async function draw(figure) {
  const { view, last, hint, choices, ...table } = JSON.parse(figure.dataset.board);
  const kind = kindOf(table);
  const board = await loadBoard(kind);
  board.inert = true;
  figure.classList.toggle("is-wide", kind.wide);
  figure.prepend(board);
  await board.show({ view, last, ...kind.also(last ? [last] : []) });
  if (choices) board.input = { seat: view.turn, legal: view.legal };
  if (hint) board.hint(hint);
}
