// The masthead: whether the server is there, language, theme, and the menu of narrow windows.

import { assign, at, conn, html, icon, put, replace, tool } from "./dom.js";
import { Live } from "./live.js";
import { get, set, watch } from "./settings.js";
import { age, failure, number, t } from "./texts.js";

const THEMES = ["system", "light", "dark"];
const DOTS = { live: "ok", connecting: "wait", lost: "lost" };

const OWN = ["table", "contest"]; // pages that open a connection of their own

/** The page's connection to the server. */
export const live = OWN.includes(document.body.dataset.page) ? null : new Live({});

/** Say something to those who cannot see it happen. */
export function announce(text) {
  at("said").textContent = "";
  setTimeout(() => (at("said").textContent = text), 50); // the same text again is news, too
}

// whether the server is there

function showLive({ status = "connecting", ping = null } = {}) {
  const shape = DOTS[status] ?? "wait";
  const measured = shape === "ok" && Number.isFinite(ping);
  replace(
    at("live"),
    conn(shape, t(`common.live.${shape}`)),
    measured && html("span.num", t("common.ping", { ms: number(ping) })),
  );
}

document.addEventListener("sw-live", (event) => showLive(event.detail));
live?.addEventListener("status", (event) => showLive(event.detail));
showLive();

// theme

function nextTheme() {
  return THEMES[(THEMES.indexOf(get("theme")) + 1) % THEMES.length];
}

function showTheme() {
  const theme = get("theme");
  const label = t("common.theme.switch", {
    now: t(`common.theme.${theme}`),
    next: t(`common.theme.${nextTheme()}`),
  });
  assign(at("theme-switch"), { "aria-label": label, title: label });
  replace(at("theme-switch"), icon("theme"), html("span.word", t(`common.theme.${theme}`)));
}

at("theme-switch").addEventListener("click", () => set("theme", nextTheme()));
watch(showTheme);
showTheme();

// language: the cookie has it now, so the address need not say it, and others keep theirs

function withoutLanguage() {
  const address = new URL(location.href);
  if (!address.searchParams.has("lang")) return;
  address.searchParams.delete("lang");
  history.replaceState(history.state, "", address);
}

function toLanguage(event) {
  const address = new URL(location.href);
  address.searchParams.set("lang", event.currentTarget.dataset.lang);
  event.currentTarget.href = address.href;
}

withoutLanguage();
for (const link of document.querySelectorAll("[data-lang]")) {
  link.addEventListener("click", toLanguage);
}

// the menu

function openMenu(open) {
  at("menu").setAttribute("aria-expanded", String(open));
  document.querySelector(".mast").classList.toggle("is-open", open);
}

const menuOpen = () => at("menu").getAttribute("aria-expanded") === "true";

at("menu").append(icon("menu"));
at("menu").addEventListener("click", () => openMenu(!menuOpen()));
document.addEventListener("click", (event) => {
  if (menuOpen() && !event.target.closest(".mast")) openMenu(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menuOpen()) return;
  openMenu(false);
  at("menu").focus();
});

// ages

/** How long ago that was, in milliseconds since 1970; it grows by itself. */
export const since = (then) => html("span.ta.num", { "data-since": then }, age(then));

setInterval(() => {
  for (const node of document.querySelectorAll("[data-since]")) put(node, age(Number(node.dataset.since)));
}, 1000);

// keys

/** Whether a key is meant for something else than the page: a command, a text field, a dialog. */
export function isElsewhere(event) {
  const written = event.getModifierState("AltGraph"); // brackets on German keyboards
  const command = (event.ctrlKey || event.altKey) && !written;
  if (command || event.metaKey || event.defaultPrevented) return true;
  if (document.querySelector("dialog[open]")) return true;
  const field = event.target.closest?.("input, textarea, select, [role=tablist]");
  if (!field || event.key === "Escape") return false;
  return field.type !== "range" || event.key.length > 1; // a slider leaves the letters
}

// what may fail

/** Fill the place with what `work()` gives, or with why it could not. */
export async function fill(place, work) {
  try {
    replace(place, await work());
  } catch (error) {
    replace(place, html("p.fault", { role: "alert" }, failure(error)));
  }
}

// copying

const SHOWN = 1600; // milliseconds that the tick stays

/** A small button that copies what `text()` says then; `what` names it. */
export function copyButton(text, what) {
  const button = tool("copy", t("common.copy", { what }), () => copied(button, text(), what));
  return button;
}

async function copied(button, text, what) {
  const done = await toClipboard(text);
  announce(done ? t("common.copied", { what }) : t("common.copyFailed"));
  replace(button, icon(done ? "tick" : "close"));
  setTimeout(() => replace(button, icon("copy")), SHOWN);
}

/** Put the text on the clipboard; whether that worked. */
export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byCommand(text); // pages that came over plain HTTP have no clipboard
  }
}

function byCommand(text) {
  const field = html("textarea.vh", { "aria-hidden": "true", tabindex: "-1" });
  const before = document.activeElement;
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus();
  return done;
}
