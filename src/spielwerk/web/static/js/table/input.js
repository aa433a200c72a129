// Playing from this browser: when the board is open, what goes to the server, and what comes back.

import { send } from "../api.js";
import { word } from "../games.js";
import { get } from "../settings.js";
import { said, t } from "../texts.js";
import { display } from "./display.js";
import { store } from "./state.js";
import { moveName, refusal, sentence } from "./words.js";

let answered = -1; // plies before the move that the server has taken
let hinting = false;
let opened; // for whom and which position the board was opened last

/** The hands of the people at this browser. */
export const input = {
  choice: "",
  sending: null, // the move on its way
  hinted: null, // the advice that was asked for here
  live: null,
  say: () => {}, // shows a sentence in the banner

  /** The seat that may play here now and what: { seat, legal }, or null. */
  get open() {
    const seat = store.state.turn;
    const mine = store.mine.includes(seat) && !store.over && display.view?.turn === seat;
    const ready = display.following && display.present && answered < store.length;
    return mine && ready && !input.sending ? { seat, legal: display.view.legal } : null;
  },

  /** Play on this board, through this connection. */
  start(live, say) {
    const on = (name, act) => display.board.addEventListener(name, ({ detail }) => act(detail));
    Object.assign(input, { live, say });
    on("sw-move", ({ move }) => input.play(move));
    on("sw-try", ({ move, field }) => explain(move, field));
    on("sw-choice", ({ text }) => {
      input.choice = text ?? "";
      say(input.choice ? "" : null);
    });
  },

  /** Open or close the board. */
  update() {
    const { open } = input;
    const key = open && `${open.seat}/${store.length}`;
    if (key === opened) return;
    opened = key;
    input.hinted = null;
    if (!open) input.choice = "";
    display.board.input = open;
  },

  /** Play what was clicked or typed; what is not legal is answered by the rule against it. */
  async play(text) {
    const { open } = input;
    if (!open) return;
    const move = store.kind.written(text.replaceAll(/\s+/g, ""));
    const view = display.board.position?.view;
    if (store.kind.playable(move, open.legal, view)) await sent(open.seat, move);
    else await explain(move);
  },

  /** Ask an engine what it would play, and show it. */
  async hint() {
    const { open } = input;
    if (!open || hinting) return;
    const ply = store.length;
    hinting = true;
    input.say(t("table.thinking"));
    let told = null;
    try {
      const wish = { seat: open.seat, player: adviser(store.kind) };
      const { move } = await send(`${store.path}/hint`, wish);
      if (store.length !== ply) return;
      input.hinted = move;
      display.board.hint(move);
      told = t("table.hinted", { move: store.kind.advised(moveName(move), display.view) });
    } catch (error) {
      told = refusal(error);
    } finally {
      hinting = false;
      input.say(told);
    }
  },
};

async function sent(seat, move) {
  const ply = store.length;
  let refused = null;
  input.sending = move;
  input.say(null);
  try {
    await input.live.play(seat, ply, move);
    answered = ply;
  } catch (error) {
    refused = refusal(error);
  }
  input.sending = null;
  opened = undefined;
  input.say(refused);
}

/** Say which rule forbids the move. */
async function explain(move, field) {
  if (field !== undefined) display.board.refuse(field);
  try {
    const rule = move === null ? null : await input.live.why(move);
    const words = rule ? said(rule) : move === null && word(store.kind, "foreign");
    input.say(words ? sentence(words) : t("table.notThis", { move }));
  } catch (error) {
    input.say(refusal(error));
  }
}

function adviser({ strategies }) {
  if (strategies) return `strategy=${get("hintStrategy")},depth=${get("hintDepth")}`;
  return `level=${get("hintLevel")}`;
}
