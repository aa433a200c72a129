// Fields of boards: their shapes, the nodes that stand for them, how the arrows go between them.

import { svg } from "../dom.js";

/** The middle of a field, which is a disc (x, y, r) or a rectangle (corner, width, height). */
export function middle(field) {
  return field.r !== undefined
    ? [field.x, field.y]
    : [field.x + field.width / 2, field.y + field.height / 2];
}

/** Half of the field's shorter side. */
export function half(field) {
  return field.r ?? Math.min(field.width, field.height) / 2;
}

/** The box around the field and so much more on every side: [x, y, width, height]. */
export function corners(field, more) {
  const [x, y] = middle(field);
  const w = (field.width ?? 2 * field.r) + 2 * more;
  const h = (field.height ?? 2 * field.r) + 2 * more;
  return [x - w / 2, y - h / 2, w, h];
}

/** The ID of the field that a node belongs to, or null. */
export function idOf(node) {
  return node?.closest?.(".target")?.dataset.id ?? null;
}

/** The node that takes the field's clicks and focus. */
export function newTarget(field) {
  const shape = svg(field.r !== undefined ? "circle" : "rect");
  return svg("g.target", { role: "button", tabindex: "-1", "data-id": field.id }, shape);
}

/** Let the shape cover the field, without another node: a click must find what it went down on. */
export function fit(shape, { x, y, r, width, height, rx = 0 }) {
  const values = r !== undefined ? { cx: x, cy: y, r } : { x, y, width, height, rx };
  for (const [name, value] of Object.entries(values)) shape.setAttribute(name, value);
}

/** Of these nodes the nearest in a direction, as the page shows them, if there is any. */
export function nearest(node, nodes, [dx, dy]) {
  const [x, y] = centre(node);
  const measured = nodes.map((other) => {
    const [fx, fy] = centre(other);
    const along = (fx - x) * dx + (fy - y) * dy;
    const aside = Math.abs((fx - x) * dy) + Math.abs((fy - y) * dx);
    return { other, along, aside, cost: along + 2.5 * aside };
  });
  return measured
    .filter(({ along, aside }) => along > 1 && aside <= 2 * along)
    .sort((a, b) => a.cost - b.cost)[0]?.other;
}

function centre(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
