// What the wire's panel says while nothing has been said: how to connect, or that nobody will.

import { copyButton } from "../pages/copy.js";
import { html } from "../svg.js";
import { t } from "../texts.js";

const EVERYWHERE = new Set(["0.0.0.0", "::", ""]);
const KEYED = new Set(["mnm"]); // services that ask for the Game-ID

/** The note for a table whose wire is silent. */
export function emptyNote(table, state, seats, id) {
  if (!table || !state) return html("p", { class: "wire-note" }, t("wire.waiting"));
  if (seats.length === 0) return html("p", { class: "wire-note wire-note--none" }, t("wire.none"));
  if (state.result) return html("p", { class: "wire-note" }, t("wire.unrecorded"));
  const place = table.address ?? table.offer;
  if (!place) return html("p", { class: "wire-note" }, t("wire.silent"));
  const told = html("p", {}, sentence(table));
  return html("div", { class: "wire-note" }, told, facts(table, place, id));
}

function sentence({ address, offer }) {
  if (address) return t(`wire.connect.${address.service}`);
  return t("wire.connect.offer", { index: offer.index, name: offer.name });
}

function facts(table, place, id) {
  const host = EVERYWHERE.has(place.host) ? location.hostname : place.host;
  const keyed = KEYED.has(table.address?.service);
  return html(
    "dl",
    {},
    fact(t("wire.host"), host),
    fact(t("wire.port"), String(place.port)),
    keyed && fact(t("wire.id"), id),
  );
}

function fact(name, value) {
  return html(
    "div",
    {},
    html("dt", {}, name),
    html("dd", {}, html("span", { class: "mono" }, value), copyButton(() => value, name)),
  );
}
