// The connections of a table as the server tells of them, and their texts taken apart.

const KEPT = 4000; // pieces of a connection
const ESCAPE = /\\(?:\\|[nrt0]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})/g;
const TRAILING = / +$/;

/** All connections, by the server's key, in the order in which they were opened. */
export class Connections {
  #all = new Map();

  /** Take the server's news; what is new by connection, and whether known lines have changed. */
  take(news) {
    const pieces = new Map();
    let anew = false;
    for (const { from, pieces: fresh, ...facts } of news) {
      const known = this.#all.get(facts.key);
      if (known) anew ||= from < known.pieces.length || known.seat !== facts.seat;
      const before = from === 0 ? [] : (known?.pieces ?? []);
      const one = Object.assign(known ?? {}, facts);
      one.pieces = [...before, ...fresh].slice(-KEPT);
      this.#all.set(one.key, one);
      pieces.set(one, fresh);
    }
    return { pieces, anew };
  }

  /** The connections of a seat; null for those who never got one. */
  of(seat) {
    const own = [...this.#all.values()].filter((one) => one.seat === seat);
    return own.sort((a, b) => a.opened - b.opened);
  }

  /** The seats that have a connection. */
  seats() {
    return [...this.#all.values()].map((one) => one.seat);
  }
}

/** The lines of a piece; what is not the end of a line stays as it is escaped. */
export function lines(text) {
  const found = [[]];
  let start = 0;
  for (const match of text.matchAll(ESCAPE)) {
    put(found.at(-1), "text", text.slice(start, match.index));
    start = match.index + match[0].length;
    if (match[0] === "\\\\") put(found.at(-1), "text", "\\");
    else put(found.at(-1), match[0] === "\\n" ? "end" : "odd", match[0]);
    if (match[0] === "\\n") found.push([]);
  }
  put(found.at(-1), "text", text.slice(start));
  if (found.length > 1 && found.at(-1).length === 0) found.pop();
  return found.map(withBlanks);
}

function put(line, kind, text) {
  const last = line.at(-1);
  if (kind === "text" && last?.kind === "text") last.text += text;
  else if (text) line.push({ kind, text });
}

/** Blanks at the end of a line are told apart: nobody sees them otherwise. */
function withBlanks(line) {
  const last = line.findLastIndex(({ kind, text }) => kind !== "end" && text !== "\\r");
  const ends = line.at(-1)?.kind === "end" && line[last]?.kind === "text";
  const blanks = ends && TRAILING.exec(line[last].text);
  if (!blanks) return line;
  const rest = { kind: "text", text: line[last].text.slice(0, blanks.index) };
  const told = { kind: "odd", text: "␣".repeat(blanks[0].length) };
  return [...line.slice(0, last), ...(rest.text ? [rest] : []), told, ...line.slice(last + 1)];
}

/** Milliseconds since a connection was opened, as they stand before a line: `1:02.345`. */
export function moment(milliseconds) {
  const whole = Math.max(0, Math.round(milliseconds));
  const seconds = ((whole % 60000) / 1000).toFixed(3).padStart(6, "0");
  const minutes = Math.floor(whole / 60000);
  return minutes > 0 ? `${minutes}:${seconds}` : seconds;
}

/** A connection as plain text, a line for each piece. */
export function plain({ service, peer, opened, pieces }) {
  const arrows = { in: "<-", out: "->", gap: "--" };
  const told = ([at, way, text]) => `${moment(at).padStart(10)} ${arrows[way]} ${text}\n`;
  return `# ${service} ${peer}, ${new Date(opened).toISOString()}\n${pieces.map(told).join("")}`;
}
