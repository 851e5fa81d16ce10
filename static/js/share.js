// Shares a picture, with the text of the field named in data-text, by the share sheet of the phone. Without one, the link
// saves the picture.
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
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === "AbortError";
      if (!isCancelled) location.assign(link.href);
    }
  });
}
