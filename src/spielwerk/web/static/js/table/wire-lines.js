// The connections of a table, and the rows that show them.

import { html } from "../dom.js";
import { copyButton } from "../page.js";
import { reachable } from "../pages/services.js";
import { store } from "./state.js";
import { has, number, t } from "../texts.js";
import { Idle, isAnswer, isWait, moment, note, segment } from "../wire-rows.js";

const KEPT = 4000; // pieces of a connection

const connections = new Map(); // by the server's key

/** Take the server's news; what is new by connection, and whether known lines have changed. */
export function takeNews(news) {
  const pieces = new Map();
  let anew = false;
  for (const { from, pieces: fresh, ...facts } of news) {
    const known = connections.get(facts.key);
    if (known) anew ||= from < known.pieces.length || known.seat !== facts.seat;
    const ended = known?.open && !facts.open;
    const before = from === 0 ? [] : (known?.pieces ?? []);
    const one = Object.assign(known ?? {}, facts, { ended });
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

/** All rows of a connection. */
export function allRows(connection) {
  Object.assign(connection, { idle: null, asked: null });
  const rows = rowsOf(connection, connection.pieces);
  return [heading(connection), ...rows, !connection.open && ending(connection)].filter(Boolean);
}

/** The rows of what is new on a connection. */
export function newRows(connection, fresh) {
  const first = connection.pieces.length === fresh.length; // all of it
  if (first) return allRows(connection);
  return [...rowsOf(connection, fresh), connection.ended && ending(connection)].filter(Boolean);
}

/** The rows of these pieces; a WAIT that is answered goes into the count of those before it. */
function rowsOf(connection, pieces) {
  const rows = new Set();
  for (const piece of pieces) {
    if (connection.asked && isAnswer(piece)) rows.add(counted(connection, piece, rows));
    else for (const row of asked(connection, piece)) rows.add(row);
  }
  rows.delete(null);
  return [...rows];
}

/** The row that counts, which may stand there already: then it stays where it is. */
function counted(connection, piece, rows) {
  for (const row of connection.asked.rows) {
    row.remove();
    rows.delete(row);
  }
  connection.idle ??= new Idle(connection.opened);
  connection.idle.add(connection.asked.piece, piece);
  connection.asked = null;
  return connection.idle.element.isConnected ? null : connection.idle.element;
}

function asked(connection, piece) {
  const rows = drawn(connection, piece);
  if (!isWait(piece)) connection.idle = null;
  connection.asked = isWait(piece) ? { piece, rows } : null;
  return rows;
}

function drawn({ opened }, [at, way, text]) {
  if (way === "gap") return [note(t("wire.gap", { bytes: number(Number(text)) }), "fold")];
  return segment(opened + at, at, way, text);
}

function heading({ peer, opened, service }) {
  const time = new Date(opened).toLocaleTimeString(document.documentElement.lang);
  const spoken = t(has(`${service}.wire`) ? `${service}.wire` : `wire.service.${service}`);
  return note(t("wire.opened", { peer, time, service: spoken }), "joint");
}

function ending({ pieces }) {
  return note(t("wire.closed", { time: moment(pieces.at(-1)?.[0] ?? 0) }), "joint joint--end");
}

/** The note for a table whose wire is silent. */
export function emptyNote() {
  const { table, state } = store;
  const place = table.address ?? table.offer;
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
  return html("dl.doors", fact(t("wire.host"), value(t("wire.host"), reachable(host))), ports);
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
