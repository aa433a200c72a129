// The form for a new game: the game, the table, the seats; and what it will look like.

import { read, send } from "./api.js";
import { action, at, html, put, replace } from "./dom.js";
import { kindNamed, kinds, loadBoard, nameOf, optionsOf, optionsText, tile, word } from "./games.js";
import * as choices from "./pages/choices.js";
import * as fields from "./pages/fields.js";
import { barred, seatPart, setServices, showNames, sideName } from "./pages/seats.js";
import { textField, wireField, wrongName } from "./pages/seats.js";
import { addressOf, isLocal, written } from "./pages/services.js";
import { showTime, timePart } from "./pages/times.js";
import { get, set, watch } from "./settings.js";
import { failure, has, number, t } from "./texts.js";

const { form } = choices;

const games = new Map(); // by name, as the server offers them
const boards = new Map(); // by kind: the promise of its element
let services = [];
let startInput = null; // the field for the first position
let wrongStart = null; // what is wrong with it

async function start() {
  try {
    const [offered, lobby] = await Promise.all([read("/api/v1/games"), read("/api/v1/lobby")]);
    for (const game of offered) games.set(game.name, game);
    services = setServices(lobby.services);
  } catch (error) {
    return fail(error);
  }
  replace(at("tiles"), kinds.filter(({ game }) => games.has(game)).map(kindTile));
  const wanted = new URLSearchParams(location.search);
  choose(kindNamed(wanted.get("game")) ?? kinds[0], given(wanted));
  at("form").addEventListener("submit", submit);
  watch(changed);
}

// the game

function kindTile(kind) {
  const on = { change: () => choose(kind) };
  const radio = html("input.vh", { type: "radio", name: "game", value: kind.name, on });
  return html("label.tile", radio, tile(kind), html("b", nameOf(kind)));
}

/** What the address of a table that goes on from a position says about it. */
function given(query) {
  const start = query.get("position");
  return start ? { start, options: optionsOf(query.get("options")) } : {};
}

function choose(kind, { start = "", options = {} } = {}) {
  choices.begin(kind, games.get(kind.game));
  Object.assign(form.choice, { start });
  Object.assign(form.choice.options, options);
  unbar();
  document.querySelector(`input[name=game][value=${kind.name}]`).checked = true;
  if (!start) history.replaceState(null, "", `?game=${kind.name}`);
  showTable();
  showSeats();
  changed();
}

/** Seats that were remembered but cannot be had any more become engines. */
function unbar() {
  form.choice.seats.forEach((seat, index) => {
    if (seat.kind in barred(index)) seat.kind = "engine";
  });
}

// the table

function showTable() {
  const { choice, game } = form;
  const usual = { maxlength: 80, placeholder: t("new.name.usual") };
  const name = textField(t("new.name.table"), choice, "name", wrongName, usual);
  const pace = game.wire.pace && wireField("pace", t("new.wire.pace.hint"));
  if (pace) pace.dataset.pace = "";
  const keep = (tournament) => (choice.tournament = tournament);
  const marked = { "data-tournament": "" };
  const tournament = fields.checkbox(t("new.tournament"), choice.tournament, keep, marked);
  const options = choices.askedOptions().map(optionField);
  const more = [timePart(changed), startField(), pace, tournament, training()];
  replace(at("table"), name, options, more);
}

function training() {
  const { choice } = form;
  const keep = (on) => (choice.training = on);
  return fields.checkbox(t("new.training"), choice.training, keep, { "data-training": "" });
}

/** The position that the game starts with: typed, or set up on a page of its own. */
function startField() {
  const { choice } = form;
  const keep = (text) => {
    choice.start = text;
    replace(at("begins"), begins());
    changed();
  };
  const usual = { class: "field mono", spellcheck: "false", placeholder: t("new.start.usual") };
  startInput = fields.textInput(choice.start, keep, usual);
  const setUp = html("a", { href: "/explore" }, t("explore.setUp"));
  setUp.addEventListener("click", () => (setUp.href = `/explore?${exploring()}`));
  return fields.field(t("new.start"), startInput, { hint: setUp, fault: () => wrongStart });
}

function exploring() {
  const { game, choice } = form;
  const options = optionsText(choices.optionsOf(choice.options));
  return new URLSearchParams({ game: game.name, options, position: choice.start });
}

function optionField({ name, low, high, default: otherwise }) {
  const { kind, choice } = form;
  const label = has(`new.option.${name}`) ? t(`new.option.${name}`) : name;
  const least = kind.least[name] ?? low;
  const most = () => Math.min(high, kind.most(name, choice.options) ?? high);
  const change = (text) => {
    choice.options[name] = text;
    changed();
  };
  const optional = otherwise === null;
  const look = { class: "field num", inputmode: "numeric", placeholder: t("new.drawn") };
  const { input, wrap } = optional
    ? { input: fields.textInput(choice.options[name], change, look) }
    : fields.stepper(choice.options[name], least, high, change);
  const fault = () =>
    optional && !input.value.trim()
      ? null
      : fields.wholeNumber(label, input.value, least, most())[1];
  const range = t("new.range", { low: number(least), high: number(high) });
  const hint = has(`new.option.${name}.hint`) ? t(`new.option.${name}.hint`) : range;
  return fields.field(label, input, { wrap, hint, fault });
}

// the seats

function showSeats() {
  const { seats } = form.choice;
  replace(at("seats"), seats.map((_, index) => seatPart(index, changed)));
  replace(at("swap"), action("swap", t(seats.length > 2 ? "new.rotate" : "new.swap"), rotate));
  replace(at("begins"), begins());
}

function rotate() {
  const [first, ...others] = form.choice.seats;
  form.choice.seats = [...others, first];
  unbar();
  showSeats();
  changed();
  at("swap").firstElementChild.focus();
}

function begins() {
  const { kind, game, choice } = form;
  const option = game.options.find(({ name }) => name === "begins");
  if (choice.start.trim()) return html("p.begin", t("new.begins.start"));
  if (!option) return html("p.begin", word(kind, "begins"));
  const sides = choice.seats.map((_, index) => [String(index), sideName(index)]);
  const starts = [["", t("new.begins.drawn")], ...sides];
  const label = t("new.begins");
  const chooser = fields.segments(label, starts, choice.options.begins, (value) => {
    choice.options.begins = value;
    changed();
  });
  return html("div.begin", html("span", { "aria-hidden": "true" }, label), chooser);
}

// what it will be

/** Something has been chosen: show what follows from it. */
function changed() {
  showTime();
  const clients = choices.haveClients();
  for (const part of document.querySelectorAll("[data-tournament], [data-pace]")) {
    part.hidden = !clients;
  }
  document.querySelector("[data-training]").hidden = !choices.havePersons();
  showNames();
  showSummary();
  showSample();
}

function showSummary() {
  const pause = choices.pauseOf();
  const seconds = number(pause / 1000, 1);
  const lines = [
    [t("new.sum.connect"), where()],
    [t("new.sum.id"), t("new.sum.id.text")],
    [t("new.sum.visible"), t(isLocal ? "new.sum.visible.local" : "new.sum.visible.all")],
    ...(pause ? [[t("new.sum.pause"), t("new.seconds", { seconds })]] : []),
  ];
  const line = ([name, text]) => html("div", html("dt", name), html("dd", text));
  replace(at("summary"), lines.map(line));
}

function where() {
  const { kind, game, choice } = form;
  const mono = (text) => html("span.mono", text);
  const remote = choice.seats.filter((seat) => seat.kind === "remote");
  if (remote.length) return mono(remote.map(({ host, port }) => written(host, port)).join(", "));
  if (!choices.haveClients()) return t("new.sum.connect.none");
  if (kind.hosted) return mono(choice.index);
  return mono(addressOf(services, game.tcp) || t("new.sum.connect.off"));
}

async function showSample() {
  const { kind, choice } = form;
  const begun = choice.start;
  replace(at("sub"), kind.about(choice.options));
  try {
    const view = await firstView(kind, choice);
    if (kind !== form.kind || begun !== form.choice.start) return;
    if (!boards.has(kind)) boards.set(kind, loadBoard(kind));
    const board = await boards.get(kind);
    if (kind !== form.kind) return;
    if (!view) return replace(at("sample"), tile(kind));
    if (board.parentNode !== at("sample")) replace(at("sample"), board);
    const told = JSON.stringify(view);
    if (board.told === told) return;
    board.told = told;
    await board.show({ view });
    board.rebuild?.();
  } catch (error) {
    console.error(error);
    if (kind === form.kind) replace(at("sample"), tile(kind));
  }
}

/** What the table begins with; null if it cannot be drawn. */
async function firstView(kind, choice) {
  const position = choice.start.trim();
  if (!position) {
    const board = kind.sample(choice.options);
    blameStart(null);
    return board && { turn: 0, legal: [], board, outcome: null };
  }
  const options = choices.optionsOf(choice.options);
  try {
    const told = await send("/api/v1/explore", { game: kind.game, options, start: position });
    blameStart(null);
    return told.start.view;
  } catch (error) {
    blameStart(failure(error));
    return null;
  }
}

/** Let the field say what is wrong with it. */
function blameStart(why) {
  if (why === wrongStart) return;
  wrongStart = why;
  startInput.dispatchEvent(new Event("change"));
}

// off

async function submit(event) {
  event.preventDefault();
  const [faulty] = fields.faulty(at("form"));
  if (faulty) return faulty.focus();
  at("submit").disabled = true;
  put(at("fault"), "");
  try {
    const { id } = await send("/api/v1/matches", choices.wishOf());
    choices.remember();
    keepName();
    location.assign(`/t/${id}`);
  } catch (error) {
    fail(error);
  }
  at("submit").disabled = false;
}

function keepName() {
  const me = form.choice.seats.find(({ kind, here }) => kind === "person" && here);
  if (me?.name.trim() && !get("name")) set("name", me.name.trim());
}

const fail = (error) => put(at("fault"), failure(error));

await start();
