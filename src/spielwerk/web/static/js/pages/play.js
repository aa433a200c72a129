// The lobby's tiles: one click and a game against the computer is played. A line on each says how
// strong the computer is and who begins; it leads to both, to the whole form, and to the rules.

import { read, send } from "../api.js";
import { action, html, put } from "../dom.js";
import { kinds, nameOf, tile } from "../games.js";
import { openDialog } from "../table/dialogs.js";
import { quickWish } from "./choices.js";
import { levelField, segments } from "./fields.js";
import { alike, keep, kept } from "../settings.js";
import { t } from "../texts.js";

const KEY = "spielwerk.play.";
const BEGINS = ["person", "computer", "random"];
const LEVELS = Array.from({ length: 10 }, (_, n) => n + 1);
const USUAL = { level: 3, begins: "person" };

/** A tile for each kind of game; `fail(error)` is told why a game could not be set up. */
export const playTiles = (fail) => kinds.map((kind) => playTile(kind, fail));

function playTile(kind, fail) {
  const chosen = remembered(kind);
  const words = html("span");
  const show = () => put(words, t(`lobby.play.${chosen.begins}`, { level: chosen.level }));
  const begin = async () => {
    press.disabled = true; // a second click is not a second game
    try {
      location.assign(`/t/${await begun(kind, chosen)}`);
    } catch (error) {
      press.disabled = false;
      fail(error);
    }
  };
  const set = (values) => {
    keep(KEY + kind.name, Object.assign(chosen, values));
    show();
  };
  const label = t("lobby.play", { game: nameOf(kind) });
  const press = html("button.play", { "aria-label": label, on: { click: begin } }, tile(kind), html("b", nameOf(kind)));
  const tip = t("lobby.play.change", { game: nameOf(kind) });
  const how = html("button.how", { title: tip, on: { click: () => change(kind, chosen, set, begin) } }, words);
  const rules = kind.rules && html("a.learn", rulesLink(kind), t("common.rules"));
  show();
  return html("div.tile", press, html("div.line", how, rules));
}

const rulesLink = (kind) => ({
  href: `/rules/${encodeURIComponent(kind.game)}`,
  "aria-label": t("lobby.rules", { game: nameOf(kind) }),
});

async function begun(kind, chosen) {
  const game = (await read("/api/v1/games")).find(({ name }) => name === kind.game);
  const { id } = await send("/api/v1/matches", quickWish(kind, game, chosen));
  return id;
}

/** Ask for the level and who begins. */
function change(kind, chosen, set, begin) {
  const sides = BEGINS.map((name) => [name, t(`lobby.begins.${name}`)]);
  openDialog(
    nameOf(kind),
    levelField(chosen.level, (level) => set({ level })),
    html(
      "div.lv",
      html("span", { "aria-hidden": "true" }, t("new.begins")),
      segments(t("new.begins"), sides, chosen.begins, (begins) => set({ begins })),
    ),
    html(
      "footer",
      action(null, t("lobby.play.now"), begin, "btn btn--ink"),
      html("a.btn", { href: `/new?game=${kind.name}` }, t("lobby.play.more")),
    ),
  );
}

// what was chosen last time, by kind

function remembered({ name }) {
  const chosen = alike(kept(KEY + name), USUAL);
  const fits = BEGINS.includes(chosen.begins) && LEVELS.includes(chosen.level);
  return fits ? chosen : { ...USUAL };
}
