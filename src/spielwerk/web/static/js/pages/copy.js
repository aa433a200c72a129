// Copying: a button that says what it copies, and that it has.

import { html, replace } from "../dom.js";
import { icon } from "../icons.js";
import { announce } from "../page.js";
import { t } from "../texts.js";

const SHOWN = 1600; // milliseconds that the tick stays

/** A small button that copies what `text()` says then; `what` names it. */
export function copyButton(text, what) {
  const label = t("common.copy", { what });
  const said = { "aria-label": label, title: label };
  const button = html("button", { type: "button", class: "tool", ...said });
  button.append(icon("copy"));
  button.addEventListener("click", () => copied(button, text(), what));
  return button;
}

async function copied(button, text, what) {
  const done = await toClipboard(text);
  announce(done ? t("common.copied", { what }) : t("common.copyFailed"));
  replace(button, icon(done ? "tick" : "close"));
  setTimeout(() => replace(button, icon("copy")), SHOWN);
}

/** Put the text on the clipboard; whether that worked. */
export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byCommand(text); // pages that came over plain HTTP have no clipboard
  }
}

function byCommand(text) {
  const field = html("textarea", { class: "vh", "aria-hidden": "true", tabindex: "-1" });
  const before = document.activeElement;
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus();
  return done;
}
