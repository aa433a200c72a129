// The rules at the table: what their own page says, in a dialog.

import { drawPictures } from "../pictures.js";
import { failure, t } from "../texts.js";
import { html, replace } from "../dom.js";
import { openDialog } from "./dialogs.js";

/** Open the rules of this kind of game, if it tells them. */
export async function openRules({ game, rules }) {
  if (!rules) return;
  const place = html("div");
  openDialog(t("common.rules"), place).classList.add("dialog--rules");
  try {
    replace(place, await fetched(`/rules/${encodeURIComponent(game)}`));
    await drawPictures(place);
  } catch (error) {
    replace(place, html("p.refusal", { role: "alert" }, failure(error)));
  }
}

async function fetched(path) {
  const answer = await fetch(path);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return document.importNode(page.querySelector("[data-rules]"), true);
}
