// The table's page: what the server tells goes into the store, and from there to the page.

import { send } from "./api.js";
import { at, html, replace } from "./dom.js";
import { loadBoard } from "./games.js";
import { Live } from "./live.js";
import { moved, say, startPage, stateChanged, update } from "./table/page.js";
import { store } from "./table/state.js";
import { refusal } from "./table/words.js";
import { t } from "./texts.js";

/** Take the seat that a secret link hands over, and keep the secret out of the address bar. */
async function takeOver() {
  const secret = new URLSearchParams(location.hash.slice(1));
  if (!secret.has("key")) return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    const seat = Number(secret.get("seat"));
    await send(`${store.path}/seats/${seat}/transfer`, { key: secret.get("key") });
    return t("table.seatMoved");
  } catch (error) {
    return refusal(error);
  }
}

/** The position that the address names, or null. */
function wanted() {
  const ply = new URLSearchParams(location.search).get("ply");
  return /^\d{1,6}$/.test(ply ?? "") ? Number(ply) : null;
}

const note = await takeOver();
const live = new Live({ table: store.id });
let beginning = null;
let ready = false; // whether the page shows what the store has

async function begin() {
  const board = await loadBoard(store.kind);
  ready = true;
  await startPage(board, live, wanted());
  if (note) say(note);
}

function on(type, take, show) {
  live.addEventListener(type, ({ detail }) => {
    take(detail);
    if (ready) show();
  });
}

on("table", (message) => {
  store.takeTable(message);
  beginning ??= begin();
}, moved);
on("moved", store.takeMoves, moved);
on("state", store.takeState, stateChanged);
on("viewers", ({ count }) => Object.assign(store, { viewers: count }), update);
on("you", ({ seats, operator }) => Object.assign(store, { mine: seats, operator }), update);
on("missing", () => replace(at("turn"), html("h2", t("table.gone"))), () => {});
on("status", (detail) => document.dispatchEvent(new CustomEvent("sw-live", { detail })), update);
