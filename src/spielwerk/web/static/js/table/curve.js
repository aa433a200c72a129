// The review of a finished game: its chances as a curve, the mistakes, and what was better.

import { ask } from "../api.js";
import { assign, at, html, replace, svg, whenSeen } from "../dom.js";
import { analyse, offerMistakes } from "./analysis.js";
import { display } from "./display.js";
import { input } from "./input.js";
import { markMistakes } from "./moves.js";
import { markTicks, slider, updateSlider } from "./replay.js";
import { store } from "./state.js";
import { moveName, percent, proof, sign } from "./words.js";
import { number, said, t } from "../texts.js";

const [LEFT, WIDTH, HEIGHT] = [8, 604, 92];
const MIDDLE = HEIGHT / 2;
const AGAIN = 1000; // milliseconds between two questions while the curve grows
const BUSY = 4000;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

let started = false;
let review = { effort: null, deeper: false, progress: null, points: [], mistakes: [], players: [] };
let drawn = 0; // the number of plies that the drawing is for
const sub = html("span.sub");
const tools = html("div.tools");
const look = { viewBox: "0 -4 620 118", role: "img", on: { click: clicked } };
const drawing = svg("svg.curve", look);
const cursor = svg("path.cursor");
const list = html("ol.mistakes", {
  on: {
    click: ({ target }) => {
      const button = target.closest("button");
      if (button) display.seek(Number(button.dataset.ply));
    },
  },
});

/** Show the panel of a finished game: the curve, which begins to grow now, and the slider. */
export function updateCurve() {
  if (!started) start();
  if (drawn !== store.length) draw();
  mark();
  updateSlider();
}

function start() {
  started = true;
  const title = html("h2", { id: "head-curve" }, t("analysis.curve"));
  document.querySelector("main").classList.add("table--replay");
  replace(at("curve"), html("header", title, sub, tools), drawing, slider());
  at("curve").hidden = false;
  load();
  analyse(); // a tournament's game may be looked at from now on
}

/** Have the game reviewed, or reviewed deeper, and draw what is found while it grows. */
async function load(method = "GET") {
  try {
    review = await ask(method, `${store.path}/review`);
  } catch ({ status, said: message }) {
    if (status && status !== 429) return replace(sub, t("analysis.noCurve"));
    if (message) replace(sub, said(message));
    return again(() => load(method), BUSY);
  }
  draw();
  tell();
  if (review.progress) again(load, AGAIN);
}

const again = (work, wait) => setTimeout(() => whenSeen(() => work()), wait);

/** Go to the next mistake, or to the one before; after the last comes the first. */
export function seekMistake(by) {
  const { mistakes } = review;
  const { shown } = display;
  const found =
    by > 0
      ? (mistakes.find(({ ply }) => ply + 1 > shown) ?? mistakes[0])
      : (mistakes.findLast(({ ply }) => ply + 1 < shown) ?? mistakes.at(-1));
  if (found) display.seek(found.ply + 1);
}

/** Draw the better move where a mistake led to what is shown; what it would have kept, or "". */
export function showBetter() {
  const mistake = review.mistakes.find(({ ply }) => ply + 1 === display.shown);
  const advised = mistake?.better ?? null;
  input.hinted = advised;
  if (display.board.hinted !== advised) display.board.hint(advised); // each new view forgets it
  return mistake ? sentence(mistake) : "";
}

function sentence({ ply, seat, better: move }) {
  const { chances, exact } = review.points[ply];
  const kept = !many() && exact ? (chances[seat] === 1 ? "win" : "draw") : "chance";
  return t(`analysis.wasBetter.${kept}`, { move: moveName(move), chance: percent(chances[seat]) });
}

function clicked(event) {
  const { left, width } = drawing.getBoundingClientRect();
  const place = ((event.clientX - left) / width) * 620;
  display.seek(Math.max(0, Math.round(((place - LEFT) / WIDTH) * last())));
}

// drawing

const last = () => Math.max(1, store.length);
const x = (ply) => LEFT + (WIDTH * ply) / last();
const y = (value) => MIDDLE - value * (MIDDLE - 4);
const many = () => store.state.seats.length > 2;

function draw() {
  drawn = store.length;
  const points = review.points.map(placed);
  drawing.setAttribute("aria-label", t("analysis.curveOver", { count: last() }));
  replace(drawing, areas(points), ticks(), review.mistakes.map(slip), cursor);
  describe(points.filter(Boolean));
  mark();
}

/** A point as it is drawn: player 0 against the other, or everybody's chances. */
function placed(point, ply) {
  return point && { ...point, ply, value: many() ? point.chances : 2 * point.chances[0] - 1 };
}

function mark() {
  cursor.setAttribute("d", `M${x(display.shown)} -2V${HEIGHT + 2}`);
  for (const button of list.querySelectorAll("button")) {
    assign(button, { "aria-current": Number(button.dataset.ply) === display.shown && "true" });
  }
}

/** The curve through these points, the first of them before any ply; null where none is known. */
export const areas = (points) => (many() ? stacked(points) : balanced(points));

/** What is known of a finished game after so many plies, if anything. */
export const pointAt = (ply) => placed(review.points[ply] ?? null, ply);

/** Two players: above the middle is the first one's, below the other's. */
function balanced(points) {
  const ground = { x: LEFT, width: WIDTH, height: MIDDLE };
  const parts = runs(points).map((run) => {
    const line = run.map(({ ply, value }) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`);
    const [from, to] = [run[0].ply, run.at(-1).ply].map((ply) => x(ply).toFixed(1));
    const d = `M${from} ${MIDDLE}L${line.join("L")}L${to} ${MIDDLE}Z`;
    return [
      svg("path.area.area--p0", { d, "clip-path": "url(#curve-up)" }),
      svg("path.area.area--p1", { d, "clip-path": "url(#curve-down)" }),
    ];
  });
  return [
    clip("curve-up", -4, MIDDLE + 4),
    clip("curve-down", MIDDLE, MIDDLE + 4),
    svg("rect.ground.ground--p0", { ...ground, y: 0 }),
    svg("rect.ground.ground--p1", { ...ground, y: MIDDLE }),
    parts,
    svg("path.zero", { d: `M${LEFT} ${MIDDLE}h${WIDTH}` }),
    lines(points),
    [6, HEIGHT - 24].map((top, seat) => corner(seat, top)),
  ];
}

/** Whose half it is. */
function corner(seat, top) {
  const own = sign(seat);
  assign(own, { x: LEFT + 6, y: top, width: 18, height: 18 });
  return own;
}

function clip(id, top, height) {
  return svg("clipPath", { id }, svg("rect", { x: 0, y: top, width: 620, height }));
}

/** The line itself: whole where both ends are proven, dashed where one is estimated. */
function lines(points) {
  const pieces = { line: "", "line line--guess": "" };
  for (let n = 1; n < points.length; n += 1) {
    const [a, b] = [points[n - 1], points[n]];
    if (!a || !b) continue;
    const [from, to] = [a, b].map(({ ply, value }) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`);
    pieces[a.exact && b.exact ? "line" : "line line--guess"] += `M${from}L${to}`;
  }
  return Object.entries(pieces).map(([kind, d]) => d && svg("path", { class: kind, d }));
}

/** Three players: their chances lie on each other and fill the height. */
function stacked(points) {
  const ground = svg("rect.ground", { x: LEFT, y: 0, width: WIDTH, height: HEIGHT });
  return [ground, runs(points).map((run) => store.state.seats.map((_, seat) => layer(run, seat)))];
}

function layer(run, player) {
  const upTo = (value, n) => value.slice(0, n).reduce((sum, chance) => sum + chance, 0) * HEIGHT;
  const place = ({ ply, value }, n) => `${x(ply).toFixed(1)} ${upTo(value, n).toFixed(1)}`;
  const above = run.map((point) => place(point, player));
  const below = run.map((point) => place(point, player + 1)).reverse();
  return svg(`path.area.area--p${player}.area--stacked`, { d: `M${[...above, ...below].join("L")}Z` });
}

/** The stretches of points that are known. */
function runs(points) {
  const stretches = [[]];
  for (const point of points) {
    if (point) stretches.at(-1).push(point);
    else if (stretches.at(-1).length) stretches.push([]);
  }
  return stretches.filter((run) => run.length);
}

function ticks() {
  const ends = [0]; // where each number is reached first
  for (let ply = 1; ply <= store.length; ply += 1) {
    if (store.number(ply) >= ends.length) ends.push(ply);
  }
  const step = STEPS.find((one) => ends.length / one <= 8) ?? 5000;
  const middle = { y: 108, "text-anchor": "middle" };
  return ends.map((ply, n) => n % step === 0 && svg("text.tick", { x: x(ply), ...middle }, n));
}

function slip({ ply, grade, exact }) {
  const value = placed(review.points[ply + 1], ply + 1)?.value;
  const [cx, cy] = [x(ply + 1), typeof value === "number" ? y(value) : 10];
  const middle = { "text-anchor": "middle", "dominant-baseline": "central" };
  return svg(
    "g",
    { class: exact ? "slip slip--proven" : "slip" },
    svg("path", { d: `M${cx} 0V${HEIGHT}` }),
    svg("circle", { cx, cy, r: 9 }),
    svg("text", { x: cx, y: cy + 1, ...middle }, grade),
  );
}

// words

function describe(known) {
  const { progress, points, deeper } = review;
  const done = !progress;
  const [a, b] = store.state.seats.map(({ name }) => name);
  const exact = known.filter((point) => point.exact).length;
  const where = many() ? t("analysis.threeChances") : t("analysis.aboveBelow", { a, b });
  const { looked = known.length, total = points.length } = progress ?? {};
  const count = { count: number(looked), total: number(total), proven: exact };
  const whole = exact === known.length ? "allValuesProven" : "valuesProven";
  replace(sub, html("span.vh", `${where}; `), t(`analysis.${done ? whole : "growing"}`, count));
  const more = { on: { click: () => load("POST") } };
  const button = deeper && done && html("button.btn.btn--s", more, t("analysis.deepen"));
  replace(tools, known.length > 0 && done && proof(exact === known.length), button);
}

/** Show the mistakes in the lists and on the slider. */
function tell() {
  const { mistakes, effort, unexplained, players } = review;
  const none = t(effort === null ? "analysis.searching" : "analysis.noMistakes");
  const unclear = unexplained !== null && effort !== null;
  const loser = unclear && t("analysis.unexplained", { name: store.name(unexplained) });
  const notes = [loser || (!mistakes.length && none)].filter(Boolean);
  const summaries = effort === null ? [] : players.map(summary);
  replace(list, summaries, notes.map((text) => html("li.note", text)), mistakes.map(row));
  mark();
  markMistakes(mistakes);
  markTicks(mistakes.map(({ ply }) => ply));
  offerMistakes(list, effort === null ? null : mistakes.length);
  showBetter();
}

/** What a player's decisions cost, and what luck did where there is any. */
function summary({ regret, luck, errors }, seat) {
  const { accuracy, kept, moves, wins, draws, exact } = regret;
  const told = [
    accuracy !== null && t("analysis.accuracy", { accuracy: percent(accuracy) }),
    t("analysis.kept", { kept, count: moves }),
    wins > 0 && t("analysis.winsLost", { count: wins }),
    draws > 0 && t("analysis.drawsLost", { count: draws }),
    many() && t("analysis.luck", { luck: signedPercent(luck), errors: percent(errors) }),
  ];
  const words = `${store.name(seat)}: ${told.filter(Boolean).join(", ")}`;
  return html("li.note.summary", sign(seat), html("span", words), proof(exact === moves));
}

const signedPercent = (chance) => `${chance < 0 ? "−" : "+"}${percent(Math.abs(chance))}`;

function row({ ply, seat, move, better, grade, loss, exact }) {
  const mono = (text) => html("b.mono", text);
  return html(
    "li",
    html(
      "button",
      { "data-ply": ply + 1 },
      html("span", { class: exact ? "q q--proven" : "q" }, grade),
      html("span.num", store.number(ply + 1)),
      sign(seat),
      html("span.vh", store.name(seat)),
      mono(moveName(move)),
      html("span.what", many() ? cost(loss) : change(ply, seat)),
      html("span.better", t("analysis.better"), mono(moveName(better))),
    ),
  );
}

/** "Win → loss": what the move made of what. */
function change(ply, seat) {
  return [ply, ply + 1].map((n) => standing(review.points[n], seat)).join(" → ");
}

function standing({ chances, exact }, seat) {
  return exact ? t(`analysis.${["loss", "draw", "win"][2 * chances[seat]]}`) : percent(chances[seat]);
}

const cost = (loss) => t("analysis.costs", { chance: percent(loss) });
