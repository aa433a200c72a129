// Small helpers to change only what has changed: focus stays where it is, screen readers stay calm.

import { html, replace } from "../svg.js";
import { icon } from "../icons.js";

const shown = new WeakMap();

/** Fill the element with what `make` returns, if the key differs from the last time. */
export function render(element, key, make) {
  const text = JSON.stringify(key);
  if (shown.get(element) === text) return element;
  shown.set(element, text);
  return replace(element, make());
}

/** Give the element this text, if it has another. */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

/** A button with an icon and words. */
export function action(name, words, onClick, className = "btn btn--s btn--bare") {
  const content = [name && icon(name), words];
  return html("button", { type: "button", class: className, on: { click: onClick } }, content);
}

/** A button with an icon alone; its words are for screen readers and tips. */
export function tool(name, words, onClick) {
  const attributes = { type: "button", class: "tool", "aria-label": words, title: words };
  return html("button", { ...attributes, on: { click: onClick } }, icon(name));
}
