// The dice race: two dice in a tray, and a lane to the target for each of the three players. Banked
// points are solid, points of this turn hatched. There is nothing to point at: rolling and saving
// are the page's buttons. The page's own elements for the seats go into the lanes: `board.seats`.

import { face, square } from "./die.js";
import { Board } from "../../js/boards/board.js";
import { wood } from "../../js/boards/marks.js";
import { emblem, html, replace, svg } from "../../js/dom.js";
import { step, wait } from "../../js/motion.js";
import { number, t } from "../../js/texts.js";

const EDGE = 112;
const REST = [
  { x: 106, y: 112, angle: -9 },
  { x: 192, y: 216, angle: 7 },
];
const ROLL = 1.6; // steps
const FACES = 4; // seen during a roll, the last one is the throw
const CHANCE = -1;
const OVER = -2;

/** The board of the dice race. */
class Dice extends Board {
  #thrown = null; // the dice in the tray
  #spoilt = false;
  #caption = html("figcaption.dice-caption");
  #summary = html("p.vh");
  #lanes = [0, 1, 2].map((player) => new Lane(player));
  #scale = html("div.dice-scale.num", { "aria-hidden": "true" });

  connectedCallback() {
    this.svg.setAttribute("role", "img");
    if (!this.contains(this.svg)) this.append(this.#hero());
    super.connectedCallback();
  }

  #hero() {
    const lanes = this.#lanes.map(({ element }) => element);
    return html(
      "div.dice-hero",
      this.#summary,
      html("figure.dice-tray", this.svg, this.#caption),
      html("div.dice-lanes", titles(), lanes, this.#scale),
    );
  }

  /** The page's elements for the three seats. */
  set seats(elements) {
    elements.forEach((element, player) => this.#lanes[player]?.seat(element));
  }

  /** Whether the game ended without a result: then it has no winner, whatever was thrown. */
  get spoilt() {
    return this.#spoilt;
  }

  set spoilt(spoilt) {
    if (spoilt === this.#spoilt) return;
    this.#spoilt = spoilt;
    if (this.position) this.#tell(this.position.view);
  }

  get size() {
    return [300, 329];
  }

  get label() {
    if (!this.#thrown) return t("dice.none");
    const [first, second] = this.#thrown;
    return t(first === second ? "dice.thrownDouble" : "dice.thrown", { first, second });
  }

  /**
   * Show a position; between a throw and the next one the dice stay in the tray: those that the
   * page has found (`thrown`), or those that lay there in the position before.
   */
  async show(position, options) {
    const { dice } = position.view.board;
    const lying = follows(this.position, position) ? this.#thrown : null;
    this.#thrown = dice ?? position.thrown ?? lying;
    await super.show(position, options);
  }

  drawGround() {
    this.ground.append(
      ...wood(...this.size, 26, "dice"),
      svg("rect.pit-rim", { x: 22, y: 22, width: 256, height: 278, rx: 18 }),
      svg("rect.pit", { x: 25, y: 28, width: 250, height: 272, rx: 16 }),
    );
  }

  drawPieces() {
    const { view } = this.position;
    this.svg.setAttribute("aria-label", this.label);
    this.#lay(this.#thrown ?? [0, 0], view.board.double);
    this.#tell(view);
  }

  /** Lay these dice into the tray; [0, 0] are blank ones that wait for the first throw. */
  #lay(values, double = false) {
    const dice = values.map((value, n) => {
      const { x, y, angle } = REST[n];
      const parts = [face(value, EDGE), double && doubled()];
      const at = { class: value ? "thrown" : "is-blank", transform: `translate(${x} ${y})` };
      const turned = svg("g", { transform: `rotate(${angle})` }, parts);
      return svg("g", at, svg("g.die-turned", turned));
    });
    this.pieces.replaceChildren(...dice);
  }

  /** Say the position beside the tray: caption, lanes, scale. */
  #tell(view) {
    const { board } = view;
    const spoilt = this.#spoilt && Boolean(view.outcome);
    replace(this.#caption, caption(view, spoilt));
    this.#summary.textContent = t("dice.summary", board);
    this.#lanes.forEach((lane, player) => lane.show(view, player, spoilt));
    const marks = ticks(board.target);
    this.style.setProperty("--period", String((marks[1] ?? board.target) / board.target));
    replace(this.#scale, marks.map((mark) => tick(mark, board.target)));
  }

  async travel(before, signal) {
    if (this.position.last?.seat !== CHANCE || !this.#thrown) return;
    this.#tell(before.view);
    const time = ROLL * step();
    for (let n = 1; n <= FACES; n += 1) {
      this.#lay(this.#thrown.map((value) => ((value + 2 * (FACES - n) - 1) % 6) + 1));
      for (const die of this.pieces.querySelectorAll(".die-turned")) spin(die, n, time / FACES);
      await wait(time / FACES, signal);
    }
  }
}

/** One of two turns, in as many parts as faces are seen. */
function spin(die, n, duration) {
  const rest = (part) => `rotate(${-720 * (1 - part / FACES)}deg)`;
  die.animate([{ transform: rest(n - 1) }, { transform: rest(n) }], { duration });
}

/** Whether the position is the one after or the same: then the dice lie as they lay. */
function follows(before, { last }) {
  const plies = last && before?.last ? last.n - before.last.n : NaN;
  return plies === 0 || plies === 1;
}

function doubled() {
  const edge = 1.2 * EDGE;
  return [square("m-halo dice-double", edge), square("m-bad dice-double", edge)];
}

// beside the tray

/** A player's lane: the seat, points and chance, and the way to the target. */
class Lane {
  #head = html("div.lane-head");
  #points = html("div.pts.num");
  #chance = html("div.chance.num");
  #track = html("div.track", { role: "img" });
  element;

  constructor(player) {
    this.#head.append(this.#points, this.#chance);
    const token = html("span.tok", emblem(player));
    this.#track.append(html("i.have"), html("i.risk"), token);
    this.element = html("div", { class: `lane lane--p${player}` }, this.#head, this.#track);
  }

  seat(element) {
    this.#head.querySelector(".seat")?.remove();
    this.#head.prepend(element);
  }

  show({ turn, board, outcome }, player, spoilt) {
    const { target, saved, chances } = board;
    const risk = player === board.player && !outcome ? board.points : 0;
    const have = saved[player];
    this.element.classList.toggle("is-due", player === board.player && turn !== OVER);
    this.element.style.setProperty("--have", String(Math.min(1, have / target)));
    this.element.style.setProperty("--risk", String(Math.min(1, (have + risk) / target)));
    this.#track.setAttribute("aria-label", t("dice.lane", { have, risk, target }));
    const spoken = (name) => html("span.vh", `${t(`dice.${name}`)} `);
    const more = risk > 0 && html("span.more", ` +${number(risk)}`);
    replace(this.#points, spoken("points"), html("b", number(have)), more);
    replace(this.#chance, spoken("chance"), percent(spoilt ? null : chances?.[player]));
  }
}

/** A chance as people read it; what is possible is never 0, what is open never 100. */
function percent(chance) {
  if (chance === undefined || chance === null) return "–";
  const rounded = Math.round(chance * 1000) / 10;
  const nearly = chance < 1 && rounded === 100 ? `> ${number(99.9, 1)}` : number(rounded, 1);
  const text = chance > 0 && rounded === 0 ? `< ${number(0.1, 1)}` : nearly;
  return [text, html("small", "%")];
}

function titles() {
  const names = ["points", "chance", "clock"].map((name) => html("span", t(`dice.${name}`)));
  return html("div.lane-titles", { "aria-hidden": "true" }, names);
}

/** What is at stake, or how it ended; a spoilt game has no winner. */
function caption({ board, outcome }, spoilt) {
  const winner = outcome?.winner ?? null;
  const ending = spoilt ? "reached" : "won";
  if (winner !== null) return [emblem(winner), phrase(ending, number(board.saved[winner]))];
  if (outcome) return phrase("void", number(board.rounds));
  if (board.double) return [html("b.is-double", t("dice.double")), t("dice.lost")];
  return phrase("stake", number(board.points));
}

/** A sentence with its number set large. */
function phrase(name, value) {
  const [before, after] = t(`dice.${name}`).split("{count}");
  return [before, html("b.num", value), after].filter((part) => part !== "");
}

/** Round numbers from 0 to the target, and the target itself. */
function ticks(target) {
  const unit = 10 ** Math.floor(Math.log10(target / 6));
  const steps = [1, 2, 2.5, 5, 10].map((part) => part * unit);
  const gap = steps.find((one) => one >= target / 6 && Number.isInteger(one)) ?? 1;
  const marks = Array.from({ length: Math.ceil(target / gap) }, (_, n) => n * gap);
  return [...marks.filter((mark) => mark < 0.93 * target), target];
}

function tick(mark, target) {
  return html("span", { vars: { "--at": String(mark / target) } }, number(mark));
}

customElements.define("sw-dice", Dice);
