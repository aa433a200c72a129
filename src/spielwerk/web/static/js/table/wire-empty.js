// What the wire's panel says while nothing has been said: how to connect, or that nobody will.

import { copyButton } from "../pages/copy.js";
import { html } from "../svg.js";
import { has, t } from "../texts.js";

const EVERYWHERE = new Set(["0.0.0.0", "::", ""]);

/** The note for a table whose wire is silent. */
export function emptyNote(table, state, seats) {
  if (!table || !state) return html("p", { class: "wire-note" }, t("wire.waiting"));
  if (seats.length === 0) return html("p", { class: "wire-note wire-note--none" }, t("wire.none"));
  if (state.result) return html("p", { class: "wire-note" }, t("wire.unrecorded"));
  const place = table.address ?? table.offer;
  if (!place) return html("p", { class: "wire-note" }, t("wire.silent"));
  const told = html("p", {}, sentence(table));
  return html("div", { class: "wire-note" }, told, facts(place));
}

function sentence({ address, offer }) {
  const own = address && `${address.service}.connect`;
  if (address) return t(has(own) ? own : "wire.connect");
  return t("wire.connect.offer", { index: offer.index, name: offer.name });
}

function facts({ host, port, doors = [] }) {
  const named = EVERYWHERE.has(host) ? location.hostname : host;
  return html(
    "dl",
    {},
    fact(t("wire.host"), named),
    doors.length ? doors.map(door) : fact(t("wire.port"), String(port)),
  );
}

/** A port where clients name the game, by the ID that their dialect knows. */
function door({ port, dialect, id }) {
  return html(
    "div",
    {},
    html("dt", {}, t("common.dialect", { number: dialect })),
    value(t("wire.port"), String(port)),
    value(t("wire.id"), id),
  );
}

function fact(name, text) {
  return html("div", {}, html("dt", {}, name), value(name, text));
}

function value(name, text) {
  return html("dd", { title: name }, html("span", { class: "mono" }, text), copyButton(() => text, name));
}
