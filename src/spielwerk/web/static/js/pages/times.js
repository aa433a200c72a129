// The time of a new game: none, so much for each move, or a clock for all moves of a player. People
// read minutes and seconds, the server milliseconds.

import { clockBarred, form, limitOf, usualSeconds } from "./choices.js";
import { html } from "../dom.js";
import * as fields from "./fields.js";
import { t } from "../texts.js";

const DAY = 24 * 3600; // seconds
const LIMITS = ["none", "move", "clock"];

let chooser = null;
let numbers = []; // the fields, by the limit that they belong to
let seconds = null; // which follows the seats until something is typed

/** The choice of a limit and its numbers; `changed()` is called when something else is chosen. */
export function timePart(changed) {
  const label = t("new.limit");
  const names = LIMITS.map((limit) => [limit, t(`new.limit.${limit}`)]);
  const choose = (limit) => {
    form.choice.time.limit = limit;
    changed();
  };
  chooser = fields.segments(label, names, limitOf(), choose);
  numbers = [
    timeField("move", "seconds", t("new.time"), t("new.unit.seconds"), 0.01, DAY, changed),
    timeField("clock", "minutes", t("new.clock.minutes"), t("new.unit.minutes"), 0.1, DAY / 60, changed),
    timeField("clock", "increment", t("new.clock.increment"), t("new.unit.seconds"), 0, 3600, changed),
  ];
  seconds = numbers[0][1].querySelector("input");
  const choice = html("div.lab", html("span", { "aria-hidden": "true" }, label), chooser);
  return html("div.times", choice, numbers.map(([, field]) => field));
}

/** A number of one of the limits; it cannot be wrong while another limit is chosen. */
function timeField(limit, name, label, unit, low, high, changed) {
  const { time } = form.choice;
  const keep = (text) => {
    time[name] = text.trim();
    changed();
  };
  const input = fields.textInput(time[name], keep, { inputmode: "decimal", class: "num" });
  const fault = () =>
    limitOf() === limit ? fields.decimal(label, input.value, low, high)[1] : null;
  return [limit, fields.field(label, input, { wrap: fields.withUnit(input, unit), fault })];
}

/** Show what follows from the seats and from what was chosen. */
export function showTime() {
  const limit = limitOf();
  const barred = clockBarred();
  for (const button of chooser.children) {
    const { value } = button.dataset;
    button.setAttribute("aria-pressed", String(value === limit));
    button.disabled = barred && value === "clock";
    button.title = button.disabled ? t("new.clock.barred") : "";
  }
  for (const [one, field] of numbers) field.hidden = one !== limit;
  if (!form.choice.time.seconds && document.activeElement !== seconds) seconds.value = usualSeconds();
}
