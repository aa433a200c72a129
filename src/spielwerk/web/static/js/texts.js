// Every text of the interface, in the page's language: t("lobby.title"), t("turn.of", { name }).

const language = document.documentElement.lang;
const answer = await fetch(new URL(`../texts/${language}.json`, import.meta.url));
const texts = await answer.json();
const plural = new Intl.PluralRules(language);

/** The text of that name with the values in its {places}; the name itself if there is none. */
export function t(name, values = {}) {
  const text = "count" in values ? counted(name, values.count) : texts[name];
  return (text ?? name).replace(/\{(\w+)\}/g, (place, key) => values[key] ?? place);
}

/** Whether there is a text of that name. */
export function has(name) {
  return name in texts || `${name}.other` in texts;
}

/** Why a request has failed: the server's own sentence, or that it cannot be reached. */
export function failure(error) {
  return error.status ? explained(error) : t("common.unreachable");
}

/** What the server has said against a request. */
export function explained({ said: message, message: english }) {
  return message ? said(message) : english;
}

const FIGURES = new Set(["count", "limit", "memory", "seconds", "time"]);

/** A message of the server, { code, values }, in the page's language; a value may be another one. */
export function said({ code, values }) {
  const shown = ([name, value]) => [name, value.code ? said(value) : written(name, value)];
  return t(`said.${code}`, Object.fromEntries(Object.entries(values).map(shown)));
}

/** A value as the language writes it: the server's figures, "1,234.5 MB", have English signs. */
function written(name, value) {
  const swap = language === "de" && FIGURES.has(name) && /^[\d,]+(\.\d+)?( \w+)?$/.test(value);
  return swap ? value.replace(/[,.]/g, (sign) => (sign === "," ? "." : ",")) : value;
}

/** A number as the language writes it, with so many digits after the comma. */
export function number(value, digits = 0) {
  return value.toLocaleString(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** The same with its sign, in print's own minus; zero has none. */
export function signed(value, digits = 0) {
  const text = number(Math.abs(value), digits);
  const zero = Number(Math.abs(value).toFixed(digits)) === 0;
  return zero ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/** A number as people type it: with the language's own sign, and no more digits than needed. */
export function plain(value) {
  return value.toLocaleString(language, { maximumFractionDigits: 3, useGrouping: false });
}

/** The number that was typed, with either sign before its fraction; NaN if it is none. */
export function decimal(text) {
  return /^\d{1,6}(?:[.,]\d{1,3})?$/.test(text.trim()) ? Number(text.replace(",", ".")) : NaN;
}

function counted(name, count) {
  return texts[`${name}.${plural.select(count)}`] ?? texts[`${name}.other`] ?? texts[name];
}

/** How long a duration in milliseconds is, as [digits, unit]. */
export function duration(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  const sixty = (large, small) => `${large}:${String(small).padStart(2, "0")}`;
  if (seconds < 10) return [number(Math.ceil(10 * seconds) / 10, 1), t("table.unit.seconds")];
  const whole = Math.ceil(seconds);
  if (whole < 3600) return [sixty(Math.floor(whole / 60), whole % 60), t("table.unit.minutes")];
  return [sixty(Math.floor(whole / 3600), Math.floor(whole / 60) % 60), t("table.unit.hours")];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const date = new Intl.DateTimeFormat(language, {
  day: "numeric",
  month: "numeric",
  year: "2-digit",
});

/** The age of something that happened then, in milliseconds since 1970. */
export function age(then) {
  const passed = Math.max(0, Date.now() - then);
  if (passed < MINUTE) return t("lobby.age.seconds", { number: number(Math.floor(passed / 1000)) });
  if (passed < HOUR) return t("lobby.age.minutes", { number: number(Math.floor(passed / MINUTE)) });
  if (passed < DAY) return t("lobby.age.hours", { number: number(Math.floor(passed / HOUR)) });
  return yesterday(then) ? t("lobby.age.yesterday") : date.format(then);
}

function yesterday(then) {
  const day = new Date();
  day.setDate(day.getDate() - 1);
  return day.toDateString() === new Date(then).toDateString();
}
