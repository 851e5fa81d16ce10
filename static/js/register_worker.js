/**
 * Has the service worker keep this table or board, where the browser allows one: by https that the phone trusts, or on this
 * very computer. Elsewhere it is as ever. What was fetched before the worker was there is told to it, and what was on its way;
 * and each time the page is loaded, for a browser may have evicted what was kept.
 */

function keepThis() {
  const { program = location.pathname } = document.body.dataset;
  const paths = [location.pathname + location.search, program].map((path) => new URL(path, location.origin).href);
  const claimedAt = performance.now();
  const onTheirWay = new PerformanceObserver((list) => {
    keep(list.getEntries().filter(({ startTime }) => startTime < claimedAt).map(({ name }) => name));
  });
  onTheirWay.observe({ entryTypes: ["resource"] });
  keep([...paths, ...performance.getEntriesByType("resource").map(({ name }) => name)]);
}

/** @param {string[]} urls */
function keep(urls) {
  if (urls.length) navigator.serviceWorker.controller?.postMessage([...new Set(urls)]);
}

if (isSecureContext && navigator.serviceWorker) {
  navigator.serviceWorker.addEventListener("controllerchange", keepThis);
  keepThis();
  navigator.serviceWorker.register("/service-worker.js", { type: "module" }).catch(() => {}); // then as ever
}

export {}; // loaded as a module, which is there once
