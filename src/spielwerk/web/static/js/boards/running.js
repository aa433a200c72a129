// Games that are being played, small: the ordinary boards, to be looked at. A click goes there.

import { emblem, html, put, replace } from "../dom.js";
import { kindOf, loadBoard } from "../games.js";
import { number, t } from "../texts.js";

/** A place for one board after the other. */
class Place {
  element = html("li.mini-board");
  #link;
  #frame = html("div.frame", { "aria-hidden": "true", inert: true });
  #caption = html("div.pair");
  #moves = html("span.moves.num");
  #board = null;
  #kind = null;
  #shown = null;
  #players = [];

  constructor(linked) {
    this.#link = html(linked ? "a" : "div", { class: "go" });
    this.#link.append(this.#frame, this.#caption, this.#moves);
    this.element.append(this.#link);
  }

  /** Show this game; the board is kept if it is of the same kind. */
  async show(game) {
    const anew = this.#shown?.id !== game.id;
    this.#shown = game;
    if (this.#link.matches("a")) this.#link.href = `/t/${encodeURIComponent(game.id)}`;
    if (anew) this.#players = game.seats.map(player);
    this.#players.forEach((node, seat) => node.classList.toggle("is-turn", seat === game.turn));
    put(this.#moves, t("contest.move", { number: number(game.plies) }));
    await this.#prepare(game);
    if (this.#shown !== game) return;
    if (anew) this.#seat();
    if (!game.view) return;
    await this.#board.show({ view: game.view, last: game.last, thrown: game.thrown ?? null });
  }

  async #prepare(game) {
    const kind = kindOf(game);
    if (kind === this.#kind) return;
    this.#kind = kind;
    const board = await loadBoard(kind);
    board.setAttribute("bare", "");
    this.#board = board;
    this.element.dataset.kind = kind.name;
    this.element.classList.toggle("is-wide", Boolean(kind.wide && !kind.together));
    replace(this.#frame, board);
  }

  /** The names stand below the board, or on it if it has places for them. */
  #seat() {
    const own = "seats" in this.#board;
    replace(this.#caption, own ? [] : this.#players);
    if (own) this.#board.seats = this.#players;
  }
}

function player(name, seat) {
  return html("span.seat.pl", emblem(seat), html("span.name", name));
}

/** The boards in a list; at most so many, perhaps only to be looked at. */
export class Running {
  #root;
  #most;
  #linked;
  #places = [];

  constructor(root, most, { linked = true } = {}) {
    this.#root = root;
    this.#most = most;
    this.#linked = linked;
  }

  /** Show these games, those that stay in their places. */
  update(games) {
    const shown = games.slice(0, this.#most);
    while (this.#places.length < shown.length) {
      this.#places.push(new Place(this.#linked));
      this.#root.append(this.#places.at(-1).element);
    }
    while (this.#places.length > shown.length) this.#places.pop().element.remove();
    shown.forEach((game, n) => this.#places[n].show(game).catch(reportError));
  }
}
