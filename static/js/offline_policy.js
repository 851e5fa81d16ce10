/**
 * Decides what the service worker caches on the phone, and when the cache answers instead of the network. Decisions only:
 * node imports this module as the worker does (`service_worker.js`), which carries them out.
 *
 * @typedef {"table" | "page" | "lasting" | "passing"} Kind
 *   table: the screen of a table, a wall board, or the page that verifies results, as of the last response;
 *   page: any other page, which is not cached;
 *   lasting: a file whose name changes with its content, so that a cached one stays valid;
 *   passing: a file whose name is the same in the next version of the program
 * @typedef {"keep" | "drop" | "leave"} Verdict what to do with the cache entry of the URL
 * @typedef {{method: string, mode: string, url: string}} PageRequest a request, as browsers describe it
 * @typedef {{status: number, type: string, redirected: boolean, headers: {get(name: string): ?string}}} Answer
 */

import { isFromInstallation } from "./receipts.js";

const TABLE_PATH = /^\/t\/\d{6}$/;
const BOARD_PATH = /^(?:\/(?:fr|en))?\/e\/[\w-]+\/board(?:\/\d+)?$/;
const VERIFIER_PATH = /^(?:\/(?:fr|en))?\/c\/[\w-]+\/verify$/;
const LASTING_PATH = /^\/verifier\/|^\/static\/.+\.[0-9a-f]{12}\.\w+$|^\/t\/screens\/[\w-]+\/[\w-]+\.json$/;
const SCREEN_PATHS = [TABLE_PATH, BOARD_PATH, VERIFIER_PATH];
const PASSING_PATH = /^\/static\//;
const LANGUAGE_PREFIX = /^\/(?:fr|en)(?=\/)/;
const TOO_MANY_REQUESTS = 429; // concerns the client, not the table

const OFFLINE_PATH = "/offline";
export const OFFLINE_PAGES = [OFFLINE_PATH, `/fr${OFFLINE_PATH}`, `/en${OFFLINE_PATH}`];

/** @param {PageRequest} request @param {string} origin of the worker @returns {?Kind} null: not handled by the worker */
export function classifyRequest({ method, mode, url }, origin) {
  const { origin: site, pathname } = new URL(url);
  if (method !== "GET" || site !== origin) return null;
  if (mode === "navigate") return SCREEN_PATHS.some((screen) => screen.test(pathname)) ? "table" : "page";
  if (LASTING_PATH.test(pathname)) return "lasting";
  return PASSING_PATH.test(pathname) ? "passing" : null;
}

/** @param {string} url @param {string} origin @returns {?Kind} the kind of a URL that a page wants cached, including its own */
export function classifyUrl(url, origin) {
  const { pathname } = new URL(url);
  const isScreen = SCREEN_PATHS.some((screen) => screen.test(pathname));
  return classifyRequest({ method: "GET", mode: isScreen ? "navigate" : "cors", url }, origin);
}

/**
 * @param {string} url
 * @returns {string} the key in the cache: a table has one, whatever letters or secret its card has; each query of a board
 *   is another board
 */
export function getCacheKey(url) {
  const { pathname, search } = new URL(url);
  return BOARD_PATH.test(pathname) ? pathname + search : pathname;
}

/** @param {string} url of a table or board @returns {boolean} whether it shows its current screen */
export function isCacheablePage(url) {
  const { pathname, searchParams } = new URL(url);
  return BOARD_PATH.test(pathname) || [...searchParams.keys()].every((name) => name === "letters" || name === "card");
}

/** @param {Answer} answer @param {string} installation @returns {Verdict} */
export function decideCaching({ status, redirected, headers }, installation) {
  if (!isFromInstallation(headers, installation)) return "leave";
  if (status === 200 && !redirected) return "keep";
  return status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS ? "drop" : "leave";
}

/**
 * @param {Answer} answer
 * @returns {boolean} whether it is shown rather than the cached page: not the pages of a hall's Wi-Fi, nor server errors,
 *   but those of another installation at this address
 */
export function isUsable({ status, type, headers }) {
  return type === "opaqueredirect" || (headers.get("Charlemagne") !== null && status < 500);
}

/** @param {string} url of a page that cannot be loaded @returns {string} the offline page in its language */
export function getOfflinePage(url) {
  return `${LANGUAGE_PREFIX.exec(new URL(url).pathname)?.[0] ?? ""}${OFFLINE_PATH}`;
}
