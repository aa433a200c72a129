// What is known of players after a game: how their programs ended, and what they wrote last.

import { read } from "../api.js";
import { html, replace } from "../dom.js";
import { openDialog } from "../table/dialogs.js";
import { failure, number, said, t } from "../texts.js";

/** A report as parts of a page; `who` is the player's name. */
export function reported(report, who) {
  const label = t("contest.output.of", { name: who });
  const look = { class: "snip", tabindex: "0", role: "group", "aria-label": label };
  return html(
    "div",
    { class: "report" },
    html("p", { class: "second" }, facts(who, report)),
    report.output
      ? html("pre", look, report.output)
      : html("p", { class: "second" }, t("contest.output.none", { name: who })),
  );
}

function facts(who, { status, moves, took, cpu, memory }) {
  const parts = [
    status && t("contest.report.status", { status: said(status) }),
    t("contest.report.moves", { count: moves, time: number(took / 1000, 2) }),
    cpu !== null && t("contest.report.cpu", { time: number(cpu / 1000, 2) }),
    memory !== null && t("contest.report.memory", { megabytes: number(memory / 1e6, 1) }),
  ];
  return `${who}: ${parts.filter(Boolean).join(", ")}`;
}

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
    const why = failure(error);
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
