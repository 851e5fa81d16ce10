/** The card of a table: the arrow keys turn to the next one, and the screen can be had as a whole. */

const ways = { ArrowLeft: "prev", ArrowRight: "next", PageUp: "prev", PageDown: "next" };

document.addEventListener("keydown", (pressed) => {
  const way = !pressed.altKey && !pressed.ctrlKey && !pressed.metaKey && ways[pressed.key];
  const there = way && document.querySelector(`a[rel="${way}"]`);
  if (there) there.click();
});

const whole = document.querySelector("[data-whole]");
if (!document.documentElement.requestFullscreen) whole?.remove();
whole?.addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
