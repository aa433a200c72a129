// Playing from this browser: when the board is open, what goes to the server, and what comes back.
// While the other player thinks a move can be chosen: it is played at once, if it is legal then.

import { read, send } from "../api.js";
import { word } from "../games.js";
import { get } from "../settings.js";
import { said, t } from "../texts.js";
import { display } from "./display.js";
import { store } from "./state.js";
import { moveName, refusal, sentence } from "./words.js";

const AGAIN = 1000; // milliseconds before an engine that is not ready is asked again

let answered = ""; // the moment of the move that the server has taken
let hinting = false;
let ahead = null; // what can be chosen meanwhile: { seat, legal, moment }
let plan = null; // what is chosen: { move, cuts }
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
    const ready = store.exploring ? tried() : played();
    return mine && ready && !input.sending ? { seat, legal: display.view.legal } : null;
  },

  /** The seat for which a move can be chosen while the other thinks, or null. */
  get waiting() {
    const { solo, state, over, kind } = store;
    const others = solo !== null && !over && !state.open && state.turn >= 0 && state.turn !== solo;
    return others && display.following && kind.foresees && !kind.choices.length ? solo : null;
  },

  /** Play on this board, through this connection. */
  start(live, say) {
    const on = (name, act) => display.board.addEventListener(name, ({ detail }) => act(detail));
    Object.assign(input, { live, say });
    on("sw-move", ({ move }) => input.play(move));
    on("sw-early", ({ field }) => early(field));
    on("sw-try", ({ move, field }) => (input.open ? explain(move, field) : input.drop()));
    display.board.addEventListener("keydown", ({ key }) => key === "Escape" && input.drop(), true);
    on("sw-choice", ({ text }) => {
      input.choice = text ?? "";
      say(input.choice ? "" : null);
    });
  },

  /** Open or close the board, and play what was chosen before. */
  update() {
    const { open } = input;
    if (ahead?.moment !== store.moment) ahead = null;
    if (store.over || plan?.cuts !== store.cuts) plan = null;
    const here = open && (store.exploring ? display.view : `${open.seat}/${store.moment}`);
    const key = here || (ahead?.moment ?? null);
    if (key === opened) return;
    opened = key;
    input.hinted = null;
    if (!open) input.choice = "";
    display.board.input = open ?? ahead;
    if (open && plan) queueMicrotask(carryOut);
  },

  /** Let go of the move that was chosen for later. */
  drop() {
    const dropped = plan || ahead;
    plan = ahead = null;
    if (!dropped || input.open) return;
    display.board.hint(null);
    input.say("");
  },

  /** Play what was clicked or typed; what is not legal is answered by the rule against it. */
  async play(text) {
    const { open } = input;
    const move = store.kind.written(text.replaceAll(/\s+/g, ""));
    if (!open) return choose(move);
    const view = display.board.position?.view;
    if (store.kind.playable(move, open.legal, view)) await sent(open.seat, move);
    else await explain(move);
  },

  /** Ask an engine what it would play, and show it. */
  async hint() {
    const { open } = input;
    if (!open || hinting) return;
    const { moment } = store;
    hinting = true;
    input.say(t("table.thinking"));
    let told = null;
    try {
      const wish = { seat: open.seat, player: adviser(store.kind) };
      const { move } = await advice(moment, wish);
      if (store.moment !== moment) return;
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

/** Whether the board has come to rest where the next move is to be played. */
const played = () => display.following && display.present && answered !== store.moment;

/** Moves can be tried everywhere, unless the position is being set up by hand. */
const tried = () => !display.busy && !display.board.editing;

/** The hint; while the engine is being prepared the page says so and asks again. */
async function advice(moment, wish) {
  for (;;) {
    try {
      return await send(`${store.path}/hint`, wish);
    } catch (error) {
      if (error.said?.code !== "engine-being-prepared" || store.moment !== moment) throw error;
      input.say(refusal(error));
      await new Promise((wake) => setTimeout(wake, AGAIN));
    }
  }
}

async function sent(seat, move) {
  const { length: ply, moment } = store;
  let refused = null;
  input.sending = move;
  input.say(null);
  try {
    await input.live.play(seat, ply, move);
    answered = moment;
  } catch (error) {
    refused = refusal(error);
  }
  input.sending = null;
  opened = undefined;
  input.say(refused);
}

// out of turn

/** Tell a player whose turn it is, if it is another's; whether it is. */
function sayWhose() {
  const { turn } = store.state;
  const waits = store.mine.length > 0 && !store.over && turn >= 0 && !store.mine.includes(turn);
  if (waits) input.say(t("table.early", { name: store.name(turn) }));
  return waits;
}

/** A field was pressed while the other is to move: say so, and let a move be chosen for later. */
async function early(field) {
  if (!sayWhose()) return;
  const { turn } = store.state;
  const seat = input.waiting;
  const { moment } = store;
  if (seat === null) return;
  const { moves: legal } = await read(`${store.path}/ahead`).catch(() => ({ moves: [] }));
  if (moment !== store.moment || input.waiting === null) return;
  ahead = { seat, legal, moment };
  input.say(t("table.ahead", { name: store.name(turn) }));
  const target = display.board.querySelector(`.target[data-id="${CSS.escape(field)}"]`);
  target?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

/** Keep this move until it is our turn; it is drawn like a hint. */
function choose(move) {
  const seat = input.waiting;
  if (seat === null || !move) return void sayWhose();
  plan = { move, cuts: store.cuts };
  ahead ??= { seat, legal: [], moment: store.moment };
  display.board.input = { ...ahead }; // nothing is on its way
  display.board.hint(move);
  input.say(t("table.planned", { move, name: store.name(store.state.turn) }));
}

/** It is our turn: play what was chosen, if that can be. */
async function carryOut() {
  const { open } = input;
  const move = plan?.move;
  plan = null;
  if (!open || !move) return;
  const legal = store.kind.playable(move, open.legal, display.board.position?.view);
  if (legal) await sent(open.seat, move);
  else input.say(t("table.planFailed", { move }));
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
  if (strategies && get("hintExact")) return `strategy=${get("hintStrategy")},depth=${get("hintDepth")}`;
  return `level=${get("hintLevel")}`;
}
