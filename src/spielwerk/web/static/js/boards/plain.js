// The board of a game that has none of its own: the position's text, and the legal moves as buttons.

import { html, replace } from "../dom.js";
import { t } from "../texts.js";

/** `<sw-plain>`: takes and tells what a Board does. */
class PlainBoard extends HTMLElement {
  #position = null;
  #input = null;
  #text = html("pre.position", { tabindex: "0" });
  #moves = html("div.legal", { role: "group", "aria-label": t("table.legal") });
  flipped = false;

  connectedCallback() {
    this.#text.setAttribute("aria-label", t("table.position"));
    this.replaceChildren(this.#text, this.#moves);
  }

  get position() {
    return this.#position;
  }

  get input() {
    return this.#input;
  }

  set input(input) {
    this.#input = input;
    this.refresh();
  }

  async show(position) {
    this.#position = position;
    const { board } = position.view;
    this.#text.textContent = board.text ?? JSON.stringify(board, null, 1);
    this.refresh();
  }

  refresh() {
    const hold = this.#moves.contains(document.activeElement);
    replace(this.#moves, (this.#input?.legal ?? []).map((move) => this.#button(move)));
    if (hold) this.#moves.querySelector("button")?.focus();
  }

  #button(move) {
    const detail = { move };
    const play = () => this.dispatchEvent(new CustomEvent("sw-move", { detail, bubbles: true }));
    return html("button.btn.mono", { on: { click: play } }, move);
  }

  /** Mark the move that is advised, if any. */
  hint(move) {
    for (const button of this.#moves.children) {
      button.classList.toggle("is-best", button.textContent === move);
    }
  }

  refuse() {}

  cancel() {
    return false;
  }
}

customElements.define("sw-plain", PlainBoard);
