// The beamer: standings, progress, some boards and the last results, to be read from ten metres.
// Nothing can be pressed but the way out, which comes with the pointer. Standings that do not fit
// are leafed through.

import { players } from "./results.js";
import { isBeamer } from "../beamer.js";
import { Running } from "../boards/running.js";
import { axis, bar, scaleOf } from "./standings.js";
import { elo, endIcon, endWord, points } from "./words.js";
import { at, html, render } from "../dom.js";
import { number, t } from "../texts.js";

const LEAF = 8000; // milliseconds that a page of the standings stays
const ROW = { least: 5.3, most: 16, rule: 0.16 }; // of the height, in percent
const TYPE = { share: 0.6, least: 3.2, most: 6.4, beside: 4.6, step: 0.4 }; // beside boards less
const SHOWN = 3000; // milliseconds that the way out is seen after the pointer has moved
const BOARDS = 4;
const RESULTS = 6;
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowDown: 1, ArrowLeft: -1, PageUp: -1, ArrowUp: -1 };

const still = matchMedia("(prefers-reduced-motion: reduce)");

const box = at("beamer-standings");
const running = new Running(at("beamer-boards"), BOARDS, { linked: false });
const shown = { contest: null, games: [], last: [] };
let first = 0; // of the entrants that are shown
let timer = 0;
let pointer = 0;

/** Show the beamer, or go back to the page. */
export function showBeamer(on) {
  at("beamer").hidden = !on;
  at("leave").hidden = true;
  clearInterval(timer);
  if (on) timer = setInterval(leaf, LEAF);
  draw();
}

/** There is news: { contest }, { games } or { last }. It is drawn only while the beamer is on. */
export function updateBeamer(news) {
  Object.assign(shown, news);
  draw();
}

/** The way out is shown when the pointer moves or the picture is touched. */
function pointed() {
  if (!isBeamer()) return;
  clearTimeout(pointer);
  at("leave").hidden = false;
  pointer = setTimeout(() => {
    at("leave").hidden = !at("leave").matches(":hover, :focus-within");
  }, SHOWN);
}

addEventListener("pointermove", pointed);
addEventListener("pointerdown", pointed);
addEventListener("resize", draw);
box.addEventListener("keydown", (event) => {
  const by = STEPS[event.key];
  if (!by) return;
  event.preventDefault();
  step(by);
});

// standings

/** Readers are not pulled on; those who do not want motion leaf with the keys. */
function leaf() {
  const held = box.matches(":hover, :focus-within");
  if (!held && !still.matches && !document.hidden) step(1);
}

function step(by) {
  const count = shown.contest?.standings.length ?? 0;
  const fit = rows(count);
  if (count <= fit) return;
  const pages = Math.ceil(count / fit);
  first = ((Math.floor(first / fit) + by + pages) % pages) * fit;
  draw();
}

/** The height of the list, in percent of the window's. */
const height = () => (100 * box.clientHeight) / innerHeight;

/** How many rows a page has: as many as there is room for, and on all pages about the same. */
function rows(count) {
  const room = Math.max(1, Math.floor(height() / (ROW.least + ROW.rule)) - 1);
  return Math.ceil(count / Math.max(1, Math.ceil(count / room)));
}

function draw() {
  if (!isBeamer() || !shown.contest) return;
  const { standings, order } = shown.contest;
  drawResults();
  drawBoards(); // now it is known how much room is left
  const count = standings.length;
  const fit = rows(count);
  if (first >= count) first = 0;
  const page = standings.slice(first, first + fit);
  const last = first + page.length;
  const range = count > fit && t("contest.range", { first: number(first + 1), last: number(last), count });
  const tall = Math.min(ROW.most, (height() - ROW.least) / fit - ROW.rule);
  box.style.setProperty("--row", tall.toFixed(2));
  render(box, [page, order, fit, count], () => table(page, scaleOf(standings, 4), range));
  write(tall);
}

/** Write as large as the rows allow, if no name is cut off by that. */
function write(tall) {
  const names = [...box.querySelectorAll("tbody .nm")];
  const cut = () => names.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  const set = (type) => box.style.setProperty("--type", type.toFixed(2));
  let type = Math.min(shown.games.length ? TYPE.beside : TYPE.most, TYPE.share * tall);
  set(type);
  while (type > TYPE.least && cut()) set((type = Math.max(TYPE.least, type - TYPE.step)));
}

// the rest

function drawBoards() {
  at("beamer-boards").hidden = !shown.games.length;
  at("beamer").classList.toggle("has-boards", shown.games.length > 0);
  running.update(shown.games);
}

function drawResults() {
  const games = shown.last.slice(0, RESULTS);
  const item = (game) => html("li", players(shown.contest, game), mark(game.outcome));
  render(at("beamer-last"), games, () => games.map(item));
}

function mark({ end }) {
  if (end === "win") return null;
  return html("span.mark", endIcon(end), html("span.vh", endWord(end)));
}

function table(shown, scale, range) {
  const column = (name, ...parts) => html("th", { scope: "col", class: name }, parts);
  const spoken = (name) => html("span.vh", t(`contest.column.${name}`));
  const head = html(
    "tr",
    column("rk", spoken("rank")),
    column("nm", range || t("contest.column.name")),
    column("br", scale && axis(scale), spoken("rating")),
    column("el", t("contest.column.elo")),
    column("pt", t("contest.column.points")),
  );
  return html(
    "table",
    html("caption.vh", t("contest.standings")),
    html("thead", head),
    html("tbody", shown.map((one) => row(one, scale))),
  );
}

function row(one, scale) {
  const out = Boolean(one.disqualified);
  return html(
    "tr",
    { class: out ? "is-out" : null },
    html("td.rk.num", number(one.rank)),
    html("th.nm", { scope: "row" }, html("span", one.name)),
    html("td.br", out ? t("contest.disqualified") : scale && bar(scale, one)),
    html("td.el.num", out || one.rating === null ? "–" : elo(one.rating)),
    html("td.pt.num", points(one.points)),
  );
}
