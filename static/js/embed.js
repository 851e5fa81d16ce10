/** Sets the height of our frames on another site to the height that their pages send. */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { origin } = new URL(script.src);
  const frames = () => [...document.querySelectorAll("iframe")].filter((one) => one.src.startsWith(`${origin}/`));

  addEventListener("message", (/** @type {MessageEvent<{ charlemagne?: number }>} */ event) => {
    const height = event.data?.charlemagne;
    if (event.origin !== origin || typeof height !== "number" || !(height > 0)) return;
    for (const frame of frames()) {
      if (frame.contentWindow === event.source) frame.style.height = `${Math.ceil(height)}px`;
    }
  });
  // Frames that were loaded before this script send their height again.
  for (const frame of frames()) frame.contentWindow?.postMessage("charlemagne", origin);
})();
