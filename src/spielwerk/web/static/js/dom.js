// Making elements, and changing only what has changed: focus stays where it is, screen readers calm.
// Texts become text nodes, never markup; there are no style attributes, because the page's security
// policy forbids them: looks come from classes and tokens.

import { icon } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with these attributes and children; null and false attributes are left out. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** An HTML element, likewise; `on` holds listeners by event, `vars` custom properties. */
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The element with nothing but these children. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(present));
  return element;
}

function filled(element, { on = {}, vars = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (present(value)) element.setAttribute(name, value === true ? "" : value);
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, value);
  element.append(...children.flat(Infinity).filter(present));
  return element;
}

function present(value) {
  return value !== null && value !== undefined && value !== false;
}

/** The page's element with this data attribute. */
export const at = (name) => document.querySelector(`[data-${name}]`);

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

/** The parts that are shown, by their names. */
export class Kept {
  #parts = new Map();

  /** Show these there in this order, `[name, told, make]` each; all others are forgotten. */
  show(parent, parts) {
    const shown = parts.map(([name, told, make]) => [name, this.#part(name, told, make)]);
    this.#parts = new Map(shown);
    arrange(parent, shown.map(([, { node }]) => node));
  }

  /** The part of that name; if it told something else, `make(before)` gives a new or newer one. */
  #part(name, told, make) {
    const text = JSON.stringify(told);
    const before = this.#parts.get(name);
    return before?.text === text ? before : { text, node: make(before?.node) };
  }
}

/** Put these nodes there in this order; those that stand right are not touched. */
function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...parent.childNodes]) if (!wanted.has(node)) node.remove();
  let next = parent.firstChild;
  for (const node of nodes) {
    if (next !== node && next?.nextSibling === node) {
      next.remove(); // it comes later, and all between need not move
      next = node;
    }
    if (next === node) next = node.nextSibling;
    else parent.insertBefore(node, next);
  }
}
