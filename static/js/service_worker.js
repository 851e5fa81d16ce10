/**
 * Opens a table or a board again without a network: keeps its page as it was last answered, and the files that it is made of.
 * It is served at the root (`server/offline.py`), so that it answers for the whole site; browsers run it in a secure
 * context only. It sends nothing by itself: hands wait in the outbox of the page. What a push brings, it shows. What is kept and when it is
 * shown is decided in `offline_policy.js`.
 */

import { isShown, isWholeTable, keyOf, kindOf, kindToKeep, OFFLINE_PAGES, offlinePageOf, verdictOn } from "./offline_policy.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const OURS = "charlemagne ";
const CACHE = OURS + KEPT.version;
const PATIENCE = 3_000; // milliseconds that somebody at a table waits for a network that is silent
const SILENCE = 10_000; // after which it is waited for again

let silentUntil = 0;

/** @param {string} url @returns {Promise<Response | undefined>} nothing either where the browser has lost its caches */
async function keptAt(url) {
  try {
    return await (await caches.open(CACHE)).match(keyOf(url), { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** @param {string} url @param {Response} answer of which this is a copy, as it is read here to its end */
async function take(url, answer) {
  const cache = await caches.open(CACHE);
  const verdict = verdictOn(answer, KEPT.installation);
  if (verdict === "keep") await cache.put(keyOf(url), answer);
  if (verdict === "drop") await cache.delete(keyOf(url));
}

/** @param {FetchEvent} event @returns {Promise<Response>} from the network, and taken from there */
async function ask(event) {
  const answer = await fetch(event.request);
  const taken = answer.clone();
  if (isWholeTable(event.request.url)) event.waitUntil(take(event.request.url, taken));
  silentUntil = 0;
  return answer;
}

/** @param {number} milliseconds @returns {Promise<void>} */
function pause(milliseconds) {
  return new Promise((done) => { setTimeout(done, milliseconds); });
}

/** @param {FetchEvent} event @returns {Promise<Response>} the network's; what is kept where that says nothing in time */
async function newest(event) {
  const kept = await keptAt(event.request.url);
  const asked = ask(event);
  if (!kept) return asked;
  const giveUp = () => {
    silentUntil = Date.now() + SILENCE;
    return kept;
  };
  event.waitUntil(asked.catch(() => {})); // an answer that comes late is kept all the same
  return Promise.race([
    asked.then((answer) => (isShown(answer) ? answer : kept), giveUp),
    pause(PATIENCE).then(giveUp),
  ]);
}

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function oldest(event) {
  return (await keptAt(event.request.url)) ?? ask(event);
}

/** @param {FetchEvent} event @param {Promise<Response>} answer @returns {Promise<Response>} it, or that there is no network */
async function orOffline({ request }, answer) {
  try {
    return await answer;
  } catch (unreachable) {
    return (await keptAt(new URL(offlinePageOf(request.url), request.url).href)) ?? Response.error();
  }
}

/** @type {Record<import("./offline_policy.js").Kind, (event: FetchEvent) => Promise<Response>>} */
const ANSWERS = {
  table: (event) => orOffline(event, newest(event)),
  page: (event) => orOffline(event, fetch(event.request)),
  lasting: oldest,
  passing: (event) => (Date.now() < silentUntil ? oldest(event) : newest(event)),
};

/** @param {string[]} urls of a page that this worker has not answered, or keeps no more, and of all that it is made of */
async function keepAll(urls) {
  await Promise.allSettled(urls.map(async (url) => {
    const kind = kindToKeep(url, worker.location.origin);
    if (kind && kind !== "page") await keepOne(url);
  }));
}

/** @param {string} url is asked for unless it is kept */
async function keepOne(url) {
  if (!await keptAt(url)) await take(url, await fetch(keyOf(url)));
}

async function keepOfflinePages() {
  await Promise.all(OFFLINE_PAGES.map((path) => keepOne(worker.location.origin + path)));
}

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(keepOfflinePages());
});

worker.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(OURS) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  })());
});

worker.addEventListener("fetch", (event) => {
  const kind = kindOf(event.request, worker.location.origin);
  if (kind) event.respondWith(ANSWERS[kind](event));
});

worker.addEventListener("message", (event) => {
  event.waitUntil(Promise.allSettled([keepOfflinePages(), keepAll(event.data)]));
});

/** @typedef {{title: string, body: string, page: string, lang: string, tag: string}} Told by `alerts/channels/web_push.py` */

worker.addEventListener("push", (event) => {
  /** @type {Told} */
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
