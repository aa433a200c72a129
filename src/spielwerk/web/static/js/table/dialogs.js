// Dialogs: native ones, so that focus, Esc and screen readers work as people know it.

import { action, html, put, tool } from "../dom.js";
import { fill, toClipboard } from "../page.js";
import { isLocal } from "../pages/services.js";
import { drawPictures } from "../pictures.js";
import { get, set } from "../settings.js";
import { switches } from "../signals.js";
import { refusal } from "./words.js";
import { t } from "../texts.js";

const NAME_LENGTH = 40;

/** Open a dialog with a title; it is gone when closed. */
export function openDialog(title, ...content) {
  const close = tool("close", t("table.close"), () => box.close());
  const heading = html("h2", { id: "dialog-title" }, title);
  const box = html(
    "dialog.dialog",
    { "aria-labelledby": "dialog-title" },
    html("header", heading, close),
    content,
  );
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}

/** A text with a button that copies it. */
function copyable(label, value) {
  const field = html("input.field.mono", { readonly: true, value, "aria-label": label });
  field.addEventListener("focus", () => field.select());
  const word = html("span", { "aria-live": "polite" }, t("table.copy"));
  const press = async () => {
    if (await toClipboard(value)) put(word, t("table.copied"));
    else field.select();
  };
  const line = html("div", field, action("copy", word, press, "btn"));
  return html("label.copyable", html("span", label), line);
}

/** The table's address as a code for phones, and what keeps them from it. */
function code(id) {
  const scheme = location.protocol.replace(":", "");
  const src = `/api/v1/matches/${encodeURIComponent(id)}/qr.svg?scheme=${scheme}`;
  return html(
    "figure.qr",
    html("img", { src, alt: t("table.qr"), width: 200, height: 200 }),
    html("figcaption.second", t(isLocal ? "table.qr.local" : "table.qr.text")),
  );
}

/** Links to the table, and to the position shown, as it is named; the first also as a code. */
export function share(id, ply, named) {
  const table = new URL(`/t/${encodeURIComponent(id)}`, location.href);
  const here = new URL(table);
  here.searchParams.set("ply", ply);
  openDialog(
    t("table.share"),
    copyable(t("table.linkToTable"), table.href),
    copyable(named, here.href),
    code(id),
  );
}

/** Ask for a name and take the seat; `take` may refuse with a sentence. */
export function takeSeat(title, take) {
  const name = html("input.field", {
    name: "name",
    maxlength: NAME_LENGTH,
    value: get("name"),
    autocomplete: "nickname",
    autofocus: true,
  });
  const error = html("p.fault", { role: "alert" });
  const form = html(
    "form",
    { method: "dialog" },
    html("label", html("span", t("table.yourName")), name),
    error,
    html("button.btn.btn--ink", { type: "submit" }, t("table.take")),
  );
  const box = openDialog(title, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await take(name.value.trim());
      set("name", name.value.trim());
      box.close();
    } catch (refused) {
      put(error, refusal(refused));
    }
  });
}

/** The own seat: a secret link that takes it along, what is heard, leaving, resigning. */
export function ownSeat(name, { link, leave, resign }) {
  const place = html("div");
  const press = (act) => () => {
    box.close();
    act();
  };
  const button = (words, act) => action(null, words, act, "btn");
  const fetchLink = async () => {
    await fill(place, async () => copyable(t("table.seatLink"), await link()));
    place.querySelector("input")?.focus();
  };
  place.append(button(t("table.showSeatLink"), fetchLink));
  const box = openDialog(
    t("table.seatOf", { name }),
    html("p", t("table.seatLinkText")),
    place,
    switches(),
    html(
      "footer",
      button(t("table.leave"), press(leave)),
      button(t("table.resign"), press(resign)),
    ),
  );
}

/** Ask before something that cannot be undone. */
export function confirm(title, text, word, act) {
  const press = () => {
    box.close();
    act();
  };
  const box = openDialog(
    title,
    html("p", text),
    html(
      "footer",
      action(null, word, press, "btn btn--ink"),
      action(null, t("table.cancel"), () => box.close(), "btn"),
    ),
  );
}

/** The rules of this kind of game, as their own page tells them, if it does. */
export async function openRules({ game, rules }) {
  if (!rules) return;
  const place = html("div");
  openDialog(t("common.rules"), place).classList.add("dialog--rules");
  await fill(place, async () => {
    const answer = await fetch(`/rules/${encodeURIComponent(game)}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return document.importNode(page.querySelector("[data-rules]"), true);
  });
  await drawPictures(place);
}

/** The keys of the page. */
export function help(keys) {
  const line = ([names, word]) => [
    html("dt", names.map((name) => html("kbd", name))),
    html("dd", word),
  ];
  openDialog(t("table.keys"), html("dl.keys", keys.map(line)));
}
