// The lobby's tiles: one click and a game against the computer is played. A line on each says how
// strong the computer is and who begins; it leads to both, to the whole form, and to the rules.

import { read, send } from "../api.js";
import { action, html, put } from "../dom.js";
import { kinds, nameOf, tile } from "../games.js";
import { openDialog } from "../table/dialogs.js";
import { quickWish } from "./choices.js";
import { levelInput, segments } from "./fields.js";
import { t } from "../texts.js";

const KEY = "spielwerk.play.";
const BEGINS = ["person", "computer", "random"];
const LEVELS = 10;

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
  const keep = (values) => {
    Object.assign(chosen, values);
    remember(kind, chosen);
    show();
  };
  const label = t("lobby.play", { game: nameOf(kind) });
  const press = html("button.play", { "aria-label": label, on: { click: begin } }, tile(kind), html("b", nameOf(kind)));
  const tip = t("lobby.play.change", { game: nameOf(kind) });
  const how = html("button.how", { title: tip, on: { click: () => change(kind, chosen, keep, begin) } }, words);
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
function change(kind, { level, begins }, keep, begin) {
  const shown = html("b.num", String(level));
  const note = html("small");
  const describe = (now) => {
    put(shown, String(now));
    put(note, t(`new.level.${Math.ceil(now / 3)}`));
  };
  const { wrap } = levelInput(level, (now) => {
    keep({ level: now });
    describe(now);
  });
  const sides = BEGINS.map((name) => [name, t(`lobby.begins.${name}`)]);
  describe(level);
  openDialog(
    nameOf(kind),
    html("label.lv", html("span", t("new.level"), " ", shown), wrap, note),
    html(
      "div.lv",
      html("span", { "aria-hidden": "true" }, t("new.begins")),
      segments(t("new.begins"), sides, begins, (name) => keep({ begins: name })),
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
  const chosen = { level: 3, begins: "person" };
  try {
    const { level, begins } = JSON.parse(localStorage.getItem(KEY + name)) ?? {};
    if (Number.isInteger(level) && level >= 1 && level <= LEVELS) chosen.level = level;
    if (BEGINS.includes(begins)) chosen.begins = begins;
  } catch {
    // Nothing is kept, or nothing that can be read.
  }
  return chosen;
}

function remember({ name }, chosen) {
  try {
    localStorage.setItem(KEY + name, JSON.stringify(chosen));
  } catch {
    // A browser that keeps nothing.
  }
}
