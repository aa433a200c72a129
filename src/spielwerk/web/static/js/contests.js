// The list of contests: what was played, and what is being played.

import { read } from "./api.js";
import { doing, doneBar, farWords } from "./contest/words.js";
import { Kept, at, html, put } from "./dom.js";
import { kindOf, nameOf, tile } from "./games.js";
import { copyButton, since } from "./page.js";
import { failure, t } from "./texts.js";

const EVERY = 5000; // milliseconds between two looks

const kept = new Kept();

async function load() {
  try {
    const { contests } = await read("/api/v1/contests");
    const rows = contests.map((one) => [one.id, one, () => row(one)]);
    kept.show(at("list"), rows);
    at("none").hidden = rows.length > 0;
    put(at("fault"), "");
  } catch (error) {
    put(at("fault"), failure(error));
  }
}

function row(contest) {
  const { progress, live } = contest;
  const state = doing(progress, live);
  const kind = kindOf(contest);
  return html(
    "li.crow",
    tile(kind),
    html(
      "div.tn",
      html("a", { href: `/contests/${encodeURIComponent(contest.id)}` }, contest.name),
      html("span", [nameOf(kind), t(`contest.format.${contest.format}`)].join(", ")),
    ),
    html("div.who.num", t("contest.entrants", { count: contest.entrants })),
    html("div.far", html("span.num", farWords(progress)), doneBar(progress)),
    html("b", { class: `st st--${state}` }, t(`contest.doing.${state}`)),
    since(contest.created),
  );
}

for (const node of document.querySelectorAll("[data-copy]")) {
  node.append(copyButton(() => node.querySelector("code").textContent, t("contest.command")));
}

await load();
setInterval(() => document.hidden || load(), EVERY);
