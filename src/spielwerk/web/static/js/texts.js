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
