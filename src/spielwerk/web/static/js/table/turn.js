// The turn banner: one sentence about what happened and what is due, and the controls for it.

import { havePrograms } from "../contest/reports.js";
import { action, html, put, render } from "../dom.js";
import { word } from "../games.js";
import { icon } from "../icons.js";
import { due, ending, gameTitle, happened } from "./words.js";
import { t } from "../texts.js";

const HOST = 0; // the seat of whoever offers a game at an index server

/**
 * The banner; `actions` are onPlay(text), onHint(), onPresent(), onRematch(), onPrograms() and
 * onDecide(accept).
 */
export class Turn {
  #root;
  #store;
  #display;
  #actions;
  #headline = html("h2");
  #text = html("p");
  #do = html("div", { class: "do" });
  #field = null;
  #hint = null;
  #note = "";
  #noted = "";
  #filled = "";

  constructor(root, store, display, actions) {
    this.#root = root;
    this.#store = store;
    this.#display = display;
    this.#actions = actions;
    const say = html("div", { class: "say", "aria-live": "polite" }, this.#headline, this.#text);
    root.replaceChildren(say, this.#do);
  }

  /** The field for typed moves, if there is one now. */
  get field() {
    return this.#field?.isConnected ? this.#field : null;
  }

  /** Say this until the position changes. */
  note(text) {
    this.#note = text;
    this.#noted = this.#moment();
  }

  #moment() {
    return `${this.#display.shown}/${this.#store.length}/${this.#store.over}`;
  }

  /** Show where things stand: who may play here (`open`), what is chosen, what is on its way. */
  update({ open, choice, sending, connected }) {
    if (this.#noted !== this.#moment()) this.#note = "";
    const { headline, text, tone } = this.#say({ open, choice, sending, connected });
    put(this.#headline, headline);
    put(this.#text, text);
    this.#root.className = `turn ${tone}`;
    this.#controls(open, sending);
    this.#fill(choice);
  }

  /** Show the choice in the field for typed moves; what is being typed stays. */
  #fill(choice) {
    const moment = this.#moment();
    if (!this.field || (document.activeElement === this.field && moment === this.#filled)) return;
    this.#filled = moment;
    this.field.value = choice;
  }

  #say({ open, choice, sending, connected }) {
    const { over, state } = this.#store;
    const { present, following, busy } = this.#display;
    if (!connected) return quiet(t("table.lostTitle"), t("table.lostText"));
    if (!following) return quiet(this.#where(), this.#note || this.#happened());
    if (busy || !present) return this.#moving();
    if (over) return this.#end();
    if (sending) return loud(this.#whose(open), t("table.sending", { move: sending }));
    const { asking } = this;
    if (asking) return loud(t("table.join.asks", { name: asking }), t("table.join.text"));
    if (state.open && !open) return quiet(t("table.waiting"), this.#note || this.#howToCome());
    if (!open) return quiet(this.#whose(null), this.#note || this.#happened());
    const task = due(this.#store, this.#display.view, choice);
    const told = () => happened(this.#store, this.#display.shown, true);
    const rest = choice ? "" : state.open ? this.#howToCome() : told();
    return loud(this.#whose(open), this.#note || [task, rest].filter(Boolean).join(" "));
  }

  /** Who wants to join, if this browser is to decide that: it has the host's seat. */
  get asking() {
    const { table, mine, over } = this.#store;
    return (mine.includes(HOST) && !over && table.offer?.asking) || null;
  }

  #happened() {
    return happened(this.#store, this.#display.shown);
  }

  #where() {
    return t("table.atPly", { ply: this.#display.shown, total: this.#store.length });
  }

  /** While a move is shown: whose it is; chance decides within the own turn. */
  #moving() {
    const { last, shown } = this.#display;
    const { plies, state, mine, kind } = this.#store;
    const seat = last?.seat >= 0 ? last.seat : plies[shown - 2]?.seat;
    if (seat === undefined) return quiet(gameTitle(kind), this.#happened());
    const own = mine.includes(seat) && state.turn === seat;
    return (own ? loud : quiet)(this.#turnOf(seat), this.#happened());
  }

  #whose(open) {
    const { view } = this.#display;
    const seat = open ? open.seat : view?.turn ?? -2;
    return seat < 0 ? gameTitle(this.#store.kind) : this.#turnOf(seat);
  }

  #turnOf(seat) {
    if (this.#store.solo === seat) return t("table.yourTurn");
    return t("table.turnOf", { name: this.#store.name(seat) });
  }

  #end() {
    const { headline, reason } = ending(this.#store);
    const { winner } = this.#store.state.result;
    const colour = winner === null ? "" : ` turn--p${winner}`;
    return { headline, text: this.#note || reason, tone: `is-still is-over${colour}` };
  }

  /** What somebody has to do to come to this table. */
  #howToCome() {
    const { table, state } = this.#store;
    if (table.offer) return t("table.offer.open", table.offer);
    const missing = ({ kind, connection }) => kind === "client" && connection !== "connected";
    if (table.address && state.seats.some(missing)) {
      const { host, port, doors } = table.address;
      if (!doors.length) return t("table.connect", { host, port });
      return t(doors.length > 1 ? "table.connectByOne" : "table.connectById", { host, ...doors[0] });
    }
    return state.seats.some(({ free }) => free) ? t("table.seatIsFree") : t("table.personAway");
  }

  // controls

  #controls(open, sending) {
    const { over, mine, state } = this.#store;
    const playing = mine.length > 0 && !over && (!state.open || open || sending);
    const { following, seen } = this.#display;
    const news = this.#store.length - seen;
    const again = over && this.#mayAskAgain();
    const programs = havePrograms(this.#store);
    const { asking } = this;
    const { rematch } = state;
    const { game } = this.#store;
    const key = [Boolean(playing), again, programs, rematch, following, news, game, asking];
    render(this.#do, key, () => [
      asking && following && this.#decision(),
      !following && !over && this.#newMoves(news),
      playing && following && !asking && this.#players(),
      again && this.#rematch(state.rematch),
      programs && action("client", t("table.programs"), this.#actions.onPrograms, "btn"),
    ]);
    const now = Boolean(open) && !sending;
    for (const button of this.#do.querySelectorAll("[data-now]")) button.disabled = !now;
    if (this.field) this.field.readOnly = !now;
  }

  /** Whether there is a game after this one, or this browser may ask for it. */
  #mayAskAgain() {
    const { mine, operator, state, table } = this.#store;
    if (table.contest) return false; // its schedule says who plays again
    const persons = state.seats.some(({ kind }) => kind === "person");
    return Boolean(state.rematch) || mine.length > 0 || operator || !persons;
  }

  #decision() {
    const button = (accept, look) =>
      action(
        null,
        t(accept ? "table.join.accept" : "table.join.refuse"),
        () => this.#actions.onDecide(accept),
        look,
      );
    return [button(true, "btn btn--ink"), button(false, "btn")];
  }

  #newMoves(count) {
    const words = count ? t("table.newMoves", { count }) : t("table.toPresent");
    return action("last", words, () => this.#actions.onPresent(), "btn to-present");
  }

  #players() {
    const { choices } = this.#store.kind;
    const look = choices.length ? "btn" : "btn btn--ink";
    const words = [icon("hint"), t("table.hint")];
    const hint = dueButton(look, words, "h", () => this.#actions.onHint());
    return [choices.length ? choices.map((one) => this.#choice(one)) : this.#typed(), hint];
  }

  #choice({ move, key, look }) {
    const play = () => this.#actions.onPlay(move);
    return dueButton(`btn btn--big ${look}`, word(this.#store.kind, move), key, play);
  }

  #typed() {
    this.#field = html("input", {
      class: "field mono type",
      placeholder: word(this.#store.kind, "example") ?? "",
      "aria-label": t("table.typeMove"),
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      enterkeyhint: "send",
      maxlength: 20,
      on: { keydown: (event) => this.#typedKey(event) },
    });
    return this.#field;
  }

  #typedKey(event) {
    const field = this.#field;
    if (event.key !== "Enter" || field.readOnly || !field.value.trim()) return;
    event.preventDefault();
    this.#actions.onPlay(field.value.trim());
  }

  #rematch(other) {
    if (other) {
      const link = { class: "btn btn--ink", href: `/t/${encodeURIComponent(other)}` };
      return html("a", link, icon("swap"), t("table.toRematch"));
    }
    return action("swap", t("table.rematch"), () => this.#actions.onRematch(), "btn");
  }
}

/** A button that can be pressed only by whose turn it is. */
function dueButton(look, words, key, press) {
  return html(
    "button",
    { type: "button", class: look, "data-now": true, on: { click: press } },
    words,
    html("kbd", { "aria-hidden": "true" }, key),
  );
}

function quiet(headline, text) {
  return { headline, text, tone: "is-still" };
}

function loud(headline, text) {
  return { headline, text, tone: "" };
}
