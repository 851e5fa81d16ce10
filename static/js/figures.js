/** Applies the size of figures on this phone before the first paint of a table. */
((root) => {
  try {
    if (localStorage.figures) root.dataset.figures = localStorage.figures;
  } catch { /* a device without storage has the default size */ }
  document.addEventListener("click", ({ target }) => {
    const size = target instanceof Element ? target.closest("[data-figure-size]")?.getAttribute("data-figure-size") : null;
    if (!size) return;
    root.dataset.figures = size;
    try {
      localStorage.figures = size;
    } catch { /* without storage the size lasts as long as the page */ }
  });
})(document.documentElement);
