// What only the page to explore on has: the position as a text that can be changed, a board that can
// be set up by hand, and the list of lines.

import { action, at, html, put, render, replace } from "../dom.js";
import { kinds, nameOf } from "../games.js";
import { announce, copyButton } from "../page.js";
import { choice } from "../pages/fields.js";
import { display } from "../table/display.js";
import { input } from "../table/input.js";
import { update } from "../table/page.js";
import { store } from "../table/state.js";
import { refusal, sentence } from "../table/words.js";
import { said, t } from "../texts.js";

const PATIENCE = 300; // milliseconds after the last change before the server is asked

const field = html("textarea.field.mono", {
  rows: 3,
  maxlength: 4096,
  spellcheck: "false",
  autocomplete: "off",
  "aria-label": t("explore.text"),
  "aria-describedby": "position-fault",
  on: { input: changed },
});
const fault = html("p.fault", { id: "position-fault", role: "alert" });
const edit = html("button.btn.btn--s", { "aria-pressed": "false", on: { click: toggle } }, t("explore.edit"));
const lines = html("ol.lines", { "aria-label": t("explore.lines") });

let exploration = null;
let timer = 0;
let waiting = false; // the text is newer than the position
let touched = null; // the field that was pressed last in setting up

/** Fill the panel. */
export function startPosition(explored) {
  exploration = explored;
  const titled = kinds.map((kind) => [kind.name, nameOf(kind)]);
  const other = choice(titled, store.kind.name, (name) => location.assign(`/explore?game=${name}`));
  other.setAttribute("aria-label", t("explore.game"));
  const usual = action(null, t("explore.usual"), () => set(""), "btn btn--s");
  const copy = copyButton(() => field.value, t("explore.text"));
  edit.hidden = !store.kind.edit;
  replace(
    at("position"),
    html("header", html("h2", t("explore.position")), html("span.sub", t("explore.hint")), html("div.tools", copy)),
    html("div.body", field, fault, html("div.do", edit, usual, other)),
  );
  at("moves").append(lines);
  display.board.addEventListener("sw-edit", ({ detail }) => pressed(detail.id));
}

/** Show the position's text, unless it is being changed, and all lines. */
export function updatePosition() {
  const { node, lines: all } = exploration;
  if (!waiting && field.value !== node.position) field.value = node.position;
  const told = all.map(({ moves, here }) => [moves.map(({ ply }) => ply.move), here]);
  render(lines, told, () => (all.length > 1 ? all.map(lineItem) : []));
}

function lineItem(line) {
  const { moves, here } = line;
  const words = moves.map(({ ply }) => ply.move).join(" ");
  const look = { class: here && "here", "aria-current": here && "true", on: { click: () => exploration.visit(line) } };
  return html("li", html("button.mv", look, html("span.num", `${moves[0]?.depth ?? 0}.`), " ", words));
}

// another position

/** The text was changed: ask the server what it makes of it. */
function changed() {
  waiting = true;
  clearTimeout(timer);
  timer = setTimeout(() => set(field.value), PATIENCE);
}

async function set(text) {
  clearTimeout(timer);
  field.value = text;
  waiting = true;
  const late = () => field.value !== text;
  try {
    await exploration.set(text, late);
    if (late()) return;
    waiting = false;
    put(fault, "");
  } catch (error) {
    if (!late()) put(fault, problem(error));
  }
  update();
}

/** What is wrong with a position; its text can be seen above. */
function problem(error) {
  const why = error.said?.values.why;
  return why ? sentence(said(why)) : refusal(error);
}

// by hand

function toggle() {
  const editing = !display.board.editing;
  const boards = [display.board, ...display.board.querySelectorAll(".inner-board")];
  for (const board of boards) board.editing = editing;
  touched = null;
  edit.setAttribute("aria-pressed", String(editing));
  announce(t(editing ? "explore.editOn" : "explore.editOff"));
  input.update();
  for (const board of boards) board.refresh();
}

/** A field holds something else now; the board shows it whatever the rules say. */
function pressed(id) {
  const { press, text } = store.kind.edit;
  const board = press(display.board.position.view.board, id, id === touched);
  touched = id;
  display.board.show({ view: { turn: -2, legal: [], outcome: null, board }, last: null });
  field.value = text(board, Math.max(0, exploration.node.view.turn));
  changed();
}
