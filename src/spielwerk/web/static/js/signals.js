// Sounds and notifications. The three sounds are made here, so nothing is fetched; both kinds are off
// until a person switches them on, and only then is the browser asked whether it may notify.

import { checkbox } from "./pages/fields.js";
import { get, set } from "./settings.js";
import { t } from "./texts.js";

// Tones of each sound: pitch in hertz, when it begins, and how long it lasts, in seconds.
const SOUNDS = {
  move: [[330, 0, 0.07]],
  turn: [[494, 0, 0.09], [659, 0.1, 0.16]],
  end: [[523, 0, 0.14], [392, 0.15, 0.14], [262, 0.3, 0.35]],
};
const LOUDNESS = 0.12;

let context = null;

/** Play one of the sounds, if they are on and the browser allows it by now. */
export function sound(name) {
  if (!get("sound") || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  context.resume();
  for (const [pitch, begin, length] of SOUNDS[name]) tone(pitch, context.currentTime + begin, length);
}

function tone(pitch, begin, length) {
  const source = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(LOUDNESS, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  source.connect(volume).connect(context.destination);
  source.start(begin);
  source.stop(begin + length);
}

const canNotify = () => "Notification" in window && isSecureContext;

/** Say it outside of the page, if it is hidden and that is wished and allowed. */
export function notify(title, body, tag) {
  if (!get("notify") || !document.hidden || !canNotify()) return;
  if (Notification.permission !== "granted") return;
  const icon = document.querySelector("link[rel=icon]").href;
  const note = new Notification(title, { body, tag, icon });
  note.addEventListener("click", () => {
    window.focus();
    note.close();
  });
}

/** The switches of both; the first one lets its sound be heard. */
export function switches() {
  const heard = checkbox(t("settings.sound"), get("sound"), (on) => {
    set("sound", on);
    sound("turn");
  });
  const noted = checkbox(t("settings.notify"), get("notify"), async (on) => {
    const allowed = on && canNotify() && (await Notification.requestPermission()) === "granted";
    set("notify", allowed);
    noted.querySelector("input").checked = allowed;
  });
  if (!canNotify()) noted.querySelector("input").disabled = true;
  return [heard, noted];
}
