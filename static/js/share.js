// A picture, with the text of the field that data-text names, is handed to whatever the phone sends with. Where a
// browser can't, the link saves it instead.
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-share]"))) {
  link.addEventListener("click", async (event) => {
    if (!navigator.canShare) return;
    event.preventDefault();
    const answer = await fetch(link.href);
    const file = new File([await answer.blob()], link.download, { type: "image/png" });
    if (!answer.ok || !navigator.canShare({ files: [file] })) {
      location.assign(link.href);
      return;
    }
    const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById(link.dataset.text ?? ""));
    const text = field?.value;
    try {
      await navigator.share({ files: [file], title: link.dataset.share, ...(text && { text }) });
    } catch (refused) {
      const isChangeOfMind = refused instanceof DOMException && refused.name === "AbortError";
      if (!isChangeOfMind) location.assign(link.href);
    }
  });
}
