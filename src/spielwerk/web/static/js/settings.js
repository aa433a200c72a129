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
let values = { ...DEFAULTS, ...stored() };

/** The value of a setting. */
export function get(name) {
  return values[name];
}

/** Set it, here and in the browser's other tabs. */
export function set(name, value) {
  values = { ...values, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // A browser that keeps nothing: the setting holds as long as the page.
  }
  tell();
}

/** Call the listener with every change from now on. */
export function watch(listener) {
  addEventListener(CHANGED, listener);
}

function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const sound = ([name, value]) => name in DEFAULTS && typeof value === typeof DEFAULTS[name];
    return Object.fromEntries(Object.entries(kept).filter(sound));
  } catch {
    return {};
  }
}

function tell() {
  dispatchEvent(new CustomEvent(CHANGED, { detail: values }));
}

addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  values = { ...DEFAULTS, ...stored() };
  tell();
});
