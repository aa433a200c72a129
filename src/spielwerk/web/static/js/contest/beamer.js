// The beamer: standings, progress, some boards and the last results, to be read from ten metres.
// Nothing can be pressed but the way out, which comes with the pointer. Standings that do not fit
// are leafed through.

import { players } from "./results.js";
import { Running } from "./running.js";
import { axis, bar, scaleOf } from "./scale.js";
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

/** The view; it is drawn only while it is on. */
export class Beamer {
  on = false;
  #contest = null;
  #games = [];
  #last = [];
  #first = 0; // of the entrants that are shown
  #timer = 0;
  #pointer = 0;
  #box = at("beamer-standings");
  #boards = new Running(at("beamer-boards"), BOARDS, { linked: false });

  constructor() {
    addEventListener("pointermove", () => this.#pointed());
    addEventListener("pointerdown", () => this.#pointed());
    this.#box.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("resize", () => this.on && this.#draw());
  }

  /** Show it, or go back to the page. */
  show(on) {
    this.on = on;
    document.documentElement.classList.toggle("is-beamer", on);
    at("beamer").hidden = !on;
    at("leave").hidden = true;
    clearInterval(this.#timer);
    if (!on) return;
    this.#timer = setInterval(() => this.#leaf(), LEAF);
    this.#draw();
  }

  /** Whoever moves the pointer or touches the picture is shown the way out. */
  #pointed() {
    if (!this.on) return;
    clearTimeout(this.#pointer);
    at("leave").hidden = false;
    this.#pointer = setTimeout(() => {
      at("leave").hidden = !at("leave").matches(":hover, :focus-within");
    }, SHOWN);
  }

  update(contest) {
    this.#contest = contest;
    if (this.on) this.#draw();
  }

  results(last) {
    this.#last = last;
    if (this.on) this.#draw();
  }

  boards(games) {
    this.#games = games;
    if (this.on) this.#draw();
  }

  // standings

  /** Nobody who reads is pulled on; those who do not want motion leaf with the keys. */
  #leaf() {
    const held = this.#box.matches(":hover, :focus-within");
    if (!held && !still.matches && !document.hidden) this.#step(1);
  }

  #key(event) {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    this.#step(by);
  }

  #step(by) {
    const count = this.#contest?.standings.length ?? 0;
    const fit = this.#fit();
    if (count <= fit) return;
    const pages = Math.ceil(count / fit);
    const page = (Math.floor(this.#first / fit) + by + pages) % pages;
    this.#first = page * fit;
    this.#draw();
  }

  /** How many rows a page has: as many as there is room for, and on all pages about the same. */
  #fit() {
    const room = Math.max(1, Math.floor(this.#height / (ROW.least + ROW.rule)) - 1);
    const count = this.#contest?.standings.length ?? 0;
    return Math.ceil(count / Math.max(1, Math.ceil(count / room)));
  }

  /** Of the list, in percent of the window's. */
  get #height() {
    return (100 * this.#box.clientHeight) / innerHeight;
  }

  #draw() {
    if (!this.#contest) return;
    const { standings } = this.#contest;
    this.#drawResults();
    this.#drawBoards(); // now it is known how much room is left
    const fit = this.#fit();
    if (this.#first >= standings.length) this.#first = 0;
    const shown = standings.slice(this.#first, this.#first + fit);
    const told = [shown, this.#contest.order, fit, standings.length];
    const scale = scaleOf(standings, 4);
    const row = Math.min(ROW.most, (this.#height - ROW.least) / fit - ROW.rule);
    this.#box.style.setProperty("--row", row.toFixed(2));
    render(this.#box, told, () => table(shown, scale, this.#range(standings.length, fit)));
    this.#type(row);
  }

  /** Write as large as the rows allow, if no name is cut off by that. */
  #type(row) {
    const names = [...this.#box.querySelectorAll("tbody .nm")];
    const cut = () => names.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    const most = this.#games.length ? TYPE.beside : TYPE.most;
    let type = Math.min(most, TYPE.share * row);
    this.#write(type);
    while (type > TYPE.least && cut()) this.#write((type = Math.max(TYPE.least, type - TYPE.step)));
  }

  #write(type) {
    this.#box.style.setProperty("--type", type.toFixed(2));
  }

  #range(count, fit) {
    if (count <= fit) return "";
    const last = Math.min(count, this.#first + fit);
    return t("contest.range", { first: number(this.#first + 1), last: number(last), count });
  }

  // the rest

  #drawBoards() {
    at("beamer-boards").hidden = !this.#games.length;
    at("beamer").classList.toggle("has-boards", this.#games.length > 0);
    this.#boards.update(this.#games);
  }

  #drawResults() {
    const games = this.#last.slice(0, RESULTS);
    render(at("beamer-last"), games, () =>
      games.map((game) => html("li", {}, players(this.#contest, game), mark(game.outcome))),
    );
  }
}

function mark({ end }) {
  if (end === "win") return null;
  return html("span", { class: "mark" }, endIcon(end), html("span", { class: "vh" }, endWord(end)));
}

function table(shown, scale, range) {
  const column = (name, ...parts) => html("th", { scope: "col", class: name }, parts);
  const spoken = (name) => html("span", { class: "vh" }, t(`contest.column.${name}`));
  const head = html(
    "tr",
    {},
    column("rk", spoken("rank")),
    column("nm", range || t("contest.column.name")),
    column("br", scale && axis(scale), spoken("rating")),
    column("el", t("contest.column.elo")),
    column("pt", t("contest.column.points")),
  );
  return html(
    "table",
    {},
    html("caption", { class: "vh" }, t("contest.standings")),
    html("thead", {}, head),
    html("tbody", {}, shown.map((one) => row(one, scale))),
  );
}

function row(one, scale) {
  const out = Boolean(one.disqualified);
  return html(
    "tr",
    { class: out ? "is-out" : null },
    html("td", { class: "rk num" }, number(one.rank)),
    html("th", { class: "nm", scope: "row" }, html("span", {}, one.name)),
    html("td", { class: "br" }, out ? t("contest.disqualified") : scale && bar(scale, one)),
    html("td", { class: "el num" }, out || one.rating === null ? "–" : elo(one.rating)),
    html("td", { class: "pt num" }, points(one.points)),
  );
}
