// A button that copies a field's text, as it is then: the page may have been brought up to date since it was loaded.
// Without scripts it stays hidden, and the field can be copied by hand.
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
    field.closest("details")?.setAttribute("open", ""); // what is not seen is not selected
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch (insecure) {
      document.execCommand("copy"); // a hall's laptop speaks plain HTTP, where browsers have no clipboard
    }
    button.querySelector("span")?.replaceChildren(button.dataset.copied ?? "");
  });
}
