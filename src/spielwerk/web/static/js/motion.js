// Motion on boards. All of it hangs on the step that the person has set; at 0 nothing moves.

import { get } from "./settings.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Milliseconds of one step; 0 if nothing is to move. */
export function step() {
  return still.matches ? 0 : get("step");
}

/** Wait; an aborted signal ends it at once with `AbortError`. */
export function wait(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(done, milliseconds);
    function stopped() {
      clearTimeout(timer);
      reject(signal.reason);
    }
    function done() {
      signal?.removeEventListener("abort", stopped);
      resolve();
    }
    signal?.addEventListener("abort", stopped, { once: true });
  });
}

/** Move an SVG element along keyframes (as for `Element.animate`); aborting takes it to its end. */
export async function animate(element, keyframes, { duration, easing = "linear", signal }) {
  signal?.throwIfAborted();
  const motion = element.animate(keyframes, { duration, easing, fill: "forwards" });
  const stop = () => motion.cancel();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await motion.finished;
  } catch {
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Let an SVG element come from where this transformation puts it. */
export function arrive(element, from, signal, easing = EASE_OUT) {
  const frames = [{ transform: from }, { transform: "none" }];
  return animate(element, frames, { duration: 1.6 * step(), easing, signal });
}

export const EASE_OUT = "cubic-bezier(.2, .8, .2, 1)";
export const EASE_FALL = "cubic-bezier(.5, 0, .9, .6)";
