// The server's part of the settings: signing in, ports, deleting a game.

import { ask, read, send, signed } from "../api.js";
import { at, html, replace } from "../dom.js";
import { kinds, namesWith, word } from "../games.js";
import { announce, copyButton } from "../page.js";
import { blame, field, textInput, wholeNumber } from "./fields.js";
import { isId } from "./rows.js";
import { addresses, forClients, serviceName, written } from "./services.js";
import { failure, t } from "../texts.js";

let operator = false;
let services = [];

/** Show what the server allows and where its services are. */
export async function showServer() {
  try {
    const [state, found] = await Promise.all([read("/api/v1/operator"), read("/api/v1/services")]);
    operator = state.operator;
    const listed = Object.entries(found.services);
    services = listed.map(([name, places]) => ({ name, addresses: places }));
  } catch (error) {
    replace(at("operator"), html("p.fault", failure(error)));
    return;
  }
  showAll();
}

function showAll() {
  replace(at("state"), t(operator ? "settings.operator.yes" : "settings.operator.no"));
  replace(at("operator"), operator ? signedIn() : signIn());
  replace(at("services"), forClients(services).map(serviceItem));
  at("port").parentElement.hidden = !movable;
  if (movable) replace(document.getElementById("s-port"), word(movable, "port"));
  if (movable) replace(at("port"), portForm());
  replace(at("delete"), deleteForm());
}

/** A form whose one button does something that may fail; what fails is told at its control. */
function action(control, label, { hint, button, act, barred = false }) {
  const submit = html("button.btn", { type: "submit", disabled: barred }, button);
  const wrap = html("span.asked", control, submit);
  control.disabled = barred;
  const form = html("form", { novalidate: true }, field(label, control, { hint, wrap }));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    blame(control, null);
    try {
      await act(submit);
    } catch (error) {
      blame(control, failure(error));
      control.focus();
    }
    submit.disabled = false;
  });
  return form;
}

// signing in

function signIn() {
  const token = textInput("", () => {}, { type: "password", autocomplete: "current-password" });
  const act = async () => {
    await send("/api/v1/operator", { token: token.value.trim() });
    signed();
    await showServer();
    at("operator").querySelector("button")?.focus();
    announce(t("settings.operator.yes"));
  };
  const look = { hint: t("settings.operator.hint"), button: t("settings.operator.in"), act };
  return action(token, t("settings.operator.token"), look);
}

function signedIn() {
  const out = html("button.btn", t("settings.operator.out"));
  out.addEventListener("click", async () => {
    await ask("DELETE", "/api/v1/operator").catch(() => {});
    signed();
    await showServer();
    at("operator").querySelector("input")?.focus();
  });
  return [html("p.second", t("settings.operator.text", { games: namesWith("remote") })), html("p", out)];
}

/** What one who is not the operator has to know. */
const needed = (text) => !operator && html("p.second", t(text));

// services and their ports

function serviceItem(service) {
  const name = serviceName(service.name);
  const places = addresses(service).map(([host, port]) => written(host, port));
  const shown = places.map((place) => html("span.mono", place));
  const off = html("span", t("settings.service.off"));
  return html(
    "li",
    html("b", name),
    html("span.port", places.length ? shown : off),
    places.length > 0 && copyButton(() => places.join(" "), name),
  );
}

const movable = kinds.find(({ movablePort }) => movablePort); // whose service may be moved

function presentPort() {
  const [first] = services.find(({ name }) => name === movable.movablePort)?.addresses ?? [];
  return first?.[1] ?? null;
}

function portForm() {
  const now = presentPort();
  if (now === null) return html("p.second", t("settings.port.off"));
  const label = t("settings.port");
  const input = textInput(String(now), () => {}, { class: "field num", inputmode: "numeric" });
  const act = async () => {
    const [port, wrong] = wholeNumber(label, input.value, 0, 65535);
    if (wrong) return blame(input, wrong);
    await ask("PUT", `/api/v1/services/${movable.movablePort}`, { port });
    await showServer();
    announce(t("settings.port.done", { port: presentPort() }));
  };
  const look = { hint: t("settings.port.hint"), button: t("settings.port.change"), act };
  const used = html("p", t("settings.port.now", { port: now }));
  return [used, action(input, label, { ...look, barred: !operator }), needed("settings.port.why")];
}

// deleting

function deleteForm() {
  const label = t("settings.delete.id");
  const input = textInput("", () => {}, { class: "field mono", spellcheck: "false" });
  let sure = "";
  const act = async (button) => {
    const id = input.value.trim();
    if (!isId(id)) return blame(input, t("settings.delete.wrong", { value: id }));
    if (sure !== id) {
      sure = id;
      button.textContent = t("settings.delete.sure");
      return;
    }
    sure = "";
    button.textContent = t("settings.delete.do");
    await ask("DELETE", `/api/v1/matches/${id}`);
    input.value = "";
    announce(t("settings.delete.done", { id }));
    replace(done, t("settings.delete.done", { id }));
  };
  const done = html("p.second");
  const look = { hint: t("settings.delete.hint"), button: t("settings.delete.do"), act };
  return [action(input, label, { ...look, barred: !operator }), done, needed("settings.operator.needed")];
}
