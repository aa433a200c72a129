// Playing from this browser: when the board is open, what goes to the server, and what comes back.

import { send } from "../api.js";
import { middle } from "../boards/board.js";
import { haloed } from "../boards/marks.js";
import { word } from "../games.js";
import { get } from "../settings.js";
import { said, t } from "../texts.js";
import { sentence } from "./words.js";

/** The hands of the people at this browser. */
export class Input {
  choice = "";
  sending = null; // the move on its way
  hinted = null; // the advice that was asked for here
  #parts;
  #answered = -1; // plies before the move that the server has taken
  #hinting = false;

  /** `parts` are store, display, board, live, and `say(text)`, `changed()`. */
  constructor(parts) {
    this.#parts = parts;
    const { board } = parts;
    board.addEventListener("sw-move", ({ detail }) => this.play(detail.move));
    board.addEventListener("sw-try", ({ detail }) => this.#why(detail.move, detail.field));
    board.addEventListener("sw-choice", ({ detail }) => this.#chosen(detail.text));
  }

  /** The seat that may play here now and what: { seat, legal }, or null. */
  get open() {
    const { store, display } = this.#parts;
    const seat = store.state.turn;
    const mine = store.mine.includes(seat) && !store.over && display.view?.turn === seat;
    const ready = display.following && display.present && this.#answered < store.length;
    return mine && ready && !this.sending ? { seat, legal: display.view.legal } : null;
  }

  /** Open or close the board. */
  update() {
    const { board, store } = this.#parts;
    const open = this.open;
    const key = open && `${open.seat}/${store.length}`;
    if (key === this.key) return;
    this.key = key;
    this.hinted = null;
    if (!open) this.choice = "";
    board.input = open;
  }

  #chosen(text) {
    this.choice = text ?? "";
    if (this.choice) this.#parts.say("");
    this.#parts.changed();
  }

  /** Play what was clicked or typed; what is not legal is answered by the rule against it. */
  async play(text) {
    const { store, board } = this.#parts;
    const open = this.open;
    if (!open) return;
    const move = store.kind.written(text.replaceAll(/\s+/g, ""));
    if (!store.kind.playable(move, open.legal, board.position?.view)) return this.#why(move);
    await this.#send(open.seat, move);
  }

  async #send(seat, move) {
    const { store, live, board, say, changed } = this.#parts;
    const ply = store.length;
    this.sending = move;
    changed();
    const mark = marked(board, store.kind.fieldsOf(move, seat));
    try {
      await live.play(seat, ply, move);
      this.#answered = ply;
    } catch (refused) {
      say(sentence(said(refused.rule ?? refused.message)));
    } finally {
      mark?.remove();
      this.sending = null;
      this.key = undefined;
      changed();
    }
  }

  /** Say which rule forbids the move. */
  async #why(move, field) {
    const { store, live, board, say, changed } = this.#parts;
    if (field !== undefined) board.refuse(field);
    try {
      const rule = move === null ? word(store.kind, "foreign") : await live.why(move);
      say(rule ? sentence(said(rule)) : t("table.notThis", { move }));
    } catch (error) {
      say(sentence(said(error.message)));
    }
    changed();
  }

  /** Ask an engine what it would play, and show it. */
  async hint() {
    const { store, board, say, changed } = this.#parts;
    const open = this.open;
    if (!open || this.#hinting) return;
    const ply = store.length;
    this.#hinting = true;
    say(t("table.thinking"));
    changed();
    try {
      const wish = { seat: open.seat, player: adviser(store.kind) };
      const { move } = await send(`/api/v1/matches/${store.id}/hint`, wish);
      if (store.length !== ply) return;
      this.hinted = move;
      board.hint(move);
      say(t("table.hinted", { move }));
    } catch (refused) {
      say(sentence(said(refused.message)));
    } finally {
      this.#hinting = false;
      changed();
    }
  }
}

function adviser({ strategies }) {
  if (strategies) return `strategy=${get("hintStrategy")},depth=${get("hintDepth")}`;
  return `level=${get("hintLevel")}`;
}

/** A thick ring around the field of a move that is on its way; null if it is not to be found. */
function marked(board, ids) {
  const field = board.fields?.().find(({ id }) => ids.includes(String(id)));
  if (!field || !board.above) return null;
  const [x, y] = middle(field);
  const r = field.r ?? Math.min(field.width, field.height) / 2;
  const ring = haloed("circle", { cx: x, cy: y, r }, "m-sel", 5);
  board.above.append(ring);
  return ring;
}
