// The keys of the table. Letters count only outside text fields; a board that has the focus takes
// the arrows for itself.

import { isElsewhere } from "../page.js";
import { help } from "./dialogs.js";
import { t } from "../texts.js";

const KEYS = [
  ["ArrowLeft", "back", "←"],
  ["ArrowRight", "forward", "→"],
  ["[", "back", "["],
  ["]", "forward", "]"],
  ["Home", "first", t("table.cap.Home")],
  ["End", "present", t("table.cap.End")],
  ["m", "type", "m"],
  ["h", "hint", "h"],
  ["u", "takeBack", "u"],
  ["f", "flip", "f"],
  ["a", "analysis", "a"],
  ["w", "wire", "w"],
  ["n", "nextMistake", "n"],
  ["N", "lastMistake", "N"],
  ["b", "beamer", "b"],
  ["i", "rules", "i"],
  ["?", "help", "?"],
  ["Escape", "cancel", "Esc"],
];

/**
 * Call the actions by their keys: back, forward, first, present, type, hint and so on; `own` are
 * the game's own keys, [key, word, act] each.
 */
export function listen(actions, own) {
  const ownKeys = own.map(([key, word]) => [[key], word]);
  const all = { ...actions, help: () => help([...listed(), ...ownKeys]) };
  const byKey = new Map(KEYS.map(([key, name]) => [key, all[name]]));
  for (const [key, , act] of own) byKey.set(key, act);
  document.addEventListener("keydown", (event) => {
    const act = byKey.get(event.key);
    if (!act || isElsewhere(event)) return;
    event.preventDefault();
    act();
  });
}

/** What each key does, the same doings together. */
function listed() {
  const names = [...new Set(KEYS.map(([, name]) => name))];
  const keysOf = (name) => KEYS.filter(([, other]) => other === name).map(([, , cap]) => cap);
  return [
    ...names.map((name) => [keysOf(name), t(`table.key.${name}`)]),
    [["Tab", "↑ ↓ ← →", "Enter"], t("table.key.board")],
  ];
}

// the tabs

const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };
const main = document.querySelector("main");
const tabs = [...main.querySelectorAll("[role=tab]")];

function choose(name) {
  main.dataset.tab = name;
  for (const tab of tabs) {
    const chosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
}

/** Show a panel and put the focus there; one that this table does not have stays away. */
export function visit(name) {
  const panel = main.querySelector(`.panel--${name}`);
  if (panel.hidden) return;
  choose(name);
  panel.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "nearest" });
}

tabs.forEach((tab) => {
  tab.addEventListener("click", () => choose(tab.dataset.tab));
  tab.addEventListener("keydown", (event) => {
    const by = ARROWS[event.key];
    if (!by) return;
    event.preventDefault();
    const shown = tabs.filter(({ hidden }) => !hidden);
    const next = shown[(shown.indexOf(tab) + by + shown.length) % shown.length];
    choose(next.dataset.tab);
    next.focus();
  });
});
choose(tabs[0].dataset.tab);
