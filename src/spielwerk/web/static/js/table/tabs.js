// The panels of the table: side by side in wide windows, behind tabs in narrow ones.

const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };

/** The tabs; `choose(name)` shows a panel. */
export class Tabs {
  #main;
  #buttons;

  constructor(main) {
    this.#main = main;
    this.#buttons = [...main.querySelectorAll("[role=tab]")];
    for (const button of this.#buttons) {
      button.addEventListener("click", () => this.choose(button.dataset.tab));
      button.addEventListener("keydown", (event) => this.#key(event, button));
    }
    this.choose(this.#buttons[0].dataset.tab);
  }

  choose(name) {
    this.#main.dataset.tab = name;
    for (const button of this.#buttons) {
      const chosen = button.dataset.tab === name;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
  }

  /** Show a panel and put the focus there. */
  visit(name) {
    this.choose(name);
    const panel = this.#main.querySelector(`.panel--${name}`);
    panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  }

  #key(event, button) {
    const by = ARROWS[event.key];
    if (!by) return;
    event.preventDefault();
    const count = this.#buttons.length;
    const next = this.#buttons[(this.#buttons.indexOf(button) + by + count) % count];
    this.choose(next.dataset.tab);
    next.focus();
  }
}
