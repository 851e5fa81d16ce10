/**
 * Marks the body as `unheard` once the server has missed two heartbeats, so that the table does not claim that all is
 * sent, and requests the screen to find out.
 */

const MAX_DELAY = 500; // milliseconds that a heartbeat may be late

let beatInterval = 2_000; // milliseconds
let lastBeatAt = Date.now();

function recordBeat() {
  lastBeatAt = Date.now();
  document.body.classList.remove("unreachable");
}

document.addEventListener("live:heard", ({ detail }) => {
  beatInterval = detail;
  recordBeat();
});
document.addEventListener("htmx:afterOnLoad", recordBeat);

setInterval(() => {
  const isSilent = !document.hidden && Date.now() - lastBeatAt > 2 * beatInterval + MAX_DELAY;
  if (!isSilent || document.body.classList.contains("unreachable")) return;
  document.body.classList.add("unreachable");
  const screen = document.querySelector("#screen[hx-get]");
  if (screen) htmx.trigger(screen, "live");
}, MAX_DELAY);

export {};
