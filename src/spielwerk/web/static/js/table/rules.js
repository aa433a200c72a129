// The rules at the table: what their own page says, in a dialog.

import { html } from "../dom.js";
import { fill } from "../page.js";
import { drawPictures } from "../pictures.js";
import { openDialog } from "./dialogs.js";
import { t } from "../texts.js";

/** Open the rules of this kind of game, if it tells them. */
export async function openRules({ game, rules }) {
  if (!rules) return;
  const place = html("div");
  openDialog(t("common.rules"), place).classList.add("dialog--rules");
  await fill(place, () => fetched(`/rules/${encodeURIComponent(game)}`));
  await drawPictures(place);
}

async function fetched(path) {
  const answer = await fetch(path);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return document.importNode(page.querySelector("[data-rules]"), true);
}
