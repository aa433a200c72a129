// Parts of a list that are made again only when what they tell has changed: whoever points at one
// or has the focus there is not disturbed.

/** The parts by their names. */
export class Kept {
  #parts = new Map();

  /** The part of that name; `make()` is asked for a new one if it told something else before. */
  of(name, told, make) {
    const text = JSON.stringify(told);
    const before = this.#parts.get(name);
    if (before?.text === text) return before.node;
    const node = make();
    this.#parts.set(name, { text, node });
    return node;
  }
}

/** Put these nodes there in this order; those that stand right are not touched. */
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...parent.childNodes]) if (!wanted.has(node)) node.remove();
  nodes.forEach((node, index) => {
    const there = parent.childNodes[index];
    if (there !== node) parent.insertBefore(node, there ?? null);
  });
}
