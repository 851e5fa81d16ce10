/**
 * Has the service worker keep this table or board, where the browser allows one: by https that the phone trusts, or on this
 * very computer. Elsewhere it is as ever. What was fetched before the worker was there is told to it.
 */

function keepThis() {
  const { program = location.pathname } = document.body.dataset;
  const fetched = performance.getEntriesByType("resource").map(({ name }) => name);
  const paths = [location.pathname + location.search, program].map((path) => new URL(path, location.origin).href);
  navigator.serviceWorker.controller?.postMessage([...new Set([...paths, ...fetched])]);
}

if (isSecureContext && navigator.serviceWorker) {
  navigator.serviceWorker.addEventListener("controllerchange", keepThis);
  navigator.serviceWorker.register("/service-worker.js", { type: "module" }).catch(() => {}); // then as ever
}

export {}; // loaded as a module, which is there once
