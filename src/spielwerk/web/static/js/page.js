// The masthead: whether the server is there, language, theme, and the menu of narrow windows.

import { at, dot, html, icon, replace } from "./dom.js";
import { Live } from "./live.js";
import { get, set, watch } from "./settings.js";
import { number, t } from "./texts.js";

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
  const word = html("span", t(`common.live.${shape}`));
  const measured = shape === "ok" && Number.isFinite(ping);
  replace(
    at("live"),
    html("span", { class: `conn conn--${shape}` }, dot(shape), word),
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
  const button = at("theme-switch");
  button.setAttribute("aria-label", label);
  button.title = label;
  replace(button, icon("theme"), html("span.word", t(`common.theme.${theme}`)));
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

// copying

const SHOWN = 1600; // milliseconds that the tick stays

/** A small button that copies what `text()` says then; `what` names it. */
export function copyButton(text, what) {
  const label = t("common.copy", { what });
  const said = { tip: label };
  const button = html("button.tool", said);
  button.append(icon("copy"));
  button.addEventListener("click", () => copied(button, text(), what));
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
