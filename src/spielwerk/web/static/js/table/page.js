// The table as a whole: the parts of its page, and what ties them together.

import { read, send } from "../api.js";
import { wait } from "../motion.js";
import { announce } from "../page.js";
import { html, replace } from "../svg.js";
import { said, t } from "../texts.js";
import { AnalysisPanel } from "./analysis.js";
import { boardName } from "./boards.js";
import { CurvePanel } from "./curve.js";
import { confirm, ownSeat, share, takeSeat } from "./dialogs.js";
import { Display } from "./display.js";
import { Input } from "./input.js";
import { listen } from "./keys.js";
import { Moves } from "./moves.js";
import { openPrograms } from "./programs.js";
import { put } from "./render.js";
import { Replay, steps } from "./replay.js";
import { columnScores } from "./scores.js";
import { Seats } from "./seats.js";
import { Tabs } from "./tabs.js";
import { Title } from "./title.js";
import { Turn } from "./turn.js";
import { WirePanel } from "./wire.js";
import { happened, sentence } from "./words.js";

const WIDE = new Set(["oware", "dice", "solid"]);
const UNKNOWN = 1500; // milliseconds until a position is asked for again

const main = document.querySelector("main");
const at = (name) => main.querySelector(`[data-${name}]`);

/** The parts of the page, made when the table is known. */
export class TablePage {
  #store;
  #live;
  #board;
  #path;
  #display;
  #input;
  #seats;
  #title;
  #turn;
  #moves;
  #replay = null;
  #curve = null;
  #analysis;
  #wire;
  #tabs = new Tabs(main);
  #flipped = false;
  #listed = "";

  constructor(store, board, live) {
    this.#store = store;
    this.#live = live;
    this.#board = board;
    this.#path = `/api/v1/matches/${encodeURIComponent(store.id)}`;
    this.#display = new Display(store, board);
    this.#parts();
    this.#panels();
    this.#arrange();
    this.#keys();
    this.#display.addEventListener("show", () => this.update());
    this.#display.addEventListener("rest", () => this.#rested());
  }

  /** Show the position that the address names, or the present one. */
  async start(ply) {
    main.classList.remove("is-empty");
    this.stateChanged();
    await this.#display.seek(ply ?? this.#store.length);
    this.#shape();
    if (this.#store.game === "oware") this.#store.loadAll(() => this.#list()).catch(() => {});
    if (this.#store.game === "dice") this.#chances().catch(() => {});
    if (location.hash === "#wire") this.#tabs.visit("wire");
  }

  /** The first race that a server shows has no chances yet: ask again a few times. */
  async #chances(tries = 3) {
    const { shown, view } = this.#display;
    if (!tries || view?.outcome || view?.board.chances) return;
    await wait(UNKNOWN);
    const { board } = await this.#store.reload(shown);
    const same = this.#display.shown === shown && !this.#display.busy;
    if (board.chances && same) await this.#display.seek(shown);
    else await this.#chances(tries - 1);
  }

  // making

  #parts() {
    const [store, display, board] = [this.#store, this.#display, this.#board];
    const changed = () => this.update();
    const say = (text) => this.#turn.note(text);
    this.#input = new Input({ store, display, board, live: this.#live, say, changed });
    this.#seats = new Seats(store, {
      onTake: (seat) => this.#take(seat),
      onOpen: (seat) => this.#open(seat),
    });
    this.#turn = new Turn(at("turn"), store, display, {
      onPlay: (text) => this.#input.play(text),
      onHint: () => this.#input.hint(),
      onPresent: () => display.seek(store.length),
      onRematch: () => this.#rematch(),
      onPrograms: () => openPrograms(store),
      onDecide: (accept) => this.#decide(accept),
    });
    this.#title = new Title(main.querySelector(".title"), store, {
      onFlip: () => this.#flip(),
      onBeamer: () => this.#beamer(),
      onShare: () => share(store.id, display.shown),
      onResign: () => this.#resign(),
    });
    this.#moves = new Moves(at("moves"), store, (ply) => display.seek(ply));
  }

  #panels() {
    const { id, game, state, table } = this.#store;
    const onPick = (move) => this.#board.hint(move ?? this.#input.hinted);
    const onFound = (found) => this.#found(found);
    this.#analysis = new AnalysisPanel(at("analysis"), { id, game, onPick, onFound });
    this.#wire = new WirePanel(at("wire"), { live: this.#live, id });
    replace(at("steps"), steps(this.#display, () => this.#store.length));
    const name = boardName(table);
    put(at("moves-title"), t(game === "dice" ? "table.throws" : "table.moves"));
    put(at("moves-sub"), game === "quarto" || game === "morris" ? "" : t(`table.movesSub.${name}`));
    if (state.result) this.#finish();
  }

  /** Boards that can show what moves are worth do so; null: nobody analyses. */
  #found(found) {
    if (!("scores" in this.#board)) return;
    this.#board.scores = found && columnScores(found);
    this.#shape();
  }

  /** What only a finished game has: curve and slider. */
  #finish() {
    if (this.#replay) return;
    const { id, game, state, opening } = this.#store;
    const players = state.seats.map(({ name }) => name);
    const slider = html("div", { class: "slider" });
    main.classList.add("table--replay");
    this.#replay = new Replay(slider, this.#store, this.#display);
    this.#curve = new CurvePanel(at("curve"), {
      id,
      game,
      players,
      opening,
      onSeek: (ply) => this.#display.seek(ply),
      onFaults: (plies) => this.#faults(plies),
    });
    at("curve").append(slider);
    at("curve").hidden = false;
    this.#curve.load();
    this.#analyse(); // a tournament's game may be looked at from now on
  }

  #faults(plies) {
    this.#moves.faults(plies);
    this.#moves.show(this.#display.shown);
    this.#replay.faults(plies);
  }

  #arrange() {
    const name = boardName(this.#store.table);
    main.classList.remove("table--tall");
    main.classList.add(WIDE.has(name) ? "table--wide" : "table--tall", `table--${name}`);
    this.#place();
  }

  /** Give the stage the board's proportions, which are known when it shows something. */
  #shape() {
    const [width, height] = this.#board.size ?? [1, 1];
    main.style.setProperty("--aspect", (width / height).toFixed(3));
  }

  /** Put seats and board on the stage, the own seat below. */
  #place() {
    const name = boardName(this.#store.table);
    const below = (this.#store.solo === 1) !== this.#flipped ? 1 : 0;
    const flipped = name === "oware" ? below === 1 : this.#flipped;
    if (this.#board.flipped !== flipped) this.#board.flipped = flipped;
    const order = name === "solid" || name === "dice" ? "0" : String(below);
    if (at("stage").dataset.below === order) return;
    at("stage").dataset.below = order;
    replace(at("stage"), this.#staged(name, below));
    if (name === "dice") this.#board.seats = this.#seats.elements;
  }

  #staged(name, below) {
    const seats = this.#seats.elements;
    if (name === "dice") return this.#board;
    if (name === "solid") return [html("div", { class: "twoseats" }, seats), this.#board];
    return [seats[1 - below], this.#board, seats[below]];
  }

  #keys() {
    const step = (by) => this.#display.step(by);
    listen({
      back: () => step(-1),
      forward: () => step(1),
      first: () => this.#display.seek(0),
      present: () => this.#display.seek(this.#store.length),
      type: () => this.#turn.field?.focus(),
      hint: () => this.#input.hint(),
      roll: () => this.#store.game === "dice" && this.#input.play("ROLL"),
      save: () => this.#store.game === "dice" && this.#input.play("SAVE"),
      flip: () => this.#flip(),
      analysis: () => this.#tabs.visit("analysis"),
      wire: () => this.#tabs.visit("wire"),
      nextFault: () => this.#curve?.next(),
      lastFault: () => this.#curve?.previous(),
      beamer: () => this.#beamer(),
      cancel: () => this.#cancel(),
    });
  }

  // what the server tells

  /** There are new plies, or others than we knew. */
  moved() {
    this.#display.arrived();
    this.stateChanged();
  }

  /** Seats, clock or result have changed. */
  stateChanged() {
    const { table, state } = this.#store;
    this.#seats.take(state.clock);
    this.#wire.update(table, state);
    this.update();
  }

  // showing

  /** Show everything as it stands. */
  update() {
    const { shown, following } = this.#display;
    if (this.#store.over) this.#finish();
    this.#place();
    this.#judge();
    this.#title.update(this.#display);
    this.#seats.update(this.#display);
    this.#input.update();
    this.#turn.update({
      open: this.#input.open,
      choice: this.#input.choice,
      sending: this.#input.sending,
      connected: this.#live.status !== "lost",
    });
    this.#list();
    this.#moves.show(shown);
    this.#replay?.update();
    this.#curve?.show(shown, this.#store.length);
    this.#remember(following || this.#store.length === shown ? null : shown);
  }

  /** A race may be decided on the board and still have no winner: somebody gave a wrong score. */
  #judge() {
    const { result } = this.#store.state;
    if ("spoilt" in this.#board) this.#board.spoilt = Boolean(result) && result.winner === null;
  }

  #list() {
    const { length, over, state } = this.#store;
    const known = this.#store.game === "oware" ? this.#store.knownCount : 0;
    const key = JSON.stringify([length, over, known, state.seats.map(({ name }) => name)]);
    if (key === this.#listed) return;
    this.#listed = key;
    this.#moves.list();
    this.#moves.show(this.#display.shown);
  }

  #rested() {
    const { shown } = this.#display;
    this.update();
    this.#analyse();
    if (this.#store.over) announce(happened(this.#store, shown)); // else the banner says it
  }

  /** Have the position analysed; a tournament's game only when it is over. */
  #analyse() {
    const { shown, view, busy } = this.#display;
    const { table, over } = this.#store;
    if (!busy) this.#analysis.show({ ply: shown, view, secret: table.tournament && !over });
  }

  /** Let the address name the position, so that it can be copied and reloaded. */
  #remember(ply) {
    const here = new URL(location.href);
    if (ply === null) here.searchParams.delete("ply");
    else here.searchParams.set("ply", ply);
    if (here.href !== location.href) history.replaceState(history.state, "", here);
  }

  // doing

  /** Say something in the banner, until the position changes. */
  say(text) {
    this.#turn.note(text);
    this.update();
  }

  /** Ask the server for something; what it refuses is said in the banner. */
  async #ask(promise, then = () => {}) {
    try {
      then(await promise);
    } catch (refused) {
      this.say(sentence(said(refused.message)));
    }
  }

  #flip() {
    if (this.#store.game === "dice") return;
    this.#flipped = !this.#flipped;
    this.update();
  }

  #beamer() {
    const on = document.documentElement.classList.toggle("is-beamer");
    announce(t(on ? "table.beamerOn" : "table.beamerOff"));
  }

  #cancel() {
    document.activeElement?.blur();
    this.#board.cancel();
    this.#board.refresh?.();
    this.update();
  }

  #take(seat) {
    const title = t("table.takeTitle", { name: this.#store.name(seat) });
    takeSeat(title, (name) => send(`${this.#path}/seats/${seat}/take`, { name }));
  }

  /** Let who asks for it join, or not. */
  #decide(accept) {
    const player = this.#turn.asking;
    if (player) this.#ask(send(`${this.#path}/seats/0/opponent`, { player, accept }));
  }

  #open(seat) {
    ownSeat(this.#store.name(seat), {
      link: async () => {
        const { path } = await read(`${this.#path}/seats/${seat}/link`);
        return new URL(path, location.href).href;
      },
      leave: () => this.#ask(send(`${this.#path}/seats/${seat}/leave`)),
      resign: () => this.#resign(seat),
    });
  }

  #resign(seat = this.#store.solo ?? this.#store.state.turn) {
    const name = this.#store.name(seat);
    if (!this.#store.mine.includes(seat)) return;
    confirm(t("table.resign"), t("table.resignText", { name }), t("table.resign"), () =>
      this.#ask(send(`${this.#path}/resign`, { seat })),
    );
  }

  #rematch() {
    this.#ask(send(`${this.#path}/rematch`), ({ id }) => {
      location.href = `/t/${encodeURIComponent(id)}`;
    });
  }
}
