// Nine Men's Morris on the pages: the empty board, the sentences of a table, the stones as emblems.

import { svg } from "../../js/dom.js";
import { t } from "../../js/texts.js";

const NEXT = { ".": "0", 0: "1", 1: "." }; // what a click makes of a field

export default [
  {
    name: "morris",
    size: () => t("morris.size"),
    about: () => t("morris.about"),
    sample: () => ({
      fields: ".".repeat(24),
      hand: [9, 9],
      lost: [0, 0],
      capture: 0,
      quiet: 0,
      mills: [],
    }),
    countsMoves: true,
    emblem,
    written: (move) => move.toUpperCase(),
    facts: ({ quiet }, turn) => [turn, t("morris.quiet", { count: quiet })],
    edit: { press, text },
    counted: ({ board }, seat) => ({ word: t("morris.lost"), signs: board.lost[seat] }),
    told(ply, { store, index, name }) {
      const [from, to] = ply.move.split(":");
      const captures = store.known(index - 1)?.board.capture ?? repeats(store.plies, index - 1);
      const mill = store.known(index)?.board.mills?.length ? "Mill" : "";
      if (captures) return t("morris.told.captured", { name, field: from });
      if (to === undefined) return t(`morris.told.set${mill}`, { name, field: from });
      return t(`morris.told.slid${mill}`, { name, from, to });
    },
    advised(move, { board }) {
      const [first, ...captures] = move.split(";");
      const [from, to] = first.split(":");
      const begins = to ? "slide" : board.capture ? "capture" : "set";
      const taken = captures.map((field) => t("morris.hint.capture", { field }));
      return [t(`morris.hint.${begins}`, { from, to, field: first }), ...taken].join(" ");
    },
    due(board, { turn, legal }, choice) {
      if (board.capture || choice.includes(";")) return t("morris.due.capture");
      if (board.hand[turn]) return t("morris.due.set", { count: board.hand[turn] });
      if (choice) return target(choice.split(":")[0], legal);
      const stones = [...board.fields].filter((field) => field === String(turn)).length;
      return t(stones <= 3 ? "morris.due.fly" : "morris.due.slide");
    },
  },
];

/** Whether the ply goes on with the turn before. */
const repeats = (plies, n) => n > 0 && plies[n - 1].seat === plies[n].seat;

/** The board after a click on a field; stones that do not lie on it are lost. */
function press(board, id) {
  const fields = [...board.fields];
  const place = 8 * "ABC".indexOf(id[0]) + Number(id[1]);
  fields[place] = NEXT[fields[place]];
  const lost = ["0", "1"].map((stone) => Math.max(0, 9 - fields.filter((one) => one === stone).length));
  return { fields: fields.join(""), hand: [0, 0], lost, capture: 0, quiet: 0, mills: [] };
}

function text({ fields }, turn) {
  return `${fields.replace(/.{8}(?!$)/g, "$&/")} hand 0 0 player ${turn} capture 0 quiet 0`;
}

/** Where a chosen stone may go, and whether that closes a mill. */
function target(field, legal) {
  const closing = legal.filter((move) => move.startsWith(`${field}:`) && move.includes(";"));
  const mills = [...new Set(closing.map((move) => move.slice(3, 5)))].join(", ");
  return t(mills ? "morris.due.targetMill" : "morris.due.target", { field, mills });
}

/** A stone, the emblem of its side. */
function emblem(seat, className = "emblem") {
  const mark =
    seat === 0
      ? [11.2, 5.8].map((r) => svg("circle.groove", { cx: 20, cy: 20, r }))
      : svg("path.groove", { d: "M20 12.9 27.1 20 20 27.1 12.9 20Z" });
  return svg(
    "svg",
    { class: `${className} man man--${seat}`, viewBox: "0 0 40 40", "aria-hidden": "true" },
    svg("circle.shade", { cx: 20, cy: 21.5, r: 17 }),
    svg("circle.face", { cx: 20, cy: 20, r: 17 }),
    mark,
  );
}
