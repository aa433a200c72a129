// The connections of a table: their texts taken apart, and drawn line by line with time and arrow.

import { html, svg } from "../dom.js";
import { copyButton } from "../page.js";
import { reachable } from "../pages/services.js";
import { store } from "./state.js";
import { has, number, t } from "../texts.js";

const KEPT = 4000; // pieces of a connection
const ESCAPE = /\\(?:\\|[nrt0]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})/g;
const TRAILING = / +$/;

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

/** The lines of a piece; what is not the end of a line stays as it is escaped. */
function lines(text) {
  const found = [[]];
  let start = 0;
  for (const match of text.matchAll(ESCAPE)) {
    put(found.at(-1), "text", text.slice(start, match.index));
    start = match.index + match[0].length;
    if (match[0] === "\\\\") put(found.at(-1), "text", "\\");
    else put(found.at(-1), match[0] === "\\n" ? "end" : "odd", match[0]);
    if (match[0] === "\\n") found.push([]);
  }
  put(found.at(-1), "text", text.slice(start));
  if (found.length > 1 && found.at(-1).length === 0) found.pop();
  return found.map(withBlanks);
}

function put(line, kind, text) {
  const last = line.at(-1);
  if (kind === "text" && last?.kind === "text") last.text += text;
  else if (text) line.push({ kind, text });
}

/** Blanks at the end of a line are told apart: they could not be seen otherwise. */
function withBlanks(line) {
  const last = line.findLastIndex(({ kind, text }) => kind !== "end" && text !== "\\r");
  const ends = line.at(-1)?.kind === "end" && line[last]?.kind === "text";
  const blanks = ends && TRAILING.exec(line[last].text);
  if (!blanks) return line;
  const rest = { kind: "text", text: line[last].text.slice(0, blanks.index) };
  const told = { kind: "odd", text: "␣".repeat(blanks[0].length) };
  return [...line.slice(0, last), ...(rest.text ? [rest] : []), told, ...line.slice(last + 1)];
}

/** Milliseconds since a connection was opened, as they stand before a line: `1:02.345`. */
function moment(milliseconds) {
  const whole = Math.max(0, Math.round(milliseconds));
  const seconds = ((whole % 60000) / 1000).toFixed(3).padStart(6, "0");
  const minutes = Math.floor(whole / 60000);
  return minutes > 0 ? `${minutes}:${seconds}` : seconds;
}

/** A connection as plain text, a line for each piece. */
export function plain({ service, peer, opened, pieces }) {
  const arrows = { in: "<-", out: "->", gap: "--" };
  const told = ([at, way, text]) => `${moment(at).padStart(10)} ${arrows[way]} ${text}\n`;
  return `# ${service} ${peer}, ${new Date(opened).toISOString()}\n${pieces.map(told).join("")}`;
}

const LONG = 200; // characters of a line that are shown at once
const ARROWS = { out: "M2 6h15m-4.5-4L17 6l-4.5 4", in: "M18 6H3m4.5-4L3 6l4.5 4" };
const CLASSES = { out: "s", in: "c" };

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

function note(text, kind) {
  return html("li", { class: kind }, html("span.ms"), html("span.dir"), html("span.tx", text));
}

function segment(time, at, way, text) {
  const found = lines(text);
  const last = found.length - 1;
  return found.map((line, index) => {
    const bracket = last > 0 && (index === 0 ? "seg-a" : index === last ? "seg-z" : "seg-m");
    const datetime = new Date(time).toISOString();
    return html(
      `li.${CLASSES[way]}`,
      { class: bracket },
      html("span.ms.num", index === 0 && html("time", { datetime }, moment(at))),
      arrow(way),
      html("span.tx", folded(line)),
    );
  });
}

function arrow(way) {
  const label = t(`wire.${way}`);
  const look = { class: "ico", viewBox: "0 0 20 12", "aria-hidden": "true" };
  return html(
    "span.dir",
    { title: label },
    svg("svg", look, svg("path", { d: ARROWS[way] })),
    html("span.vh", label),
  );
}

/** A line that is very long shows its beginning and its end, the whole comes at a click. */
function folded(line) {
  const length = line.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= LONG) return line.map(part);
  const end = line.at(-1).kind === "end" ? [line.at(-1)] : [];
  const whole = html("span.is-long", line.slice(0, line.length - end.length).map(part));
  const click = () => {
    whole.classList.remove("is-long");
    more.remove();
  };
  const more = html("button.more", { on: { click } }, t("wire.more", { count: length }));
  return [whole, more, ...end.map(part)];
}

function part({ kind, text }) {
  if (kind === "text") return text;
  return html("span", { class: kind === "end" ? "nl" : "odd" }, text);
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
