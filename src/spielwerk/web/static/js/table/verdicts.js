// What a move is worth, in words and as a bar; what is proven never looks like an estimate.

import { html } from "../dom.js";
import { seal, waves } from "../icons.js";
import { number, t } from "../texts.js";

const DIGITS = { stones: 1, "stones left": 1, points: 0 };

/** The unit of games of chance. */
export const CHANCE = "chance to win";

/** A number with its sign, in print's own minus. */
export function signed(value, digits) {
  const text = number(Math.abs(value), digits);
  const zero = Number(Math.abs(value).toFixed(digits)) === 0;
  return zero ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/** A chance in percent. */
export function percent(chance) {
  return t("analysis.percent", { number: number(100 * chance, 1) });
}

/** A score in words: "win in 17", or a number in the engine's unit. */
export function verdict({ value, result, plies }, unit) {
  if (unit === CHANCE) return percent(value);
  if (result === null || result === undefined) return signed(value, DIGITS[unit] ?? 2);
  if (!result) return t("analysis.draw");
  const word = result > 0 ? "win" : "loss";
  return plies ? t(`analysis.${word}In`, { count: plies }) : t(`analysis.${word}`);
}

/** A result without its distance. */
export function result({ result: known }) {
  return t(`analysis.${["loss", "draw", "win"][known + 1]}`);
}

/** The seal or the waves, with their word. */
export function proof(exact) {
  return exact ? seal(t("analysis.proven")) : waves(t("analysis.estimated"));
}

/** A bar from the middle, to the right for the player whose view it is. */
export function balance({ share }, perspective) {
  const player = share < 0 ? 1 - perspective : perspective;
  const vars = { "--v": Math.abs(share).toFixed(3), "--c": `var(--p${player})` };
  return html("div", { class: "balance" }, html("i", { class: share < 0 && "neg", vars }));
}

/** Everybody's chances side by side. */
export function stack(chances) {
  const parts = chances.map((chance, player) =>
    html("i", { class: `stack--p${player}`, vars: { "--v": chance.toFixed(4) } }),
  );
  return html("div", { class: "stackbar" }, parts);
}

/** A large number, rounded as people say it. */
export function rounded(value) {
  if (value >= 1e6) return t("analysis.millions", { number: number(value / 1e6, 1) });
  return number(value);
}
