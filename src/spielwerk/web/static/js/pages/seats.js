// A seat of a new game: who sits there, and what has to be known of them.

import { html, replace } from "../dom.js";
import { namesWith, word } from "../games.js";
import { emblem } from "../icons.js";
import { defaultName, isHosted } from "./choices.js";
import * as fields from "./fields.js";
import { t } from "../texts.js";

const KINDS = [
  ["person", "person"],
  ["client", "client"],
  ["engine", "engine"],
  ["remote", "remote"],
];
const NAME_LIMIT = 80;
const NUMERIC = { class: "field num", inputmode: "numeric" };

/** The part of the form for one seat; `form` has kind, game, choice, check(), changed(). */
export function seatPart(form, number) {
  const body = html("div", { class: "cfg-f" });
  const name = sideName(form, number);
  const label = t("new.kind.of", { name });
  const kinds = KINDS.map(([kind, drawing]) => [kind, t(`new.kind.${kind}`), drawing]);
  const chooser = fields.segments(
    label,
    kinds,
    form.choice.seats[number].kind,
    (kind) => {
      form.choice.seats[number].kind = kind;
      fill(form, number, body);
      form.changed();
    },
    { barred: barred(form, number), className: "kinds" },
  );
  fill(form, number, body);
  return html(
    "div",
    { class: "cfg", role: "group", "aria-label": name },
    emblem(number),
    html("div", {}, html("div", { class: "cfg-h" }, html("b", {}, name), chooser), body),
  );
}

/** What a side is called: by its number, and by the game's own word where it has one. */
export function sideName({ kind }, number) {
  return word(kind, `seat.${number}`) ?? t("common.player", { number });
}

/** Which kinds cannot sit here, and why. */
export function barred({ kind, game }, number) {
  const reasons = {};
  if (!game.tcp) reasons.client = word(kind, "barred") ?? t("new.barred.client");
  if (kind.hosted && number === 0) reasons.client = t("new.barred.host");
  if (!kind.remote) reasons.remote = t("new.barred.remote", { games: namesWith("remote") });
  return reasons;
}

function fill(form, number, body) {
  const seat = form.choice.seats[number];
  form.forget(`seat-${number}`);
  replace(body, nameField(form, number), PARTS[seat.kind](form, seat, number));
}

function nameField(form, number) {
  const seat = form.choice.seats[number];
  const input = fields.textInput(
    seat.name,
    (text) => {
      seat.name = text;
      form.changed();
    },
    { maxlength: NAME_LIMIT, "data-seat-name": number },
  );
  const label = t("new.name");
  form.check(`seat-${number}`, input, () => wrongName(form, label, input.value));
  return fields.field(label, input);
}

/** Protocols of hosted games part their parameters by semicolons, so names have none there. */
export function wrongName(form, label, value) {
  const parted = isHosted(form.kind, form.choice) && value.includes(";");
  if (parted) return word(form.kind, "semicolon", { field: label, value });
  return fields.wrongName(label, value);
}

/** Show in the name fields what the seats are called if nobody names them. */
export function showNames(form) {
  for (const input of document.querySelectorAll("[data-seat-name]")) {
    input.placeholder = defaultName(form.kind, form.game, form.choice, Number(input.dataset.seatName));
  }
}

const PARTS = { person, client, engine, remote };

function person(form, seat) {
  const note = html("p", { class: "second" });
  const text = () => t(seat.here ? "new.person.here.text" : "new.person.open.text");
  const show = () => replace(note, text());
  const places = [
    ["here", t("new.person.here")],
    ["open", t("new.person.open")],
  ];
  const chooser = fields.segments(t("new.person"), places, seat.here ? "here" : "open", (place) => {
    seat.here = place === "here";
    show();
    form.changed();
  });
  show();
  return html("div", { class: "part" }, html("span", {}, t("new.person")), chooser, note);
}

function client(form, seat, number) {
  const note = html("p", { class: "second" }, word(form.kind, "client") ?? t("new.client"));
  if (!form.kind.hosted) return note;
  return html("div", { class: "part" }, note, indexField(form, number), joining(form, number));
}

/** One choice of how the table speaks to clients. */
export function wireField(form, name, hint = "") {
  const { wire } = form.choice;
  const known = ["", ...form.game.wire[name]];
  if (!known.includes(wire[name])) wire[name] = ""; // it was kept by another version
  const titled = known.map((value) => [value, t(`new.wire.${name}.${value || "usual"}`)]);
  const select = fields.choice(titled, wire[name], (value) => (wire[name] = value));
  return fields.field(t(`new.wire.${name}`), select, { hint });
}

/** What can be said besides about a hosted game: its words, and who may join. */
function joining(form, number) {
  const { wire } = form.choice;
  const only = fields.textInput(wire.only, (text) => (wire.only = text), { maxlength: NAME_LIMIT });
  form.check(`seat-${number}`, only, () => wrongName(form, t("new.wire.only"), only.value));
  const ask = html("input", { type: "checkbox" });
  ask.checked = wire.ask === "yes";
  ask.addEventListener("change", () => (wire.ask = ask.checked ? "yes" : ""));
  return html(
    "details",
    { class: "more" },
    html("summary", {}, t("new.more")),
    html(
      "div",
      { class: "pair2" },
      wireField(form, "spelling"),
      wireField(form, "version"),
    ),
    fields.field(t("new.wire.only"), only, { hint: t("new.wire.only.hint") }),
    html("label", { class: "check" }, ask, html("span", {}, t("new.wire.ask"))),
  );
}

function indexField(form, number) {
  const { choice } = form;
  const label = t("new.index");
  choice.index ||= form.ownIndex();
  const input = fields.textInput(
    choice.index,
    (text) => {
      choice.index = text.trim();
      form.changed();
    },
    { class: "field mono", spellcheck: "false" },
  );
  form.check(`seat-${number}`, input, () => fields.wrongAddress(label, choice.index));
  return fields.field(label, input);
}

function engine(form, seat) {
  return form.game.strategies ? strategyPart(form, seat) : levelPart(form, seat);
}

function levelPart(form, seat) {
  const shown = html("b", { class: "num" });
  const note = html("span", { class: "dim" });
  const show = () => {
    replace(shown, String(seat.level));
    replace(note, t(`new.level.${Math.ceil(seat.level / 3)}`));
  };
  const { wrap } = fields.levelInput(seat.level, (level) => {
    seat.level = level;
    show();
    form.changed();
  });
  show();
  return html("label", { class: "lv" }, html("span", {}, t("new.level"), " ", shown), wrap, note);
}

function strategyPart(form, seat) {
  const titled = (name, index) => [String(index), `${index}: ${strategyName(name)}`];
  const names = form.game.strategies.map(titled);
  const strategy = fields.choice(names, seat.strategy, (value) => {
    seat.strategy = value;
    form.changed();
  });
  return html(
    "div",
    { class: "pair2" },
    fields.field(t("new.strategy"), strategy),
    fields.field(t("new.depth"), depthChoice(form, seat)),
  );
}

/** The strategy's name in the page's language, if it is one of ours. */
export function strategyName(name) {
  const known = { tuned: "new.strategy.tuned", simple: "new.strategy.simple" };
  return known[name] ? t(known[name]) : name;
}

function depthChoice(form, seat) {
  const depths = Array.from({ length: 9 }, (_, index) => [String(index + 1), String(index + 1)]);
  return fields.choice(depths, seat.depth, (value) => {
    seat.depth = value;
    form.changed();
  });
}

function remote(form, seat, number) {
  const section = `seat-${number}`;
  const input = (name, attributes) =>
    fields.textInput(
      seat[name],
      (text) => {
        seat[name] = text.trim();
        form.changed();
      },
      attributes,
    );
  const mono = { class: "field mono", spellcheck: "false", placeholder: "127.0.0.1" };
  const host = input("host", mono);
  const port = input("port", NUMERIC);
  const asked = input("asked", NUMERIC);
  const labels = [t("new.remote.host"), t("new.remote.port"), t("new.strategy")];
  form.check(section, host, () => fields.wrongHost(labels[0], seat.host));
  form.check(section, port, () => fields.wholeNumber(labels[1], seat.port, 0, 65535)[1]);
  form.check(section, asked, () => fields.wholeNumber(labels[2], seat.asked, 0, 999_999_999)[1]);
  return html(
    "div",
    { class: "pair4" },
    fields.field(labels[0], host),
    fields.field(labels[1], port, { hint: t("new.remote.port.hint") }),
    fields.field(labels[2], asked, { hint: t("new.remote.strategy.hint") }),
    fields.field(t("new.depth"), depthChoice(form, seat)),
  );
}
