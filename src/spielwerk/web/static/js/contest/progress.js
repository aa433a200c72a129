// How far the contest is, and the operator's hand on it.

import { ask } from "../api.js";
import { contestPath, doing, done, duration, fallen, listed } from "./words.js";
import { action, at, html, put, render, replace } from "../dom.js";
import { announce } from "../page.js";
import { stepper } from "../pages/fields.js";
import { confirm } from "../table/dialogs.js";
import { failure, number, t } from "../texts.js";

const MOST = 256; // games at once
const USUAL = 10 / 60; // minutes that tables may be old while games are played
const PATIENCE = 400; // milliseconds after the last step before the server is told
const FILE = t("contest.file"); // viewers need not know where it lies
const COMMANDS = {
  unbegun: `spielwerk contest run ${FILE}`,
  resting: `spielwerk contest resume ${FILE}`,
};

let told = null; // what the server has said last: { progress, live }
let isOperator = false;
let counted = 0; // games that the tables are made of
let lost = null; // since when the server says nothing

/** Tables have come, for this person: how many games they are made of may be behind `progress`. */
export function takeTables({ ends }, operator) {
  isOperator = operator;
  counted = Object.values(ends).reduce((sum, count) => sum + count, 0);
}

/** Show how far the contest is. */
export function updateProgress({ progress, live }) {
  told = { progress, live };
  show();
}

/** The connection to the server is lost, or back. */
export function setLost(gone) {
  if (gone === Boolean(lost)) return;
  lost = gone ? new Date() : null;
  if (told) show();
}

/** While the connection is lost it is unknown how a contest goes on; what has ended stays. */
function show() {
  const unknown = lost && told.live;
  const live = unknown ? null : told.live;
  const progress = { ...told.progress, running: live ? told.progress.running : 0 };
  showTrack(progress);
  showFacts(progress, live, unknown ? "lost" : doing(progress, live));
  showControls(live);
}

/** The track; there is none while it is unknown how many games there will be. */
function showTrack(progress) {
  const { total, done: played, running, failed, growing } = progress;
  const track = at("track");
  const part = (count) => (total ? count / total : 0).toFixed(5);
  const shares = { "--done": played, "--running": running, "--failed": failed };
  track.hidden = growing;
  for (const [name, count] of Object.entries(shares)) track.style.setProperty(name, part(count));
  track.setAttribute("aria-valuenow", String(Math.floor(100 * part(played + failed))));
  track.setAttribute("aria-valuetext", done(progress));
}

/** What is told first matters most: where there is room for a line only, the last is missing. */
function showFacts(progress, live, state) {
  const words = [
    done(progress),
    live?.jobs > 0 && live.eta > 0 && t("contest.left", { time: duration(live.eta) }),
    progress.running > 0 && t("contest.running", { count: progress.running }),
    live?.rate > 0 && t("contest.rate", { number: number(live.rate, live.rate < 10 ? 1 : 0) }),
    progress.repeat > 0 && t("contest.repeat", { count: progress.repeat }),
    ...fallen(progress),
    live?.absent?.length > 0 && t("contest.absent", { names: listed(live.absent) }),
    isLate(progress, live) && t("contest.counted", { count: counted, games: number(counted) }),
  ].filter(Boolean);
  const form = { hour: "2-digit", minute: "2-digit" };
  const time = lost?.toLocaleTimeString(document.documentElement.lang, form);
  render(at("far"), [state, words], () => [
    html(`b.st.st--${state}`, t(`contest.doing.${state}`, { time })),
    words.map((word) => html("span.num", word)),
    state in COMMANDS && html("span", command(state)),
  ]);
}

/** Whether the tables are older than the page; by a few games they are while it is played. */
function isLate({ done: played }, live) {
  const usual = live ? Math.max(1, USUAL * (live.rate ?? 0)) : 0;
  return counted < played - usual;
}

/** How a contest is begun or taken up again, as a sentence around the command. */
function command(state) {
  const [before, after] = t(`contest.command.${state}`).split("{command}");
  return [before, html("code.mono", COMMANDS[state]), after];
}

// the operator's

const fault = html("span.fault", { role: "alert" });
let control = null; // of the number of games at once
let waiting = 0; // the timer of a wish that is not sent yet

function showControls(live) {
  const shown = Boolean(isOperator && live);
  at("hand").hidden = !shown;
  if (!shown) return;
  control ??= newControl(live.jobs);
  const idle = !control.wrap.contains(document.activeElement);
  if (idle && !waiting) control.input.value = String(live.jobs);
}

function newControl(jobs) {
  const made = stepper(jobs, 0, MOST, changed);
  made.input.id = "jobs";
  const label = html("label", { for: "jobs" }, t("contest.jobs"));
  const button = action(null, t("contest.stop"), stop, "btn btn--s");
  replace(at("hand"), label, made.wrap, button, fault);
  return made;
}

function changed(text) {
  const wanted = Number(text);
  clearTimeout(waiting);
  const sound = /^\d{1,3}$/.test(text.trim()) && wanted <= MOST;
  put(fault, sound ? "" : t("contest.jobs.wrong", { value: text, most: MOST }));
  if (sound) waiting = setTimeout(() => sendJobs(wanted), PATIENCE);
}

async function sendJobs(jobs) {
  const sent = waiting;
  const taken = await tryTo("PUT", "jobs", { jobs });
  if (waiting === sent) waiting = 0; // else there is a newer wish
  if (taken) announce(t("contest.jobs.set", { count: jobs }));
}

function stop() {
  const act = () => tryTo("POST", "stop");
  confirm(t("contest.stop"), t("contest.stop.text"), t("contest.stop"), act);
}

/** Ask the server for something; whether it has done so. */
async function tryTo(method, what, body) {
  const failed = await ask(method, `${contestPath}/${what}`, body).then(() => null, failure);
  put(fault, failed ?? "");
  return failed === null;
}
