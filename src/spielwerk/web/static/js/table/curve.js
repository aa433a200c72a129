// A finished game's evaluation as a curve, and the moves that threw something away.

import { assign, at, html, replace, svg, whenSeen } from "../dom.js";
import { analyse, offerFaults } from "./analysis.js";
import { display } from "./display.js";
import { markMistakes } from "./moves.js";
import { markTicks, slider, updateSlider } from "./replay.js";
import { store } from "./state.js";
import { percent, proof, result, sign, verdict } from "./words.js";
import { number, t } from "../texts.js";

const [LEFT, WIDTH, HEIGHT] = [8, 604, 92];
const MIDDLE = HEIGHT / 2;
const AGAIN = 1000; // milliseconds between two questions while the curve grows
const BUSY = 4000;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

let started = false;
let curve = { done: false, points: [], faults: [] };
let drawn = 0; // the number of plies that the drawing is for
const sub = html("span.sub");
const tools = html("div.tools");
const look = { viewBox: "0 -4 620 118", role: "img", on: { click: clicked } };
const drawing = svg("svg.curve", look);
const cursor = svg("path.cursor");
const list = html("ol.faults", {
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

/** Have the curve computed, and draw it while it grows; a drawn opening has no faults. */
async function load() {
  const answer = await fetch(`${store.path}/curve`).catch(() => null);
  if (answer?.ok) {
    const found = await answer.json();
    curve = { ...found, faults: found.faults.filter(({ ply }) => ply >= store.opening) };
    draw();
    tell();
    if (curve.done) return;
  } else if (answer && answer.status !== 429) {
    return replace(sub, t("analysis.noCurve"));
  }
  setTimeout(() => whenSeen(load), answer?.ok ? AGAIN : BUSY);
}

/** Go to the next fault, or to the one before. */
export function seekFault(by) {
  const { shown } = display;
  const fault =
    by > 0
      ? curve.faults.find(({ ply }) => ply + 1 > shown)
      : curve.faults.findLast(({ ply }) => ply + 1 < shown);
  if (fault) display.seek(fault.ply + 1);
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
  const { points, faults } = curve;
  drawing.setAttribute("aria-label", t("analysis.curveOver", { count: last() }));
  replace(drawing, areas(points), ticks(), faults.map(slip), cursor);
  describe(points.filter(Boolean));
  mark();
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
export const pointAt = (ply) => curve.points[ply] ?? null;

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
  ];
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
  const step = STEPS.find((one) => last() / one <= 8) ?? 5000;
  const places = Array.from({ length: Math.floor(last() / step) + 1 }, (_, n) => n * step);
  return places.map((ply) => svg("text.tick", { x: x(ply), y: 108, "text-anchor": "middle" }, ply));
}

function slip({ ply }) {
  const value = curve.points[ply + 1]?.value;
  const [cx, cy] = [x(ply + 1), typeof value === "number" ? y(value) : 10];
  const middle = { "text-anchor": "middle", "dominant-baseline": "central" };
  return svg(
    "g.slip",
    svg("path", { d: `M${cx} 0V${HEIGHT}` }),
    svg("circle", { cx, cy, r: 9 }),
    svg("text", { x: cx, y: cy + 1, ...middle }, "?"),
  );
}

// words

function describe(known) {
  const { done, points } = curve;
  const [a, b] = store.state.seats.map(({ name }) => name);
  const exact = known.filter((point) => point.exact).length;
  const where = many() ? t("analysis.threeChances") : t("analysis.aboveBelow", { a, b });
  const count = { count: number(known.length), total: number(points.length), proven: exact };
  const whole = exact === known.length ? "allValuesProven" : "valuesProven";
  replace(sub, `${where}; ${t(`analysis.${done ? whole : "growing"}`, count)}`);
  replace(tools, known.length > 0 && done && proof(exact === known.length));
}

/** Show the faults in the lists and on the slider. */
function tell() {
  const { faults, done } = curve;
  const none = html("li.note", t(done ? "analysis.noFaults" : "analysis.searching"));
  replace(list, faults.length ? faults.map(row) : none);
  mark();
  markMistakes(faults.map(({ ply }) => ply));
  markTicks(faults.map(({ ply }) => ply));
  offerFaults(list, faults.length);
}

function row({ ply, seat, move, better, before, after }) {
  const mono = (text) => html("b.mono", text);
  return html(
    "li",
    html(
      "button",
      { "data-ply": ply + 1 },
      html("span.q", { "aria-hidden": "true" }, "?"),
      html("span.num", ply + 1),
      sign(seat),
      html("span.vh", store.name(seat)),
      mono(move),
      html("span.what", many() ? cost(before, after) : change(before, after)),
      html("span.better", t("analysis.better"), mono(better)),
    ),
  );
}

/** "Win → loss in 18": what the move made of what. */
function change(before, after) {
  const large = ({ result: known, value }) => known === null && Math.abs(value) > 1;
  const unit = store.kind.unit ?? ([before, after].some(large) ? "points" : "");
  const had = before.result === null ? verdict(before, unit) : result(before);
  return `${had} → ${verdict(after, unit)}`;
}

function cost(before, after) {
  return t("analysis.costs", { chance: percent(before.value - after.value) });
}
