// How far the contest is, and the operator's hand on it.

import { ask } from "../api.js";
import { doing, done, duration, fallen, listed } from "./words.js";
import { at, html, put, render, replace } from "../dom.js";
import { announce } from "../page.js";
import { stepper } from "../pages/fields.js";
import { confirm } from "../table/dialogs.js";
import { failure, number, t } from "../texts.js";

const MOST = 256; // games at once
const USUAL = 10 / 60; // minutes that tables may be old while games are played
const PATIENCE = 400; // milliseconds after the last step before the server is told
const FILE = t("contest.file"); // whoever looks at the page need not know where it lies
const COMMANDS = {
  unbegun: `spielwerk contest run ${FILE}`,
  resting: `spielwerk contest resume ${FILE}`,
};

/** The strip below the title. */
export class Progress {
  #id;
  #operator = false;
  #jobs = null;
  #told = null; // what the server has said last
  #counted = 0; // games that the tables are made of
  #lost = null; // since when it says nothing

  constructor(id) {
    this.#id = id;
  }

  set operator(operator) {
    this.#operator = operator;
  }

  /** Games that the tables are made of, which may be fewer than have been played. */
  set counted(games) {
    this.#counted = games;
  }

  update({ progress, live }) {
    this.#told = { progress, live };
    this.#show();
  }

  /** Whether the line to the server is lost. */
  set lost(lost) {
    if (lost === Boolean(this.#lost)) return;
    this.#lost = lost ? new Date() : null;
    if (this.#told) this.#show();
  }

  /** While the line is lost nobody knows how a contest goes on; what has ended stays as it is. */
  #show() {
    const { progress } = this.#told;
    const lost = this.#lost && this.#told.live;
    const live = lost ? null : this.#told.live;
    const running = live ? progress.running : 0;
    this.#track({ ...progress, running });
    this.#facts({ ...progress, running }, live, lost ? "lost" : doing(progress, live));
    this.#controls(live);
  }

  /** The track; there is none while nobody knows how many games there will be. */
  #track(progress) {
    const { total, done: played, running, failed, growing } = progress;
    const track = at("track");
    const part = (count) => (total ? count / total : 0).toFixed(5);
    track.hidden = growing;
    track.style.setProperty("--done", part(played));
    track.style.setProperty("--running", part(running));
    track.style.setProperty("--failed", part(failed));
    track.setAttribute("aria-valuenow", String(Math.floor(100 * part(played + failed))));
    track.setAttribute("aria-valuetext", done(progress));
  }

  /** What is told first matters most: where there is room for a line only, the last is missing. */
  #facts(progress, live, state) {
    const words = [
      done(progress),
      live?.jobs > 0 && live.eta > 0 && t("contest.left", { time: duration(live.eta) }),
      progress.running > 0 && t("contest.running", { count: progress.running }),
      live?.rate > 0 && t("contest.rate", { number: number(live.rate, live.rate < 10 ? 1 : 0) }),
      progress.repeat > 0 && t("contest.repeat", { count: progress.repeat }),
      ...fallen(progress),
      live?.absent?.length > 0 && t("contest.absent", { names: listed(live.absent) }),
      this.#late(progress, live) && counted(this.#counted),
    ].filter(Boolean);
    const word = t(`contest.doing.${state}`, { time: clock(this.#lost) });
    render(at("far"), [state, words], () => [
      html("b", { class: `st st--${state}` }, word),
      words.map((word) => html("span", { class: "num" }, word)),
      state in COMMANDS && html("span", {}, command(state)),
    ]);
  }

  /** Whether the tables are older than the page; by a few games they are while it is played. */
  #late({ done: played }, live) {
    const usual = live ? Math.max(1, USUAL * (live.rate ?? 0)) : 0;
    return this.#counted < played - usual;
  }

  // the operator's

  #controls(live) {
    const shown = Boolean(this.#operator && live);
    at("hand").hidden = !shown;
    if (shown && this.#jobs === null) this.#make(live.jobs);
    const idle = shown && !this.#jobs.wrap.contains(document.activeElement);
    if (idle && !this.#jobs.waiting) this.#jobs.input.value = String(live.jobs);
  }

  #make(jobs) {
    const { input, wrap } = stepper(jobs, 0, MOST, (text) => this.#changed(text));
    const fault = html("span", { class: "fault", role: "alert" });
    input.id = "jobs";
    const label = html("label", { for: "jobs" }, t("contest.jobs"));
    const stop = html("button", { type: "button", class: "btn btn--s" }, t("contest.stop"));
    stop.addEventListener("click", () => this.#stop());
    this.#jobs = { input, wrap, fault, waiting: 0 };
    replace(at("hand"), label, wrap, stop, fault);
  }

  #changed(text) {
    const wanted = Number(text);
    clearTimeout(this.#jobs.waiting);
    const sound = /^\d{1,3}$/.test(text.trim()) && wanted <= MOST;
    put(this.#jobs.fault, sound ? "" : t("contest.jobs.wrong", { value: text, most: MOST }));
    if (sound) this.#jobs.waiting = setTimeout(() => this.#send(wanted), PATIENCE);
  }

  async #send(jobs) {
    const sent = this.#jobs.waiting;
    const taken = await this.#ask("PUT", "jobs", { jobs });
    if (this.#jobs.waiting === sent) this.#jobs.waiting = 0; // else there is a newer wish
    if (taken) announce(t("contest.jobs.set", { count: jobs }));
  }

  #stop() {
    const act = () => this.#ask("POST", "stop");
    confirm(t("contest.stop"), t("contest.stop.text"), t("contest.stop"), act);
  }

  /** Ask the server for something; whether it has done so. */
  async #ask(method, what, body) {
    try {
      await ask(method, `/api/v1/contests/${encodeURIComponent(this.#id)}/${what}`, body);
      put(this.#jobs.fault, "");
      return true;
    } catch (error) {
      put(this.#jobs.fault, failure(error));
      return false;
    }
  }
}

/** What the tables rest on. */
const counted = (count) => t("contest.counted", { count, games: number(count) });

/** How a contest is begun or taken up again, as a sentence around the command. */
function command(state) {
  const [before, after] = t(`contest.command.${state}`).split("{command}");
  return [before, html("code", { class: "mono" }, COMMANDS[state]), after];
}

function clock(moment) {
  const form = { hour: "2-digit", minute: "2-digit" };
  return moment?.toLocaleTimeString(document.documentElement.lang, form);
}
