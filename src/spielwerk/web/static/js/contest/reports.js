// What is known of players after a game: how their programs ended, and what they wrote last.

import { html } from "../svg.js";
import { number, said, t } from "../texts.js";

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
