/**
 * What every page does about a network that is away, or answers for itself. Written into each: before htmx, which
 * may not be there without it.
 */
((root) => {
  const SILENCE = 2; // questions without an answer, after which it is said that the network is away
  let silences = 0;

  /** @param {string} id of a notice @param {boolean} isShown */
  const toggleNotice = (id, isShown) => document.getElementById(id)?.toggleAttribute("hidden", !isShown);

  /** @param {number} count */
  const countSilences = (count) => {
    silences = count;
    document.body.classList.toggle("away", silences >= SILENCE);
    toggleNotice("away", silences >= SILENCE);
  };

  // An answer that does not bear the mark of this installation is no answer: a hall's Wi-Fi gives pages of its own.
  document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
    const { onload, onerror } = xhr;
    xhr.onload = (event) => {
      const isOurs = xhr.getResponseHeader("Charlemagne") === root.dataset.installation;
      (isOurs ? onload : onerror)?.call(xhr, event);
    };
  });
  document.addEventListener("htmx:afterOnLoad", ({ detail: { xhr, requestConfig } }) => {
    countSilences(0);
    if (requestConfig.verb !== "get") toggleNotice("not-sent", xhr.status >= 500);
  });
  for (const kind of /** @type {const} */ (["htmx:sendError", "htmx:timeout"])) {
    document.addEventListener(kind, ({ detail: { elt, requestConfig } }) => {
      if (elt.matches("[hx-trigger^=every]")) countSilences(silences + 1);
      if (requestConfig.verb !== "get") toggleNotice("not-sent", true);
    });
  }

  // Whatever page it is: a hand that waits on this device is sent from it.
  const loadSender = () => {
    let isWaiting = "hands" in document.body.dataset;
    try {
      isWaiting ||= Object.keys(localStorage).some((name) => /^(hand |unsent$)/.test(name));
    } catch { /* without storage nothing waits */ }
    if (isWaiting) import(root.dataset.sender ?? "").catch(() => {}); // the next page tries again
  };
  document.addEventListener("DOMContentLoaded", loadSender);
  addEventListener("storage", loadSender);
})(document.documentElement);
