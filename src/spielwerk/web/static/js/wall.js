// The wall: all running tables side by side, as large as the window allows; for a beamer.

import { read } from "./api.js";
import { isBeamer, startBeamer, toBeamer } from "./beamer.js";
import { Running, followBoards } from "./boards/running.js";
import { action, at, put, replace } from "./dom.js";
import { live } from "./page.js";
import { t } from "./texts.js";

const list = at("boards");
const running = new Running(list, Infinity, { clocks: true });
let shown = 0; // boards
let lobby = null;

function take(message) {
  shown = running.take(message).length;
  arrange();
  say();
}

/** So many columns that the boards become as large as they can; they are about square. */
function arrange() {
  const { clientWidth: width, clientHeight: height } = list;
  const size = (columns) => Math.min(width / columns, height / Math.ceil(shown / columns));
  let best = 1;
  for (let columns = 2; columns <= shown; columns += 1) if (size(columns) > size(best)) best = columns;
  list.style.setProperty("--across", String(best));
  list.style.setProperty("--down", String(Math.ceil(shown / best)));
}

function say() {
  if (lobby) put(at("facts"), lobby.listing ? found(lobby.counts.running) : t("lobby.unlisted"));
}

function found(count) {
  if (!count) return t(shown ? "wall.show" : "wall.empty");
  return count > shown ? t("wall.newest", { shown, count }) : t("wall.count", { count });
}

function hear(news) {
  lobby = news;
  say();
}

addEventListener("resize", arrange);
live.addEventListener("lobby", ({ detail }) => hear(detail));
followBoards(live, "wall", take);
replace(at("acts"), action("beamer", t("contest.beamer"), () => toBeamer(!isBeamer())));
startBeamer(arrange);
hear(await read("/api/v1/lobby"));
