// Going through a game: the four steps, and for a finished one playing, a slider and its speed.

import { assign, html, icon, put, replace, tool } from "../dom.js";
import { wait } from "../motion.js";
import { word } from "../games.js";
import { segments } from "../pages/fields.js";
import { display } from "./display.js";
import { store } from "./state.js";
import { t } from "../texts.js";

const SPEEDS = [
  [0.5, "½×"],
  [1, "1×"],
  [2, "2×"],
];
const REST = 900; // milliseconds between two moves at speed 1

let speed = 1;
let playing = null;
const play = html("button.btn.btn--ink.btn--s", { on: { click: toggle } });
const range = html("input.range", {
  type: "range",
  min: 0,
  "aria-label": t("table.ply"),
  on: { input: () => display.seek(range.valueAsNumber) },
});
const ticks = html("div.ticks", { "aria-hidden": "true" });
const count = html("b");
const total = html("span");

/** The four buttons that step through the plies. */
export function steps() {
  return [
    tool("first", t("table.step.first"), () => display.seek(0)),
    tool("back", t("table.step.back"), () => display.step(-1)),
    tool("forward", t("table.step.forward"), () => display.step(1)),
    tool("last", t("table.step.last"), () => display.seek(store.length)),
  ];
}

/** The slider of a finished game with its buttons. */
export function slider() {
  const [first, back, forward, last] = steps();
  const title = word(store.kind, "counting") ?? t("table.counting");
  const where = html("span.num.nowrap", { title }, word(store.kind, "ply") ?? t("table.ply"), " ", count, total);
  const rail = html("div.rail", ticks, range);
  const choose = (value) => (speed = Number(value));
  const speeds = segments(t("table.speed"), SPEEDS, speed, choose, { className: "seg--s" });
  showPlay();
  return html("div.slider", first, back, play, forward, last, rail, where, speeds);
}

/** Play on from here, from the start if this is the end; or stop. */
async function toggle() {
  if (playing) return playing.abort();
  const { signal } = (playing = new AbortController());
  showPlay();
  try {
    if (!display.behind) await display.seek(0);
    await run(signal);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  } finally {
    playing = null;
    showPlay();
  }
}

async function run(signal) {
  while (display.behind) {
    const from = display.shown;
    await wait(REST / speed, signal);
    if (display.shown !== from) return; // the viewer has gone elsewhere
    await display.step(1);
    signal.throwIfAborted();
  }
}

function showPlay() {
  const label = t(playing ? "table.pause" : "table.play");
  assign(play, { "aria-label": label, title: label });
  replace(play, icon(playing ? "pause" : "play"));
}

/** Mark these plies (counted from 0) on the rail. */
export function markTicks(plies) {
  const place = (ply) => (ply + 1) / Math.max(1, store.length);
  replace(ticks, plies.map((ply) => html("s", { vars: { "--at": place(ply) } })));
}

/** Show which position is shown. */
export function updateSlider() {
  const { shown } = display;
  range.max = String(store.length);
  range.value = String(shown);
  range.style.setProperty("--done", String(store.length ? shown / store.length : 0));
  put(count, String(store.number(shown)));
  put(total, ` / ${store.number(store.length)}`);
}
