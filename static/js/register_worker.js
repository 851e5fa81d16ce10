/**
 * Registers the service worker, which caches this table or board, if the browser allows one: over trusted HTTPS or on the
 * same computer. Sends it the URLs that were loaded before it was active, at each load: the browser may have evicted them.
 */

function cachePage() {
  const { program = location.pathname } = document.body.dataset;
  const paths = [location.pathname + location.search, program].map((path) => new URL(path, location.origin).href);
  const claimedAt = performance.now();
  const observer = new PerformanceObserver((list) => {
    cacheUrls(list.getEntries().filter(({ startTime }) => startTime < claimedAt).map(({ name }) => name));
  });
  observer.observe({ entryTypes: ["resource"] });
  cacheUrls([...paths, ...performance.getEntriesByType("resource").map(({ name }) => name)]);
}

/** @param {string[]} urls */
function cacheUrls(urls) {
  if (urls.length) navigator.serviceWorker.controller?.postMessage([...new Set(urls)]);
}

if (isSecureContext && navigator.serviceWorker) {
  navigator.serviceWorker.addEventListener("controllerchange", cachePage);
  cachePage();
  navigator.serviceWorker.register("/service-worker.js", { type: "module" }).catch(() => {}); // then nothing is cached
}

export {}; // loaded as a module, which runs once
