// The wire: what was said on a table's connections, both directions, every character to be seen.

import { html, replace } from "../dom.js";
import { icon } from "../icons.js";
import { copyButton } from "../pages/copy.js";
import { Connections, emptyNote, plain, rowsOf } from "./wire-lines.js";
import { t } from "../texts.js";

const ROWS = 1500; // lines that are shown at most
const NEAR = 24; // pixels from the end that still count as the end
const NOBODY = "none"; // the choice of those who never got a seat

/** The panel: fills the section with its header and the lines of one seat. */
export class WirePanel {
  #root;
  #live;
  #id;
  #connections = new Connections();
  #table = null;
  #state = null;
  #chosen = null; // a seat's number or NOBODY
  #paused = false;
  #follows = true; // whether the newest line is to stay in sight
  #on = false;
  #parts = {};
  #header = ""; // what the header was made for

  /** Follow the table's wire through the page's line. */
  constructor(root, { live, id }) {
    this.#root = root;
    this.#live = live;
    this.#id = id;
    this.#make();
    live.addEventListener("wire", (event) => this.#heard(event.detail.connections));
  }

  /** The table or its state has changed. */
  update(table, state) {
    const before = this.#choice();
    this.#table = table;
    this.#state = state;
    this.#switch(this.#seats().length > 0);
    // This comes with every move; lines that are shown already need not be made anew.
    if (this.#shown().length > 0 && this.#choice() === before) this.#showHeader();
    else this.#show();
  }

  // what there is to see

  #seats() {
    const seats = this.#state?.seats ?? [];
    const spoken = new Set(this.#connections.seats());
    const far = ({ kind, player }) => kind === "client" || player?.startsWith("remote:");
    return seats.filter((seat) => far(seat) || spoken.has(seat.number));
  }

  #choices() {
    const choices = this.#seats().map((seat) => [seat.number, seat.name]);
    const unseated = this.#connections.of(null).length > 0;
    return unseated ? [...choices, [NOBODY, t("wire.unseated")]] : choices;
  }

  #choice() {
    const numbers = this.#choices().map(([number]) => number);
    if (numbers.includes(this.#chosen)) return this.#chosen;
    const speaking = numbers.find((number) => this.#shown(number).length > 0);
    return speaking ?? numbers[0] ?? null;
  }

  #shown(choice = this.#choice()) {
    return this.#connections.of(choice === NOBODY ? null : choice);
  }

  #switch(on) {
    if (on === this.#on) return;
    this.#on = on;
    this.#live.wire(on);
  }

  #heard(news) {
    const before = this.#choice();
    const known = this.#shown();
    const grown = this.#connections.take(news);
    if (this.#paused) return this.#showHeader();
    const simple = before === this.#choice() && known.length > 0 && !grown.anew;
    if (simple) this.#append(grown.pieces);
    else this.#show();
    this.#showHeader();
  }

  // showing it

  #make() {
    const list = html("ol", { class: "wire" });
    const look = { type: "button", class: "btn btn--s wire-jump", hidden: true };
    const jump = html("button", { ...look, on: { click: () => this.#end() } }, t("wire.jump"));
    const body = html("div", { class: "body wire-body", tabindex: "0" });
    body.setAttribute("aria-label", t("wire.title"));
    body.setAttribute("role", "log");
    body.setAttribute("aria-live", "off");
    body.addEventListener("scroll", () => this.#scrolled());
    new ResizeObserver(() => this.#follows && this.#end()).observe(body);
    this.#parts = { list, jump, body, header: html("header", {}) };
    replace(this.#root, this.#parts.header, body, jump);
  }

  #show() {
    this.#showHeader();
    const { list, body } = this.#parts;
    const shown = this.#shown();
    if (shown.length === 0) {
      replace(body, emptyNote(this.#table, this.#state, this.#seats()));
      return;
    }
    const rows = shown.flatMap((one) => rowsOf(one, one.pieces)).slice(-ROWS);
    replace(list, rows, this.#cursor());
    replace(body, list);
    this.#end();
  }

  #append(pieces) {
    const { list } = this.#parts;
    const shown = new Set(this.#shown());
    const rows = [...pieces].flatMap(([one, fresh]) => (shown.has(one) ? rowsOf(one, fresh) : []));
    list.querySelector(".now")?.remove();
    list.append(...rows);
    list.append(...[this.#cursor()].filter(Boolean));
    if (this.#follows) {
      while (list.childElementCount > ROWS) list.firstElementChild.remove();
      this.#end();
    } else if (rows.length > 0) {
      this.#parts.jump.hidden = false;
    }
  }

  /** The mark after the last line, as long as somebody may go on speaking. */
  #cursor() {
    const open = this.#shown().some((one) => one.open);
    const cells = ["ms", "dir", "tx"].map((name) => html("span", { class: name }));
    return open && html("li", { class: "now", "aria-hidden": "true" }, cells);
  }

  #showHeader() {
    const choices = this.#choices();
    const shown = this.#shown();
    const made = JSON.stringify([choices, this.#choice(), this.#sub(shown), this.#paused]);
    if (made === this.#header) return;
    this.#header = made;
    const focused = this.#parts.header.contains(document.activeElement);
    const label = focused && document.activeElement.dataset.part;
    replace(
      this.#parts.header,
      html("h2", {}, t("wire.title")),
      choices.length > 1 && this.#chooser(choices),
      html("span", { class: "sub" }, this.#sub(shown)),
      shown.length > 0 && html("div", { class: "tools" }, this.#tools()),
    );
    if (label) this.#parts.header.querySelector(`[data-part="${label}"]`)?.focus();
  }

  #sub(shown) {
    const last = shown.at(-1);
    const name = this.#choices().length > 1 ? null : this.#choices()[0]?.[1];
    return last ? [name, last.peer].filter(Boolean).join(", ") : "";
  }

  #chooser(choices) {
    const button = ([number, name]) =>
      html(
        "button",
        {
          type: "button",
          "aria-pressed": String(number === this.#choice()),
          "data-part": `seat-${number}`,
          on: { click: () => this.#choose(number) },
        },
        name,
      );
    const label = { role: "group", "aria-label": t("wire.choose") };
    return html("div", { class: "seg seg--s wire-seats", ...label }, choices.map(button));
  }

  #choose(number) {
    this.#chosen = number;
    this.#show();
  }

  #tools() {
    const copy = copyButton(() => this.#text(), t("wire.transcript"));
    copy.dataset.part = "copy";
    return [
      this.#tool("pause", this.#paused ? "play" : "pause", () => this.#pause()),
      copy,
      this.#tool("save", "save", () => this.#save()),
    ];
  }

  #tool(part, drawing, act) {
    const label = t(part === "pause" && this.#paused ? "wire.resume" : `wire.${part}`);
    return html(
      "button",
      {
        type: "button",
        class: "tool",
        "aria-label": label,
        title: label,
        "data-part": part,
        on: { click: act },
      },
      icon(drawing),
    );
  }

  // what can be done

  #pause() {
    this.#paused = !this.#paused;
    this.#root.classList.toggle("is-paused", this.#paused);
    if (this.#paused) this.#showHeader();
    else this.#show();
  }

  #text() {
    return this.#shown().map(plain).join("\n");
  }

  #save() {
    const file = new Blob([this.#text()], { type: "text/plain;charset=utf-8" });
    const address = URL.createObjectURL(file);
    html("a", { href: address, download: `${this.#id}-wire.txt` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  #end() {
    const { body, jump } = this.#parts;
    this.#follows = true;
    body.scrollTop = body.scrollHeight;
    jump.hidden = true;
  }

  #scrolled() {
    const { scrollHeight, clientHeight, scrollTop } = this.#parts.body;
    if (clientHeight === 0) return; // nobody has scrolled: the panel is not to be seen
    this.#follows = scrollHeight - clientHeight - scrollTop < NEAR;
    if (this.#follows) this.#parts.jump.hidden = true;
  }
}
