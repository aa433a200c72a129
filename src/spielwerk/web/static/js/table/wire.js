// The wire: what was said on a table's connections, both directions, every character to be seen.

import { at, html, render, replace, tool } from "../dom.js";
import { copyButton } from "../page.js";
import { segments } from "../pages/fields.js";
import { store } from "./state.js";
import { allRows, connectionsOf, emptyNote, newRows, plain, speakers, takeNews } from "./wire-lines.js";
import { t } from "../texts.js";

const ROWS = 1500; // lines that are shown at most
const NEAR = 24; // pixels from the end that still count as the end
const UNSEATED = "none"; // the choice of those who never got a seat

let live = null;
let chosen = null; // a seat's number or UNSEATED
let listed = null; // the choice whose lines are shown
let paused = false;
let follows = true; // whether the newest line is to stay in sight
let on = false;

const header = html("header");
const list = html("ol.wire");
const jump = html("button.btn.btn--s.wire-jump", { hidden: true, on: { click: toEnd } }, t("wire.jump"));
const log = { tabindex: "0", "aria-label": t("wire.title"), role: "log", "aria-live": "off" };
const body = html("div.body.wire-body", { ...log, on: { scroll: scrolled } });

/** Fill the panel, and follow the table's wire through the page's connection. */
export function startWire(connection) {
  live = connection;
  replace(at("wire"), header, body, jump);
  new ResizeObserver(() => follows && toEnd()).observe(body);
  live.addEventListener("wire", ({ detail }) => heard(detail.connections));
}

/** The table or its state has changed. */
export function updateWire() {
  const wanted = seats().length > 0;
  if (wanted !== on) live.follow("wire", wanted);
  on = wanted;
  for (const part of [at("wire"), document.querySelector(".tabs [data-tab=wire]")]) part.hidden = !wanted;
  if (!wanted) return;
  // This comes with every move; lines that are shown already need not be made anew.
  if (shown().length > 0 && choice() === listed) showHeader();
  else show();
}

// what there is to see

function seats() {
  const spoken = new Set(speakers());
  const far = ({ kind, player }) => kind === "client" || player?.startsWith("remote:");
  return store.state.seats.filter((seat) => far(seat) || spoken.has(seat.number));
}

function choices() {
  const seated = seats().map((seat) => [seat.number, seat.name]);
  return connectionsOf(null).length ? [...seated, [UNSEATED, t("wire.unseated")]] : seated;
}

function choice() {
  const numbers = choices().map(([number]) => number);
  if (numbers.includes(chosen)) return chosen;
  const speaking = numbers.find((number) => shown(number).length > 0);
  return speaking ?? numbers[0] ?? null;
}

function shown(of = choice()) {
  return connectionsOf(of === UNSEATED ? null : of);
}

function heard(news) {
  const known = shown();
  const grown = takeNews(news);
  if (paused) return showHeader();
  const simple = listed === choice() && known.length > 0 && !grown.anew;
  if (simple) append(grown.pieces);
  else show();
  showHeader();
}

// showing it

function show() {
  showHeader();
  listed = choice();
  const connections = shown();
  if (connections.length === 0) return replace(body, emptyNote());
  const rows = connections.flatMap(allRows).slice(-ROWS);
  replace(list, rows, cursor());
  replace(body, list);
  toEnd();
}

function append(pieces) {
  const visible = new Set(shown());
  const rows = [...pieces].flatMap(([one, fresh]) => (visible.has(one) ? newRows(one, fresh) : []));
  list.querySelector(".now")?.remove();
  list.append(...rows, ...[cursor()].filter(Boolean));
  if (follows) {
    while (list.childElementCount > ROWS) list.firstElementChild.remove();
    toEnd();
  } else if (rows.length > 0) {
    jump.hidden = false;
  }
}

/** The mark after the last line, as long as a connection is open. */
function cursor() {
  const open = shown().some((one) => one.open);
  const cells = ["ms", "dir", "tx"].map((name) => html(`span.${name}`));
  return open && html("li.now", { "aria-hidden": "true" }, cells);
}

function showHeader() {
  const [all, now, connections] = [choices(), choice(), shown()];
  const alone = all.length > 1 ? null : all[0]?.[1];
  const last = connections.at(-1);
  const sub = last ? [alone, last.peer].filter(Boolean).join(", ") : "";
  const speaks = connections.length > 0;
  const look = { className: "seg--s wire-seats" };
  render(header, [all, now, sub, paused, speaks], () => [
    html("h2", t("wire.title")),
    all.length > 1 && segments(t("wire.choose"), all, now, choose, look),
    html("span.sub", sub),
    speaks && html("div.tools", tools()),
  ]);
}

function choose(number) {
  chosen = number;
  show();
}

function tools() {
  return [
    tool(paused ? "play" : "pause", t(paused ? "wire.resume" : "wire.pause"), pause),
    copyButton(text, t("wire.transcript")),
    tool("save", t("wire.save"), save),
  ];
}

// what can be done

function pause() {
  paused = !paused;
  at("wire").classList.toggle("is-paused", paused);
  if (paused) showHeader();
  else show();
}

const text = () => shown().map(plain).join("\n");

function save() {
  const file = new Blob([text()], { type: "text/plain;charset=utf-8" });
  const href = URL.createObjectURL(file);
  html("a", { href, download: `${store.id}-wire.txt` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

function toEnd() {
  follows = true;
  body.scrollTop = body.scrollHeight;
  jump.hidden = true;
}

function scrolled() {
  const { scrollHeight, clientHeight, scrollTop } = body;
  if (clientHeight === 0) return; // nothing was scrolled: the panel is not to be seen
  follows = scrollHeight - clientHeight - scrollTop < NEAR;
  if (follows) jump.hidden = true;
}
