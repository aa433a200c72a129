// Lines of a wire: a piece of bytes taken apart, and drawn line by line with time and arrow.

import { html, svg } from "./dom.js";
import { t } from "./texts.js";

const ESCAPE = /\\(?:\\|[nrt0]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})/g;
const TRAILING = / +$/;
const LONG = 200; // characters of a line that are shown at once
const ARROWS = { out: "M2 6h15m-4.5-4L17 6l-4.5 4", in: "M18 6H3m4.5-4L3 6l4.5 4" };
const CLASSES = { out: "s", in: "c" };

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
export function moment(milliseconds) {
  const whole = Math.max(0, Math.round(milliseconds));
  const seconds = ((whole % 60000) / 1000).toFixed(3).padStart(6, "0");
  const minutes = Math.floor(whole / 60000);
  return minutes > 0 ? `${minutes}:${seconds}` : seconds;
}

/** A row that is no bytes. */
export function note(text, kind) {
  return html("li", { class: kind }, html("span.ms"), html("span.dir"), html("span.tx", text));
}

/** The rows of a segment: `at` is in milliseconds, its text escaped as the server does it. */
export function segment(time, at, way, text) {
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

const WAIT = /^\+ WAIT\\n$/;
const OKWAIT = /^OKWAIT(?:\\r)?\\n$/;

/** Whether the piece `[at, way, text]` is the server's sign of life, and whether an answer to it. */
export const isWait = ([, way, text]) => way === "out" && WAIT.test(text);
export const isAnswer = ([, way, text]) => way === "in" && OKWAIT.test(text);

/** Signs of life and their answers, folded into a count that shows them at a click. */
export class Idle {
  #opened;
  #pairs = [];
  #rows = []; // while they are shown
  #button = html("button.more", { "aria-expanded": "false", on: { click: () => this.#toggle() } });
  element = html("li.fold", html("span.ms.num"), html("span.dir"), html("span.tx", this.#button));

  /** `opened` is when the connection was, in milliseconds. */
  constructor(opened) {
    this.#opened = opened;
  }

  /** One more pair of pieces. */
  add(...pair) {
    this.#pairs.push(pair);
    const values = { count: this.#pairs.length, time: moment(pair.at(-1)[0]) };
    this.element.firstChild.textContent = moment(this.#pairs[0][0][0]);
    this.#button.textContent = t("wire.idle", values);
    if (this.#rows.length) this.#show([pair]);
  }

  #toggle() {
    const open = this.#rows.length > 0;
    this.#button.setAttribute("aria-expanded", String(!open));
    for (const row of this.#rows.splice(0)) row.remove();
    if (!open) this.#show(this.#pairs);
  }

  #show(pairs) {
    const rows = pairs.flat().flatMap(([at, way, text]) => segment(this.#opened + at, at, way, text));
    (this.#rows.at(-1) ?? this.element).after(...rows);
    this.#rows.push(...rows);
  }
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
