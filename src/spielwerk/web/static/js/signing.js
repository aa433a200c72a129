// Whether this browser is the operator's: one page signs in or out, the others hear of it.

const channel = new BroadcastChannel("spielwerk.operator");

/** Tell the other pages that this browser has signed in or out. */
export const signed = () => channel.postMessage(null);

/** Call this when another page has signed in or out. */
export const onSigned = (act) => channel.addEventListener("message", act);
