// Checking a program: the author chooses what it is, starts it for each case, and watches.

import { ask, read, send } from "./api.js";
import { at, html, put, render, replace } from "./dom.js";
import { copyButton } from "./page.js";
import { choice, field } from "./pages/fields.js";
import { failure, has, number, t } from "./texts.js";
import { note, segment } from "./wire-rows.js";

const EVERY = 500; // milliseconds between two looks
const ROWS = 400; // lines of the wire that are shown
const MARKS = { passed: "✓", advised: "○", failed: "✗", now: "→" };

let offers = [];
let offer = null;
const chosen = {};
let running = null; // the ID of the check
let state = null;
let shown = { case: "", total: 0 };
let pinned = ""; // how far the check was when its author began to look at an older case
const left = new Set(); // groups that are left out

const title = (name) => t(`check.choice.${name}`);
const valueName = (value) => (has(`${value}.name`) ? t(`${value}.name`) : value);
const groupOf = ({ name }) => name.split("/")[0];

const fault = (error) => put(at("fault"), error ? failure(error) : "");

// what is chosen

function pick(name) {
  offer = offers.find((one) => one.name === name);
  left.clear();
  for (const [key, values] of Object.entries(offer.choices)) chosen[key] = values[0];
  showChoices();
  showCases();
}

function showChoices() {
  const names = offers.map((one) => [one.name, one.title]);
  const fields = Object.entries(offer.choices).map(([key, values]) => {
    const listed = values.map((value) => [value, valueName(value)]);
    return field(title(key), choice(listed, chosen[key], (value) => change(key, value)));
  });
  replace(at("choices"), field(t("check.protocol"), choice(names, offer.name, pick)), fields);
  showCommand();
  showActs();
}

function change(key, value) {
  chosen[key] = value;
  showCommand();
}

function showCommand() {
  const options = Object.entries(offer.choices)
    .filter(([key, values]) => chosen[key] !== values[0])
    .map(([key]) => ` --${key} ${chosen[key]}`);
  const command = `spielwerk check ${offer.name}${options.join("")} -- ${offer.example}`;
  put(at("command"), command);
}

function showActs() {
  const busy = running && !state?.over;
  const start = html("button.btn.btn--ink", { on: { click: begin } }, t("check.start"));
  const skip = html("button.btn", { on: { click: skipCase } }, t("check.skip"));
  const stop = html("button.btn", { on: { click: stopCheck } }, t("check.stop"));
  const href = `/api/v1/checks/${running}/report.html`;
  const judged = running && Object.keys(state?.verdicts ?? {}).length > 0;
  const report = judged && html("a.btn", { href, download: true }, t("check.report"));
  render(at("acts"), [busy, judged, running], () => [busy ? [skip, stop] : start, report]);
}

// the check

async function begin() {
  fault(null);
  const groups = [...new Set(offer.cases.map(groupOf))];
  const cases = left.size ? groups.filter((group) => !left.has(group)) : [];
  try {
    const { id } = await send("/api/v1/checks", { check: offer.name, choices: chosen, cases });
    running = id;
    state = null;
    shown = { case: "", total: 0 };
    await look();
  } catch (error) {
    fault(error);
  }
}

const skipCase = () => ask("POST", `/api/v1/checks/${running}/skip`, {}).then(look, fault);
const stopCheck = () => ask("DELETE", `/api/v1/checks/${running}`).then(look, fault);

async function look() {
  if (!running) return;
  try {
    state = await read(`/api/v1/checks/${running}?seen=${shown.total}`);
    fault(null);
    showNow();
    showCases();
    showActs();
  } catch (error) {
    fault(error);
  }
}

// the case that is carried out

function showNow() {
  const { now, over } = state;
  if (pinned === progress()) return;
  pinned = "";
  if (over || !now) return over && render(at("now"), "over", () => html("p.lead", t("check.over")));
  if (now.case !== shown.case) {
    const whole = shown.total === 0; // what came is all that was said
    shown = { case: now.case, total: 0 };
    replace(at("wire"));
    if (!whole) return look();
  }
  render(at("now"), [now.case, now.places], () => [told(now.case), places(now.places)]);
  showWire(now.entries);
  shown.total += now.entries.length;
}

function showWire(entries) {
  const rows = entries.flatMap(([at, way, text]) =>
    way === "event" ? note(text, "pause") : segment(Date.now(), at, way, text),
  );
  at("wire").append(...rows);
  while (at("wire").childElementCount > ROWS) at("wire").firstElementChild.remove();
  if (rows.length) at("wire").parentElement.scrollTop = at("wire").scrollHeight;
}

/** Show a case that is over, until the current one goes on. */
async function showCase(name) {
  try {
    const asked = `/api/v1/checks/${running}/said?case=${encodeURIComponent(name)}`;
    const { entries } = await read(asked);
    render(at("now"), ["over", name], () => told(name));
    replace(at("wire"));
    showWire(entries);
    shown = { case: "", total: 0 };
    pinned = progress();
  } catch (error) {
    fault(error);
  }
}

const progress = () => `${state.now?.case} ${state.now?.total}`;

function told(name) {
  const { rule, source, says } = offer.cases.find((one) => one.name === name) ?? {};
  const quote = says && html("blockquote", says, html("cite", source));
  return html("div.told", html("b.mono", name), html("p", rule), quote);
}

function places(known) {
  const facts = Object.entries(known).map(([name, value]) =>
    html("div", html("dt", title(name)), html("dd", html("span.mono", value), copyButton(() => value, title(name)))),
  );
  const loop = `while true; do ${filled(known)}; sleep 0.2; done`;
  const line = html("pre.snip.command", html("code", loop), copyButton(() => loop, t("check.loop")));
  return facts.length ? [html("dl.doors", facts), html("p.lead", t("check.loop.lead")), line] : [];
}

const filled = (known) => offer.example.replaceAll(/\{(\w+)\}/g, (all, name) => known[name] ?? all);

// all cases

function showCases() {
  const groups = Map.groupBy(offer.cases, groupOf);
  const verdicts = state?.verdicts ?? {};
  const counts = Object.values(verdicts).map((one) => one.state);
  const count = (kind) => number(counts.filter((one) => one === kind).length);
  const sum = { passed: count("passed"), advised: count("advised"), failed: count("failed") };
  put(at("sum"), counts.length ? t("check.sum", sum) : t("check.count", { count: offer.cases.length }));
  put(at("count"), running ? t("check.far", { done: counts.length, all: offer.cases.length }) : "");
  const now = state?.now?.case;
  render(at("cases"), [offer.name, [...left], now, verdicts, Boolean(running)], () =>
    [...groups].map(([group, cases]) => groupBox(group, cases, verdicts, now)),
  );
}

function groupBox(group, cases, verdicts, now) {
  const toggle = () => {
    if (!left.delete(group)) left.add(group);
  };
  const box = html("input", { type: "checkbox", on: { change: toggle } });
  box.checked = !left.has(group);
  const head = html("label.check", box, html("b", group));
  return html("div.cases", head, html("ul", cases.map((one) => caseRow(one, verdicts[one.name], now))));
}

function caseRow(one, verdict, now) {
  const kind = verdict?.state ?? (one.name === now ? "now" : "open");
  const word = t(`check.state.${kind}`);
  const mark = html("span.mark", { title: word }, html("span.vh", word), MARKS[kind] ?? "·");
  const faults = (verdict?.faults ?? []).map((fault) =>
    html("p", { class: fault.advice ? "advice" : "fault" }, fault.problem, fault.hint && html("em", ` ${fault.hint}`)),
  );
  const short = one.name.split("/")[1];
  const open = { on: { click: () => showCase(one.name) } };
  const name = verdict ? html("button.mono", open, short) : html("span.mono", short);
  const words = html("div", name, html("span.rule", one.rule), faults);
  return html("li", { class: `case case--${kind}` }, mark, words);
}

// the page

const { allowed, checks } = await read("/api/v1/checks");
offers = checks;
if (offers.length > 0) pick(offers[0].name);
at("command").parentElement.append(copyButton(() => at("command").textContent, t("check.command")));
if (!allowed || offers.length === 0) {
  put(at("fault"), t("check.forbidden"));
  at("acts").hidden = true;
}
setInterval(() => running && !state?.over && !document.hidden && look(), EVERY);
