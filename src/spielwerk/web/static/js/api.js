// Asking the server; what it refuses comes as an error with its sentence.

/** The server said no; `status` is HTTP's, 0 if it could not be reached; `said` is its message. */
export class Refused extends Error {
  constructor(status, sentence, said = null) {
    super(sentence);
    Object.assign(this, { status, said });
  }
}

/** The answer to a request, read as JSON; an aborted signal ends the waiting. */
export async function ask(method, path, body, signal) {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, ...content });
  } catch (error) {
    throw new Refused(0, String(error.message ?? error));
  }
  const text = await answer.text();
  const value = parsed(text);
  if (!answer.ok) throw new Refused(answer.status, value?.error ?? answer.statusText, value?.said);
  return value;
}

/** GET, and POST with a body. */
export const read = (path) => ask("GET", path);
export const send = (path, body = {}) => ask("POST", path, body);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

let opened = null;

/** The browser's pages among each other; opened only where it is used. */
const channel = () => (opened ??= new BroadcastChannel("spielwerk.operator"));

/** Tell the other pages that this browser has signed in or out. */
export const signed = () => channel().postMessage(null);

/** Call this when another page has signed in or out. */
export const onSigned = (act) => channel().addEventListener("message", act);
