// The title row: which game and table this is, how far it has come, and what can be done with it.

import { action, html, icon, put, render } from "../dom.js";
import { word } from "../games.js";
import { toClipboard } from "../page.js";
import { share } from "./dialogs.js";
import { display } from "./display.js";
import { store } from "./state.js";
import { may } from "./turn.js";
import { gameTitle } from "./words.js";
import { number, t } from "../texts.js";

const [heading, facts, acts] = document.querySelector(".title").children;
const place = html("p.of", { hidden: true });

heading.after(place);

const shortcut = document.querySelector("link[rel=icon]");
const ICONS = [shortcut.href, new URL("../../icon-due.svg", import.meta.url).href];

/** Show the row; `actions` are rules(), flip(), beamer(), resign() and offer(what). */
export function updateTitle(actions) {
  const { table, kind } = store;
  const title = gameTitle(kind);
  const name = table.contest ? "" : table.name; // a contest's game is called after the contest
  render(heading, [title, name], () => [title, name && html("small", name)]);
  showTurn([title, table.name].filter(Boolean).join(", "));
  place.hidden = !table.contest;
  render(place, table.contest, () => table.contest && contestPlace(table.contest));
  showFacts();
  showActs(actions);
}

/** Let the browser's tab say whose turn it is: in its title, and by its icon if it is ours. */
function showTurn(title) {
  const { state, mine, over, exploring } = store;
  const due = !over && !exploring && !state.open && state.turn >= 0;
  const own = due && mine.includes(state.turn);
  const solo = own && store.solo !== null;
  const whose = due && (solo ? t("table.yourTurn") : t("table.turnOf", { name: store.name(state.turn) }));
  document.title = [whose, title, "Spielwerk"].filter(Boolean).join(" · ");
  if (shortcut.href !== ICONS[Number(own)]) shortcut.href = ICONS[Number(own)];
}

/** The contest that the game belongs to, and which game of it this is. */
function contestPlace({ id, name, round, number: which }) {
  const told = t("table.contest", { round: number(round + 1), number: number(which) });
  const href = `/contests/${encodeURIComponent(id)}`;
  return [html("a", { href }, name), ", ", html("span.nowrap", told)];
}

function showFacts() {
  const { viewers, over, table } = store;
  const ended = table.named ? [when()] : []; // else the name says when it was
  const words = [...size(display.view), ...(over ? ended : progress())];
  const chip = over ? null : chipParts();
  const title = t("table.viewers", { count: viewers });
  const eye = () => [icon("eye"), html("span.num", { "aria-hidden": "true" }, number(viewers))];
  render(facts, [viewers, words, chip], () => [
    chip && copyChip(...chip),
    !store.exploring && html("span", { title }, eye(), html("span.vh", title)),
    words.map((word) => html("span.num", word)),
  ]);
}

/** What a client needs to come here: a word, the value to copy, and where to connect. */
function chipParts() {
  const { table, state } = store;
  const clients = state.seats.some(({ kind }) => kind === "client");
  if (!clients || !table.address) return null;
  const { host, port, doors } = table.address;
  if (!doors.length) return [t("table.port"), String(port), t("table.connectTo", { host, port })];
  const spoken = doors.map((door) => t("table.door", door)).join(", ");
  return ["Game-ID", doors[0].id, t("table.connectToOne", { host, doors: spoken })];
}

function copyChip(word, value, title) {
  const done = html("span.vh", { "aria-live": "polite" });
  const click = async () => put(done, (await toClipboard(value)) ? t("table.copied") : "");
  const content = [word, html("span.mono", value), icon("copy"), done];
  return html("button.chip", { title, on: { click } }, content);
}

function size(view) {
  const { n, width, height, layers } = view?.board ?? {};
  if (n) return [`${n} × ${n}`];
  return width ? [[width, height, ...(layers > 1 ? [layers] : [])].join(" × ")] : [];
}

function when() {
  const form = { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" };
  return new Date(store.table.created).toLocaleString(document.documentElement.lang, form);
}

/** How far the position shown has come. */
function progress() {
  const { view, shown } = display;
  const { kind, table } = store;
  const turn = t("table.turn", { number: store.turns(shown).length + 1 });
  if (!view) return [turn];
  const offer = table.offer && t("table.offer.fact", table.offer);
  return [...kind.facts(view.board, turn), offer].filter(Boolean);
}

function showActs({ rules, flip, beamer, resign, offer }) {
  const { over, mine, id, table, exploring } = store;
  const { turnable, rules: ruled } = store.kind;
  const { shown } = display;
  const playing = mine.length > 0 && !over;
  if (exploring) return showExploring(exploring, turnable && flip);
  const free = over || (table.training || !mine.length) && !table.tournament;
  const draw = playing && !store.state.open && may("draw");
  render(acts, [over, turnable, playing, free, over && shown, draw], () => [
    ruled && action("help", t("common.rules"), rules),
    turnable && action("flip", t("table.flip"), flip),
    free && action("branch", t("table.explore"), () => explore(id, display.shown)),
    action("beamer", t("table.beamer"), beamer),
    action("share", over ? linked() : t("table.share"), () => share(id, display.shown, linked())),
    over && [exported("json", "JSON"), exported("txt", t("table.notation"))],
    draw && action("equal", t("table.offerDraw"), () => offer("draw")),
    playing && action("resign", t("table.resign"), resign),
  ]);
  for (const one of acts.children) one.title = one.textContent; // narrow windows show icons alone
}

/** What a link to the position shown is called. */
function linked() {
  const place = { ply: store.number(display.shown) };
  return word(store.kind, "linkToPly", place) ?? t("table.linkToPly", place);
}

/** Try moves from the position shown. */
function explore(id, ply) {
  location.assign(`/explore?${new URLSearchParams({ from: id, ply })}`);
}

/** Where moves are only tried: to a table that goes on from here, and back to the game. */
function showExploring({ playOn, game }, flip) {
  render(acts, [playOn, game, Boolean(flip)], () => [
    flip && action("flip", t("table.flip"), flip),
    game && html("a.btn.btn--s.btn--bare", { href: game }, icon("back"), t("explore.toGame")),
    html("a.btn.btn--s.btn--ink", { href: playOn }, icon("play"), t("explore.playOn")),
  ]);
}

function exported(form, words) {
  const href = `${store.path}/record.${form}`;
  return html("a.btn.btn--s.btn--bare", { download: "", href }, icon("save"), words);
}
