// The table as a whole: the parts of its page, and what ties them together.

import { read, send } from "../api.js";
import { openPrograms } from "../contest/reports.js";
import { html, put, replace } from "../dom.js";
import { word } from "../games.js";
import { announce } from "../page.js";
import { AnalysisPanel } from "./analysis.js";
import { CurvePanel } from "./curve.js";
import { confirm, ownSeat, share, takeSeat } from "./dialogs.js";
import { Display } from "./display.js";
import { Input } from "./input.js";
import { Tabs, listen } from "./keys.js";
import { Moves } from "./moves.js";
import { Replay, steps } from "./replay.js";
import { Seats } from "./seats.js";
import { Title } from "./title.js";
import { Turn } from "./turn.js";
import { WirePanel } from "./wire.js";
import { happened, sentence } from "./words.js";
import { said, t } from "../texts.js";


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
    const { kind } = this.#store;
    if (kind.needsAll) this.#store.loadAll(() => this.#list()).catch(() => {});
    kind.started?.({ store: this.#store, display: this.#display }).catch(() => {});
    if (location.hash === "#wire") this.#tabs.visit("wire");
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
    const { id, kind, state } = this.#store;
    const onPick = (move) => this.#board.hint(move ?? this.#input.hinted);
    const onFound = (found) => this.#found(found);
    this.#analysis = new AnalysisPanel(at("analysis"), { id, kind, onPick, onFound });
    this.#wire = new WirePanel(at("wire"), { live: this.#live, id });
    replace(at("steps"), steps(this.#display, () => this.#store.length));
    put(at("moves-title"), word(kind, "movesTitle") ?? t("table.moves"));
    put(at("moves-sub"), word(kind, "movesSub") ?? "");
    if (state.result) this.#finish();
  }

  /** Boards that can show what moves are worth do so; null: nobody analyses. */
  #found(found) {
    if (!("scores" in this.#board)) return;
    this.#board.scores = found;
    this.#shape();
  }

  /** What only a finished game has: curve and slider. */
  #finish() {
    if (this.#replay) return;
    const { id, kind, state, opening } = this.#store;
    const players = state.seats.map(({ name }) => name);
    const slider = html("div", { class: "slider" });
    main.classList.add("table--replay");
    this.#replay = new Replay(slider, this.#store, this.#display);
    this.#curve = new CurvePanel(at("curve"), {
      id,
      kind,
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
    const { wide, name } = this.#store.kind;
    main.classList.remove("table--tall");
    main.classList.add(wide ? "table--wide" : "table--tall", `table--${name}`);
    this.#place();
  }

  /** Give the stage the board's proportions, which are known when it shows something. */
  #shape() {
    const [width, height] = this.#board.size ?? [1, 1];
    main.style.setProperty("--aspect", (width / height).toFixed(3));
  }

  /** Put seats and board on the stage, the own seat below. */
  #place() {
    const { facing, together } = this.#store.kind;
    const holding = "seats" in this.#board; // it has places for the seats
    const below = (this.#store.solo === 1) !== this.#flipped ? 1 : 0;
    const flipped = facing ? below === 1 : this.#flipped;
    if (this.#board.flipped !== flipped) this.#board.flipped = flipped;
    const order = together || holding ? "0" : String(below);
    if (at("stage").dataset.below === order) return;
    at("stage").dataset.below = order;
    replace(at("stage"), this.#staged(holding, below));
    if (holding) this.#board.seats = this.#seats.elements;
  }

  #staged(holding, below) {
    const seats = this.#seats.elements;
    if (holding) return this.#board;
    if (this.#store.kind.together) return [html("div", { class: "twoseats" }, seats), this.#board];
    return [seats[1 - below], this.#board, seats[below]];
  }

  #keys() {
    const step = (by) => this.#display.step(by);
    const actions = {
      back: () => step(-1),
      forward: () => step(1),
      first: () => this.#display.seek(0),
      present: () => this.#display.seek(this.#store.length),
      type: () => this.#turn.field?.focus(),
      hint: () => this.#input.hint(),
      flip: () => this.#flip(),
      analysis: () => this.#tabs.visit("analysis"),
      wire: () => this.#tabs.visit("wire"),
      nextFault: () => this.#curve?.next(),
      lastFault: () => this.#curve?.previous(),
      beamer: () => this.#beamer(),
      cancel: () => this.#cancel(),
    };
    const { kind } = this.#store;
    const own = ({ move, key }) => [key, word(kind, `key.${move}`), () => this.#input.play(move)];
    listen(actions, kind.choices.map(own));
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
    const known = this.#store.kind.needsAll ? this.#store.knownCount : 0;
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
    if (!this.#store.kind.turnable) return;
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
