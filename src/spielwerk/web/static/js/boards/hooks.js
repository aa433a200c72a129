// What the board of a game writes of its own; everything else is the same for all (`board.js`).

/** The parts of a board that a game fills in. */
export class BoardHooks extends HTMLElement {
  /** Width and height of the drawing. */
  get size() {
    return [600, 600];
  }

  /** What the board is called by a screen reader. */
  get label() {
    return "";
  }

  /** Every field of the drawing: { id, x, y, r } or { id, x, y, width, height, rx }, and label. */
  fields() {
    return [];
  }

  /** Draw what does not change during a game. */
  drawGround() {}

  /** Draw the position. */
  drawPieces() {}

  /** Draw last move, legal targets, choice, hint, winning line. */
  drawMarks() {}

  /**
   * A field was clicked, Enter pressed on it, or a piece `dragged` from it or dropped on it:
   * `this.move(text)`, `this.try(text, id)` or choose.
   */
  press(id, dragged) {} // eslint-disable-line no-unused-vars

  /** Whether pointing at the field shows that it can be played. */
  inviting(id) {} // eslint-disable-line no-unused-vars

  /** What can be dragged from the field, as a `<g>` around 0, 0; it and the goal are pressed. */
  piece(id) {} // eslint-disable-line no-unused-vars

  /** Show how the last move came about; the new position is drawn, without marks. */
  async travel(before, signal) {} // eslint-disable-line no-unused-vars

  /** Let go of all that is chosen; whether there was anything. */
  cancel() {
    return false;
  }

  /** Take back the latest choice (Esc); whether there was any. */
  back() {
    return this.cancel();
  }
}
