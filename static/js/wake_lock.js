/**
 * The screen of a table stays awake while its page is in sight, where the browser offers that: over https, or on
 * this very machine. A browser that is short of power may refuse; then the screen sleeps as ever.
 */

async function requestWakeLock() {
  if (document.hidden) return; // whoever looks elsewhere lets it go, and it is asked for again afterwards
  try {
    await navigator.wakeLock?.request("screen");
  } catch (refused) { /* the page does its work all the same */ }
}

document.addEventListener("visibilitychange", requestWakeLock);
requestWakeLock();
