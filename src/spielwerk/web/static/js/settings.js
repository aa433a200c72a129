// What a person has set for this browser; it stays here, and listeners hear of every change.

export const DEFAULTS = {
  theme: "system", // light, dark, system
  step: 180, // milliseconds of one step on the board, 0 = no animation
  display: 1000, // least milliseconds that a position is shown before a computer's move, 0 = none
  name: "", // what the person is called at tables
  hintLevel: 10, // of the engine that gives hints
  hintExact: false, // where it has strategies: one of them and a depth in place of the level
  hintStrategy: 0,
  hintDepth: 5,
  sound: false, // whether moves are heard
  notify: false, // whether the browser notifies while the page is hidden
  analysis: true, // whether the panel analyses by itself
};

const KEY = "spielwerk";
const CHANGED = "sw-settings"; // theme.js hears of it, too
let values = alike(kept(KEY), DEFAULTS);

/** The value of a setting. */
export function get(name) {
  return values[name];
}

/** Set it, here and in the browser's other tabs. */
export function set(name, value) {
  values = { ...values, [name]: value };
  keep(KEY, values);
  tell();
}

/** Call the listener with every change from now on. */
export function watch(listener) {
  addEventListener(CHANGED, listener);
}

/** What the browser keeps under this key; null if nothing, or nothing that can be read. */
export function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Keep this there; in a browser that keeps nothing it holds as long as the page. */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // as above
  }
}

/** The model with those values of the other that are of the same type: stored ones may be old. */
export function alike(other, model) {
  const same = ([name, value]) => name in model && typeof value === typeof model[name];
  return { ...model, ...Object.fromEntries(Object.entries(other ?? {}).filter(same)) };
}

function tell() {
  dispatchEvent(new CustomEvent(CHANGED, { detail: values }));
}

addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  values = alike(kept(KEY), DEFAULTS);
  tell();
});
