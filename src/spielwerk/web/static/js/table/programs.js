// What the programs of a contest's game wrote last, in a dialog.

import { read } from "../api.js";
import { reported } from "../contest/reports.js";
import { html, replace } from "../svg.js";
import { said, t } from "../texts.js";
import { openDialog } from "./dialogs.js";

/** Whether programs played, whose output a contest keeps. */
export function havePrograms({ over, table, state }) {
  return over && Boolean(table.contest) && state.seats.some(({ kind }) => kind === "client");
}

/** Open the dialog; whoever failed comes first. */
export async function openPrograms(store) {
  const body = html("div", { class: "body" }, t("table.programs.loading"));
  openDialog(t("table.programs"), body).classList.add("dialog--programs");
  try {
    const { id, number } = store.table.contest;
    const game = await read(`/api/v1/contests/${encodeURIComponent(id)}/games/${number}`);
    replace(body, told(store, game));
  } catch (error) {
    const why = error.status ? said(error.message) : t("common.unreachable");
    replace(body, html("p", { class: "fault" }, why));
  }
}

/** The reports are those of the last attempt, which may be another game than this. */
function told(store, { game, outcome, reports }) {
  if (game !== store.id || !reports.length) return html("p", {}, t("table.programs.none"));
  const failed = ({ seat }) => Number(outcome.culprits.includes(seat));
  const sorted = [...reports].sort((one, other) => failed(other) - failed(one));
  return sorted.map((report) => reported(report, store.name(report.seat)));
}
