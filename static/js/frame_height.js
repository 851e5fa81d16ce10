/** In a frame on another site: tells the page around it how high this one is, now and whenever that changes. */

function tell() {
  parent.postMessage({ charlemagne: document.body.offsetHeight }, "*");
}

new ResizeObserver(tell).observe(document.body);
addEventListener("message", (/** @type {MessageEvent<string>} */ event) => {
  if (event.data === "charlemagne") tell();
});
