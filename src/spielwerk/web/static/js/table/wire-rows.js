// The lines of a connection as they are drawn: time, arrow, text, and a bracket for each segment.

import { html, svg } from "../svg.js";
import { has, number, t } from "../texts.js";
import { lines, moment } from "./wire-lines.js";

const LONG = 200; // characters of a line that are shown at once
const ARROWS = { out: "M2 6h15m-4.5-4L17 6l-4.5 4", in: "M18 6H3m4.5-4L3 6l4.5 4" };
const CLASSES = { out: "s", in: "c" };

/** The rows of some pieces of a connection; its first piece comes after a row that names it. */
export function rowsOf(connection, pieces) {
  const first = pieces.length > 0 && connection.pieces[0] === pieces[0];
  const rows = pieces.flatMap(([at, way, text]) =>
    way === "gap" ? [gap(text)] : segment(connection.opened + at, at, way, text),
  );
  return first ? [heading(connection), ...rows] : rows;
}

function heading({ peer, opened, service }) {
  const time = new Date(opened).toLocaleTimeString(document.documentElement.lang);
  return note(t("wire.opened", { peer, time, service: spoken(service) }), "pause");
}

/** What a service is called in transcripts. */
function spoken(service) {
  return t(has(`${service}.wire`) ? `${service}.wire` : `wire.service.${service}`);
}

function gap(bytes) {
  return note(t("wire.gap", { bytes: number(Number(bytes)) }), "fold");
}

function note(text, kind) {
  return html(
    "li",
    { class: kind },
    html("span", { class: "ms" }),
    html("span", { class: "dir" }),
    html("span", { class: "tx" }, text),
  );
}

function segment(time, at, way, text) {
  const found = lines(text);
  const last = found.length - 1;
  return found.map((line, index) => {
    const bracket = last > 0 && (index === 0 ? "seg-a" : index === last ? "seg-z" : "seg-m");
    const shown = index === 0 ? html("time", { datetime: stamp(time) }, moment(at)) : null;
    return html(
      "li",
      { class: [CLASSES[way], bracket].filter(Boolean).join(" ") },
      html("span", { class: "ms num" }, shown),
      arrow(way),
      html("span", { class: "tx" }, folded(line)),
    );
  });
}

function stamp(time) {
  return new Date(time).toISOString();
}

function arrow(way) {
  const label = t(`wire.${way}`);
  return html(
    "span",
    { class: "dir", title: label },
    svg("svg", { viewBox: "0 0 20 12", "aria-hidden": "true" }, svg("path", { d: ARROWS[way] })),
    html("span", { class: "vh" }, label),
  );
}

/** A line that is very long shows its beginning and its end, the rest comes at a click. */
function folded(line) {
  const length = line.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= LONG) return line.map(part);
  const [head, rest] = cut(line, LONG / 2);
  const end = rest.filter(({ kind }) => kind === "end");
  const hidden = rest.filter(({ kind }) => kind !== "end");
  const count = hidden.reduce((sum, { text }) => sum + text.length, 0);
  const more = html(
    "button",
    {
      type: "button",
      class: "more",
      on: { click: () => more.replaceWith(...hidden.map(part)) },
    },
    t("wire.more", { count }),
  );
  return [...head.map(part), more, ...end.map(part)];
}

function cut(line, length) {
  const head = [];
  let left = length;
  for (const [index, { kind, text }] of line.entries()) {
    if (text.length > left) {
      const begun = kind === "text" ? [{ kind, text: text.slice(0, left) }] : [];
      const rest = { kind, text: kind === "text" ? text.slice(left) : text };
      return [[...head, ...begun], [rest, ...line.slice(index + 1)]];
    }
    head.push({ kind, text });
    left -= text.length;
  }
  return [head, []];
}

function part({ kind, text }) {
  if (kind === "text") return text;
  return html("span", { class: kind === "end" ? "nl" : "odd" }, text);
}
