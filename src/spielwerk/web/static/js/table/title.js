// The title row: which game and table this is, how far it has come, and what can be done with it.

import { action, html, put, render } from "../dom.js";
import { icon } from "../icons.js";
import { toClipboard } from "../pages/copy.js";
import { gameTitle } from "./words.js";
import { number, t } from "../texts.js";

/** The row; `actions` are onFlip(), onBeamer(), onShare(), onResign() and onRematch(). */
export class Title {
  #store;
  #actions;
  #heading;
  #facts;
  #acts;
  #place = html("p", { class: "of", hidden: true });

  constructor(root, store, actions) {
    this.#store = store;
    this.#actions = actions;
    [this.#heading, this.#facts, this.#acts] = root.children;
    this.#heading.after(this.#place);
  }

  update(display) {
    const { table } = this.#store;
    const title = gameTitle(this.#store.kind);
    const name = table.contest ? "" : table.name; // a contest's game is called after the contest
    render(this.#heading, [title, name], () => [title, name && html("small", {}, name)]);
    document.title = `${[title, table.name].filter(Boolean).join(", ")} · Spielwerk`;
    this.#place.hidden = !table.contest;
    render(this.#place, table.contest, () => table.contest && contestPlace(table.contest));
    this.#showFacts(display);
    this.#showActs(display);
  }

  #showFacts(display) {
    const { viewers, over } = this.#store;
    const words = [...this.#size(display.view), ...(over ? this.#when() : this.#progress(display))];
    const chip = over ? null : this.#chip();
    render(this.#facts, [viewers, words, chip], () => [
      chip && copyChip(...chip),
      html(
        "span",
        { title: t("table.viewers", { count: viewers }) },
        icon("eye"),
        html("span", { class: "num", "aria-hidden": "true" }, number(viewers)),
        html("span", { class: "vh" }, t("table.viewers", { count: viewers })),
      ),
      words.map((word) => html("span", { class: "num" }, word)),
    ]);
  }

  /** What a client needs to come here: [word, value to copy]. */
  #chip() {
    const { table, state } = this.#store;
    const clients = state.seats.some(({ kind }) => kind === "client");
    if (!clients || !table.address) return null;
    if (table.address.doors.length) return ["Game-ID", table.address.doors[0].id, where(table.address)];
    return [t("table.port"), String(table.address.port), where(table.address)];
  }

  #size(view) {
    const { n, width, height, layers } = view?.board ?? {};
    if (n) return [`${n} × ${n}`];
    return width ? [[width, height, ...(layers > 1 ? [layers] : [])].join(" × ")] : [];
  }

  #when() {
    const at = new Date(this.#store.table.created);
    const form = { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" };
    return [at.toLocaleString(document.documentElement.lang, form)];
  }

  /** How far the position shown has come. */
  #progress(display) {
    const { view, shown } = display;
    const { kind, table } = this.#store;
    const turn = t("table.turn", { number: this.#store.turns(shown).length + 1 });
    if (!view) return [turn];
    const offer = table.offer && t("table.offer.fact", table.offer);
    return [...kind.facts(view.board, turn), offer].filter(Boolean);
  }

  #showActs(display) {
    const { over, kind, mine } = this.#store;
    const { turnable } = kind;
    const playing = mine.length > 0 && !over;
    render(this.#acts, [over, turnable, playing, over && display.shown], () => [
      turnable && action("flip", t("table.flip"), () => this.#actions.onFlip()),
      action("beamer", t("table.beamer"), () => this.#actions.onBeamer()),
      action("share", this.#shareWord(over, display), () => this.#actions.onShare()),
      ...(over ? this.#exports() : []),
      playing && action("resign", t("table.resign"), () => this.#actions.onResign()),
    ]);
  }

  #shareWord(over, display) {
    return over ? t("table.linkToPly", { ply: display.shown }) : t("table.share");
  }

  #exports() {
    const path = `/api/v1/matches/${encodeURIComponent(this.#store.id)}/record`;
    const look = { class: "btn btn--s btn--bare", download: "" };
    return [
      html("a", { ...look, href: `${path}.json` }, icon("save"), "JSON"),
      html("a", { ...look, href: `${path}.txt` }, icon("save"), t("table.notation")),
    ];
  }
}

/** The contest that the game belongs to, and which game of it this is. */
function contestPlace({ id, name, round, number: which }) {
  const place = t("table.contest", { round: number(round + 1), number: number(which) });
  const href = `/contests/${encodeURIComponent(id)}`;
  return [html("a", { href }, name), ", ", html("span", { class: "nowrap" }, place)];
}

function where({ host, port, doors }) {
  if (!doors.length) return t("table.connectTo", { host, port });
  const spoken = doors.map((door) => t("table.door", door));
  return t("table.connectToOne", { host, doors: spoken.join(", ") });
}

function copyChip(word, value, tip) {
  const done = html("span", { class: "vh", "aria-live": "polite" });
  const press = async () => put(done, (await toClipboard(value)) ? t("table.copied") : "");
  return html(
    "button",
    { type: "button", class: "chip", title: tip, on: { click: press } },
    word,
    html("span", { class: "mono" }, value),
    icon("copy"),
    done,
  );
}
