// One table in the lobby's list.

import { dot, emblem, icon } from "../icons.js";
import { html } from "../svg.js";
import { has, number, t } from "../texts.js";
import { kindOf, nameOf, tile } from "../games.js";
import { copyButton } from "./copy.js";
import { age } from "./time.js";

const DOTS = { waiting: "wait", lost: "lost", builtin: "in", away: "wait" };
const DEFAULT_NAME = /^Player \d$/; // what the server calls those who were not named

/** The row of a table. */
export function tableRow(table) {
  return html(
    "li",
    { class: table.mine ? "trow is-own" : "trow", "data-id": table.id },
    tile(kindOf(table)),
    titled(table),
    html("div", { class: "tp" }, table.seats.map(seat)),
    status(table),
    viewers(table.viewers ?? 0),
    html("div", { class: "ta num", "data-created": table.created }, age(table.created)),
    action(table),
  );
}

function titled(table) {
  const kind = kindOf(table);
  return html(
    "div",
    { class: "tn" },
    html("b", {}, table.name, table.mine && html("span", { class: "vh" }, `, ${t("lobby.own")}`)),
    html("span", {}, html("span", { class: "vh" }, `${nameOf(kind)}, `), kind.size(table.options)),
  );
}

function seat({ name, kind, connection }, number_) {
  return html(
    "span",
    { class: "pl" },
    emblem(number_),
    html("span", { class: "name" }, seatName(name, kind, connection)),
    connection in DOTS && state(connection),
  );
}

function seatName(name, kind, connection) {
  const nobody = connection === "waiting" && (!name || DEFAULT_NAME.test(name));
  return nobody && kind !== "engine" ? t(`lobby.seat.${kind}`) : name;
}

function state(connection) {
  const word = t(`lobby.seat.${connection}`);
  return html(
    "span",
    { class: `conn conn--${DOTS[connection]}`, title: word },
    dot(DOTS[connection]),
    html("span", { class: "vh" }, word),
  );
}

function status(table) {
  return html(
    "div",
    { class: "ts" },
    html("b", { class: `st st--${table.status}` }, t(`lobby.status.${table.status}`)),
    html("span", { class: "more" }, detail(table)),
  );
}

function detail(table) {
  if (table.status === "finished") return ended(table);
  if (table.status === "running") return t("lobby.move", { number: number(table.moves) });
  const id = html("span", { class: "mono" }, table.id);
  return [id, copyButton(() => table.id, t("lobby.gameId"))];
}

function ended({ result, seats }) {
  const name = seats[result?.winner ?? -1]?.name;
  if (name) return t("lobby.won", { name });
  if (result?.reason === "rule draw") return t("lobby.drawn");
  const reason = `lobby.reason.${result?.reason}`;
  return has(reason) ? t(reason) : (result?.reason ?? "");
}

function viewers(count) {
  const words = html("span", { class: "vh" }, t("lobby.viewers", { count }));
  const shown = html("span", { "aria-hidden": "true" }, number(count));
  return html("div", { class: "tv num" }, icon("eye"), shown, words);
}

function action(table) {
  const { word, ink } = wanted(table);
  const label = t("lobby.of", { action: t(word), name: table.name });
  const look = ink ? "btn btn--s btn--ink" : "btn btn--s";
  return html("a", { class: look, href: `/t/${table.id}`, "aria-label": label }, t(word));
}

function wanted({ status: state, mine, seats }) {
  if (state === "finished") return { word: "lobby.replay", ink: false };
  if (mine) return { word: "lobby.back", ink: true };
  const free = seats.some(({ kind, connection }) => kind === "person" && connection === "waiting");
  return { word: free ? "lobby.take" : "lobby.watch", ink: false };
}
