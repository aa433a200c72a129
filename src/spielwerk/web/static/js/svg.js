// Making elements. Texts become text nodes, never markup; there are no style attributes, because
// the page's security policy forbids them: looks come from classes and tokens.

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
