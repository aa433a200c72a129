// The lobby's tables: which of them are shown, and in what order.

const DAY = 24 * 3600 * 1000;
const RECENT = 10; // finished ones among the current ones, at most
const ID = /^(?:[A-Za-z0-9]{11}|[A-Za-z0-9]{13})$/;

export const FILTERS = ["current", "open", "running", "finished"];

/** Whether the text could be a Game-ID. */
export function isId(text) {
  return ID.test(text);
}

/** The tables for a filter and a search, one's own first, then open, running, finished ones. */
export function chosen(tables, filter, query) {
  const found = tables.filter((table) => matches(table, query));
  const shown = filter === "current" ? current(found, query) : withStatus(found, filter);
  return shown.sort(order);
}

function withStatus(tables, status) {
  return tables.filter((table) => table.status === status);
}

/** What is going on, and what has ended lately; a search looks at everything. */
function current(tables, query) {
  if (query) return [...tables];
  const since = Date.now() - DAY;
  const ended = withStatus(tables, "finished").filter(({ created }) => created > since);
  const going = tables.filter(({ status }) => status !== "finished");
  return [...going, ...ended.sort(newer).slice(0, RECENT)];
}

function matches({ id, name, seats }, query) {
  if (!query) return true;
  const wanted = query.toLowerCase();
  const texts = [name, ...seats.map((seat) => seat.name)];
  return id === query || texts.some((text) => text.toLowerCase().includes(wanted));
}

const newer = (a, b) => b.created - a.created;

function order(a, b) {
  const rank = ({ mine, status }) => (status === "finished" ? 2 : mine ? 0 : 1);
  return rank(a) - rank(b) || newer(a, b);
}
