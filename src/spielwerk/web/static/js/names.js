// Names of games and players that were given none: in the reader's words, not the wire's.

import { word } from "./games.js";
import { t } from "./texts.js";

const language = document.documentElement.lang;
const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const SENT = /^Player (\d)$/; // what the wire calls those who were not named

/** What a game is called: by its name, or by when it was set up. */
export const gameName = ({ name, created }) => name || t("common.gameFrom", { when: moment.format(created) });

/** The seats, all with names; two alike are told apart by a number. */
export function named(kind, seats) {
  const names = seats.map((seat, number) => seat.name || usualName(kind, seat, number));
  const before = (number) => names.slice(0, number).filter((name) => name === names[number]).length;
  const told = (number) => (before(number) ? `${names[number]} (${before(number) + 1})` : names[number]);
  return seats.map((seat, number) => ({ ...seat, name: told(number) }));
}

/** A server's message about a player who was given no name; `nameOf(seat)` has one. */
export function withNames(message, nameOf) {
  const [, number] = SENT.exec(message.values.name) ?? [];
  if (!number) return message;
  return { ...message, values: { ...message.values, name: nameOf(number - 1) } };
}

/** What an engine's text says: `level=7`, or `remote:HOST:PORT,strategy=0,depth=5`. */
export function engineOf(text) {
  const parts = (text ?? "").split(",").map((part) => part.trim());
  const values = Object.fromEntries(parts.map((part) => part.split("=")));
  const remote = parts.find((part) => part.startsWith("remote:"));
  return remote ? { ...values, address: remote.slice("remote:".length) } : values;
}

function usualName(kind, { kind: seated, player }, number) {
  const side = word(kind, `${kind.namesSides ? "seat" : "side"}.${number}`);
  if (seated !== "engine") return side ?? t("common.player", { number });
  const { address, level, strategy, depth } = engineOf(player);
  if (address) return t("new.name.remote", { host: address });
  if (strategy) return t("new.name.strategy", { strategy, depth });
  return level ? t(level === "10" ? "new.name.best" : "new.name.level", { level }) : t("table.kind.engine");
}
