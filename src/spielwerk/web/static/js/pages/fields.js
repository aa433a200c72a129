// Controls of forms: a label, a control, what is wrong with it. Values are read as text, so that a
// wrong one can be quoted.

import { html } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";

const NAME_LIMIT = 80;
const WHOLE = /^(?:0|[1-9][0-9]{0,8})$/;
const CONTROL = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u; // what nobody sees; the server takes none of it
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?$/;
const COLONS = /^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/;

let made = 0;

/** A control under its label, with a hint and room for a fault. */
export function field(label, control, { hint = "", wrap = control } = {}) {
  const id = `field-${(made += 1)}`;
  const fault = html("span", { class: "fault", id: `${id}-fault`, role: "alert", hidden: true });
  const small = hint && html("small", { id: `${id}-hint` }, hint);
  control.id = id;
  control.setAttribute("aria-describedby", hint ? `${id}-hint ${id}-fault` : `${id}-fault`);
  return html("div", { class: "lab" }, html("label", { for: id }, label), wrap, small, fault);
}

/** A line of text. */
export function textInput(value, change, attributes = {}) {
  const input = html("input", { class: "field", autocomplete: "off", ...attributes });
  input.value = value;
  input.addEventListener("input", () => change(input.value));
  return input;
}

/** A whole number, typed or stepped with two buttons; `change` gets the text. */
export function stepper(value, low, high, change, { step = 1, shown = String } = {}) {
  const input = html("input", { inputmode: "numeric", autocomplete: "off", class: "num" });
  const move = (way) => () => {
    const now = WHOLE.test(input.value) ? Number(input.value) : Number(value);
    set(Math.min(high, Math.max(low, now + way * step)));
  };
  const button = (name, way) => {
    const aside = { tabindex: "-1", "aria-hidden": "true" }; // the keys do the same
    return html("button", { type: "button", ...aside, on: { click: move(way) } }, icon(name));
  };
  const set = (next) => {
    input.value = shown(next);
    change(input.value);
  };
  input.value = shown(value);
  input.addEventListener("input", () => change(input.value));
  input.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    move(way)();
  });
  const wrap = html("span", { class: "step" }, button("minus", -1), input, button("plus", 1));
  return { input, wrap, set };
}

/** A number with its unit behind it. */
export function withUnit(input, unit) {
  input.classList.remove("field");
  return html("span", { class: "field" }, input, html("span", { class: "unit" }, unit));
}

/** One of several, as a row of buttons; those with a reason in `barred` cannot be chosen. */
export function segments(label, choices, value, change, { barred = {}, className = "" } = {}) {
  const group = html("div", { class: `seg ${className}`, role: "group", "aria-label": label });
  const show = (now) => {
    for (const button of group.children) {
      button.setAttribute("aria-pressed", String(button.dataset.value === String(now)));
    }
  };
  for (const [name, text, drawing] of choices) {
    const off = name in barred;
    const button = html(
      "button",
      { type: "button", "data-value": name, disabled: off, title: off ? barred[name] : null },
      drawing && icon(drawing),
      text,
    );
    button.addEventListener("click", () => {
      show(name);
      change(name);
    });
    group.append(button);
  }
  show(value);
  return group;
}

/** One of several, in a list to unfold. */
export function choice(options, value, change) {
  const select = html("select", { class: "field" });
  for (const [name, text] of options) select.append(html("option", { value: name }, text));
  select.value = String(value);
  select.addEventListener("change", () => change(select.value));
  return select;
}

/** A level from 1 to 10 as bars that grow; in truth a range, so that all keys work. */
export function levelInput(value, change) {
  const range = html("input", { type: "range", min: "1", max: "10", step: "1" });
  const bars = Array.from({ length: 10 }, () => html("i", {}));
  const show = () => bars.forEach((bar, index) => bar.classList.toggle("on", index < range.value));
  range.value = value;
  range.addEventListener("input", () => {
    show();
    change(Number(range.value));
  });
  show();
  return { range, wrap: html("span", { class: "level" }, bars, range) };
}

// what is wrong

/** Say what is wrong with a control, or that nothing is. */
export function blame(control, sentence) {
  const fault = document.getElementById(`${control.id}-fault`);
  if (!fault) return;
  fault.textContent = sentence ?? "";
  fault.hidden = !sentence;
  if (sentence) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
}

/** The number in the text, or null with what is wrong. */
export function wholeNumber(name, text, low, high) {
  const value = WHOLE.test(text.trim()) ? Number(text) : NaN;
  if (value >= low && value <= high) return [value, null];
  return [null, t("common.error.number", { field: name, value: text, low, high })];
}

/** What is wrong with a name that others will read, or null. */
export function wrongName(name, text) {
  if ([...text].length > NAME_LIMIT) {
    const most = NAME_LIMIT;
    return t("common.error.text", { field: name, most, count: [...text].length });
  }
  return CONTROL.test(text) ? t("common.error.control", { field: name }) : null;
}

/** What is wrong with a host's name or address, or null. */
export function wrongHost(name, text) {
  if (!text) return t("common.error.empty", { field: name });
  const fits = text.length <= 253 && isHost(text);
  return fits ? null : t("common.error.host", { field: name, value: text });
}

/** What is wrong with HOST:PORT, or null. */
export function wrongAddress(name, text) {
  if (!text) return t("common.error.empty", { field: name });
  const [, host, port] = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(text) ?? [];
  const bare = host?.replace(/^\[|\]$/g, "");
  const fits = host && isHost(bare) && Number(port) <= 65535;
  return fits ? null : t("common.error.address", { field: name, value: text });
}

/** Whether it is a name or an address; what IPv6 looks like the browser itself knows. */
function isHost(text) {
  return HOST.test(text) || (COLONS.test(text) && URL.canParse(`http://[${text}]/`));
}
