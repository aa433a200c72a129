// Making elements, and changing only what has changed: focus stays where it is, screen readers calm.
// Texts become text nodes, never markup; there are no style attributes, because the page's security
// policy forbids them: looks come from classes and tokens.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new URL("../icons.svg", import.meta.url).href;

/**
 * An SVG element: `svg("circle.hole", { r: 3 }, ...children)`. Classes may stand behind the name, the
 * attributes may be missing; those that are null, undefined or false are left out.
 */
export function svg(name, ...rest) {
  return filled((tag) => document.createElementNS(SVG, tag), name, rest);
}

/**
 * An HTML element, likewise; `on` holds listeners by event, `vars` custom properties, and `tip` is
 * what the element is called by pointer and screen reader. Buttons do not submit unless they say so.
 */
export function html(name, ...rest) {
  return filled((tag) => document.createElement(tag), name, rest);
}

function filled(create, name, rest) {
  const [tag, ...classes] = name.split(".");
  const { on = {}, vars = {}, tip, ...given } = rest[0]?.constructor === Object ? rest.shift() : {};
  const element = create(tag);
  const look = [...classes, given.class].filter(Boolean).join(" ") || null;
  const named = tip && { "aria-label": tip, title: tip };
  assign(element, { type: tag === "button" ? "button" : null, ...named, ...given, class: look });
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, value);
  element.append(...rest.flat(Infinity).filter(present));
  return element;
}

/** Give the element these attributes; one that is null, undefined or false is taken away. */
export function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (present(value)) element.setAttribute(name, value === true ? "" : value);
    else element.removeAttribute(name);
  }
}

/** The element with nothing but these children. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(present));
  return element;
}

function present(value) {
  return value !== null && value !== undefined && value !== false;
}

/** The page's element with this data attribute. */
export const at = (name) => document.querySelector(`[data-${name}]`);

const shown = new WeakMap();

/**
 * Fill the element with what `make` returns, if the key differs from the last time; of the links and
 * buttons in it the one in the same place has the focus then.
 */
export function render(element, key, make) {
  const text = JSON.stringify(key);
  if (shown.get(element) === text) return element;
  shown.set(element, text);
  const controls = () => [...element.querySelectorAll("a, button")];
  const held = controls().indexOf(document.activeElement);
  replace(element, make());
  if (held >= 0) controls()[held]?.focus({ preventScroll: true });
  return element;
}

/** Give the element this text, if it has another. */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

/** Do it now, or when a page in the background is looked at again. */
export function whenSeen(work, signal) {
  if (!document.hidden) return work();
  document.addEventListener("visibilitychange", work, { once: true, signal });
}

/** A button with an icon and words. */
export function action(name, words, onClick, className = "btn btn--s btn--bare") {
  return html("button", { class: className, on: { click: onClick } }, name && icon(name), words);
}

/** A button with an icon alone; its words are for screen readers and tips. */
export function tool(name, words, onClick) {
  return html("button.tool", { tip: words, on: { click: onClick } }, icon(name));
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

// tables whose cells can be chosen are one tab stop

/** The directions of the arrow keys: across and down. */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Let arrows lead from cell to cell in the tables of this box; `cells` selects what can be chosen. */
export function roving(box, cells) {
  box.addEventListener("focusin", ({ target }) => {
    if (target.closest(cells)) stopAt(box, cells, target.closest(cells));
  });
  box.addEventListener("keydown", (event) => {
    const cell = event.target.closest(cells)?.closest("td");
    const way = ARROWS[event.key];
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const next = cell && way && plain && nextCell(cell, way, cells);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  });
}

/** Let this cell be the one tab stop of the box, or the first if there is no such. */
export function stopAt(box, cells, wanted) {
  const all = [...box.querySelectorAll(cells)];
  const stop = all.includes(wanted) ? wanted : all[0];
  for (const one of all) one.setAttribute("tabindex", one === stop ? "0" : "-1");
}

/** The next cell that way; what cannot be chosen is passed over. */
function nextCell(cell, [right, down], cells) {
  let row = cell.parentElement;
  let column = cell.cellIndex;
  for (;;) {
    row = down < 0 ? row.previousElementSibling : down > 0 ? row.nextElementSibling : row;
    column += right;
    const next = row?.cells[column];
    if (!next) return null;
    const found = next.matches(cells) ? next : next.querySelector(cells);
    if (found) return found;
  }
}

// the small drawings of icons.svg: icons in one line weight, emblems of players, the seal

function drawn(name, attributes) {
  const look = { viewBox: "0 0 24 24", ...attributes };
  return svg("svg", look, svg("use", { href: `${DRAWN}#${name}` }));
}

/** An icon in the current colour; decoration only, the words stand next to it. */
export function icon(name) {
  return drawn(name, { class: "ico", "aria-hidden": "true" });
}

/** A player's emblem by wire number: circle, diamond, triangle. */
export function emblem(player) {
  const look = { class: `emblem emblem--p${player}`, "aria-hidden": "true" };
  return drawn(`emblem-${player}`, look);
}

/** The state of a connection, ok, wait, lost or in (built in): its shape, and words. */
export function conn(state, words, attributes = {}) {
  const dot = drawn(`dot-${state}`, { "aria-hidden": "true" });
  return html(`span.conn.conn--${state}`, attributes, dot, words);
}

/** The seal of what is proven. */
export function seal(label) {
  return drawn("seal", { class: "proof", role: "img", "aria-label": label });
}

/** The waves of what is estimated. */
export function waves(label) {
  return drawn("waves", { class: "proof", role: "img", "aria-label": label });
}
