// The table's page: what the server tells goes into the store, and from there to the page.

import { send } from "./api.js";
import { html, replace } from "./dom.js";
import { loadBoard } from "./games.js";
import { Live } from "./live.js";
import { TablePage } from "./table/page.js";
import { Store } from "./table/state.js";
import { sentence } from "./table/words.js";
import { said, t } from "./texts.js";

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const store = new Store(id);
let page = null;

/** Take the seat that a secret link hands over, and keep the secret out of the address bar. */
async function takeOver() {
  const secret = new URLSearchParams(location.hash.slice(1));
  if (!secret.has("key")) return "";
  history.replaceState(history.state, "", location.pathname + location.search);
  const seat = Number(secret.get("seat"));
  const path = `/api/v1/matches/${encodeURIComponent(id)}/seats/${seat}/transfer`;
  try {
    await send(path, { key: secret.get("key") });
    return t("table.seatMoved");
  } catch (refused) {
    return sentence(said(refused.message));
  }
}

/** The position that the address names, or null. */
function wanted() {
  const ply = new URLSearchParams(location.search).get("ply");
  return /^\d{1,6}$/.test(ply ?? "") ? Number(ply) : null;
}

async function begin(live, note) {
  const board = await loadBoard(store.kind);
  page = new TablePage(store, board, live);
  await page.start(wanted());
  if (note) page.say(note);
}

function listen(live, note) {
  const on = (type, take) => live.addEventListener(type, ({ detail }) => take(detail));
  let beginning = null;
  on("table", (message) => {
    store.takeTable(message);
    beginning ??= begin(live, note);
    page?.moved();
  });
  on("moved", (message) => {
    store.takeMoves(message);
    page?.moved();
  });
  on("state", ({ state }) => {
    store.state = state;
    page?.stateChanged();
  });
  on("viewers", ({ count }) => {
    store.viewers = count;
    page?.update();
  });
  on("you", ({ seats, operator }) => {
    store.mine = seats;
    store.operator = operator;
    page?.update();
  });
  on("missing", () => gone());
  on("status", (detail) => {
    document.dispatchEvent(new CustomEvent("sw-live", { detail }));
    page?.update();
  });
}

function gone() {
  const banner = document.querySelector("[data-turn]");
  replace(banner, html("h2", {}, t("table.gone")));
}

const note = await takeOver();
listen(new Live({ table: id }), note);
