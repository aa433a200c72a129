// What happens at the table, told to who does not look: a short sound, and a notification while the
// page is hidden. Both are off until they are switched on; see `js/signals.js`.

import { notify, sound } from "../signals.js";
import { t } from "../texts.js";
import { store } from "./state.js";
import { ending, gameTitle, happened } from "./words.js";

let told = null; // what was last: { moment, due, over, offered }

/** Tell what is new since the last time; the first time nothing is. */
export function notice() {
  const { moment, over, state, mine } = store;
  const due = !over && !state.open && mine.includes(state.turn);
  const offered = store.offered?.what ?? "";
  const before = told;
  told = { moment, due, over, offered };
  if (!before) return;
  const title = gameTitle(store.kind);
  if (over && !before.over) {
    sound("end");
    if (mine.length) notify(title, ending().headline, store.id);
  } else if (due && (!before.due || moment !== before.moment)) {
    sound(store.solo === null ? "move" : "turn");
    if (!before.due) notify(title, `${t("table.yourTurn")}. ${happened(store.length)}`, store.id);
  } else if (moment !== before.moment) sound("move");
  else if (offered && !before.offered) sound("turn");
}
