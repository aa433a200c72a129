// A finished game's evaluation as a curve, and the moves that threw something away.

import { html, replace, svg } from "../dom.js";
import { AnalysisPanel } from "./analysis.js";
import { sign } from "./seats.js";
import { percent, proof, result, verdict } from "./verdicts.js";
import { number, t } from "../texts.js";

const [LEFT, WIDTH, HEIGHT] = [8, 604, 92];
const MIDDLE = HEIGHT / 2;
const AGAIN = 1000; // milliseconds between two questions while the curve grows
const BUSY = 4000;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/**
 * The panel's body; `onSeek(position)` shows a position, `onFaults(plies)` hears of the faults.
 * The first `opening` plies are nobody's moves, so nobody's faults.
 */
export class CurvePanel {
  #path;
  #kind;
  #players;
  #onSeek;
  #onFaults;
  #opening;
  #curve = { done: false, points: [], faults: [] };
  #shown = 0;
  #total = 0;
  #sub = html("span", { class: "sub" });
  #tools = html("div", { class: "tools" });
  #drawing = svg("svg", { class: "curve", viewBox: "0 -4 620 118", role: "img" });
  #cursor = svg("path", { class: "cursor" });
  #list = html("ol", { class: "faults" });

  constructor(root, { id, kind, players, opening = 0, onSeek, onFaults = () => {} }) {
    this.#path = `/api/v1/matches/${encodeURIComponent(id)}/curve`;
    this.#kind = kind;
    this.#players = players;
    this.#opening = opening;
    this.#onSeek = onSeek;
    this.#onFaults = onFaults;
    const title = html("h2", { id: "head-curve" }, t("analysis.curve"));
    replace(root, html("header", {}, title, this.#sub, this.#tools), this.#drawing);
    this.#drawing.addEventListener("click", (event) => this.#clicked(event));
    this.#list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.#onSeek(Number(button.dataset.ply));
    });
  }

  /** Mark the position that is shown, out of so many. */
  show(ply, total) {
    const resized = total !== this.#total;
    [this.#shown, this.#total] = [ply, total];
    if (resized) this.#draw();
    this.#mark();
  }

  /** Have the curve computed, and draw it while it grows. */
  async load() {
    const answer = await fetch(this.#path).catch(() => null);
    if (answer?.ok) {
      this.#curve = this.#chosen(await answer.json());
      this.#draw();
      this.#tell();
      if (this.#curve.done) return;
    } else if (answer && answer.status !== 429) {
      return replace(this.#sub, t("analysis.noCurve"));
    }
    setTimeout(() => this.#whenSeen(() => this.load()), answer?.ok ? AGAIN : BUSY);
  }

  #chosen(curve) {
    return { ...curve, faults: curve.faults.filter(({ ply }) => ply >= this.#opening) };
  }

  /** Go to the next fault. */
  next() {
    this.#jump(this.#curve.faults.find(({ ply }) => ply + 1 > this.#shown));
  }

  /** Go to the fault before. */
  previous() {
    this.#jump(this.#curve.faults.findLast(({ ply }) => ply + 1 < this.#shown));
  }

  #jump(fault) {
    if (fault) this.#onSeek(fault.ply + 1);
  }

  #whenSeen(work) {
    if (!document.hidden) return work();
    document.addEventListener("visibilitychange", work, { once: true });
  }

  #clicked(event) {
    const { left, width } = this.#drawing.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * 620;
    const ply = Math.round(((place - LEFT) / WIDTH) * this.#last);
    this.#onSeek(Math.max(0, Math.min(this.#last, ply)));
  }

  // drawing

  get #last() {
    return Math.max(1, this.#total || this.#curve.points.length - 1);
  }

  #x(ply) {
    return LEFT + (WIDTH * ply) / this.#last;
  }

  #draw() {
    const { points, faults } = this.#curve;
    const known = points.filter(Boolean);
    const many = this.#players.length > 2;
    this.#drawing.setAttribute("aria-label", t("analysis.curveOver", { count: this.#last }));
    replace(
      this.#drawing,
      many ? this.#stacked(points) : this.#balanced(points),
      this.#ticks(),
      faults.map((fault) => this.#fault(fault)),
      this.#cursor,
    );
    this.#words(known, many);
    this.#mark();
  }

  #mark() {
    this.#cursor.setAttribute("d", `M${this.#x(this.#shown)} -2V${HEIGHT + 2}`);
    for (const button of this.#list.querySelectorAll("button")) {
      const here = Number(button.dataset.ply) === this.#shown;
      if (here) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** Two players: above the middle is the first one's, below the other's. */
  #balanced(points) {
    const parts = runs(points).map((run) => {
      const line = run.map(({ ply, value }) => `${this.#x(ply).toFixed(1)} ${y(value).toFixed(1)}`);
      const [from, to] = [run[0].ply, run.at(-1).ply].map((ply) => this.#x(ply).toFixed(1));
      const area = `M${from} ${MIDDLE}L${line.join("L")}L${to} ${MIDDLE}Z`;
      return [
        svg("path", { class: "area area--p0", d: area, "clip-path": "url(#curve-up)" }),
        svg("path", { class: "area area--p1", d: area, "clip-path": "url(#curve-down)" }),
      ];
    });
    return [
      clip("curve-up", -4, MIDDLE + 4),
      clip("curve-down", MIDDLE, MIDDLE + 4),
      svg("rect", { class: "ground ground--p0", x: LEFT, y: 0, width: WIDTH, height: MIDDLE }),
      svg("rect", { class: "ground ground--p1", x: LEFT, y: MIDDLE, width: WIDTH, height: MIDDLE }),
      parts,
      svg("path", { class: "zero", d: `M${LEFT} ${MIDDLE}h${WIDTH}` }),
      this.#lines(points),
    ];
  }

  /** The line itself: whole where both ends are proven, dashed where one is estimated. */
  #lines(points) {
    const pieces = { line: "", "line line--guess": "" };
    for (let n = 1; n < points.length; n += 1) {
      const [a, b] = [points[n - 1], points[n]];
      if (!a || !b) continue;
      const kind = a.exact && b.exact ? "line" : "line line--guess";
      const [x1, x2] = [this.#x(a.ply).toFixed(1), this.#x(b.ply).toFixed(1)];
      pieces[kind] += `M${x1} ${y(a.value).toFixed(1)}L${x2} ${y(b.value).toFixed(1)}`;
    }
    return Object.entries(pieces).map(([kind, d]) => d && svg("path", { class: kind, d }));
  }

  /** Three players: their chances lie on each other and fill the height. */
  #stacked(points) {
    const ground = svg("rect", { class: "ground", x: LEFT, y: 0, width: WIDTH, height: HEIGHT });
    const areas = runs(points).map((run) =>
      this.#players.map((_name, player) => this.#layer(run, player)),
    );
    return [ground, areas];
  }

  #layer(run, player) {
    const upTo = (value, n) => value.slice(0, n).reduce((sum, chance) => sum + chance, 0) * HEIGHT;
    const place = ({ ply, value }, n) =>
      `${this.#x(ply).toFixed(1)} ${upTo(value, n).toFixed(1)}`;
    const above = run.map((point) => place(point, player));
    const below = run.map((point) => place(point, player + 1)).reverse();
    const d = `M${[...above, ...below].join("L")}Z`;
    return svg("path", { class: `area area--p${player} area--stacked`, d });
  }

  #ticks() {
    const step = STEPS.find((one) => this.#last / one <= 8) ?? 5000;
    const count = Math.floor(this.#last / step) + 1;
    const places = Array.from({ length: count }, (_none, n) => n * step);
    return places.map((ply) =>
      svg("text", { class: "tick", x: this.#x(ply), y: 108, "text-anchor": "middle" }, ply),
    );
  }

  #fault({ ply }) {
    const value = this.#curve.points[ply + 1]?.value;
    const [x, at] = [this.#x(ply + 1), typeof value === "number" ? y(value) : 10];
    return svg(
      "g",
      { class: "slip" },
      svg("path", { d: `M${x} 0V${HEIGHT}` }),
      svg("circle", { cx: x, cy: at, r: 9 }),
      svg("text", { x, y: at + 1, "text-anchor": "middle", "dominant-baseline": "central" }, "?"),
    );
  }

  // words

  #words(known, many) {
    const { done, points } = this.#curve;
    const [a, b] = this.#players;
    const exact = known.filter((point) => point.exact).length;
    const where = many ? t("analysis.threeChances") : t("analysis.aboveBelow", { a, b });
    const count = { count: number(known.length), total: number(points.length), proven: exact };
    const how = !done
      ? t("analysis.growing", count)
      : exact === known.length
        ? t("analysis.allValuesProven")
        : t("analysis.valuesProven", count);
    replace(this.#sub, `${where}; ${how}`);
    replace(this.#tools, known.length > 0 && done && proof(exact === known.length));
  }

  /** Tell those who mark faults elsewhere. */
  #tell() {
    const { faults, done } = this.#curve;
    this.#onFaults(faults.map(({ ply }) => ply));
    const word = t(done ? "analysis.noFaults" : "analysis.searching");
    const none = html("li", { class: "note" }, word);
    replace(this.#list, faults.length ? faults.map((fault) => this.#row(fault)) : none);
    this.#mark();
    AnalysisPanel.current?.offerFaults(this.#list, faults.length);
  }

  #row({ ply, seat, move, better, before, after }) {
    const many = this.#players.length > 2;
    const lost = many ? cost(before, after) : change(before, after, this.#kind.unit);
    return html(
      "li",
      {},
      html(
        "button",
        { type: "button", "data-ply": ply + 1 },
        html("span", { class: "q", "aria-hidden": "true" }, "?"),
        html("span", { class: "num" }, ply + 1),
        sign(this.#kind, seat),
        html("span", { class: "vh" }, this.#players[seat] ?? ""),
        mono(move),
        html("span", { class: "what" }, lost),
        html("span", { class: "better" }, t("analysis.better"), mono(better)),
      ),
    );
  }
}

function mono(move) {
  return html("b", { class: "mono" }, move);
}

/** "Win → loss in 18": what the move made of what. */
function change(before, after, own) {
  const large = ({ result: known, value }) => known === null && Math.abs(value) > 1;
  const unit = own ?? ([before, after].some(large) ? "points" : "");
  const had = before.result === null ? verdict(before, unit) : result(before);
  return `${had} → ${verdict(after, unit)}`;
}

function cost(before, after) {
  return t("analysis.costs", { chance: percent(before.value - after.value) });
}

function y(value) {
  return MIDDLE - value * (MIDDLE - 4);
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

function clip(id, top, height) {
  return svg("clipPath", { id }, svg("rect", { x: 0, y: top, width: 620, height }));
}
