// The form for a new game: the game, the table, the seats; and what it will look like.

import { read, send } from "./api.js";
import { at, html, replace } from "./dom.js";
import { kindNamed, kinds, loadBoard, nameOf, tile, word } from "./games.js";
import { icon } from "./icons.js";
import * as choices from "./pages/choices.js";
import * as fields from "./pages/fields.js";
import { barred, seatPart, showNames, sideName, wireField, wrongName } from "./pages/seats.js";
import { PORTS, addressOf, reachable, written } from "./pages/services.js";
import { get, set, watch } from "./settings.js";
import { failure, has, number, t } from "./texts.js";

const DAY = 24 * 3600 * 1000;

class NewGame {
  kind = null;
  game = null;
  choice = null;
  #games = new Map();
  #services = [];
  #checks = new Map(); // by section: the controls and what tells their faults
  #boards = new Map(); // by kind: the promise of its element
  #time = null;

  async start() {
    try {
      const [games, lobby] = await Promise.all([read("/api/v1/games"), read("/api/v1/lobby")]);
      for (const game of games) this.#games.set(game.name, game);
      this.#services = lobby.services;
    } catch (error) {
      return this.#fail(error);
    }
    this.#showTiles();
    this.#choose(wantedKind());
    at("form").addEventListener("submit", (event) => this.#submit(event));
    watch(() => this.changed());
  }

  // the game

  #showTiles() {
    const known = kinds.filter(({ game }) => this.#games.has(game));
    const picks = known.map((kind) => {
      const radio = html("input", { type: "radio", name: "game", value: kind.name, class: "vh" });
      radio.addEventListener("change", () => this.#choose(kind));
      const name = html("b", {}, nameOf(kind));
      return html("label", { class: "tile" }, radio, tile(kind), name);
    });
    replace(at("tiles"), picks);
  }

  #choose(kind) {
    this.kind = kind;
    this.game = this.#games.get(kind.game);
    this.choice = choices.remembered(kind, this.game);
    this.#checks.clear();
    this.#unbar();
    document.querySelector(`input[name=game][value=${kind.name}]`).checked = true;
    history.replaceState(null, "", `?game=${kind.name}`);
    this.#showTable();
    this.#showSeats();
    this.changed();
  }

  /** Seats that were remembered but cannot be had any more become engines. */
  #unbar() {
    this.choice.seats.forEach((seat, index) => {
      if (seat.kind in barred(this, index)) seat.kind = "engine";
    });
  }

  // the table

  #showTable() {
    this.forget("table");
    const asked = choices.askedOptions(this.kind, this.game);
    const options = asked.map((option) => this.#option(option));
    const pace = this.game.wire.pace && this.#pace();
    replace(at("table"), this.#nameField(), options, this.#timeField(), pace, this.#tournament());
  }

  #nameField() {
    const input = fields.textInput(this.choice.name, (text) => (this.choice.name = text), {
      maxlength: 80,
      placeholder: t("new.name.usual"),
    });
    this.check("table", input, () => wrongName(this, t("new.name.table"), input.value));
    return fields.field(t("new.name.table"), input);
  }

  #option({ name, low, high, default: otherwise }) {
    const label = has(`new.option.${name}`) ? t(`new.option.${name}`) : name;
    const least = this.kind.least[name] ?? low;
    const most = () => Math.min(high, this.kind.most(name, this.choice.options) ?? high);
    const change = (text) => {
      this.choice.options[name] = text;
      this.changed();
    };
    const value = this.choice.options[name];
    const optional = otherwise === null;
    const { input, wrap } = optional
      ? { input: fields.textInput(value, change, { class: "field num", inputmode: "numeric" }) }
      : fields.stepper(value, least, high, change);
    if (optional) input.placeholder = t("new.drawn");
    const fault = () => fields.wholeNumber(label, input.value, least, most())[1];
    this.check("table", input, () => (optional && !input.value.trim() ? null : fault()));
    return fields.field(label, input, { wrap, hint: this.#optionHint(name, least, high) });
  }

  #optionHint(name, low, high) {
    const own = `new.option.${name}.hint`;
    return has(own) ? t(own) : t("new.range", { low: number(low), high: number(high) });
  }

  #timeField() {
    const label = t("new.time");
    const value = this.choice.time ?? choices.suitableTime(this.game, this.choice);
    const input = fields.textInput(
      String(value),
      (text) => {
        this.choice.time = text.trim();
        this.changed();
      },
      { inputmode: "numeric", class: "num" },
    );
    this.#time = input;
    this.check("table", input, () => wrongTime(label, input.value));
    const wrap = fields.withUnit(input, "ms");
    return fields.field(label, input, { wrap, hint: t("new.time.hint") });
  }

  /** How the game server cuts what it says to clients at this table. */
  #pace() {
    const part = wireField(this, "pace", t("new.wire.pace.hint"));
    part.dataset.pace = "";
    return part;
  }

  #tournament() {
    const box = html("input", { type: "checkbox" });
    box.checked = this.choice.tournament;
    box.addEventListener("change", () => (this.choice.tournament = box.checked));
    const text = html("span", {}, t("new.tournament"));
    return html("label", { class: "check", "data-tournament": "" }, box, text);
  }

  // the seats

  #showSeats() {
    const parts = this.choice.seats.map((_, index) => seatPart(this, index));
    replace(at("seats"), parts);
    replace(at("swap"), this.#swapButton());
    replace(at("begins"), this.#begins());
  }

  #swapButton() {
    const button = html("button", { type: "button", class: "btn btn--s btn--bare" });
    replace(button, icon("swap"), t(this.choice.seats.length > 2 ? "new.rotate" : "new.swap"));
    button.addEventListener("click", () => {
      const [first, ...others] = this.choice.seats;
      this.choice.seats = [...others, first];
      this.#unbar();
      this.#showSeats();
      this.changed();
      at("swap").firstElementChild.focus();
    });
    return button;
  }

  #begins() {
    const option = this.game.options.find(({ name }) => name === "begins");
    if (!option) return html("p", { class: "begin" }, word(this.kind, "begins"));
    const sides = this.choice.seats.map((_, index) => [String(index), sideName(this, index)]);
    const starts = [["", t("new.begins.drawn")], ...sides];
    const label = t("new.begins");
    const chooser = fields.segments(label, starts, this.choice.options.begins, (value) => {
      this.choice.options.begins = value;
      this.changed();
    });
    return html("div", { class: "begin" }, html("span", { "aria-hidden": "true" }, label), chooser);
  }

  /** Our own index server, for hosted games. */
  ownIndex() {
    return addressOf(this.#services, "index") || written(reachable(""), PORTS.index);
  }

  // what is wrong

  /** Remember how to judge a control; also when somebody leaves it. */
  check(section, control, fault) {
    const checks = this.#checks.get(section) ?? [];
    this.#checks.set(section, [...checks, { control, fault }]);
    control.addEventListener("change", () => fields.blame(control, fault()));
  }

  /** The controls of a section are gone. */
  forget(section) {
    this.#checks.delete(section);
  }

  #faulty() {
    const all = [...this.#checks.values()].flat().filter(({ control }) => control.isConnected);
    for (const { control, fault } of all) fields.blame(control, fault());
    return all.filter(({ fault }) => fault()).map(({ control }) => control);
  }

  // what it will be

  /** Something has been chosen: show what follows from it. */
  changed() {
    const time = choices.suitableTime(this.game, this.choice);
    if (this.choice.time === null) this.#time.value = String(time);
    const clients = choices.haveClients(this.choice);
    for (const part of document.querySelectorAll("[data-tournament], [data-pace]")) {
      part.hidden = !clients;
    }
    showNames(this);
    this.#showSummary();
    this.#showSample();
  }

  #showSummary() {
    const lines = [
      [t("new.sum.connect"), this.#where()],
      [t("new.sum.id"), t("new.sum.id.text")],
      [t("new.sum.visible"), t(isLocal() ? "new.sum.visible.local" : "new.sum.visible.all")],
    ];
    const pause = choices.pauseOf(this.kind, this.choice);
    const seconds = number(pause / 1000, 1);
    if (pause) lines.push([t("new.sum.pause"), t("new.seconds", { seconds })]);
    replace(
      at("summary"),
      lines.map(([name, text]) => html("div", {}, html("dt", {}, name), html("dd", {}, text))),
    );
  }

  #where() {
    const { seats, index } = this.choice;
    const mono = (text) => html("span", { class: "mono" }, text);
    const remote = seats.filter(({ kind }) => kind === "remote");
    const places = remote.map(({ host, port }) => written(host, port));
    if (places.length) return mono(places.join(", "));
    if (!seats.some(({ kind }) => kind === "client")) return t("new.sum.connect.none");
    if (this.kind.hosted) return mono(index);
    return mono(addressOf(this.#services, this.game.tcp) || t("new.sum.connect.off"));
  }

  async #showSample() {
    const { kind, choice } = this;
    replace(at("sub"), kind.about(choice.options));
    const view = start(kind.sample(choice.options));
    try {
      if (!this.#boards.has(kind)) this.#boards.set(kind, loadBoard(kind));
      const board = await this.#boards.get(kind);
      if (kind !== this.kind) return;
      if (!view) return replace(at("sample"), tile(kind));
      if (board.parentNode !== at("sample")) replace(at("sample"), board);
      const told = JSON.stringify(view);
      if (board.told === told) return;
      board.told = told;
      await board.show({ view });
      board.rebuild?.();
    } catch (error) {
      console.error(error);
      if (kind === this.kind) replace(at("sample"), tile(kind));
    }
  }

  // off

  async #submit(event) {
    event.preventDefault();
    const faulty = this.#faulty();
    if (faulty.length) return faulty[0].focus();
    this.#busy(true);
    try {
      const wish = choices.wishOf(this.kind, this.game, this.choice);
      const { id } = await send("/api/v1/matches", wish);
      choices.remember(this.kind, this.game, this.choice);
      this.#keepName();
      location.assign(`/t/${id}`);
    } catch (error) {
      this.#fail(error);
    }
    this.#busy(false);
  }

  #keepName() {
    const me = this.choice.seats.find(({ kind, here }) => kind === "person" && here);
    if (me?.name.trim() && !get("name")) set("name", me.name.trim());
  }

  #busy(busy) {
    at("submit").disabled = busy;
    if (busy) at("fault").hidden = true;
  }

  #fail(error) {
    at("fault").textContent = failure(error);
    at("fault").hidden = false;
  }
}

function wantedKind() {
  const wanted = new URLSearchParams(location.search).get("game");
  return kindNamed(wanted) ?? kinds[0];
}

function wrongTime(label, text) {
  const [value, wrong] = fields.wholeNumber(label, text, 0, DAY);
  return wrong ?? (value > 0 && value < 10 ? t("new.time.least", { value: text }) : null);
}

function isLocal() {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

/** The view of an empty board. */
const start = (board) => board && { turn: 0, legal: [], board, outcome: null };

await new NewGame().start();
