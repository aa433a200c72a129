// Parts of a list that are made again only when what they tell has changed: whoever points at one
// or has the focus there is not disturbed.

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
