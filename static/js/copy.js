// Copies the current text of a field with a button. Without scripts the button stays hidden, and the field can be copied
// by hand.
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
    field.closest("details")?.setAttribute("open", ""); // only visible text can be selected
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch (error) {
      document.execCommand("copy"); // browsers have no clipboard on pages over HTTP
    }
    button.querySelector("span")?.replaceChildren(button.dataset.copied ?? "");
  });
}
