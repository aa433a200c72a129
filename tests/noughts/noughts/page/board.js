// The board of noughts and crosses: nine squares, which are pressed to mark them.

import { Board } from "../../js/boards/board.js";
import { hinted, hover, last, wood } from "../../js/boards/marks.js";
import { svg } from "../../js/dom.js";
import { t } from "../../js/texts.js";

const CELL = 200;
const SIGNS = { X: "M-50 -50L50 50M50 -50L-50 50", O: "M0 -55a55 55 0 1 0 .1 0Z" };

class Noughts extends Board {
  get #squares() {
    return this.position.view.board.squares;
  }

  get size() {
    return [3 * CELL, 3 * CELL];
  }

  get label() {
    return t("noughts.board");
  }

  #middle(square) {
    return [(square % 3) * CELL + CELL / 2, Math.floor(square / 3) * CELL + CELL / 2];
  }

  fields() {
    return [...this.#squares].map((mark, square) => {
      const [x, y] = this.#middle(square);
      const box = { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL };
      const said = mark === "." ? t("noughts.free") : mark;
      return { id: String(square + 1), label: `${square + 1}: ${said}`, ...box };
    });
  }

  inviting(id) {
    return this.legal.includes(id);
  }

  press(id) {
    if (this.inviting(id)) this.move(id);
    else this.try(id, id);
  }

  drawGround() {
    const d = "M200 30V570M400 30V570M30 200H570M30 400H570";
    this.ground.append(...wood(600, 600, 22, "noughts"), svg("path", { class: "w-line", d }));
  }

  drawPieces() {
    [...this.#squares].forEach((mark, square) => {
      const transform = `translate(${this.#middle(square).join(" ")})`;
      const look = { class: "noughts-sign", d: SIGNS[mark], transform };
      if (mark !== ".") this.pieces.append(svg("path", look));
    });
  }

  drawMarks() {
    const ring = (draw, id) => this.marks.append(draw(...this.#middle(Number(id) - 1), 80));
    if (this.lastMove) ring(last, this.lastMove);
    if (this.hovered) ring(hover, this.hovered);
    if (this.hinted) ring(hinted, this.hinted);
  }
}

customElements.define("sw-noughts", Noughts);
