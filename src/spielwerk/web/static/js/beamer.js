// The beamer: the page as it can be read from ten metres. Its address says so and can be opened there.

import { announce, isElsewhere } from "./page.js";
import { t } from "./texts.js";

const wanted = () => new URLSearchParams(location.search).has("beamer");

let shown = () => {};

export const isBeamer = () => document.documentElement.classList.contains("is-beamer");

/** Follow the address, and the keys b and Esc if the page has none of its own; `show(on)` draws. */
export function startBeamer(show, { keys = true } = {}) {
  shown = show;
  if (keys) document.addEventListener("keydown", pressed);
  addEventListener("popstate", () => set(wanted()));
  if (wanted()) set(true);
}

/** Show the beamer, or go back to the page. */
export function toBeamer(on) {
  const address = new URL(location.href);
  if (on) address.searchParams.set("beamer", "");
  else address.searchParams.delete("beamer");
  history.pushState(history.state, "", address.href.replace("beamer=", "beamer"));
  set(on);
  announce(t(on ? "contest.beamer.on" : "contest.beamer.off"));
}

function set(on) {
  document.documentElement.classList.toggle("is-beamer", on);
  shown(on);
}

function pressed(event) {
  if (isElsewhere(event)) return;
  if (event.key.toLowerCase() === "b") toBeamer(!isBeamer());
  else if (event.key === "Escape" && isBeamer()) toBeamer(false);
}
