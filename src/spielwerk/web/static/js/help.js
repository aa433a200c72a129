// The help page: addresses of the running services, and buttons to copy.

import { read } from "./api.js";
import { copyButton } from "./pages/copy.js";
import { PORTS, addressOf, addresses, reachable, written } from "./pages/services.js";
import { html, replace } from "./svg.js";
import { t } from "./texts.js";

function fill(services) {
  for (const node of document.querySelectorAll("[data-address]")) {
    const name = node.dataset.address;
    const address = addressOf(services, name);
    const place = written(reachable(""), PORTS[name]);
    replace(node, address || `${place} (${t("help.off")})`);
  }
  for (const node of document.querySelectorAll("[data-host], [data-port]")) {
    const name = node.dataset.host ?? node.dataset.port;
    const service = services.find((one) => one.name === name);
    const [[host, port] = [reachable(""), PORTS[name]]] = addresses(service);
    node.textContent = node.dataset.host ? host : String(port);
  }
}

/** Every piece that is worth copying gets its button. */
function offerCopies() {
  for (const piece of document.querySelectorAll("[data-copy]")) {
    const frame = html("div", { class: "copied" });
    piece.replaceWith(frame);
    frame.append(piece, copyButton(() => piece.textContent, t(piece.dataset.copy)));
  }
  for (const node of document.querySelectorAll("[data-address]")) {
    node.after(copyButton(() => node.textContent, t("help.address")));
  }
}

fill([]);
offerCopies();
try {
  const { services } = await read("/api/v1/lobby");
  fill(services);
} catch {
  // The usual ports stay; the masthead says that the server is away.
}
