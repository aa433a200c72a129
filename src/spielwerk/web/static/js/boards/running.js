// Games that are being played, small: the ordinary boards, to be looked at. A click goes there.

import { html, put, replace } from "../dom.js";
import { kindOf, loadBoard, word } from "../games.js";
import { named } from "../names.js";
import { ended } from "../pages/rows.js";
import { duration, number, t } from "../texts.js";

const TICK = 200; // milliseconds

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
  #seated = null; // the players whose names are shown
  #loading = null; // the promise of the board
  #told = 0; // when the game was told

  constructor(linked) {
    this.#link = html(linked ? "a" : "div", { class: "go" });
    this.#link.append(this.#frame, this.#caption, this.#moves);
    this.element.append(this.#link);
  }

  /** Show this game; the board is kept if it is of the same kind. */
  async show(game) {
    if (this.#shown?.id !== game.id) this.#players = players(game);
    if (this.#shown !== game) this.#told = performance.now();
    this.#shown = game;
    if (this.#link.matches("a")) this.#link.href = `/t/${encodeURIComponent(game.id)}`;
    this.#players.forEach((node, seat) => node.classList.toggle("is-turn", seat === game.turn));
    this.element.classList.toggle("is-over", Boolean(game.result));
    replace(this.#moves, stand(game));
    await this.#prepare(game);
    if (this.#shown !== game) return;
    this.#seat();
    if (!game.view) return;
    await this.#board.show({ view: game.view, last: game.last, thrown: game.thrown ?? null });
  }

  /** Show what the players have left, where their table has clocks. */
  tick() {
    const { clock, left } = this.#shown;
    this.#players.forEach((node, seat) => {
      const runs = clock?.seat === seat && clock.limit > 0;
      const rest = runs ? clock.limit - clock.elapsed - (performance.now() - this.#told) : left?.[seat];
      put(node.querySelector(".rest"), Number.isFinite(rest) ? duration(rest).join(" ") : "");
    });
  }

  async #prepare(game) {
    const kind = kindOf(game);
    if (kind !== this.#kind) this.#loading = this.#load(kind);
    this.#kind = kind;
    await this.#loading;
  }

  async #load(kind) {
    const board = await loadBoard(kind);
    if (kind !== this.#kind) return; // another came meanwhile
    board.setAttribute("bare", "");
    this.#board = board;
    this.element.dataset.kind = kind.name;
    this.element.classList.toggle("is-wide", Boolean(kind.wide && !kind.together));
    replace(this.#frame, board);
  }

  /** The names stand below the board, or on it if it has places for them. */
  #seat() {
    if (this.#seated === this.#players) return;
    this.#seated = this.#players;
    const own = "seats" in this.#board;
    replace(this.#caption, own ? [] : this.#players);
    if (own) this.#board.seats = this.#players;
  }
}

/** How far a game has come and what was played last, or how it ended. */
function stand({ turns, last, ...game }) {
  if (game.result) return ended(game);
  const kind = kindOf(game);
  const place = { number: number(Math.max(1, kind.numbered(turns))) };
  const far = word(kind, "move", place) ?? t("contest.move", place);
  return turns ? [far, ": ", html("span.mono", last.move)] : far;
}

function players(game) {
  const kind = kindOf(game);
  const player = ({ name }, seat) =>
    html("span.seat.pl", kind.emblem(seat), html("span.name", name), html("span.rest.num"));
  return named(kind, game.seats).map(player);
}

/** Hear of the show game or of the wall's boards, as long as the page is looked at. */
export function followBoards(live, what, take) {
  const tell = () => live.follow(what, !document.hidden);
  live.addEventListener("boards", ({ detail }) => take(detail));
  document.addEventListener("visibilitychange", tell);
  tell();
}

/** The boards in a list; at most so many, perhaps only to be looked at. */
export class Running {
  #root;
  #most;
  #linked;
  #places = [];
  #games = []; // by place, as they were told

  constructor(root, most, { linked = true, clocks = false } = {}) {
    this.#root = root;
    this.#most = most;
    this.#linked = linked;
    if (clocks) setInterval(() => this.#places.forEach((place) => place.tick()), TICK);
  }

  /** Take the message `boards`: those that have changed, and how many places there are now. */
  take({ places, boards }) {
    for (const { place, ...game } of boards) this.#games[place] = game;
    this.#games.length = places;
    const known = this.#games.filter(Boolean);
    this.update(known);
    return known;
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
