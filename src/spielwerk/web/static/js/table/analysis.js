// The analysis of the position shown: what every move is worth, and the line that is expected.

import { html, replace } from "../dom.js";
import { word } from "../games.js";
import { emblem, icon } from "../icons.js";
import { get, set, watch } from "../settings.js";
import { sign } from "./seats.js";
import { CHANCE, balance, proof, rounded, stack, verdict } from "./verdicts.js";
import { number, said, t } from "../texts.js";

const PATIENCE = 220; // milliseconds that a position must stay before it is looked at
const AGAIN = 3000; // milliseconds before a busy server is asked again
const PAUSE = 300; // milliseconds between a look and a deeper one
const DEEPEST = 2;
const SECRET = "a tournament's game is analysed when it is over"; // as the server would say it

/**
 * The panel; `onPick(move)` hears which move is pointed at, null when none is any more, and
 * `onFound(answer)` what was found: no moves while it is not known, null when nobody analyses.
 */
export class AnalysisPanel {
  /** The panel of this page. */
  static current = null;

  #path;
  #kind;
  #onPick;
  #onFound;
  #position = null;
  #shownPly = null;
  #secret = false;
  #request = null;
  #timer = 0;
  #picked = null;
  #on = get("analysis");
  #faults = null;
  #sub = html("span", { class: "sub" });
  #body = html("div", { class: "body", "aria-live": "off" });
  #pause = html("button", { type: "button", class: "tool" });
  #choice = html("span", { class: "seg seg--s", role: "group", "aria-label": t("analysis.title") });

  constructor(root, { id, kind, onPick, onFound = () => {} }) {
    this.#path = `/api/v1/matches/${encodeURIComponent(id)}/analysis`;
    this.#kind = kind;
    this.#onPick = onPick;
    this.#onFound = onFound;
    const title = html("h2", {}, t("analysis.title"));
    const tools = html("div", { class: "tools" }, this.#choice, this.#pause);
    replace(root, html("header", {}, title, this.#sub, tools), this.#body);
    this.#pause.addEventListener("click", () => set("analysis", !get("analysis")));
    watch(() => this.#switched());
    this.#listen();
    this.#face();
    AnalysisPanel.current = this;
  }

  /** Look at this position; one that is `secret` is not analysed by anybody. */
  show({ ply, view, secret = false }) {
    this.#position = { ply, view, secret };
    this.#look();
  }

  /** The list of a finished game's faults takes the panel until somebody asks for the position. */
  offerFaults(list, count) {
    const first = !this.#faults;
    this.#faults = { list, count, shown: first || this.#faults.shown };
    this.#face();
    if (this.#faults.shown) this.#look();
  }

  // what is looked at

  /** Somebody has switched the analysis on or off, perhaps in another tab. */
  #switched() {
    if (this.#on === get("analysis")) return;
    this.#on = get("analysis");
    this.#face();
    this.#shownPly = null;
    this.#look();
  }

  /** Ask for the position, unless it is shown, nobody decides there, or somebody said stop. */
  #look() {
    const { ply, view, secret } = this.#position ?? {};
    if (this.#faults?.shown) return this.#listFaults();
    if (ply === undefined || !view) return;
    const same = ply === this.#shownPly && secret === this.#secret;
    if (same && !this.#body.classList.contains("is-stale")) return;
    this.#cancel();
    this.#shownPly = ply;
    this.#secret = secret;
    this.#onFound(get("analysis") && !view.outcome && !secret ? { ply, moves: [] } : null);
    if (secret) return this.#say(said(SECRET));
    if (!get("analysis")) return this.#say(t("analysis.paused"));
    if (view.turn < 0) return this.#say(t(view.outcome ? "analysis.over" : "analysis.chance"));
    this.#body.classList.add("is-stale");
    this.#timer = setTimeout(() => this.#ask(ply, 0), PATIENCE);
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = null;
    this.#pick(null);
  }

  async #ask(ply, effort) {
    const { signal } = (this.#request = new AbortController());
    this.#body.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`${this.#path}?ply=${ply}&effort=${effort}`, { signal });
      const found = await answer.json();
      signal.throwIfAborted();
      if (answer.ok) this.#found(ply, effort, found);
      else this.#refused(ply, effort, answer.status, found.error);
    } catch {
      if (!signal.aborted) this.#say(t("analysis.unreachable"));
    }
    if (!signal.aborted) this.#body.removeAttribute("aria-busy");
  }

  #found(ply, effort, found) {
    this.#render(found);
    const deeper = !found.proven && effort < DEEPEST && found.moves.length > 0;
    const more = () => this.#whenSeen(() => this.#ask(ply, effort + 1));
    if (deeper) this.#timer = setTimeout(more, PAUSE);
  }

  #refused(ply, effort, status, error) {
    if (effort > 0) return; // what is shown is good enough
    this.#say(said(error ?? ""));
    if (status === 429) this.#timer = setTimeout(() => this.#ask(ply, effort), AGAIN);
  }

  /** Nobody thinks deeply for a page in the background. */
  #whenSeen(work) {
    if (!document.hidden) return work();
    const options = { once: true, signal: this.#request?.signal };
    document.addEventListener("visibilitychange", work, options);
  }

  // what is shown

  #face() {
    const on = get("analysis");
    const label = t(on ? "analysis.pause" : "analysis.resume");
    this.#pause.setAttribute("aria-label", label);
    this.#pause.title = label;
    this.#pause.hidden = Boolean(this.#faults?.shown);
    replace(this.#pause, icon(on ? "pause" : "play"));
    this.#choice.hidden = !this.#faults;
    if (this.#faults) replace(this.#choice, this.#tab(true), this.#tab(false));
  }

  #tab(faults) {
    const words = faults
      ? t("analysis.faults", { count: this.#faults.count })
      : t("analysis.position");
    const press = () => {
      this.#faults.shown = faults;
      this.#face();
      this.#shownPly = null;
      this.#look();
      this.#choice.children[faults ? 0 : 1].focus();
    };
    const pressed = String(this.#faults.shown === faults);
    return html("button", { type: "button", "aria-pressed": pressed, on: { click: press } }, words);
  }

  #listFaults() {
    this.#cancel();
    if (this.#shownPly !== null) this.#onFound(null);
    this.#shownPly = null;
    this.#body.classList.remove("is-stale");
    this.#body.removeAttribute("aria-busy");
    replace(this.#sub);
    if (this.#body.firstChild !== this.#faults.list) replace(this.#body, this.#faults.list);
  }

  #say(sentence) {
    this.#body.classList.remove("is-stale");
    replace(this.#sub);
    replace(this.#body, note(sentence));
  }

  async #render(found) {
    const { view } = this.#position;
    const shown = this.#shownPly;
    const own = await this.#kind.analysis(found, view);
    if (shown !== this.#shownPly) return;
    const kept = this.#body.querySelector("[data-move]:focus")?.dataset.move;
    this.#body.classList.remove("is-stale");
    const tight = Boolean(this.#faults); // the header also holds the choice
    if (own) replace(this.#sub, tight ? "" : own.title);
    else replace(this.#sub, subtitle(this.#kind, found, tight));
    replace(this.#body, own?.parts ?? listParts(this.#kind, found, view));
    this.#rove(kept);
    this.#onFound(found);
  }

  // pointing at moves

  #listen() {
    const pick = ({ target }) => {
      const own = target.closest("[data-move]");
      const row = own ?? target.closest(".eval tr")?.querySelector("[data-move]");
      this.#pick(row?.dataset.move ?? null);
    };
    this.#body.addEventListener("pointerover", pick);
    this.#body.addEventListener("focusin", pick);
    for (const event of ["pointerleave", "focusout"]) {
      this.#body.addEventListener(event, () => this.#pick(null));
    }
    this.#body.addEventListener("keydown", (event) => this.#step(event));
  }

  #pick(move) {
    if (move === this.#picked) return; // a hint that was asked for stays where it is
    this.#picked = move;
    this.#onPick(move);
  }

  /** One tab stop for all moves: the best, or the one that had the focus. */
  #rove(kept) {
    const places = [...this.#body.querySelectorAll("[data-move]")];
    const own = places.find(({ dataset }) => dataset.move === kept);
    const first = own ?? this.#body.querySelector(".is-best[data-move], .is-best [data-move]");
    (first ?? places[0])?.setAttribute("tabindex", "0");
    own?.focus({ preventScroll: true });
  }

  #step(event) {
    const from = event.target.closest("[data-move]");
    const to = from && !event.ctrlKey && !event.altKey && neighbour(from, event.key);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    from.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
  }
}

/** Where an arrow leads from a move in the list or the matrix. */
function neighbour(from, key) {
  const cell = from.closest("td");
  const row = from.closest("tr");
  const column = [...row.children].indexOf(cell);
  const other = {
    ArrowUp: () => row.previousElementSibling?.children[column],
    ArrowDown: () => row.nextElementSibling?.children[column],
    ArrowLeft: () => cell.previousElementSibling,
    ArrowRight: () => cell.nextElementSibling,
  }[key]?.();
  return other?.matches("[data-move]") ? other : other?.querySelector("[data-move]");
}

// the parts

function subtitle(kind, { unit, perspective, count }, tight) {
  const brief = tight && unit !== CHANCE;
  const own = () => word(kind, `unit.${unit}`) ?? word(kind, "unit") ?? unit;
  const words = brief ? t("analysis.seenBy") : own();
  const name = html("span", { class: "vh" }, perspective);
  const who = html("span", { class: "who" }, sign(kind, perspective), name);
  const moves = kind.countsMoves && !tight ? [t("analysis.moves", { count }), " · "] : [];
  return [...moves, words, " ", who];
}

function note(sentence) {
  return html("p", { class: "note" }, sentence);
}

function listParts(kind, found, view) {
  const remark = found.moves.length ? null : note(word(kind, "unsolved") ?? t("analysis.none"));
  const own = kind.analysisFacts?.(found, view).filter(Boolean);
  const facts = own ? html("dl", { class: "pv" }, own.map((one) => fact(...one, "num"))) : searchFacts(found);
  const told = found.moves.length ? found.remarks.map((text) => note(said(text))) : [];
  return [remark, told, list(found), found.moves.length ? facts : null, legend(kind, found)];
}

function list({ moves, unit, perspective, chances }) {
  const rows = moves.map((move, n) => {
    const bar = chances ? stack(chances[n]) : balance(move, perspective);
    return html(
      "tr",
      { class: n === 0 && "is-best" },
      html("td", { class: "mv" }, moveButton(move), move.gain ? gain(move) : null),
      html("td", { class: "bar", "aria-hidden": "true" }, bar),
      html("td", { class: `val ${move.exact ? "is-proven" : "is-guess"}` }, verdict(move, unit)),
      html("td", { class: "seal" }, proof(move.exact)),
    );
  });
  const caption = html("caption", { class: "vh" }, t("analysis.title"));
  return html("table", { class: "eval" }, caption, html("tbody", {}, rows));
}

function moveButton({ move }) {
  const attributes = { type: "button", "data-move": move, tabindex: -1, class: "pick" };
  return html("button", attributes, move);
}

function gain({ gain: count }) {
  return html("span", { class: "gain" }, t("analysis.collects", { count }));
}

function searchFacts({ variation, depth, nodes, time }) {
  const values = { depth, nodes: rounded(nodes), time: number(time, 2) };
  return html(
    "dl",
    { class: "pv" },
    fact(t("analysis.variation"), variation.slice(0, 12).join(" "), "mono"),
    fact(t("analysis.search"), t("analysis.searched", values), "num"),
  );
}

function fact(name, value, kind) {
  return html("div", {}, html("dt", {}, name), html("dd", { class: kind }, value));
}

function legend(kind, { moves, depth, chances }) {
  const proven = moves.some(({ exact }) => exact);
  const guessed = moves.some(({ exact }) => !exact);
  const how = word(kind, "computed") ?? t("analysis.proven");
  const all = [0, 1, 2].map(emblem);
  return html(
    "div",
    { class: "legend" },
    proven && html("span", {}, proof(true), how),
    guessed && html("span", {}, proof(false), t("analysis.estimatedTo", { depth })),
    chances && html("span", {}, all, t("analysis.allChances")),
  );
}
