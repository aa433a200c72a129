// What happened, what is due and how it ended, each in one sentence.

import { said, t } from "../texts.js";

/** What the ply was, told of the player by name; `brief` leaves out what the next one is told. */
export function happened(store, index, brief = false) {
  const ply = store.plies[index - 1];
  if (!ply) return "";
  return TOLD[store.game](ply, { store, index, brief, name: store.name(ply.seat) });
}

const TOLD = {
  quarto(ply, { store, index, brief, name }) {
    if (ply.seat < 0) return t("table.told.first", { stone: ply.move });
    const [field, next] = ply.move.split(",");
    if (brief) return t("table.told.set", { name, field });
    const stone = store.known(index - 1)?.board.stone ?? "";
    const form = next === undefined ? "last" : "placed";
    return t(`table.told.${form}`, { name, field, stone, next });
  },
  morris(ply, { store, index, name }) {
    const [from, to] = ply.move.split(":");
    const captures = index > 1 && store.plies[index - 2].seat === ply.seat;
    const mill = store.known(index)?.board.mills?.length ? "Mill" : "";
    if (captures) return t("table.told.captured", { name, field: from });
    if (to === undefined) return t(`table.told.set${mill}`, { name, field: from });
    return t(`table.told.slid${mill}`, { name, from, to });
  },
  oware(ply, { store, index, name }) {
    const count = collected(store, index);
    const form = count ? "collected" : "sown";
    return t(`table.told.${form}`, { name, house: ply.move, count: count ?? 0 });
  },
  connect4(ply, { name }) {
    return t("table.told.dropped", { name, field: ply.move });
  },
  dice(ply, { store, index, name }) {
    if (ply.move === "ROLL") return t("table.told.rolls", { name });
    const points = { name, count: turnPoints(store, index - 1) };
    if (ply.move === "SAVE") return t("table.told.saved", points);
    const [first, second] = ply.move.split(" ");
    const form = first === second ? "double" : "threw";
    const thrower = store.name(store.plies[index - 2]?.seat);
    return t(`table.told.${form}`, { name: thrower, first, second });
  },
};

/** The stones that a ply of Oware has collected; null if the position before is not known here. */
export function collected(store, index) {
  const { steps = [] } = store.plies[index - 1];
  const before = store.known(index - 1);
  if (!steps.some(([what]) => what === "collect")) return 0;
  return before ? sumOf(steps, structuredClone(before.board.houses)) : null;
}

function sumOf(steps, houses) {
  let sum = 0;
  for (const [what, row, house] of steps) {
    if (what === "sow") houses[row][house] += 1;
    if (what === "collect") sum += houses[row][house];
    if (what === "take" || what === "collect") houses[row][house] = 0;
  }
  return sum;
}

/** The points of the dice turn that reaches up to this ply. */
export function turnPoints(store, index) {
  let points = 0;
  for (let n = index - 1; n >= 0 && store.plies[n].move !== "SAVE"; n -= 1) {
    if (store.plies[n].seat >= 0) continue;
    const [first, second] = store.plies[n].move.split(" ").map(Number);
    if (first === second) break;
    points += first + second;
  }
  return points;
}

/** What the person who has to move is to do; `choice` is what is chosen so far. */
export function due(store, view, choice = "") {
  return DUE[store.table.solid ? "solid" : store.game](view.board, view, choice);
}

const DUE = {
  quarto({ stone, supply }, _view, choice) {
    if (!supply.length) return t("table.due.placeLast", { stone });
    if (/^[A-P]/.test(choice)) return t("table.due.handOn", { field: choice.split(",")[0] });
    if (choice) return t("table.due.placeFor", { stone, next: choice.replace(",", "") });
    return t("table.due.place", { stone });
  },
  morris(board, { turn, legal }, choice) {
    if (board.capture || choice.includes(";")) return t("table.due.capture");
    if (board.hand[turn]) return t("table.due.set", { count: board.hand[turn] });
    if (choice) return target(choice.split(":")[0], legal);
    const stones = [...board.fields].filter((field) => field === String(turn)).length;
    return t(stones <= 3 ? "table.due.fly" : "table.due.slide");
  },
  oware: () => t("table.due.house"),
  connect4: ({ cells }) => t(begun(cells) ? "table.due.column" : "table.due.firstColumn"),
  solid: () => t("table.due.rod"),
  dice: ({ points }) => t(points ? "table.due.risk" : "table.due.roll", { count: points }),
};

/** Whether each side has played, so that nobody has to be told how stones fall. */
function begun(cells) {
  return cells.includes("1") && cells.includes("2");
}

/** Where a chosen stone of Morris may go, and whether that closes a mill. */
function target(field, legal) {
  const closing = legal.filter((move) => move.startsWith(`${field}:`) && move.includes(";"));
  const mills = [...new Set(closing.map((move) => move.slice(3, 5)))].join(", ");
  return t(mills ? "table.due.targetMill" : "table.due.target", { field, mills });
}

/** How the game ended: a headline and the reason. */
export function ending(store) {
  const { result } = store.state;
  const name = result.winner === null ? "" : store.name(result.winner);
  const round = store.known(store.length)?.board.round;
  const told = { name, turn: store.turns().length, round };
  return { headline: headline(result, told), reason: reason(store, result) };
}

function headline({ winner, reason: why }, told) {
  if (winner !== null) return t(told.round ? "table.end.winsRound" : "table.end.wins", told);
  return t(why === "rule draw" ? "table.end.draw" : "table.end.void", told);
}

function reason(store, { reason: why, detail, culprit }) {
  const score = store.known(store.length)?.outcome?.score;
  const points = score?.length ? t("table.end.score", { score: score.join(" : ") }) : "";
  if (why.startsWith("rule ")) return [sentence(said(detail)), points].filter(Boolean).join(" ");
  const name = culprit === null || culprit === undefined ? "" : store.name(culprit);
  const missing = store.table.contest && why === "aborted" && name; // a contest blames for nothing else
  const end = missing ? "no_start" : why.replace(/\W/g, "_");
  const cause = t(`table.end.${end}${name ? "" : ".nobody"}`, { name });
  return [...new Set([cause, detail && sentence(said(detail))])].filter(Boolean).join(" ");
}

/** With a capital and a full stop. */
export function sentence(text) {
  const whole = text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

/** What the game is called, and which of its boards it uses. */
export function gameTitle(table) {
  return t(`table.game.${table.solid ? "solid" : table.game}`);
}

/** What a side is called in its game. */
export function side(store, seat) {
  const named = store.game === "morris" || store.game === "oware";
  if (named) return t(`table.side.${store.game}${seat}`);
  return t("table.side.player", { number: seat });
}
