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
  return name in texts;
}

/** A sentence of the server in the page's language, as it came if nobody has translated it. */
export function said(sentence) {
  const exact = texts[`rules.${sentence}`];
  if (exact) return exact;
  for (const [name, pattern] of patterns()) {
    const found = pattern.exec(sentence);
    if (found) return t(name, found.groups);
  }
  return sentence;
}

let compiled = null;

/** The server's sentences with {places}, as patterns. */
function patterns() {
  compiled ??= Object.keys(texts)
    .filter((name) => name.startsWith("rules.") && name.includes("{"))
    .map((name) => [name, new RegExp(`^${escaped(name.slice(6))}$`, "su")]);
  return compiled;
}

function escaped(sentence) {
  const plain = sentence.replace(/[.*+?^$()|[\]\\/]/g, "\\$&");
  return plain.replace(/\{(\w+)\}/g, "(?<$1>.+)");
}

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
