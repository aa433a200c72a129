// The help page: addresses of the running services, and buttons to copy.

import { read } from "./api.js";
import { html, replace } from "./dom.js";
import { copyButton } from "./page.js";
import { segments } from "./pages/fields.js";
import { PORTS, addresses, reachable, written } from "./pages/services.js";
import { t } from "./texts.js";

let services = [];
let dialect = null; // of the game server; null: that of its first port

/** Where a service listens, as [host, port, whether it does]; the game server in our dialect. */
function place(name) {
  const service = services.find((one) => one.name === name);
  const spoken = ([, port]) => !service.dialects[port] || numberAt(service, port) === chosen();
  const found = addresses(service).find(spoken);
  const usual = PORTS[name] + (name === "mnm" ? chosen() - 1 : 0);
  return found ? [...found, true] : [reachable(""), usual, false];
}

const numberAt = (service, port) => service.dialects[port]?.number;

function chosen() {
  const service = services.find(({ name }) => name === "mnm");
  const [[, port] = []] = addresses(service);
  return dialect ?? (port ? numberAt(service, port) : 1);
}

function fill() {
  for (const node of document.querySelectorAll("[data-address]")) {
    const [host, port, runs] = place(node.dataset.address);
    replace(node, written(host, port), !runs && ` (${t("help.off")})`);
  }
  for (const node of document.querySelectorAll("[data-host], [data-port]")) {
    const [host, port] = place(node.dataset.host ?? node.dataset.port);
    node.textContent = node.dataset.host ? host : String(port);
  }
  for (const node of document.querySelectorAll("[data-dialect]")) {
    node.hidden = Number(node.dataset.dialect) !== chosen();
  }
}

/** The dialects of the game server, one of them to be chosen. */
function offerDialects() {
  const names = [1, 2, 3].map((number) => [String(number), t("common.dialect", { number })]);
  const choose = (name) => {
    dialect = Number(name);
    fill();
  };
  const control = segments(t("help.dialects"), names, chosen(), choose);
  replace(document.querySelector("[data-dialects]"), control);
}

/** Every piece that is worth copying gets its button. */
function offerCopies() {
  for (const piece of document.querySelectorAll("[data-copy]")) {
    const frame = html("div.copied");
    piece.replaceWith(frame);
    frame.append(piece, copyButton(() => piece.textContent, t(piece.dataset.copy)));
  }
  for (const node of document.querySelectorAll("[data-address]")) {
    node.after(copyButton(() => node.textContent, t("help.address")));
  }
}

fill();
offerCopies();
offerDialects();
try {
  ({ services } = await read("/api/v1/lobby"));
  fill();
  offerDialects();
} catch {
  // The usual ports stay; the masthead says that the server is away.
}
