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
  return error.status ? said(error.message) : t("common.unreachable");
}

const LONGEST = 300; // characters of a sentence, quotes apart; what is longer is not ours
const DEEPEST = 12; // sentences in sentences
const FIGURES = new Set(["count", "limit", "memory", "seconds", "time"]);

// What somebody has said; an apostrophe follows a letter. One that is cut off has no end.
const QUOTED = /(^|[\s(])('(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$))/g;
const FIRST = 0xe000; // of the private characters that stand for quotes meanwhile

/**
 * A sentence of the server in the page's language, as it came if nobody has translated it. Places
 * stand for anything without a "; ", {why} for a sentence of its own. What is not found as a whole
 * is looked for in parts: "NAME: sentence; NAME: sentence". What stands in quotes stays as it is.
 * Reports do the same.
 */
export function said(sentence) {
  const quoted = [];
  const short = sentence.replace(QUOTED, (_, before, words) => {
    quoted.push(words);
    return before + String.fromCharCode(FIRST + quoted.length - 1);
  });
  return within(short, 0).replace(
    /[\ue000-\uf8ff]/g,
    (sign) => quoted[sign.charCodeAt(0) - FIRST] ?? sign,
  );
}

function within(sentence, depth) {
  if (sentence.length > LONGEST || depth > DEEPEST) return sentence;
  return texts[`rules.${sentence}`] ?? filled(sentence, depth) ?? inParts(sentence, depth);
}

/** The translation of a sentence with places, these filled in. */
function filled(sentence, depth) {
  for (const [name, pattern] of patterns()) {
    const found = pattern.exec(sentence);
    if (!found) continue;
    const parts = Object.entries(found.groups);
    const values = parts.map(([place, part]) => [place, value(place, part, depth)]);
    return t(name, Object.fromEntries(values));
  }
  return null;
}

function value(place, part, depth) {
  if (place === "why") return within(part, depth + 1);
  return FIGURES.has(place) ? figure(part) : part;
}

/** A figure of the server, "1,234.5 MB", as the language writes it. */
function figure(text) {
  const [, whole, digits = "", unit = ""] = /^([\d,]+)(\.\d+)?( \w+)?$/.exec(text) ?? [];
  if (!whole) return text;
  const found = Number(`${whole.replaceAll(",", "")}${digits}`);
  return `${number(found, Math.max(0, digits.length - 1))}${unit}`;
}

/** Several sentences one by one; before a colon stands whom or what the rest is about. */
function inParts(sentence, depth) {
  const [, first, rest] = /^(.*?); (.*)$/su.exec(sentence) ?? [];
  if (rest !== undefined) return `${within(first, depth + 1)}; ${within(rest, depth + 1)}`;
  const [, before, after] = /^(.*?): (.*)$/su.exec(sentence) ?? [];
  return after === undefined ? sentence : `${before}: ${within(after, depth + 1)}`;
}

let compiled = null;

/** The server's sentences with {places}, those first that say most themselves. */
function patterns() {
  compiled ??= Object.keys(texts)
    .filter((name) => name.startsWith("rules.") && name.includes("{"))
    .sort((one, other) => own(other) - own(one))
    .map((name) => [name, new RegExp(`^${escaped(name.slice(6))}$`, "su")]);
  return compiled;
}

/** How many letters of a sentence are its own. */
const own = (name) => name.replace(/\{\w+\}/g, "").length;

function escaped(sentence) {
  const plain = sentence.replace(/[.*+?^$()|[\]\\/]/g, "\\$&");
  return plain.replace(/\{(\w+)\}/g, (_, place) => `(?<${place}>${any(place)})`);
}

const any = (place) => (place === "why" ? ".+" : "(?:(?!; ).)+?");

/** A number as the language writes it, with so many digits after the comma. */
export function number(value, digits = 0) {
  return value.toLocaleString(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function counted(name, count) {
  return texts[`${name}.${plural.select(count)}`] ?? texts[`${name}.other`] ?? texts[name];
}

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
