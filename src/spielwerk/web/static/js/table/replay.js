// Going through a game: the four steps, and for a finished one playing, a slider and its speed.

import { html, put, replace, tool } from "../dom.js";
import { icon } from "../icons.js";
import { wait } from "../motion.js";
import { t } from "../texts.js";

const SPEEDS = [
  ["½×", 0.5],
  ["1×", 1],
  ["2×", 2],
];
const REST = 900; // milliseconds between two moves at speed 1

/** The four buttons that step through the plies. */
export function steps(display, total) {
  return [
    tool("first", t("table.step.first"), () => display.seek(0)),
    tool("back", t("table.step.back"), () => display.step(-1)),
    tool("forward", t("table.step.forward"), () => display.step(1)),
    tool("last", t("table.step.last"), () => display.seek(total())),
  ];
}

/** The slider of a finished game with its buttons. */
export class Replay {
  #store;
  #display;
  #speed = 1;
  #playing = null;
  #play = html("button", { type: "button", class: "btn btn--ink btn--s" });
  #range = html("input", { type: "range", class: "range", min: 0, "aria-label": t("table.ply") });
  #ticks = html("div", { class: "ticks", "aria-hidden": "true" });
  #count = html("b");
  #total = html("span");
  #speeds = html("span", { class: "seg seg--s", role: "group", "aria-label": t("table.speed") });

  constructor(root, store, display) {
    this.#store = store;
    this.#display = display;
    const [first, back, forward, last] = steps(display, () => store.length);
    const words = [t("table.ply"), " ", this.#count, this.#total];
    const where = html("span", { class: "num nowrap" }, words);
    const rail = html("div", { class: "rail" }, this.#ticks, this.#range);
    replace(root, first, back, this.#play, forward, last, rail, where, this.#speeds);
    this.#range.addEventListener("input", () => display.seek(this.#range.valueAsNumber));
    this.#play.addEventListener("click", () => this.toggle());
    this.#speeds.append(...SPEEDS.map(([word, value]) => this.#speedButton(word, value)));
    this.#faces();
  }

  #speedButton(word, value) {
    const press = () => {
      this.#speed = value;
      this.#faces();
    };
    return html("button", { type: "button", "data-speed": value, on: { click: press } }, word);
  }

  /** Play on from here, from the start if this is the end; or stop. */
  async toggle() {
    if (this.#playing) return this.#playing.abort();
    const { signal } = (this.#playing = new AbortController());
    this.#faces();
    try {
      if (!this.#display.behind) await this.#display.seek(0);
      await this.#run(signal);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      this.#playing = null;
      this.#faces();
    }
  }

  async #run(signal) {
    while (this.#display.behind) {
      const from = this.#display.shown;
      await wait(REST / this.#speed, signal);
      if (this.#display.shown !== from) return; // somebody has gone elsewhere
      await this.#display.step(1);
      signal.throwIfAborted();
    }
  }

  #faces() {
    const running = Boolean(this.#playing);
    const label = t(running ? "table.pause" : "table.play");
    this.#play.setAttribute("aria-label", label);
    this.#play.title = label;
    replace(this.#play, icon(running ? "pause" : "play"));
    for (const button of this.#speeds.children) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === this.#speed));
    }
  }

  /** Mark these plies (counted from 0) on the rail. */
  faults(plies) {
    const place = (ply) => (ply + 1) / Math.max(1, this.#store.length);
    replace(this.#ticks, plies.map((ply) => html("s", { vars: { "--at": place(ply) } })));
  }

  /** Show which position is shown. */
  update() {
    const { shown } = this.#display;
    const total = this.#store.length;
    this.#range.max = String(total);
    this.#range.value = String(shown);
    this.#range.style.setProperty("--done", String(total ? shown / total : 0));
    put(this.#count, String(shown));
    put(this.#total, ` / ${total}`);
  }
}
