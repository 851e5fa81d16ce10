/** Applies the theme of this device, else of the system, before the first paint. */
((root) => {
  root.classList.add("js");
  try {
    if (localStorage.theme) root.dataset.theme = localStorage.theme;
  } catch { /* without storage the system's theme is used */ }
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest("[data-switch-theme]"))) return;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.theme = root.dataset.theme;
    } catch { /* without storage the switch lasts as long as the page */ }
  });
})(document.documentElement);
