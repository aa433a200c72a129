// The keys of the table. Letters count only outside text fields; a board that has the focus takes
// the arrows for itself.

import { help } from "./dialogs.js";
import { t } from "../texts.js";

const KEYS = [
  ["ArrowLeft", "back", "←"],
  ["ArrowRight", "forward", "→"],
  ["[", "back", "["],
  ["]", "forward", "]"],
  ["Home", "first", "Home"],
  ["End", "present", "End"],
  ["m", "type", "m"],
  ["h", "hint", "h"],
  ["f", "flip", "f"],
  ["a", "analysis", "a"],
  ["w", "wire", "w"],
  ["n", "nextFault", "n"],
  ["N", "lastFault", "N"],
  ["b", "beamer", "b"],
  ["?", "help", "?"],
  ["Escape", "cancel", "Esc"],
];

/**
 * Call the actions by their keys: back, forward, first, present, type, hint and so on; `own` are
 * the game's own keys, [key, word, act] each.
 */
export function listen(actions, own) {
  const all = { ...actions, help: () => help([...listed(actions), ...own.map(listedOwn)]) };
  const byKey = new Map(KEYS.map(([key, name]) => [key, all[name]]));
  for (const [key, , act] of own) byKey.set(key, act);
  document.addEventListener("keydown", (event) => {
    const act = byKey.get(event.key);
    if (!act || elsewhere(event)) return;
    event.preventDefault();
    act();
  });
}

function elsewhere(event) {
  const written = event.getModifierState("AltGraph"); // brackets on German keyboards
  const command = (event.ctrlKey || event.altKey) && !written;
  if (command || event.metaKey || event.defaultPrevented) return true;
  if (document.querySelector("dialog[open]")) return true;
  const field = event.target.closest?.("input, textarea, select, [role=tablist]");
  if (!field || event.key === "Escape") return false;
  return field.type !== "range" || event.key.length > 1; // a slider leaves the letters
}

const listedOwn = ([key, word]) => [[key], word];

/** What each key does, the same doings together. */
function listed(actions) {
  const names = [...new Set(KEYS.map(([, name]) => name))];
  const shown = names.filter((name) => actions[name] || name === "help");
  const keysOf = (name) => KEYS.filter(([, other]) => other === name).map(([, , cap]) => cap);
  return [
    ...shown.map((name) => [keysOf(name), t(`table.key.${name}`)]),
    [["Tab", "↑ ↓ ← →", "Enter"], t("table.key.board")],
  ];
}

const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };

/** The tabs; `choose(name)` shows a panel. */
export class Tabs {
  #main;
  #buttons;

  constructor(main) {
    this.#main = main;
    this.#buttons = [...main.querySelectorAll("[role=tab]")];
    for (const button of this.#buttons) {
      button.addEventListener("click", () => this.choose(button.dataset.tab));
      button.addEventListener("keydown", (event) => this.#key(event, button));
    }
    this.choose(this.#buttons[0].dataset.tab);
  }

  choose(name) {
    this.#main.dataset.tab = name;
    for (const button of this.#buttons) {
      const chosen = button.dataset.tab === name;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
  }

  /** Show a panel and put the focus there. */
  visit(name) {
    this.choose(name);
    const panel = this.#main.querySelector(`.panel--${name}`);
    panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  }

  #key(event, button) {
    const by = ARROWS[event.key];
    if (!by) return;
    event.preventDefault();
    const count = this.#buttons.length;
    const next = this.#buttons[(this.#buttons.indexOf(button) + by + count) % count];
    this.choose(next.dataset.tab);
    next.focus();
  }
}
