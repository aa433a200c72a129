// The connections of a table, and the rows that show them.

import { html } from "../dom.js";
import { copyButton } from "../page.js";
import { reachable } from "../pages/services.js";
import { store } from "./state.js";
import { has, number, t } from "../texts.js";
import { moment, note, segment } from "../wire-rows.js";

const KEPT = 4000; // pieces of a connection

const connections = new Map(); // by the server's key

/** Take the server's news; what is new by connection, and whether known lines have changed. */
export function takeNews(news) {
  const pieces = new Map();
  let anew = false;
  for (const { from, pieces: fresh, ...facts } of news) {
    const known = connections.get(facts.key);
    if (known) anew ||= from < known.pieces.length || known.seat !== facts.seat;
    const before = from === 0 ? [] : (known?.pieces ?? []);
    const one = Object.assign(known ?? {}, facts);
    one.pieces = [...before, ...fresh].slice(-KEPT);
    connections.set(one.key, one);
    pieces.set(one, fresh);
  }
  return { pieces, anew };
}

/** The connections of a seat, the oldest first; null for those who never got one. */
export function connectionsOf(seat) {
  const own = [...connections.values()].filter((one) => one.seat === seat);
  return own.sort((a, b) => a.opened - b.opened);
}

/** The seats that have a connection. */
export const speakers = () => [...connections.values()].map((one) => one.seat);

/** A connection as plain text, a line for each piece. */
export function plain({ service, peer, opened, pieces }) {
  const arrows = { in: "<-", out: "->", gap: "--" };
  const told = ([at, way, text]) => `${moment(at).padStart(10)} ${arrows[way]} ${text}\n`;
  return `# ${service} ${peer}, ${new Date(opened).toISOString()}\n${pieces.map(told).join("")}`;
}

/** The rows of some pieces of a connection; its first piece comes after a row that names it. */
export function rowsOf(connection, pieces) {
  const first = pieces.length > 0 && connection.pieces[0] === pieces[0];
  const rows = pieces.flatMap(([at, way, text]) =>
    way === "gap"
      ? [note(t("wire.gap", { bytes: number(Number(text)) }), "fold")]
      : segment(connection.opened + at, at, way, text),
  );
  return first ? [heading(connection), ...rows] : rows;
}

function heading({ peer, opened, service }) {
  const time = new Date(opened).toLocaleTimeString(document.documentElement.lang);
  const spoken = t(has(`${service}.wire`) ? `${service}.wire` : `wire.service.${service}`);
  return note(t("wire.opened", { peer, time, service: spoken }), "pause");
}

/** The note for a table whose wire is silent; `seats` are those that speak at all. */
export function emptyNote(seats) {
  const { table, state } = store;
  const place = table.address ?? table.offer;
  if (seats.length === 0) return html("p.wire-note.wire-note--none", t("wire.none"));
  if (state.result) return html("p.wire-note", t("wire.unrecorded"));
  if (!place) return html("p.wire-note", t("wire.silent"));
  return html("div.wire-note", html("p", sentence(table)), facts(place));
}

function sentence({ address, offer }) {
  const own = address && `${address.service}.connect`;
  if (address) return t(has(own) ? own : "wire.connect");
  return t("wire.connect.offer", { index: offer.index, name: offer.name });
}

function facts({ host, port, doors = [] }) {
  const ports = doors.length
    ? doors.map(door)
    : fact(t("wire.port"), value(t("wire.port"), String(port)));
  return html("dl", fact(t("wire.host"), value(t("wire.host"), reachable(host))), ports);
}

/** A port where clients name the game, by the ID that their dialect knows. */
function door({ port, dialect, id }) {
  const values = [value(t("wire.port"), String(port)), value(t("wire.id"), id)];
  return fact(t("common.dialect", { number: dialect }), values);
}

const fact = (name, values) => html("div", html("dt", name), values);

function value(title, text) {
  return html("dd", { title }, html("span.mono", text), copyButton(() => text, title));
}
