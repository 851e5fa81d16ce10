/**
 * Keeps the screen of a table awake while its page is visible, if the browser supports it: over HTTPS, or on the same
 * computer. A browser low on power may refuse.
 */

async function requestWakeLock() {
  if (document.hidden) return; // a hidden page has no lock, and requests it again when it is visible
  try {
    await navigator.wakeLock?.request("screen");
  } catch (error) { /* the page works without it */ }
}

document.addEventListener("visibilitychange", requestWakeLock);
requestWakeLock();
