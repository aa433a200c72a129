// All ratings on one scale: a bar for each interval, a stroke for the rating itself.

import { elo } from "./words.js";
import { html } from "../dom.js";

const ROOM = 0.04; // of the span, on both sides
const LEAST = 40; // Elo that the scale spans at least
const STEPS = [10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000];

/** The scale that holds all who are in the running; null if none of them has a rating. */
export function scaleOf(standings, most = 5) {
  const known = standings.filter(({ rating, disqualified }) => rating !== null && !disqualified);
  if (!known.length) return null;
  const values = known.flatMap(({ rating, low, high }) => [rating, low, high]);
  const finite = values.filter((value) => Number.isFinite(value));
  const [first, last] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const room = Math.max(LEAST - (last - first), ROOM * (last - first)) / 2 + 1;
  return made(first - room, last + room, most);
}

function made(low, high, most) {
  const step = STEPS.find((one) => (high - low) / one <= most) ?? (high - low) / most;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  const ticks = Array.from({ length: count }, (_, n) => (first + n) * step);
  const at = (value) => Math.min(1, Math.max(0, (value - low) / (high - low)));
  return { ticks, at };
}

/** The numbers of the scale, above its column. */
export function axis(scale) {
  const ticks = scale.ticks.map((tick) => {
    const vars = { "--at": scale.at(tick).toFixed(4) };
    return html("span", { class: tick === 0 ? "zero" : null, vars }, elo(tick));
  });
  return html("div", { class: "axis num", "aria-hidden": "true" }, ticks);
}

/** An entrant's bar. */
export function bar(scale, one) {
  const { rating } = one;
  const lines = scale.ticks.map((tick) => {
    const vars = { "--at": scale.at(tick).toFixed(4) };
    return html("i", { class: tick === 0 ? "line zero" : "line", vars });
  });
  if (rating === null) return html("div", { class: "elo", "aria-hidden": "true" }, lines);
  const vars = { "--at": scale.at(rating).toFixed(4) };
  const here = html("i", { class: "here" });
  return html("div", { class: "elo", vars, "aria-hidden": "true" }, lines, span(scale, one), here);
}

/** The interval, if it is known at all; what has no end on a side is open there. */
function span(scale, { low, high }) {
  if (low === null && high === null) return null;
  const vars = {
    "--low": (low === null ? 0 : scale.at(low)).toFixed(4),
    "--high": (high === null ? 1 : scale.at(high)).toFixed(4),
  };
  const open = [high === null && "is-up", low === null && "is-down"].filter(Boolean);
  return html("i", { class: ["span", ...open].join(" "), vars });
}
