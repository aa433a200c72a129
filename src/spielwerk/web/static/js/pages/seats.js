// A seat of a new game: who sits there, and what has to be known of them.

import { emblem, html, replace } from "../dom.js";
import { namesWith, word } from "../games.js";
import { defaultName, form, isHosted } from "./choices.js";
import * as fields from "./fields.js";
import { PORTS, addressOf, reachable, written } from "./services.js";
import { t } from "../texts.js";

const KINDS = ["person", "client", "engine", "remote"]; // which are drawings, too
const NAME = { maxlength: 80 };
const NUMERIC = { class: "field num", inputmode: "numeric" };
const MONO = { class: "field mono", spellcheck: "false" };

/** A field for a text of this object; `wrong(label, text)` says what is wrong with it. */
export function textField(label, object, name, wrong, { hint, onChange, ...attributes } = {}) {
  const keep = (text) => {
    object[name] = attributes.maxlength ? text : text.trim(); // names are trimmed when they are sent
    onChange?.();
  };
  const input = fields.textInput(object[name], keep, attributes);
  return fields.field(label, input, { hint, fault: () => wrong(label, object[name]) });
}

/** The part of the form for one seat; `changed()` is called when something else is chosen. */
export function seatPart(number, changed) {
  const seat = form.choice.seats[number];
  const body = html("div.cfg-f");
  const name = sideName(number);
  const label = t("new.kind.of", { name });
  const kinds = KINDS.map((kind) => [kind, t(`new.kind.${kind}`), kind]);
  const set = (values) => {
    Object.assign(seat, values);
    changed();
  };
  const fill = () => {
    const own = { ...NAME, "data-seat-name": number, onChange: changed };
    replace(body, textField(t("new.name"), seat, "name", wrongName, own), PARTS[seat.kind](seat, set));
  };
  const choose = (kind) => {
    seat.kind = kind;
    fill();
    changed();
  };
  const look = { barred: barred(number), className: "kinds" };
  const chooser = fields.segments(label, kinds, seat.kind, choose, look);
  fill();
  const group = { role: "group", "aria-label": name };
  const head = html("div.cfg-h", html("b", name), chooser);
  return html("div.cfg", group, emblem(number), html("div", head, body));
}

/** What a side is called: by its number, and by the game's own word where it has one. */
export function sideName(number) {
  return word(form.kind, `seat.${number}`) ?? t("common.player", { number });
}

/** Which kinds cannot sit here, and why. */
export function barred(number) {
  const { kind, game } = form;
  const reasons = {};
  if (!game.tcp) reasons.client = word(kind, "barred") ?? t("new.barred.client");
  if (kind.hosted && number === 0) reasons.client = t("new.barred.host");
  if (!kind.remote) reasons.remote = t("new.barred.remote", { games: namesWith("remote") });
  return reasons;
}

/** Protocols of hosted games part their parameters by semicolons, so names have none there. */
export function wrongName(label, value) {
  if (isHosted() && value.includes(";")) return word(form.kind, "semicolon", { field: label, value });
  return fields.wrongName(label, value);
}

/** Show in the name fields what the seats are called that have no name. */
export function showNames() {
  for (const input of document.querySelectorAll("[data-seat-name]")) {
    input.placeholder = defaultName(Number(input.dataset.seatName));
  }
}

const PARTS = { person, client, engine, remote };

function person(seat, set) {
  const note = html("p.second");
  const show = () => replace(note, t(seat.here ? "new.person.here.text" : "new.person.open.text"));
  const places = ["here", "open"].map((place) => [place, t(`new.person.${place}`)]);
  const chooser = fields.segments(t("new.person"), places, seat.here ? "here" : "open", (place) => {
    set({ here: place === "here" });
    show();
  });
  show();
  return html("div.part", html("span", t("new.person")), chooser, note);
}

function client(_seat, set) {
  const { kind, choice } = form;
  const note = html("p.second", word(kind, "client") ?? t("new.client"));
  if (!kind.hosted) return note;
  choice.index ||= ownIndex();
  const own = { ...MONO, onChange: () => set({}) };
  const index = textField(t("new.index"), choice, "index", fields.wrongAddress, own);
  return html("div.part", note, index, joining(choice.wire));
}

let services = [];

/** The services of this server; its index server is where hosted games are offered. */
export const setServices = (found) => (services = found);
const ownIndex = () => addressOf(services, "index") || written(reachable(""), PORTS.index);

/** One choice of how the table speaks to clients. */
export function wireField(name, hint = "") {
  const { wire } = form.choice;
  const known = ["", ...form.game.wire[name]];
  if (!known.includes(wire[name])) wire[name] = ""; // it was kept by another version
  const titled = known.map((value) => [value, t(`new.wire.${name}.${value || "usual"}`)]);
  const select = fields.choice(titled, wire[name], (value) => (wire[name] = value));
  return fields.field(t(`new.wire.${name}`), select, { hint });
}

/** What can be said besides about a hosted game: its words, and who may join. */
function joining(wire) {
  const ask = (yes) => (wire.ask = yes ? "yes" : "");
  const hint = t("new.wire.only.hint");
  return html(
    "details.more",
    html("summary", t("new.more")),
    html("div.pair2", wireField("spelling"), wireField("version")),
    textField(t("new.wire.only"), wire, "only", wrongName, { ...NAME, hint }),
    fields.checkbox(t("new.wire.ask"), wire.ask === "yes", ask),
  );
}

function engine(seat, set) {
  const { strategies } = form.game;
  const level = fields.levelField(seat.level, (chosen) => set({ level: chosen }));
  return html("div", level, strategies && fields.exactPart(strategies, seat, set));
}

function remote(seat, set) {
  const onChange = () => set({});
  const number = (most) => (label, text) => fields.wholeNumber(label, text, 0, most)[1];
  const text = (label, name, wrong, more) =>
    textField(label, seat, name, wrong, { ...more, onChange });
  const [port, asked] = [t("new.remote.port.hint"), t("new.remote.strategy.hint")];
  return html(
    "div.pair4",
    text(t("new.remote.host"), "host", fields.wrongHost, { ...MONO, placeholder: "127.0.0.1" }),
    text(t("new.remote.port"), "port", number(65535), { ...NUMERIC, hint: port }),
    text(t("new.strategy"), "asked", number(999_999_999), { ...NUMERIC, hint: asked }),
    fields.depthField(seat, set),
  );
}
