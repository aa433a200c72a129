// Nine Men's Morris. A person plays whole turns: the stone, where it goes, and what a mill takes;
// what is chosen so far is shown as if it were done, and Esc takes back one choice.

import { FREE, MILLS, NAMES, R, SIDE, dot, man, neighbours, place } from "./men.js";
import { Board } from "../../js/boards/board.js";
import * as marks from "../../js/boards/marks.js";
import { svg } from "../../js/dom.js";
import { EASE_OUT, animate, arrive, step } from "../../js/motion.js";
import { t } from "../../js/texts.js";

const SMALL = 10; // radius of a stone beside the board

class Morris extends Board {
  #origin = null; // the stone that is to move
  #parts = []; // the decisions of the turn that are chosen: "A1:A2", then captures
  #seat = 0; // whose choice it is
  #turn = []; // the decisions of the last turn, as far as they have been shown
  #open = null; // what can be pressed, as long as nothing changes

  get #board() {
    return this.position.view.board;
  }

  get size() {
    return [SIDE, SIDE + 8];
  }

  get label() {
    const { hand, lost } = this.#board;
    const side = (n) => t(`morris.aside${n}`, { hand: hand[n], lost: lost[n] });
    return t("morris.board", { white: side(0), black: side(1) });
  }

  show(position, options) {
    if (position.view !== this.position?.view) this.#turn = this.#turnUpTo(position);
    return super.show(position, options);
  }

  /** A capture belongs to the decision before it, if that was on show. */
  #turnUpTo({ view, last }) {
    if (!last) return [];
    const captured = view.board.fields[NAMES.indexOf(last.move)] === FREE;
    const next = this.position?.view.board.capture > 0 && this.position.last?.n + 1 === last.n;
    return captured && next ? [...this.#turn, last.move] : [last.move];
  }

  // geometry

  #at(name) {
    const [x, y] = place(name);
    return this.flipped ? [SIDE - x, SIDE - y] : [x, y];
  }

  /** Where the stones of a player lie beside the board: in hand on the left, lost on the right. */
  #aside(player, kind, index) {
    const low = (player === 0) !== this.flipped;
    const x = kind === "hand" ? 72 + 24 * index : 366 + 24 * index;
    return [x, low ? SIDE - 21 : 20];
  }

  fields() {
    return NAMES.map((id) => {
      const [x, y] = this.#at(id);
      return { id, x, y, r: 36, label: this.#says(id) };
    });
  }

  #says(id) {
    const content = this.#shown()[NAMES.indexOf(id)];
    const about = content === FREE ? t("morris.empty") : t(`morris.stone${content}`);
    const more = [
      id === this.#origin && t("morris.chosen"),
      id !== this.#origin && this.inviting(id) && t(`morris.${this.#use(id)}`),
      this.#turn.some((move) => move.split(":").includes(id)) && t("morris.last"),
    ];
    return [id, about, ...more.filter(Boolean)].join(", ");
  }

  /** What can be done with an inviting field. */
  #use(id) {
    if (this.#captures()) return "canTake";
    if (this.#options().movers.has(id)) return "canMove";
    return this.#origin ? "canGo" : "canPlace";
  }

  // choosing

  /** What can be pressed next: stones that can move, and fields that complete a decision. */
  #options() {
    const chosen = this.#parts.map((part) => `${part};`).join("");
    const start = this.#origin ? `${this.#origin}:` : "";
    const key = chosen + start;
    if (this.#open?.legal === this.legal && this.#open.key === key) return this.#open;
    const turns = this.legal.filter((turn) => turn.startsWith(chosen));
    const nexts = new Set(turns.map((turn) => turn.slice(chosen.length).split(";")[0]));
    const moves = [...nexts].filter((next) => next.includes(":"));
    const fitting = [...nexts].filter((next) => next.startsWith(start));
    const goals = fitting.map((next) => next.slice(start.length)).filter((id) => !id.includes(":"));
    const movers = new Set(moves.map((move) => move.split(":")[0]));
    return (this.#open = { legal: this.legal, key, movers, goals: new Set(goals) });
  }

  /** The decisions that are shown as done: those chosen, or those on their way. */
  #done() {
    return this.sent?.split(";") ?? this.#parts;
  }

  /** Whether the next decision is a capture. */
  #captures() {
    return this.#parts.length > 0 || this.#board.capture > 0;
  }

  inviting(id) {
    const { movers, goals } = this.#options();
    return movers.has(id) || goals.has(id);
  }

  piece(id) {
    const mine = this.#options().movers.has(id);
    return mine ? man(this.#board.fields[NAMES.indexOf(id)]) : null;
  }

  press(id, dragged) {
    this.#seat = this.input.seat;
    if (this.#options().movers.has(id)) this.#choose(id, dragged);
    else if (this.#options().goals.has(id)) this.#decide(id);
    else this.try(this.#attempt(id), id);
  }

  #choose(id, dragged) {
    this.#origin = id === this.#origin && !dragged ? null : id;
    this.#tellChoice();
  }

  #decide(id) {
    const turn = [...this.#parts, this.#origin ? `${this.#origin}:${id}` : id];
    const text = turn.join(";");
    // With a capture, the turn's first decision is shown as done all the while.
    if (this.legal.includes(text)) return this.move(text, this.#parts.length > 0 || undefined);
    this.#parts = turn;
    this.#origin = null;
    this.#tellChoice();
  }

  /** What the person may have meant by pressing a field that cannot be played. */
  #attempt(id) {
    const { fields, hand } = this.#board;
    const free = fields[NAMES.indexOf(id)] === FREE;
    if (this.#captures()) return [...this.#parts, id].join(";");
    if (this.#origin) return `${this.#origin}:${id}`;
    const mine = fields[NAMES.indexOf(id)] === String(this.input.seat);
    if (free || hand[this.input.seat] > 0) return id;
    return `${id}:${mine ? neighbours(id)[0] : NAMES[fields.indexOf(FREE)]}`;
  }

  #tellChoice() {
    const chosen = this.#parts.map((part) => `${part};`).join("");
    this.chosen(chosen + (this.#origin ? `${this.#origin}:` : ""));
  }

  cancel() {
    const any = this.#origin !== null || this.#parts.length > 0;
    this.#origin = null;
    this.#parts = [];
    if (any) this.#tellChoice();
    if (any) this.refresh();
    return any;
  }

  back() {
    if (this.#parts.length === 0) return this.cancel();
    const [origin, target] = this.#parts.pop().split(":");
    this.#origin = target ? origin : null;
    this.#tellChoice();
    return true;
  }

  // drawing

  /** The fields as they would be after what is chosen. */
  #shown() {
    const fields = [...this.#board.fields];
    const set = (name, content) => (fields[NAMES.indexOf(name)] = content);
    this.#done().forEach((part, index) => {
      const [origin, target = origin] = part.split(":");
      set(origin, FREE);
      if (!this.#takes(index)) set(target, String(this.#seat));
    });
    return fields;
  }

  /** Whether the turn's decision of that number is a capture. */
  #takes(index) {
    return index > 0 || this.#board.capture > 0;
  }

  drawGround() {
    this.ground.append(...marks.wood(SIDE, SIDE + 8, 26, "morris"));
    for (const o of [66, 144, 222]) {
      const side = SIDE - 2 * o;
      const square = { x: o, y: o, width: side, height: side };
      this.ground.append(svg("rect.w-line.m-board", square));
    }
    const d = "M300 66V222M534 300H378M300 534V378M66 300H222";
    this.ground.append(svg("path.w-line.m-board", { d }));
    for (const name of NAMES) this.ground.append(...this.#node(name));
  }

  #node(name) {
    const [x, y] = this.#at(name);
    const [dx, dy] = [Math.sign(x - 300) || 1, Math.sign(y - 300) || -1];
    return [
      svg("circle.node", { cx: x, cy: y, r: 8 }),
      svg("text.field-name", { x: x + 32 * dx, y: y + 32 * dy }, name),
    ];
  }

  drawPieces() {
    this.svg.setAttribute("aria-label", this.label);
    this.#drawTrail();
    this.#shown().forEach((content, field) => {
      if (content !== FREE) this.pieces.append(this.#man(content, NAMES[field]));
    });
    for (const player of [0, 1]) this.#drawAside(player);
  }

  #man(content, name) {
    const [x, y] = this.#at(name);
    const chosen = content !== this.#board.fields[NAMES.indexOf(name)];
    const className = name === this.dragged ? "lifted" : chosen ? "ghost" : "";
    const piece = man(content, className);
    return svg("g", { transform: `translate(${x} ${y})`, "data-field": name }, piece);
  }

  #drawAside(player) {
    const { hand, lost } = this.#board;
    const placing = this.#done()[0]?.length === 2 && !this.#takes(0) && player === this.#seat;
    const held = hand[player] - Number(placing);
    for (let i = 0; i < held; i += 1) this.#small(player, "hand", i);
    for (let i = 0; i < lost[player]; i += 1) this.#small(player, "lost", i);
  }

  #small(player, kind, index) {
    const [x, y] = this.#aside(player, kind, index);
    const scale = `translate(${x} ${y}) scale(${SMALL / R})`;
    const strike = kind === "lost" && svg("path.strike", { d: "M-34 34L34 -34" });
    const piece = svg("g", man(String(player)), strike);
    this.pieces.append(svg("g", { class: `aside aside--${kind}`, transform: scale }, piece));
  }

  #drawTrail() {
    for (const move of this.#turn) {
      const [origin, target] = move.split(":");
      if (!target) continue;
      this.pieces.append(marks.origin(...this.#at(origin), 17));
      this.pieces.append(marks.trail(this.#at(origin), this.#at(target)));
    }
  }

  drawMarks() {
    this.#markLast();
    this.#markMills();
    this.#markChoice();
    for (const id of this.#options().goals) this.#markGoal(id);
    if (this.hovered && this.#options().movers.has(this.hovered) && this.hovered !== this.#origin) {
      this.marks.append(marks.hover(...this.#at(this.hovered), R + 4));
    }
    this.#markHint();
  }

  #markLast() {
    for (const move of this.#turn) {
      const name = move.split(":").at(-1);
      const [x, y] = this.#at(name);
      const there = this.#board.fields[NAMES.indexOf(name)] !== FREE;
      if (there && this.#done().length === 0) this.marks.append(marks.last(x, y, R + 4));
      if (!there) this.marks.append(marks.taken(x, y, 11));
    }
  }

  /** Mills are marked while a stone may be captured for them. */
  #markMills() {
    for (const mill of this.#mills()) {
      const points = mill.map((field) => this.#at(NAMES[field]));
      const rings = points.map(([cx, cy]) => marks.haloed("circle", { cx, cy, r: R }, "m-win", 3));
      this.marks.append(svg("g.m-mill", rings, marks.winning([points[0], points[2]], 6)));
    }
  }

  /** The mills that ask for a capture: closed on the board, or by what is chosen. */
  #mills() {
    if (this.#board.capture > 0) return this.#board.mills;
    const [first] = this.#done();
    if (!first) return [];
    const shown = this.#shown();
    const field = NAMES.indexOf(first.split(":").at(-1));
    const closed = (mill) => mill.every((f) => shown[f] === shown[field]);
    return MILLS.filter((mill) => mill.includes(field) && closed(mill));
  }

  #markChoice() {
    if (this.#origin) this.marks.append(marks.selected(...this.#at(this.#origin), R + 4));
    this.#done().forEach((part, index) => {
      const [x, y] = this.#at(part.split(":").at(-1));
      this.marks.append(this.#takes(index) ? marks.taken(x, y, 11) : marks.selected(x, y, R + 4));
    });
  }

  #markGoal(id) {
    const [x, y] = this.#at(id);
    const over = id === this.hovered;
    if (this.#captures()) return this.#markPrey(x, y, over);
    if (!over) return this.marks.append(dot(x, y));
    const ghost = svg("g.ghost", { transform: `translate(${x} ${y})` });
    ghost.append(man(String(this.input.seat)));
    this.marks.append(ghost, marks.hover(x, y, R + 4));
  }

  #markPrey(x, y, over) {
    if (!over) return this.marks.append(dot(x, y));
    const d = `M${x - 13} ${y - 13}l26 26m0 -26l-26 26`;
    this.marks.append(marks.hover(x, y, R + 4), marks.haloed("path", { d }, "m-hover", 4));
  }

  #markHint() {
    if (!this.hinted) return;
    const [first, ...captured] = this.hinted.split(";");
    const [origin, target] = first.split(":");
    const rings = target ? captured : [origin, ...captured];
    if (target) this.marks.append(marks.arrow(this.#at(origin), this.#at(target), R + 6));
    for (const name of rings) this.marks.append(marks.hinted(...this.#at(name), R + 5));
  }

  // motion

  async travel(before, signal) {
    const [origin, target] = this.lastMove.split(":");
    if (!NAMES.includes(origin)) return;
    const content = before.view.board.fields[NAMES.indexOf(origin)];
    if (target) await this.#glide(target, this.#at(origin), 1, signal);
    else if (content === FREE) await this.#fromHand(origin, before, signal);
    else await this.#leave(origin, content, signal);
  }

  async #fromHand(name, before, signal) {
    const player = Number(this.#board.fields[NAMES.indexOf(name)]);
    if (Number.isNaN(player)) return;
    const start = this.#aside(player, "hand", before.view.board.hand[player] - 1);
    await this.#glide(name, start, SMALL / R, signal);
  }

  /** The stone on the field comes from somewhere. */
  async #glide(name, [fx, fy], scale, signal) {
    const node = this.pieces.querySelector(`[data-field="${name}"]`);
    if (!node) return;
    const [x, y] = this.#at(name);
    this.pieces.append(node);
    const from = `translate(${fx - x}px, ${fy - y}px) scale(${scale})`;
    await arrive(node.firstChild, from, signal);
  }

  /** A captured stone goes to the others that are lost. */
  async #leave(name, content, signal) {
    const lost = this.#board.lost[Number(content)];
    const [sx, sy] = this.#aside(Number(content), "lost", lost - 1);
    const [x, y] = this.#at(name);
    const leaving = man(content);
    const slot = [...this.pieces.querySelectorAll(".aside--lost")].find((node) =>
      node.getAttribute("transform").startsWith(`translate(${sx} ${sy})`),
    );
    slot?.remove();
    this.pieces.append(svg("g", { transform: `translate(${x} ${y})` }, leaving));
    const to = `translate(${sx - x}px, ${sy - y}px) scale(${SMALL / R})`;
    const timing = { duration: 1.6 * step(), easing: EASE_OUT, signal };
    await animate(leaving, [{ transform: "none" }, { transform: to }], timing);
  }
}

customElements.define("sw-morris", Morris);
