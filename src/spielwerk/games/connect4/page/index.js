// Games that an index server lists (Connect Four), and joining one of them.

import { read, send } from "../../js/api.js";
import { action, html, replace } from "../../js/dom.js";
import { kindNamed } from "../../js/games.js";
import { fill } from "../../js/page.js";
import { blame, field, levelInput, segments, textInput, wrongAddress } from "../../js/pages/fields.js";
import { written } from "../../js/pages/services.js";
import { get, set } from "../../js/settings.js";
import { openDialog } from "../../js/table/dialogs.js";
import { said, t } from "../../js/texts.js";

/** Open the dialog that lists the games at an index server. */
export function openIndex(usual) {
  const wish = { address: usual || "127.0.0.1:9090", name: get("name"), type: "HUMAN", level: 10 };
  const results = html("div.found", { "aria-live": "polite" });
  const keep = (text) => (wish.address = text.trim());
  const address = textInput(wish.address, keep, { class: "field mono" });
  const ask = html("button.btn", { type: "submit" }, t("connect4.index.list"));
  const wrap = html("span.asked", address, ask);
  const submit = (event) => {
    event?.preventDefault();
    const wrong = wrongAddress(t("connect4.index.address"), wish.address);
    blame(address, wrong);
    if (!wrong) list(results, wish);
  };
  const asked = field(t("connect4.index.address"), address, { wrap });
  const form = html("form", { on: { submit } }, asked, player(wish));
  openDialog(t("connect4.index"), form, results);
  submit();
}

/** Who is to play: this person, or an engine. */
function player(wish) {
  const name = textInput(wish.name, (text) => (wish.name = text), { maxlength: 80 });
  const { range, wrap } = levelInput(wish.level, (level) => (wish.level = level));
  const level = field(t("connect4.index.level"), range, { wrap });
  level.hidden = true;
  const kinds = [
    ["HUMAN", t("connect4.index.human"), "person"],
    ["ENGINE", t("connect4.index.engine"), "engine"],
  ];
  const as = segments(t("connect4.index.as"), kinds, wish.type, (type) => {
    wish.type = type;
    level.hidden = type !== "ENGINE";
  });
  return html("div.who", field(t("connect4.index.name"), name), as, level);
}

const say = (text) => html("p.second", text);

async function list(results, wish) {
  const { address } = wish;
  replace(results, say(t("connect4.index.asking", { address })));
  await fill(results, async () => {
    const query = new URLSearchParams({ index: address });
    const { games } = await read(`/api/v1/connect4/games?${query}`);
    if (!games.length) return say(t("connect4.index.none", { address }));
    const label = t("connect4.index.games", { address });
    const join = (game) => joined(results, { ...wish, index: address }, game);
    return html("ul", { "aria-label": label }, games.map((game) => item(game, join)));
  });
}

function item(game, join) {
  const { name, player: host, width, height, depth } = game;
  const about = t("connect4.index.by", {
    player: host,
    size: kindNamed("connect4").size({ width, height, depth }),
    address: written(game.address, game.port),
  });
  return html("li", html("div", html("b", name), html("span", about)), way(game, join));
}

/** The button that joins a game, or why it cannot be joined. */
function way(game, join) {
  const { said: problem, status } = game;
  if (problem) return html("span", t("connect4.index.unplayable", { why: said(problem) }));
  if (status !== "open") return html("span", t("connect4.index.running"));
  const button = action(null, t("connect4.index.join"), () => join(game), "btn btn--ink");
  button.setAttribute("aria-label", t("connect4.index.joinGame", { name: game.name }));
  return button;
}

async function joined(results, wish, { name: game }) {
  const name = wish.name.trim();
  if (name && wish.type === "HUMAN") set("name", name);
  const engine = wish.type === "ENGINE" ? { engine: `level=${wish.level}` } : {};
  const words = say(t("connect4.index.joining", { name: game }));
  replace(results, words);
  await fill(results, async () => {
    const own = { type: wish.type, ...engine };
    const { id } = await send("/api/v1/connect4/join", { index: wish.index, game, name, player: own });
    location.assign(`/t/${id}`);
    return words;
  });
}
