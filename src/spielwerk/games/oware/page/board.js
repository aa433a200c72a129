// Oware: two rows of six houses. A move is shown in the steps of the document: choose, take out,
// sow seed by seed, collect house by house backwards; at the end all gather what is theirs.
//
// What a test or a style may hang on: `data-house` and `data-count` at every house (A0 to B5) and
// store (A, B); while a move is shown `data-step` (choose, take, sow, pause, collect, gather),
// `data-at` (the house) and `data-hand` (seeds in the hand) at the element.

import { houseName, layout, rowName } from "./houses.js";
import { lying, seed } from "./seeds.js";
import { Board } from "../../js/boards/board.js";
import { haloed, legal, wood } from "../../js/boards/marks.js";
import { emblem, svg } from "../../js/dom.js";
import { EASE_OUT, step, wait } from "../../js/motion.js";
import { t } from "../../js/texts.js";

const TIMES = { choose: 1, take: 1.2, sow: 1, pause: 1, collect: 2, gather: 2 }; // in steps
const ARC = 24;
const narrow = matchMedia("(max-width: 639.98px)");

/** The board of Oware. */
class Oware extends Board {
  #hand = svg("g.oware-hand", { "aria-hidden": "true" });
  #turn = () => this.rebuild();

  constructor() {
    super();
    this.marks.after(this.#hand);
  }

  connectedCallback() {
    narrow.addEventListener("change", this.#turn);
    super.connectedCallback();
  }

  disconnectedCallback() {
    narrow.removeEventListener("change", this.#turn);
    super.disconnectedCallback();
  }

  get #layout() {
    return layout(narrow.matches, this.flipped ? 1 : 0);
  }

  get size() {
    return this.#layout.size;
  }

  get label() {
    const { view } = this.position;
    const [a, b] = counts(view).stores;
    const turn = view.turn >= 0 ? t("oware.turn", { player: rowName(view.turn) }) : "";
    return `${t("oware.board", { a, b })} ${turn}`.trim();
  }

  fields() {
    const { houses } = counts(this.position.view);
    const below = this.flipped ? [1, 0] : [0, 1];
    return below.flatMap((row) =>
      this.#layout.houses[row].map(({ id, house, x, y, r, width, height, rx }) => {
        const label = t("oware.house", { house: id, count: houses[row][house] });
        return { id, label, x, y, r, width, height, rx };
      }),
    );
  }

  inviting(id) {
    const [row, house] = split(id);
    return row === this.input.seat && this.legal.includes(house);
  }

  press(id) {
    const [row, house] = split(id);
    if (!this.inviting(id)) return this.try(row === this.input.seat ? house : null, id);
    this.move(house);
  }

  // drawing

  drawGround() {
    const { size, corner, houses, stores, upright } = this.#layout;
    this.svg.classList.toggle("is-upright", upright);
    this.ground.append(...wood(...size, corner, "oware"));
    if (!upright) this.ground.append(svg("path.oware-seam", { d: "M176 215H1024" }));
    this.ground.append(...houses.flat().map(hollow), ...stores.map(hollow));
  }

  drawPieces() {
    for (const name of ["step", "at", "hand"]) delete this.dataset[name];
    this.svg.setAttribute("aria-label", this.label);
    this.#draw(counts(this.position.view));
  }

  #draw({ houses, stores, hand, at }) {
    const places = this.#layout;
    this.pieces.replaceChildren(
      ...places.houses.flat().map((place) => filled(place, houses[place.row][place.house])),
      ...places.stores.map((place) => filled(place, stores[place.row])),
    );
    this.#hand.replaceChildren(hand ? held(places.hand(this.#place(at)), hand) : "");
  }

  drawMarks() {
    const { view } = this.position;
    this.#markLast();
    const own = this.#layout.houses[this.input?.seat] ?? [];
    const open = own.filter(({ id }) => this.inviting(id));
    this.marks.append(...open.map(({ dot }) => legal(...dot, this.#thick(6.5))));
    const advised = this.hinted !== null && houseName(this.input?.seat ?? view.turn, this.hinted);
    if (advised) this.marks.append(this.#ring(advised, "m-hint", 5));
    if (this.hovered) this.marks.append(this.#ring(this.hovered, "m-hover", 4));
    const sent = this.sending !== null && houseName(this.input?.seat ?? view.turn, this.sending);
    if (sent) this.marks.append(this.#ring(sent, "m-sel", 5));
  }

  /** Where the last move began, dotted, and where it put its last seed, ringed. */
  #markLast() {
    const { last } = this.position;
    const origin = last && this.#place(houseName(last.seat, last.move));
    if (!origin) return;
    const end = last.steps?.findLast(([action]) => action === "sow");
    const [name, shape] = outline(origin, this.#thick(-9));
    const look = { class: "m-last oware-origin", "stroke-width": this.#thick(3) };
    this.marks.append(svg(name, { ...look, ...shape }));
    if (end) this.marks.append(this.#ring(houseName(end[1], end[2]), "m-last", 3, -9));
  }

  #place(id) {
    return this.#layout.houses.flat().find((place) => place.id === id);
  }

  #thick(units) {
    return this.#layout.upright ? 0.75 * units : units;
  }

  /** A ring along the rim of a house, so much outside of it. */
  #ring(id, className, width, grow = 1) {
    const place = this.#place(id);
    if (!place) return "";
    const ring = haloed(...outline(place, this.#thick(grow)), className, this.#thick(width));
    if (className === "m-hint") ring.classList.add("is-hint");
    return ring;
  }

  // motion

  async travel(before, signal) {
    for (const scene of scenes(before.view, this.position)) await this.#play(scene, signal);
  }

  async #play(scene, signal) {
    const time = TIMES[scene.action] * step();
    this.#draw(scene);
    this.marks.replaceChildren(scene.at ? this.#ring(scene.at, "m-sel", 5) : "");
    this.#motions[scene.action]?.(scene, time, signal);
    this.dataset.at = scene.at ?? "";
    this.dataset.hand = scene.hand;
    this.dataset.step = scene.action;
    await wait(time, signal);
  }

  #motions = {
    take: ({ at, hand }, time) => {
      const { pit } = this.#place(at);
      const seeds = this.#hand.querySelectorAll(".seed");
      fly([...seeds], lying(pit, hand), lying(this.#layout.hand(this.#place(at)), hand), time);
    },
    sow: ({ at, from, houses, hand }, time) => {
      const place = this.#place(at);
      const hold = this.#layout.hand(this.#place(from));
      const spots = lying(place.pit, houses[place.row][place.house]);
      fly([this.#seeds(at).at(-1)], [hold], [spots.at(-1)], time);
      if (hand) glide(this.#hand.firstChild, hold, this.#layout.hand(place), time);
    },
    collect: ({ at, won, player }, time, signal) => {
      this.#gather(player, lying(this.#place(at).pit, won), time, signal);
    },
    gather: ({ left }, time, signal) => {
      for (const row of [0, 1]) {
        const pits = this.#layout.houses[row].map(({ pit }) => pit);
        const spots = pits.flatMap((pit, house) => lying(pit, left[row][house]));
        this.#gather(row, spots, time, signal);
      }
    },
  };

  #seeds(id) {
    return [...this.pieces.querySelectorAll(`[data-house="${id}"] .seed`)];
  }

  /** Let the newest seeds of a store come from these spots, and its counter run. */
  #gather(row, spots, time, signal) {
    if (!spots.length) return;
    const { id, pit } = this.#layout.stores[row];
    const seeds = this.#seeds(id);
    const fresh = spots.length;
    fly(seeds.slice(-fresh), spots, lying(pit, seeds.length).slice(-fresh), time);
    const counter = this.pieces.querySelector(`[data-house="${id}"] text`);
    spots.forEach((_, n) => {
      counter.textContent = seeds.length - fresh;
      const landed = () => (counter.textContent = seeds.length - fresh + n + 1);
      wait((0.4 + (0.4 * (n + 1)) / fresh) * time, signal).then(landed, () => {});
    });
  }
}

/** The house that an ID names: [row, number as moves write it]. */
function split(id) {
  return ["AB".indexOf(id[0]), id.slice(1)];
}

/** What lies where; when the game is over, all have gathered their own row. */
function counts({ board, outcome }) {
  const { houses, stores } = board;
  if (!outcome) return { houses, stores };
  return {
    houses: houses.map((row) => row.map(() => 0)),
    stores: stores.map((stones, row) => houses[row].reduce((sum, one) => sum + one, stones)),
  };
}

/** The steps of the last move with the numbers on the board in each; none if they do not fit. */
function scenes(before, { view, last }) {
  const told = [];
  if (!last?.steps || before.outcome) return told;
  const state = { houses: before.board.houses.map((row) => [...row]), hand: 0 };
  state.stores = [...before.board.stores];
  let action, at;
  for (const [next, row, house] of last.steps) {
    if (next === "collect" && action === "sow") told.push(scene(state, { action: "pause", at }));
    const from = at;
    [action, at] = [next, houseName(row, house)];
    const won = state.houses[row][house];
    happen(state, action, row, house, last.seat);
    told.push(scene(state, { action, at, from, won, player: last.seat }));
  }
  const counted = ({ houses, stores }) => JSON.stringify([houses, stores]);
  if (counted(state) !== counted(view.board)) return [];
  const left = state.houses;
  if (view.outcome) told.push({ ...counts(view), action: "gather", hand: 0, left });
  return told;
}

function happen(state, action, row, house, player) {
  const seeds = state.houses[row][house];
  if (action === "take") [state.hand, state.houses[row][house]] = [seeds, 0];
  if (action === "sow") [state.hand, state.houses[row][house]] = [state.hand - 1, seeds + 1];
  if (action === "collect") {
    state.stores[player] += seeds;
    state.houses[row][house] = 0;
  }
}

function scene({ houses, stores, hand }, more) {
  return { houses: houses.map((row) => [...row]), stores: [...stores], hand, ...more };
}

// drawing

/** A house or store without what lies in it. */
function hollow(place) {
  const rim = hole(place, "pit-rim");
  const pit = hole(place.pit, "pit");
  if (place.emblem) return svg("g", rim, pit, symbol(place));
  const name = writing("oware-name", place.name, place.house);
  return svg("g", rim, pit, place.r !== undefined && glint(place), name);
}

function hole(place, className) {
  const [name, shape] = outline(place, 0);
  return svg(name, { class: className, ...shape });
}

/** Light on the lower rim. */
function glint({ x, y, r }) {
  const [a, b] = [0.8 * r, 0.6 * r];
  const d = `M${x - a} ${y + b}A${r} ${r} 0 0 0 ${x + a} ${y + b}`;
  return svg("path.pit-glint", { d });
}

function symbol({ row, emblem: box }) {
  const mark = emblem(row);
  for (const [name, value] of Object.entries(box)) mark.setAttribute(name, value);
  return mark;
}

/** What lies in a house or store, and how much that is. */
function filled({ id, pit, count, emblem: store }, seeds) {
  const name = store ? "oware-count oware-count--store" : "oware-count";
  return svg(
    "g",
    { "data-house": id, "data-count": seeds },
    lying(pit, seeds).map(seed),
    writing(seeds ? name : `${name} is-none`, count, seeds),
  );
}

function held(place, seeds) {
  const words = place.spacious ? t("oware.hand", { count: seeds }) : seeds;
  const at = [place.x, place.y + place.label];
  return svg("g", lying(place, seeds).map(seed), writing("oware-held", at, words));
}

function writing(className, [x, y], text) {
  return svg("text", { class: `w-text num ${className}`, x, y }, text);
}

/** The shape of a place, so much larger, as name and attributes of an element. */
function outline({ x, y, r, width, height }, grow) {
  if (r !== undefined) return ["circle", { cx: x, cy: y, r: r + grow }];
  const [w, h] = [width + 2 * grow, height + 2 * grow];
  return ["rect", { x: x - grow, y: y - grow, width: w, height: h, rx: Math.min(w, h) / 2 }];
}

// flying

/** Let seeds come from these spots to those where they lie, one a little after the other. */
function fly(seeds, from, to, time) {
  const late = seeds.length > 1 ? (0.4 * time) / seeds.length : 0;
  const duration = seeds.length > 1 ? 0.6 * time : time;
  seeds.forEach((one, n) => {
    const frames = arc(from[n].x - to[n].x, from[n].y - to[n].y);
    one.animate(frames, { duration, delay: n * late, easing: EASE_OUT, fill: "backwards" });
  });
}

function arc(dx, dy) {
  return Array.from({ length: 9 }, (_, n) => {
    const rest = 1 - n / 8;
    const height = 4 * ARC * rest * (1 - rest);
    return { transform: `translate(${dx * rest}px, ${dy * rest - height}px)` };
  });
}

function glide(group, from, to, time) {
  const offset = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
  const frames = [{ transform: offset }, { transform: "none" }];
  group.animate(frames, { duration: time, easing: EASE_OUT });
}

customElements.define("sw-oware", Oware);
