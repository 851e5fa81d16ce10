/** Sends the height of this page to the site that embeds it, now and after each change. */

function sendHeight() {
  parent.postMessage({ charlemagne: document.body.offsetHeight }, "*");
}

new ResizeObserver(sendHeight).observe(document.body);
addEventListener("message", (/** @type {MessageEvent<string>} */ event) => {
  if (event.data === "charlemagne") sendHeight();
});
