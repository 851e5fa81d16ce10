/** Before the first paint of a table: how large its figures are on this phone. */
((root) => {
  try {
    if (localStorage.figures) root.dataset.figures = localStorage.figures;
  } catch { /* a device without storage has the usual ones */ }
  document.addEventListener("click", ({ target }) => {
    const size = target instanceof Element ? target.closest("[data-figures-to]")?.getAttribute("data-figures-to") : null;
    if (!size) return;
    root.dataset.figures = size;
    try {
      localStorage.figures = size;
    } catch { /* the size then lasts as long as the page */ }
  });
})(document.documentElement);
