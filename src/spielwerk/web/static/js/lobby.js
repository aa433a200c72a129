// The lobby: games to begin, tables and contests to go to, services to connect to.

import { read } from "./api.js";
import { Running, followBoards } from "./boards/running.js";
import { Kept, action, at, html, icon, put, render, replace } from "./dom.js";
import { kindOf, kinds, nameOf, word } from "./games.js";
import { copyButton, live } from "./page.js";
import { playTiles } from "./pages/play.js";
import {
  FILTERS,
  chosen,
  chosenContests,
  contestRow,
  isId,
  tableRow,
  together,
} from "./pages/rows.js";
import {
  PORTS,
  addressOf,
  addresses,
  forClients,
  reachable,
  serviceName,
  written,
} from "./pages/services.js";
import { failure, number, t } from "./texts.js";

const MOST = 100; // rows at once; more on demand
const PAGE = 50; // finished tables in an answer
const PATIENCE = 250; // milliseconds after the last key before the server is searched

const query = document.getElementById("query");

let lobby = null;
let filter = "current";
let most = MOST;
let older = new Map(); // finished tables that were asked for, by ID
let exhausted = false; // whether there are no older ones
let fault = "";

// what comes from the server

async function load() {
  try {
    take(await read("/api/v1/lobby"));
  } catch (error) {
    fault = failure(error);
    showUnder([]);
  }
}

function take(news) {
  fault = "";
  lobby = news;
  showAll();
}

async function loadOlder() {
  const ended = shown("finished");
  const before = Math.min(...ended.map(({ created }) => created));
  const text = query.value.trim();
  const wish = new URLSearchParams({ status: "finished" });
  if (text) wish.set("q", text);
  if (ended.length) wish.set("before", before);
  try {
    const { tables } = await read(`/api/v1/lobby?${wish}`);
    const found = tables.filter(({ id }) => !older.has(id));
    exhausted = tables.length < PAGE || !found.length;
    for (const table of found) older.set(table.id, table);
  } catch (error) {
    fault = failure(error);
  }
  showList();
}

function known() {
  const all = new Map(older);
  for (const table of lobby?.tables ?? []) all.set(table.id, table);
  return [...all.values()];
}

const shown = (which) => chosen(known(), which, query.value.trim());
const contests = (which, text) => chosenContests(lobby?.contests ?? [], which, text);

// what is shown

function showAll() {
  showFilters();
  showList();
  showServices();
}

replace(at("tiles"), playTiles((error) => {
  fault = failure(error);
  showList();
}));

/** How many there are for each filter. */
function numbers() {
  const tables = { open: 0, running: 0, finished: 0, ...lobby?.counts };
  tables.current = chosen(known(), "current", "").length;
  return Object.fromEntries(FILTERS.map((one) => [one, tables[one] + contests(one, "").length]));
}

// They stay the same nodes: a click on them is not lost when something changes.
const buttons = FILTERS.map((name) => html("button", { on: { click: () => choose(name) } }));

replace(at("filters"), buttons);

function showFilters() {
  const found = numbers();
  FILTERS.forEach((name, n) => {
    put(buttons[n], t(`lobby.filter.${name}`, { number: number(found[name]) }));
    buttons[n].setAttribute("aria-pressed", String(name === filter));
  });
}

function choose(name) {
  filter = name;
  most = MOST;
  showFilters();
  showList();
}

const rows = new Kept();

function showList() {
  if (!lobby) return;
  const listed = together(shown(filter), contests(filter, query.value.trim()));
  const focused = document.activeElement?.closest(".trow") && document.activeElement;
  const held = focused?.closest(".trow").dataset.id;
  const row = (one) => [keyOf(one), one, (before) => renewed(before, made(one))];
  rows.show(at("list"), listed.slice(0, most).map(row));
  if (held && document.activeElement !== focused) refocus(held, focused.matches(".tool"));
  showUnder(listed);
}

const keyOf = ({ id, key = id }) => key;
const made = (one) => (one.contest ? contestRow(one) : tableRow(one));

/** The row that was there, with what is new: a click on a link in it is not lost. */
function renewed(before, row) {
  if (!before) return row;
  before.className = row.className;
  [...row.children].forEach((cell, index) => {
    if (!cell.isEqualNode(before.children[index])) before.children[index].replaceWith(cell);
  });
  return before;
}

/** What had the focus was made anew, or has moved: it goes where it was. */
function refocus(key, copying) {
  const row = [...at("list").children].find(({ dataset }) => dataset.id === key);
  const wanted = copying ? row?.querySelector(".tool") : null;
  (wanted ?? row?.querySelector("a.btn"))?.focus({ preventScroll: true });
}

function showUnder(listed) {
  const text = query.value.trim();
  const note = (sentence) => html("p.second", sentence);
  const parts = [
    fault && html("p.fault", fault),
    !fault && !lobby && note(t("lobby.loading")),
    lobby?.listing === false && note(t("lobby.unlisted")),
    lobby && !listed.length && note(nothing(text)),
    isId(text) && html("a.btn", { href: `/t/${text}` }, t("lobby.open.id", { id: text })),
    more(listed),
  ].filter(Boolean);
  render(at("under"), parts.map((part) => part.textContent), () => parts);
}

function nothing(text) {
  if (text) return t("lobby.empty.search", { query: text });
  return filter === "current" ? t("lobby.empty") : t("lobby.empty.filter");
}

function more(listed) {
  const button = (label, click) => action(null, label, click, "btn");
  const all = () => t("lobby.all", { number: number(listed.length) });
  if (listed.length > most) return button(all(), showEvery);
  const known = filter !== "finished" || exhausted || listed.length >= numbers().finished;
  return known ? null : button(t("lobby.more"), loadOlder);
}

function showEvery() {
  most = Infinity;
  showList();
}

// services and the short session

function showServices() {
  const services = forClients(lobby?.services ?? []);
  const none = () => html("li", t("lobby.noServices"));
  render(at("services"), services, () => (services.length ? services.map(serviceItem) : none()));
  showSession();
}

function serviceItem(service) {
  const { name, clients = 0 } = service;
  const lines = addresses(service).map(([host, port], index, { length }) => {
    const { number } = service.dialects?.[port] ?? {};
    const spoken = number && t("common.dialect", { number });
    const way = index === length - 1 && transport(name, clients);
    return [
      html("span.mono", written(host, ""), html("b", String(port))),
      html("span", [spoken, way].filter(Boolean).join(", ")),
    ];
  });
  const address = addressOf([service], name);
  return html(
    "li",
    html("div", html("b", serviceName(name)), html("span", about(name))),
    html("div.port", lines),
    copyButton(() => address, t("lobby.address", { name: serviceName(name) })),
  );
}

/** The games that a service plays. */
function about(name) {
  const usual = (kind) => kind === kindOf({ game: kind.game });
  const played = kinds.filter((kind) => kind.services.includes(name) && usual(kind));
  return played.map((kind) => word(kind, "serves") ?? nameOf(kind)).join(", ");
}

function transport(name, clients) {
  const way = name === "index" || name === "host" ? "tcp + udp" : "tcp";
  return clients ? `${way}, ${t("lobby.clients", { count: clients })}` : way;
}

/** What is said at the usual port while the service is not running. */
const FIRST = { number: 1, banner: "MNM Gameserver v1.0 accepting connections" };

function showSession() {
  const service = (lobby?.services ?? []).find(({ name }) => name === "mnm");
  const [[host, port] = [reachable(""), PORTS.mnm]] = addresses(service);
  const { number, banner } = service?.dialects?.[port] ?? FIRST;
  const dim = (text) => html("span.dim", text);
  replace(
    at("session"),
    [dim("$"), ` nc ${host} ${port}\n`],
    [dim("→"), ` + ${banner}\n`],
    html("b", `← VERSION ${number}.42`),
  );
}

// searching

let waiting = 0;

query.addEventListener("input", () => {
  exhausted = false;
  showList();
  clearTimeout(waiting);
  if (query.value.trim()) waiting = setTimeout(loadOlder, PATIENCE);
});

at("search").prepend(icon("search"));
at("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = query.value.trim();
  if (isId(text)) location.assign(`/t/${text}`);
});

// and off

at("new").prepend(icon("plus"));
for (const { lobbySection } of kinds) {
  if (lobbySection) at("services").closest("section").after(section(lobbySection));
}

/** What a game has to offer here besides its tables. */
function section({ words, open }) {
  const press = () => open(addressOf(lobby?.services ?? [], "index"));
  return html(
    "section.panel",
    { "aria-labelledby": words },
    html("header", html("h2", { id: words }, t(words))),
    html("p.second", t(`${words}.text`)),
    html("button.btn", { on: { click: press } }, t(`${words}.open`)),
  );
}

// the show game of an empty server

const running = new Running(at("boards"), 1);

followBoards(live, "show", (message) => {
  at("show").hidden = !running.take(message).length;
});

showAll();
live.addEventListener("lobby", (event) => take(event.detail));
await load();
