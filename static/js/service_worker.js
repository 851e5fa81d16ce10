/**
 * Opens a table or board without a network: caches its last page and the files that it needs, and shows push messages.
 * Served at the root (`server/offline.py`), so that it covers the whole site; browsers run it in a secure context only.
 * It sends no hands: those wait in the outbox of the page. `offline_policy.js` decides what is cached and when it is shown.
 */

import {
  OFFLINE_PAGES, classifyRequest, classifyUrl, decideCaching, getCacheKey, getOfflinePage, isCacheablePage, isUsable,
} from "./offline_policy.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE_PREFIX = "charlemagne ";
const CACHE_NAME = CACHE_PREFIX + KEPT.version;
const TIMEOUT = 3_000; // milliseconds that a table waits for the network
const SILENCE_DURATION = 10_000; // milliseconds, after which the network is waited for again

let silentUntil = 0;

/** @param {string} url @returns {Promise<Response | undefined>} undefined also if the browser has lost its caches */
async function findCached(url) {
  try {
    return await (await caches.open(CACHE_NAME)).match(getCacheKey(url), { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** @param {string} url @param {Response} answer a copy, since its body is read */
async function updateCache(url, answer) {
  const cache = await caches.open(CACHE_NAME);
  const verdict = decideCaching(answer, KEPT.installation);
  if (verdict === "keep") await cache.put(getCacheKey(url), answer);
  if (verdict === "drop") await cache.delete(getCacheKey(url));
}

/** @param {FetchEvent} event @returns {Promise<Response>} from the network, and cached */
async function fetchAndCache(event) {
  const answer = await fetch(event.request);
  const copy = answer.clone();
  if (isCacheablePage(event.request.url)) event.waitUntil(updateCache(event.request.url, copy));
  silentUntil = 0;
  return answer;
}

/** @param {number} milliseconds @returns {Promise<void>} */
function wait(milliseconds) {
  return new Promise((done) => { setTimeout(done, milliseconds); });
}

/** @param {FetchEvent} event @returns {Promise<Response>} from the network, or from the cache if that is too slow */
async function networkFirst(event) {
  const cached = await findCached(event.request.url);
  const request = fetchAndCache(event);
  if (!cached) return request;
  const giveUp = () => {
    silentUntil = Date.now() + SILENCE_DURATION;
    return cached;
  };
  event.waitUntil(request.catch(() => {})); // a late response is still cached
  return Promise.race([
    request.then((answer) => (isUsable(answer) ? answer : cached), giveUp),
    wait(TIMEOUT).then(giveUp),
  ]);
}

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function cacheFirst(event) {
  return (await findCached(event.request.url)) ?? fetchAndCache(event);
}

/** @param {FetchEvent} event @param {Promise<Response>} answer @returns {Promise<Response>} the response, or the offline page */
async function withOfflinePage({ request }, answer) {
  try {
    return await answer;
  } catch (error) {
    return (await findCached(new URL(getOfflinePage(request.url), request.url).href)) ?? Response.error();
  }
}

/** @type {Record<import("./offline_policy.js").Kind, (event: FetchEvent) => Promise<Response>>} */
const STRATEGIES = {
  table: (event) => withOfflinePage(event, networkFirst(event)),
  page: (event) => withOfflinePage(event, fetch(event.request)),
  lasting: cacheFirst,
  passing: (event) => (Date.now() < silentUntil ? cacheFirst(event) : networkFirst(event)),
};

/** @param {string[]} urls of a page that is not cached, and of its files */
async function cacheAll(urls) {
  await Promise.allSettled(urls.map(async (url) => {
    const kind = classifyUrl(url, worker.location.origin);
    if (kind && kind !== "page") await cacheIfMissing(url);
  }));
}

/** @param {string} url fetched unless it is cached */
async function cacheIfMissing(url) {
  if (!await findCached(url)) await updateCache(url, await fetch(getCacheKey(url)));
}

async function cacheOfflinePages() {
  await Promise.all(OFFLINE_PAGES.map((path) => cacheIfMissing(worker.location.origin + path)));
}

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(cacheOfflinePages());
});

worker.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  })());
});

worker.addEventListener("fetch", (event) => {
  const kind = classifyRequest(event.request, worker.location.origin);
  if (kind) event.respondWith(STRATEGIES[kind](event));
});

worker.addEventListener("message", (event) => {
  event.waitUntil(Promise.allSettled([cacheOfflinePages(), cacheAll(event.data)]));
});

/**
 * @typedef {{title: string, body: string, page: string, lang: string, tag: string}} PushMessage sent by
 *   `alerts/channels/web_push.py`
 */

worker.addEventListener("push", (event) => {
  /** @type {PushMessage} */
  const { title, page, ...options } = event.data?.json();
  event.waitUntil(worker.registration.showNotification(title, { ...options, data: page }));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data, worker.location.origin).href;
  event.waitUntil((async () => {
    const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((page) => page.url.split(/[?#]/)[0].endsWith(new URL(address).pathname));
    await (there ? there.focus() : worker.clients.openWindow(address));
  })());
});
