/**
 * Handles a missing network, and one that answers for itself, on every page. Inlined before htmx, which may be missing
 * without a network.
 */
((root) => {
  const MAX_SILENCES = 2; // polls of one element without a response, after which the network counts as away
  /** Polls without a response in a row, by the id of the element: a desk has several.
   * @type {Record<string, number>} */
  let silences = {};
  let isAway = false;
  let isHindered = false; // away because of server errors, not of the network
  let answeredAt = ""; // by the server's clock

  /** @param {string} id of a notice @param {boolean} isShown */
  const toggleNotice = (id, isShown) => document.getElementById(id)?.toggleAttribute("hidden", !isShown);

  const formatAnswerTime = () =>
    new Date(answeredAt)
      .toLocaleTimeString(root.lang, { hour: "numeric", minute: "2-digit" })
      .replace(/(?<=h)\s00$/, "");

  /** @param {"since" | "hindered" | "unreachable" | "back"} sentence */
  const showNotice = (sentence) => {
    const notice = document.getElementById("away");
    const message = answeredAt && notice?.dataset[sentence]?.replace("{time}", formatAnswerTime());
    if (notice && message && notice.textContent !== message) notice.textContent = message;
    toggleNotice("away", true);
  };

  /** @param {string} id of the element without a response @param {boolean} isBroken whether it was a server error */
  const countSilence = (id, isBroken) => {
    silences[id] = (silences[id] ?? 0) + 1;
    if (silences[id] < MAX_SILENCES || (isAway && isHindered === isBroken)) return;
    isAway = true;
    isHindered = isBroken;
    document.body.classList.add("offline");
    document.body.classList.toggle("blocked", isHindered);
    showNotice(isHindered ? "hindered" : "since");
    document.dispatchEvent(new CustomEvent("network:away"));
  };

  /** Shows that the network is back, until the next response.
   * @param {?string} date */
  const handleAnswer = (date) => {
    silences = {};
    answeredAt = date ?? answeredAt;
    if (isAway) showNotice("back");
    else toggleNotice("away", false);
    isAway = isHindered = false;
    document.body.classList.remove("offline", "blocked");
    document.dispatchEvent(new CustomEvent("network:back"));
  };

  /** Shows whether a tap was sent; forms of the desk show it beside their own button: desk_forms.js.
   * @param {HtmxDetail["requestConfig"]} request @param {boolean} isLost whether it had no response of this installation
   * @param {boolean} isBroken whether it had a server error */
  const showSendResult = ({ verb, triggeringEvent }, isLost, isBroken) => {
    const isShownByForm = triggeringEvent?.type === "submit" && document.getElementById("not-through");
    if (verb === "get" || isShownByForm) return;
    toggleNotice("not-sent", isLost);
    toggleNotice("not-recorded", isBroken);
  };

  // Only responses with the header of this installation count: the Wi-Fi of a hall has pages of its own.
  document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
    const { onload, onerror } = xhr;
    xhr.onload = (event) => {
      (xhr.getResponseHeader("Charlemagne") === root.dataset.installation ? onload : onerror)?.call(xhr, event);
    };
  });
  document.addEventListener("htmx:afterOnLoad", ({ detail: { elt, xhr, requestConfig } }) => {
    const isBroken = xhr.status >= 500;
    if (!isBroken) handleAnswer(xhr.getResponseHeader("Date"));
    else if (elt.matches("[hx-trigger^=every]")) countSilence(elt.id, true);
    showSendResult(requestConfig, false, isBroken);
  });
  for (const kind of /** @type {const} */ (["htmx:sendError", "htmx:timeout"])) {
    document.addEventListener(kind, ({ detail: { elt, requestConfig } }) => {
      if (elt.matches("[hx-trigger^=every]")) countSilence(elt.id, false);
      showSendResult(requestConfig, true, false);
    });
  }

  // Links are not followed without a network, since the next page would not load. Tables have their own way: table/page.js.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isHere = !link?.href || (link.hash && link.pathname + link.search === location.pathname + location.search);
    if (!isAway || isHere || "hands" in document.body.dataset || !document.getElementById("away")) return;
    event.preventDefault();
    showNotice(isHindered ? "hindered" : "unreachable");
    document.getElementById("away")?.scrollIntoView({ block: "nearest" });
  });

  // Any page sends the waiting hands of this device.
  const loadSender = () => {
    let isWaiting = "hands" in document.body.dataset;
    try {
      isWaiting ||= Object.keys(localStorage).some((name) => /^(hand |unsent$|outbox )/.test(name));
    } catch { /* without storage nothing waits */ }
    if (isWaiting) import(root.dataset.sender ?? "").catch(() => {}); // the next page tries again
  };
  document.addEventListener("DOMContentLoaded", loadSender);
  addEventListener("storage", loadSender);
})(document.documentElement);
