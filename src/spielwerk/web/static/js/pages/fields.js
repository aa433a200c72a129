// Controls of forms: a label, a control, what is wrong with it. Values are read as text, so that a
// wrong one can be quoted.

import { assign, html, icon } from "../dom.js";
import { plain, t, decimal as typed } from "../texts.js";

const NAME_LIMIT = 80;
const WHOLE = /^(?:0|[1-9][0-9]{0,8})$/;
const CONTROL = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u; // invisible; the server takes none of it
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?$/;
const COLONS = /^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/;

let made = 0;
const judges = new WeakMap(); // by control: what says what is wrong with it

/** A control under its label, with a hint and room for what `fault()` says, if anything. */
export function field(label, control, { hint = "", wrap = control, fault = null } = {}) {
  const id = `field-${(made += 1)}`;
  const alert = html("span.fault", { id: `${id}-fault`, role: "alert" });
  const small = hint && html("small", { id: `${id}-hint` }, hint);
  const described = hint ? `${id}-hint ${id}-fault` : `${id}-fault`;
  assign(control, { id, "aria-describedby": described });
  if (fault) {
    judges.set(control, fault);
    control.addEventListener("change", () => blame(control, fault()));
  }
  return html("div.lab", html("label", { for: id }, label), wrap, small, alert);
}

/** The controls in this part of the page with which something is wrong; all of them say it. */
export function faulty(root) {
  const judged = [...root.querySelectorAll("input, select")].filter((one) => judges.has(one));
  return judged.filter((control) => {
    const fault = judges.get(control)();
    blame(control, fault);
    return fault;
  });
}

/** A line of text. */
export function textInput(value, change, attributes = {}) {
  const on = { input: () => change(input.value) };
  const input = html("input", { class: "field", autocomplete: "off", on, ...attributes });
  input.value = value;
  return input;
}

/** Something that is switched on or off. */
export function checkbox(words, value, change, attributes = {}) {
  const on = { change: () => change(box.checked) };
  const box = html("input", { type: "checkbox", on });
  box.checked = value;
  return html("label.check", attributes, box, html("span", words));
}

/** A whole number, typed or stepped with two buttons; `change` gets the text. */
export function stepper(value, low, high, change) {
  const move = (way) => {
    const now = WHOLE.test(input.value) ? Number(input.value) : Number(value);
    input.value = String(Math.min(high, Math.max(low, now + way)));
    change(input.value);
  };
  const button = (name, way) => {
    const aside = { tabindex: "-1", "aria-hidden": "true" }; // the keys do the same
    return html("button", { ...aside, on: { click: () => move(way) } }, icon(name));
  };
  const keydown = (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    move(way);
  };
  const input = textInput(value, change, { class: "num", inputmode: "numeric" });
  input.addEventListener("keydown", keydown);
  return { input, wrap: html("span.step", button("minus", -1), input, button("plus", 1)) };
}

/** A number with its unit behind it. */
export function withUnit(input, unit) {
  input.classList.remove("field");
  return html("span.field", input, html("span.unit", unit));
}

/** One of several, as a row of buttons; those with a reason in `barred` cannot be chosen. */
export function segments(label, choices, value, change, { barred = {}, className = "" } = {}) {
  const group = html("div.seg", { class: className, role: "group", "aria-label": label });
  const show = (now) => {
    for (const button of group.children) {
      button.setAttribute("aria-pressed", String(button.dataset.value === String(now)));
    }
  };
  const button = ([name, text, drawing]) => {
    const click = () => {
      show(name);
      change(name);
    };
    const look = { "data-value": name, disabled: name in barred, title: barred[name], on: { click } };
    return html("button", look, drawing && icon(drawing), text);
  };
  group.append(...choices.map(button));
  show(value);
  return group;
}

/** One of several, in a list to unfold: [value, text] each. */
export function choice(options, value, change) {
  const on = { change: () => change(select.value) };
  const titled = options.map(([name, text]) => html("option", { value: name }, text));
  const select = html("select.field", { on }, titled);
  select.value = String(value);
  return select;
}

/** A level from 1 to 10 as bars that grow; in truth a range, so that all keys work. */
export function levelInput(value, change) {
  const on = { input: () => change(show()) };
  const range = html("input", { type: "range", min: "1", max: "10", step: "1", on });
  const bars = Array.from({ length: 10 }, () => html("i"));
  const show = () => {
    bars.forEach((bar, index) => bar.classList.toggle("on", index < range.value));
    return Number(range.value);
  };
  range.value = value;
  show();
  return { range, wrap: html("span.level", bars, range) };
}

/** A level with its label, its number, and in `note` what it is like. */
export function levelField(value, change, note = html("span.dim")) {
  const shown = html("b.num");
  const show = (level) => {
    shown.textContent = level;
    if (note) note.textContent = t(`new.level.${Math.ceil(level / 3)}`);
  };
  const { wrap } = levelInput(value, (level) => {
    change(level);
    show(level);
  });
  show(value);
  return html("label.lv", html("span", t("new.level"), " ", shown), wrap, note);
}

/** A strategy of the engine and how deep it looks, to be chosen in place of a level. */
export function exactPart(strategies, chosen, set) {
  const own = html("div.pair2", strategyField(strategies, chosen, set), depthField(chosen, set));
  const show = (exact) => (own.hidden = !exact);
  const box = checkbox(t("new.exact"), chosen.exact, (exact) => {
    set({ exact });
    show(exact);
  });
  show(chosen.exact);
  return html("details.more", { open: chosen.exact }, html("summary", t("new.more")), box, own);
}

/** How deep an engine looks. */
export function depthField({ depth }, set) {
  const depths = Array.from({ length: 9 }, (_, n) => [String(n + 1), String(n + 1)]);
  return field(t("new.depth"), choice(depths, depth, (chosen) => set({ depth: chosen })));
}

/** Which of its strategies it plays; those that we know are named in the page's language. */
function strategyField(strategies, { strategy }, set) {
  const known = { tuned: t("new.strategy.tuned"), simple: t("new.strategy.simple") };
  const titled = strategies.map((name, n) => [String(n), `${n}: ${known[name] ?? name}`]);
  return field(t("new.strategy"), choice(titled, strategy, (chosen) => set({ strategy: chosen })));
}

// what is wrong

/** Say what is wrong with a control, or that nothing is. */
export function blame(control, sentence) {
  const fault = document.getElementById(`${control.id}-fault`);
  if (!fault) return;
  fault.textContent = sentence ?? "";
  assign(control, { "aria-invalid": sentence && "true" });
}

/** The number in the text, or null with what is wrong. */
export function wholeNumber(name, text, low, high) {
  const value = WHOLE.test(text.trim()) ? Number(text) : NaN;
  if (value >= low && value <= high) return [value, null];
  return [null, t("common.error.number", { field: name, value: text, low, high })];
}

/** The number in the text, which may have a fraction, or null with what is wrong. */
export function decimal(name, text, low, high) {
  const value = typed(text);
  if (value >= low && value <= high) return [value, null];
  const range = { low: plain(low), high: plain(high) };
  return [null, t("common.error.decimal", { field: name, value: text, ...range })];
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
