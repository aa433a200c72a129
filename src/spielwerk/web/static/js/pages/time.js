// How long ago something was, in few words.

import { number, t } from "../texts.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const date = new Intl.DateTimeFormat(document.documentElement.lang, {
  day: "numeric",
  month: "numeric",
  year: "2-digit",
});

/** The age of something that happened then, in milliseconds since 1970. */
export function age(then, now = Date.now()) {
  const passed = Math.max(0, now - then);
  if (passed < MINUTE) return t("lobby.age.seconds", { number: number(Math.floor(passed / 1000)) });
  if (passed < HOUR) return t("lobby.age.minutes", { number: number(Math.floor(passed / MINUTE)) });
  if (passed < DAY) return t("lobby.age.hours", { number: number(Math.floor(passed / HOUR)) });
  return yesterday(then, now) ? t("lobby.age.yesterday") : date.format(then);
}

function yesterday(then, now) {
  const day = new Date(now);
  day.setDate(day.getDate() - 1);
  return day.toDateString() === new Date(then).toDateString();
}
