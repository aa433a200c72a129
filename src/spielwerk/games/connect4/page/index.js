// Games that an index server lists (Connect Four), and joining one of them.

import { read, send } from "../../js/api.js";
import { html, replace } from "../../js/dom.js";
import { kindNamed } from "../../js/games.js";
import {
  blame,
  field,
  levelInput,
  segments,
  textInput,
  wrongAddress,
} from "../../js/pages/fields.js";
import { written } from "../../js/pages/services.js";
import { get, set } from "../../js/settings.js";
import { failure, said, t } from "../../js/texts.js";

/** Open the dialog that lists the games at an index server. */
export function openIndex(address) {
  const dialog = new IndexDialog(address || "127.0.0.1:9090");
  document.body.append(dialog.element);
  dialog.element.showModal();
  dialog.list();
}

class IndexDialog {
  #address = "";
  #name = get("name");
  #kind = "HUMAN";
  #level = 10;
  #joining = false;

  constructor(address) {
    this.#address = address;
    const keep = (text) => (this.#address = text.trim());
    this.input = textInput(address, keep, { class: "field mono" });
    this.results = html("div.found", { "aria-live": "polite" });
    const on = { close: () => this.element.remove() };
    this.element = html(
      "dialog.dialog",
      { "aria-labelledby": "index-title", on },
      html("h2", { id: "index-title" }, t("connect4.index")),
      this.#form(),
      this.results,
      this.#foot(),
    );
  }

  #form() {
    const wrap = html(
      "span.asked",
      this.input,
      html("button.btn", { type: "submit" }, t("connect4.index.list")),
    );
    const submit = (event) => {
      event.preventDefault();
      this.list();
    };
    return html(
      "form",
      { on: { submit } },
      field(t("connect4.index.address"), this.input, { wrap }),
      this.#player(),
    );
  }

  #player() {
    const name = textInput(this.#name, (text) => (this.#name = text), { maxlength: 80 });
    const { range, wrap } = levelInput(this.#level, (level) => (this.#level = level));
    const level = field(t("connect4.index.level"), range, { wrap });
    level.hidden = true;
    const kinds = [
      ["HUMAN", t("connect4.index.human"), "person"],
      ["ENGINE", t("connect4.index.engine"), "engine"],
    ];
    const as = segments(t("connect4.index.as"), kinds, this.#kind, (kind) => {
      this.#kind = kind;
      level.hidden = kind !== "ENGINE";
    });
    return html("div.who", field(t("connect4.index.name"), name), as, level);
  }

  #foot() {
    const close = () => this.element.close();
    return html("p.foot", html("button.btn", { on: { click: close } }, t("common.close")));
  }

  async list() {
    const wrong = wrongAddress(t("connect4.index.address"), this.#address);
    blame(this.input, wrong);
    if (wrong) return;
    const address = this.#address;
    this.#say(t("connect4.index.asking", { address }));
    try {
      const wish = new URLSearchParams({ index: address });
      const { games } = await read(`/api/v1/connect4/games?${wish}`);
      this.#show(address, games);
    } catch (error) {
      this.#say(failure(error), "fault");
    }
  }

  #say(text, look = "second") {
    replace(this.results, html("p", { class: look }, text));
  }

  #show(address, games) {
    if (!games.length) return this.#say(t("connect4.index.none", { address }));
    const label = t("connect4.index.games", { address });
    const items = games.map((game) => this.#item(address, game));
    replace(this.results, html("ul", { "aria-label": label }, items));
  }

  #item(address, game) {
    const { name, player, width, height, depth, status } = game;
    const about = t("connect4.index.by", {
      player,
      size: kindNamed("connect4").size({ width, height, depth }),
      address: written(game.address, game.port),
    });
    return html(
      "li",
      html("div", html("b", name), html("span", about)),
      this.#joinable(address, game),
    );
  }

  #joinable(address, game) {
    const { said: problem, status } = game;
    if (problem) return html("span", t("connect4.index.unplayable", { why: said(problem) }));
    if (status !== "open") return html("span", t("connect4.index.running"));
    return this.#button(address, game);
  }

  #button(address, game) {
    const label = t("connect4.index.joinGame", { name: game.name });
    const click = () => this.#join(address, game);
    const attributes = { class: "btn btn--ink", "aria-label": label, on: { click } };
    return html("button", attributes, t("connect4.index.join"));
  }

  async #join(index, { name: game }) {
    if (this.#joining) return;
    this.#joining = true;
    const name = this.#name.trim();
    if (name && this.#kind === "HUMAN") set("name", name);
    const engine = this.#kind === "ENGINE" ? { engine: `level=${this.#level}` } : {};
    this.#say(t("connect4.index.joining", { name: game }));
    try {
      const player = { type: this.#kind, ...engine };
      const { id } = await send("/api/v1/connect4/join", { index, game, name, player });
      location.assign(`/t/${id}`);
    } catch (error) {
      this.#say(failure(error), "fault");
    }
    this.#joining = false;
  }
}
