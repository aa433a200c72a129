// The settings page: what this browser has set works at once; the server's part is the operator's.

import { at, html, replace } from "./dom.js";
import { kinds, nameOf } from "./games.js";
import { announce } from "./page.js";
import * as fields from "./pages/fields.js";
import { showServer } from "./pages/operator.js";
import { DEFAULTS, get, set } from "./settings.js";
import { switches } from "./signals.js";
import { plain, t } from "./texts.js";

const language = document.documentElement.lang;

const SETTINGS = { strategy: "hintStrategy", depth: "hintDepth" };
const advised = kinds.find(({ strategies }) => strategies); // whose hints may go by one

function showBrowser() {
  const looks = [row(t("settings.theme"), themes()), row(t("settings.language"), languages())];
  replace(at("look"), looks, name());
  replace(at("tempo"), step(), display());
  replace(at("signals"), switches());
  replace(at("hint"), level(), advised && exact(), analysis());
}

function row(label, control) {
  return html("div.row", html("span", { "aria-hidden": "true" }, label), control);
}

function themes() {
  const choices = ["system", "light", "dark"].map((one) => [one, t(`common.theme.${one}`)]);
  const keep = (theme) => set("theme", theme);
  return fields.segments(t("settings.theme"), choices, get("theme"), keep);
}

function languages() {
  const choices = ["de", "en"].map((one) => [one, t(`common.language.${one}`)]);
  return fields.segments(t("settings.language"), choices, language, (chosen) => {
    if (chosen !== language) location.assign(`?lang=${chosen}`);
  });
}

function name() {
  const label = t("settings.name");
  const input = fields.textInput(
    get("name"),
    (text) => {
      const wrong = fields.wrongName(label, text);
      fields.blame(input, wrong);
      if (!wrong) set("name", text.trim());
    },
    { maxlength: 80 },
  );
  return fields.field(label, input, { hint: t("settings.name.hint") });
}

/** A slider and a field for the same number; the setting is in milliseconds, shown in units. */
function slider(setting, { high, pace, unit, factor }) {
  const label = t(`settings.${setting}`);
  const limits = { min: 0, max: high, step: pace };
  const range = html("input", { type: "range", ...limits, "aria-label": `${label} (${unit})` });
  const input = html("input.num", { inputmode: "decimal", autocomplete: "off" });
  const show = () => {
    range.value = get(setting) / factor;
    input.value = plain(get(setting) / factor);
  };
  const keep = (value, wrong) => {
    fields.blame(input, wrong);
    if (wrong) return;
    set(setting, Math.round(value / pace) * Math.round(pace * factor));
    show();
  };
  range.addEventListener("input", () => keep(Number(range.value), null));
  input.addEventListener("change", () => keep(...fields.decimal(label, input.value, 0, high)));
  show();
  const wrap = html("span.slide", range, fields.withUnit(input, unit));
  const hint = t(`settings.${setting}.hint`, { value: plain(DEFAULTS[setting] / factor) });
  return fields.field(label, input, { wrap, hint });
}

const step = () => slider("step", { high: 1000, pace: 20, unit: "ms", factor: 1 });
const display = () => slider("display", { high: 10, pace: 0.1, unit: "s", factor: 1000 });

/** Strategy and depth of the hints, in the game whose engine has strategies. */
function exact() {
  const [chosen, strategy, depth] = [get("hintExact"), get("hintStrategy"), get("hintDepth")];
  const keep = ({ exact, ...numbers }) => {
    if (exact !== undefined) set("hintExact", exact);
    for (const [name, text] of Object.entries(numbers)) set(SETTINGS[name], Number(text));
  };
  const part = fields.exactPart(advised.strategies, { exact: chosen, strategy, depth }, keep);
  part.querySelector("summary").append(`: ${nameOf(advised)}`);
  return part;
}

function level() {
  return fields.levelField(get("hintLevel"), (value) => set("hintLevel", value), null);
}

function analysis() {
  return fields.checkbox(t("settings.analysis"), get("analysis"), (on) => set("analysis", on));
}

at("reset").addEventListener("click", () => {
  for (const [setting, value] of Object.entries(DEFAULTS)) set(setting, value);
  showBrowser();
  announce(t("settings.reset.done"));
});

showBrowser();
showServer();
