/** Before the first paint: the light or dark that this device chose, else the system's. */
((root) => {
  root.classList.add("js");
  try {
    if (localStorage.theme) root.dataset.theme = localStorage.theme;
  } catch { /* a device without storage follows its system */ }
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest("[data-switch-theme]"))) return;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.theme = root.dataset.theme;
    } catch { /* the switch then lasts as long as the page */ }
  });
})(document.documentElement);
