/**
 * A table whose server has missed two signs of life does not say that all is sent: the class `unheard` of the body. It asks
 * then, and the answer, or none, says more.
 */

const SLACK = 500; // milliseconds that a sign of life may be late

let beat = 2_000; // milliseconds from one to the next
let heardAt = Date.now();

function hear() {
  heardAt = Date.now();
  document.body.classList.remove("unheard");
}

document.addEventListener("live:heard", ({ detail }) => {
  beat = detail;
  hear();
});
document.addEventListener("htmx:afterOnLoad", hear);

setInterval(() => {
  const isSilent = !document.hidden && Date.now() - heardAt > 2 * beat + SLACK;
  if (!isSilent || document.body.classList.contains("unheard")) return;
  document.body.classList.add("unheard");
  const screen = document.querySelector("#screen[hx-get]");
  if (screen) htmx.trigger(screen, "live");
}, SLACK);

export {};
