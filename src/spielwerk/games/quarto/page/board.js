// Quarto for any n: the board, and beside it the tray with the stone to place and the supply. A
// square and a stone, chosen in either order, make a move.

import { picture, stone, words } from "./stones.js";
import { Board } from "../../js/boards/board.js";
import {
  haloed,
  hinted,
  hover,
  last,
  legal,
  selected,
  winning,
  wood,
} from "../../js/boards/marks.js";
import { Kept, html, replace, svg } from "../../js/dom.js";
import { EASE_OUT, animate, step } from "../../js/motion.js";
import { t } from "../../js/texts.js";

const CELL = 124;
const RING = 54.6;
const SIZES = [4, 6, 8, 16]; // up to which sides boards and trays look alike
const HAND = "hand";
const OF_SUPPLY = "stone-"; // begins the IDs of the stones in the supply

class Quarto extends Board {
  #square = null;
  #stone = null;
  #seen = null; // the position whose last move has been brought into sight
  #scroller = html("div.quarto-board");
  #next = html("div.next");
  #heading = html("h2");
  #kept = new Kept();
  #supply = html("div.supply", { role: "group", "aria-label": t("quarto.supply") });

  get #board() {
    return this.position.view.board;
  }

  get #n() {
    return this.#board.n;
  }

  /** Where the names of rows and columns stand; on large boards they must be larger to be read. */
  get #margin() {
    return Math.max(34, 4.75 * this.#n);
  }

  get size() {
    const side = 2 * this.#margin + CELL * this.#n;
    return [side, side + 8];
  }

  get label() {
    return t("quarto.board", { n: this.#n });
  }

  connectedCallback() {
    const tray = html("aside.tray", this.#next, this.#heading, this.#supply);
    this.#scroller.append(this.svg);
    if (!this.firstChild) this.append(html("div.quarto", this.#scroller, tray));
    super.connectedCallback();
  }

  // geometry: squares are counted from A1, at the bottom left unless the board is turned

  #at(square) {
    const n = this.#n;
    const seen = this.flipped ? n * n - 1 - square : square;
    const [column, row] = [seen % n, Math.floor(seen / n)];
    const place = (cells) => this.#margin + CELL * (cells + 0.5);
    return [place(column), place(n - 1 - row)];
  }

  #name(square) {
    return String.fromCharCode(65 + (square % this.#n)) + (Math.floor(square / this.#n) + 1);
  }

  #number(name) {
    return name.charCodeAt(0) - 65 + (Number(name.slice(1)) - 1) * this.#n;
  }

  /** All squares as they are read: the back row first, from the left. */
  #squares() {
    const place = (square) => this.#at(square);
    const order = (a, b) => place(a)[1] - place(b)[1] || place(a)[0] - place(b)[0];
    return Array.from(this.#board.cells.keys()).sort(order);
  }

  fields() {
    return this.#squares().map((square) => {
      const [x, y] = this.#at(square);
      const edge = CELL - 8;
      const box = { x: x - edge / 2, y: y - edge / 2, width: edge, height: edge, rx: 12 };
      return { id: this.#name(square), ...box, label: this.#says(square) };
    });
  }

  #says(square) {
    const { cells, attributes } = this.#board;
    const name = this.#name(square);
    const number = cells[square];
    const about = number === null ? t("quarto.empty") : this.#named(number, attributes);
    const more = [
      name === this.#square && t("quarto.chosen"),
      name !== this.#square && this.inviting(name) && t("quarto.playable"),
      name === this.lastMove.split(",")[0] && t("quarto.last"),
      this.#won().has(square) && t("quarto.won"),
    ];
    return [name, about, ...more.filter(Boolean)].join(", ");
  }

  #named(number, attributes) {
    return t("quarto.stone", { number, words: words(number, attributes) });
  }

  #won() {
    return new Set(this.#board.lines.flat());
  }

  // choosing

  inviting(id) {
    if (!this.input) return false;
    return id.startsWith(OF_SUPPLY)
      ? this.#board.supply.includes(Number(id.slice(OF_SUPPLY.length)))
      : this.legal.includes(id);
  }

  piece(id) {
    const { stone: number, attributes } = this.#board;
    return id === HAND && number !== null ? stone(number, attributes) : null;
  }

  press(id) {
    if (id === HAND) return;
    if (id.startsWith(OF_SUPPLY)) {
      const number = Number(id.slice(OF_SUPPLY.length));
      this.#stone = this.#stone === number ? null : number;
    } else if (this.inviting(id)) {
      this.#square = this.#square === id ? null : id;
    } else {
      const handed = this.#stone ?? this.#board.supply[0];
      return this.try(handed === undefined ? id : `${id},${handed}`, id);
    }
    this.#decide();
  }

  #decide() {
    const [square, number] = [this.#square, this.#stone];
    const free = this.#board.supply.length === 0;
    if (square !== null && free) this.move(square);
    else if (square !== null && number !== null) this.move(`${square},${number}`);
    else this.#tellChoice();
  }

  #tellChoice() {
    const [square, number] = [this.#square, this.#stone];
    this.chosen(square === null && number === null ? "" : `${square ?? ""},${number ?? ""}`);
  }

  cancel() {
    const any = this.#square !== null || this.#stone !== null;
    this.#square = this.#stone = null;
    if (any) this.#tellChoice();
    if (any) this.refresh();
    return any;
  }

  // drawing

  drawGround() {
    const [width, height] = this.size;
    const n = this.#n;
    this.dataset.size = SIZES.find((most) => n <= most);
    this.svg.style.setProperty("--n", n);
    this.svg.style.setProperty("--grow", Math.max(1, n / 4));
    this.ground.append(...wood(width, height, 22, "quarto"));
    for (const square of this.#squares()) this.ground.append(...hollow(...this.#at(square)));
    const edge = this.#margin / 2;
    for (let i = 0; i < n; i += 1) {
      const [x, y] = this.#at(i * n + i);
      this.ground.append(letter(x, width - edge, String.fromCharCode(65 + i)));
      this.ground.append(letter(edge, y, i + 1));
    }
  }

  drawPieces() {
    const { cells, attributes } = this.#board;
    const won = this.#won();
    // The line that won lies on the board: what its stones have in common stays in sight.
    for (const line of this.#board.lines) {
      this.pieces.append(winning([this.#at(line[0]), this.#at(line.at(-1))], 2.5 * this.#n));
    }
    for (const square of this.#squares()) {
      if (cells[square] === null) continue;
      const faded = won.size > 0 && !won.has(square);
      this.pieces.append(this.#standing(cells[square], attributes, square, faded && "faded"));
    }
    this.#drawTray();
  }

  #standing(number, attributes, square, className) {
    const [x, y] = this.#at(square);
    const corner = (CELL - 8) / 2 - 4;
    return svg(
      "g",
      { class: className || null, transform: `translate(${x} ${y})`, "data-square": square },
      svg("g", stone(number, attributes)),
      svg("text.stone-number", { x: corner, y: corner }, number),
    );
  }

  drawMarks() {
    this.#markTray();
    for (const square of this.#won()) this.marks.append(this.#ringed(square));
    if (this.#board.lines.length) return;
    this.#markLast();
    for (const name of this.legal) this.#markLegal(name);
    if (this.sent) this.#markChosen(this.sent.split(",")[0], selected);
    this.#markHint();
  }

  #ringed(square) {
    const [cx, cy] = this.#at(square);
    return haloed("circle", { cx, cy, r: RING - 4 }, "m-win", 5);
  }

  #markLast() {
    const square = this.#number(this.lastMove.split(",")[0] || "?");
    if (this.#board.cells[square] === null || !(square in this.#board.cells)) return;
    this.marks.append(last(...this.#at(square), RING - 5));
    this.#bringIntoSight(square);
  }

  /** A board too wide for its place is scrolled to the last move, once, if that is out of sight. */
  #bringIntoSight(square) {
    if (this.#seen === this.position) return;
    this.#seen = this.position;
    const { clientWidth, scrollWidth, scrollLeft } = this.#scroller;
    const scale = scrollWidth / this.size[0];
    const off = this.#at(square)[0] * scale - scrollLeft - clientWidth / 2; // from the middle
    if (Math.abs(off) + RING * scale > clientWidth / 2) this.#scroller.scrollLeft += off;
  }

  #markLegal(name) {
    if (name === this.#square) this.#markChosen(name, selected);
    else if (name === this.hovered) this.#markChosen(name, hover);
    else this.marks.append(legal(...this.#at(this.#number(name))));
  }

  /** The stone in hand as it would stand there. */
  #markChosen(name, ring) {
    const [x, y] = this.#at(this.#number(name));
    const ghost = svg("g.ghost", { transform: `translate(${x} ${y})` });
    const { stone: number, attributes } = this.#board;
    if (number !== null) ghost.append(stone(number, attributes));
    this.marks.append(ghost, ring(x, y, RING));
  }

  #markHint() {
    const name = this.hinted?.split(",")[0];
    if (name) this.marks.append(hinted(...this.#at(this.#number(name)), RING));
  }

  // the tray

  #drawTray() {
    const { supply } = this.#board;
    this.#drawNext();
    this.#heading.textContent = t(this.input ? "quarto.handOn" : "quarto.left");
    this.#heading.hidden = this.#supply.hidden = supply.length === 0;
    const { attributes, cells } = this.#board;
    const place = (_, number) => {
      const left = supply.includes(number);
      return [number, [attributes, left], () => (left ? this.#button(number) : this.#gap(number))];
    };
    this.#kept.show(this.#supply, cells.map(place));
  }

  /** Where a stone was: all others keep their places. */
  #gap(number) {
    return html("div.gone", picture(number, this.#board.attributes), html("span.mono", number));
  }

  #drawNext() {
    const { stone: number, attributes } = this.#board;
    const loose = Boolean(this.input) && number !== null;
    this.#next.className = `next ${loose ? "target is-loose" : ""}`;
    this.#next.dataset.id = HAND;
    this.#next.classList.toggle("is-gone", number === null);
    if (number === null || this.#next.dataset.stone === `${number}/${attributes}`) return;
    this.#next.dataset.stone = `${number}/${attributes}`;
    replace(
      this.#next,
      html("h2", t("quarto.toPlace")),
      picture(number, attributes, "qs--big"),
      html("p", html("b.mono", number), html("span", words(number, attributes))),
    );
  }

  #button(number) {
    const { attributes } = this.#board;
    return html(
      "button.target",
      { tabindex: "-1", "data-id": OF_SUPPLY + number },
      picture(number, attributes),
      html("span.mono", { "aria-hidden": "true" }, number),
    );
  }

  #markTray() {
    const open = Boolean(this.input) || this.editing;
    const advised = this.hinted?.split(",")[1];
    const sent = this.sent?.split(",")[1];
    for (const node of this.#supply.querySelectorAll(".target")) {
      const number = Number(node.dataset.id.slice(OF_SUPPLY.length));
      const chosen = number === this.#stone || String(number) === sent;
      const named = this.#named(number, this.#board.attributes);
      node.setAttribute("aria-label", named);
      node.setAttribute("aria-pressed", String(chosen));
      node.setAttribute("aria-disabled", String(!open));
      node.classList.toggle("is-legal", open);
      node.classList.toggle("is-sel", chosen);
      node.classList.toggle("is-hint", advised === String(number));
    }
  }

  async travel(before, signal) {
    const square = this.#number(this.lastMove.split(",")[0] || "?");
    const node = this.pieces.querySelector(`[data-square="${square}"]`)?.firstChild;
    if (!node || before.view.board.cells[square] !== null) return;
    const frames = [
      { transform: "translateY(-70px)", opacity: 0 },
      { transform: "none", opacity: 1 },
    ];
    await animate(node, frames, { duration: 1.6 * step(), easing: EASE_OUT, signal });
  }
}

/** The shallow round hollow of a square. */
function hollow(cx, cy) {
  return [
    svg("circle.hollow-edge", { cx, cy, r: RING }),
    svg("circle.wood", { cx, cy: cy + 2, r: RING - 1.9 }),
    svg("circle.hollow-rim", { cx, cy, r: RING }),
  ];
}

function letter(x, y, text) {
  return svg("text.coord", { x, y }, text);
}

customElements.define("sw-quarto", Quarto);
