/**
 * What every page does about a network that is away, or answers for itself. Written into each: before htmx, which
 * may not be there without it.
 */
((root) => {
  const SILENCE = 2; // questions of one part of the page without an answer, after which the network is away
  /** How many in a row, by the id of the part that asks: a desk has several.
   * @type {Record<string, number>} */
  let silences = {};
  let isAway = false;
  let isHindered = false; // away, but not by the network: this installation answers that it cannot
  let answeredAt = ""; // by the server's clock

  /** @param {string} id of a notice @param {boolean} isShown */
  const toggleNotice = (id, isShown) => document.getElementById(id)?.toggleAttribute("hidden", !isShown);

  const hourOf = () =>
    new Date(answeredAt)
      .toLocaleTimeString(root.lang, { hour: "numeric", minute: "2-digit" })
      .replace(/(?<=h)\s00$/, "");

  /** @param {"since" | "hindered" | "unreachable" | "back"} sentence */
  const sayAway = (sentence) => {
    const notice = document.getElementById("away");
    const said = answeredAt && notice?.dataset[sentence]?.replace("{time}", hourOf());
    if (notice && said && notice.textContent !== said) notice.textContent = said;
    toggleNotice("away", true);
  };

  /** @param {string} id of the part that had no answer @param {boolean} isBroken it had one of ours, of no use */
  const countSilence = (id, isBroken) => {
    silences[id] = (silences[id] ?? 0) + 1;
    if (silences[id] < SILENCE || (isAway && isHindered === isBroken)) return;
    isAway = true;
    isHindered = isBroken;
    document.body.classList.add("away");
    document.body.classList.toggle("hindered", isHindered);
    sayAway(isHindered ? "hindered" : "since");
    document.dispatchEvent(new CustomEvent("network:away"));
  };

  /** That the network is back is said until the next answer.
   * @param {?string} date */
  const hearAnswer = (date) => {
    silences = {};
    answeredAt = date ?? answeredAt;
    if (isAway) sayAway("back");
    else toggleNotice("away", false);
    isAway = isHindered = false;
    document.body.classList.remove("away", "hindered");
    document.dispatchEvent(new CustomEvent("network:back"));
  };

  /** What was sent by a form of the desk says so beside its own button: desk_forms.js.
   * @param {HtmxDetail["requestConfig"]} request @param {boolean} isLost had no answer of ours
   * @param {boolean} isBroken had one, of no use */
  const tellOfSending = ({ verb, triggeringEvent }, isLost, isBroken) => {
    const isToldThere = triggeringEvent?.type === "submit" && document.getElementById("not-through");
    if (verb === "get" || isToldThere) return;
    toggleNotice("not-sent", isLost);
    toggleNotice("not-recorded", isBroken);
  };

  // An answer that does not bear the mark of this installation is no answer: a hall's Wi-Fi gives pages of its own.
  document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
    const { onload, onerror } = xhr;
    xhr.onload = (event) => {
      const isOurs = xhr.getResponseHeader("Charlemagne") === root.dataset.installation;
      (isOurs ? onload : onerror)?.call(xhr, event);
    };
  });
  document.addEventListener("htmx:afterOnLoad", ({ detail: { elt, xhr, requestConfig } }) => {
    const isBroken = xhr.status >= 500;
    if (!isBroken) hearAnswer(xhr.getResponseHeader("Date"));
    else if (elt.matches("[hx-trigger^=every]")) countSilence(elt.id, true);
    tellOfSending(requestConfig, false, isBroken);
  });
  for (const kind of /** @type {const} */ (["htmx:sendError", "htmx:timeout"])) {
    document.addEventListener(kind, ({ detail: { elt, requestConfig } }) => {
      if (elt.matches("[hx-trigger^=every]")) countSilence(elt.id, false);
      tellOfSending(requestConfig, true, false);
    });
  }

  // A page that shows what it had is not left for one that does not come. A table's has its own way: table/page.js.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isHere = !link?.href || (link.hash && link.pathname + link.search === location.pathname + location.search);
    if (!isAway || isHere || "hands" in document.body.dataset || !document.getElementById("away")) return;
    event.preventDefault();
    sayAway(isHindered ? "hindered" : "unreachable");
    document.getElementById("away")?.scrollIntoView({ block: "nearest" });
  });

  // Whatever page it is: a hand that waits on this device is sent from it.
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
