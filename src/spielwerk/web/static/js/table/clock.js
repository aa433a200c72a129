// Clocks as the server keeps them; between its messages they run on here.

import { html } from "../dom.js";
import { number, t } from "../texts.js";

/** How long a duration in milliseconds is, as [digits, unit]. */
export function duration(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return [number(seconds, 2), t("table.unit.seconds")];
  const whole = Math.ceil(seconds);
  if (whole < 3600) return [sixty(Math.floor(whole / 60), whole % 60), t("table.unit.minutes")];
  return [sixty(Math.floor(whole / 3600), Math.floor(whole / 60) % 60), t("table.unit.hours")];
}

function sixty(large, small) {
  return `${large}:${String(small).padStart(2, "0")}`;
}

/** One seat's clock. */
export class Clock {
  element = html("div", { class: "clock num", role: "timer", "aria-live": "off" });
  #digits = document.createTextNode("");
  #unit = html("small");
  #bar = html("i");

  constructor() {
    this.element.append(this.#digits, this.#unit, this.#bar);
  }

  /** Show digits and unit, and how full the bar is. */
  show([digits, unit], full = 0) {
    if (this.#digits.data !== digits) this.#digits.data = digits;
    if (this.#unit.textContent !== unit) this.#unit.textContent = unit;
    this.#bar.style.setProperty("--f", String(Math.max(0, Math.min(1, full))));
  }
}

/** The server's running clock: taken with a message, read at any time after it. */
export class Running {
  #clock = null;
  #taken = 0;

  take(clock) {
    this.#clock = clock;
    this.#taken = performance.now();
  }

  get seat() {
    return this.#clock?.seat ?? null;
  }

  /** What the clock shows now: digits, and the part of the limit that is left. */
  read() {
    const { elapsed, limit } = this.#clock;
    const spent = elapsed + performance.now() - this.#taken;
    if (!limit) return { time: duration(spent), left: 0 };
    return { time: duration(limit - spent), left: (limit - spent) / limit };
  }
}
