/**
 * What the service worker keeps on the phone, and when that answers instead of the network. Decisions only: node
 * imports this module as the worker does, which carries them out (`service_worker.js`).
 *
 * @typedef {"table" | "page" | "lasting" | "passing"} Kind
 *   table: the screen of a table, a board on a wall, or the page that checks results, as it was last answered;
 *   page: any other page, of which nothing is kept;
 *   lasting: a file whose name changes with its content, so that the kept one is right for ever;
 *   passing: a file under its plain name, which the next version of the program has as well
 * @typedef {"keep" | "drop" | "leave"} Verdict what an answer means for what is kept at its address
 * @typedef {{method: string, mode: string, url: string}} Asked as browsers describe a request
 * @typedef {{status: number, type: string, redirected: boolean, headers: {get(name: string): ?string}}} Answer
 */

import { isOurs } from "./answers.js";

const TABLE = /^\/t\/\d{6}$/;
const BOARD = /^(?:\/(?:fr|en))?\/e\/[\w-]+\/board(?:\/\d+)?$/;
const VERIFIER = /^(?:\/(?:fr|en))?\/c\/[\w-]+\/verify$/;
const LASTING = /^\/verifier\/|^\/static\/.+\.[0-9a-f]{12}\.\w+$|^\/t\/screens\/[\w-]+\/[\w-]+\.json$/;
const SCREENS = [TABLE, BOARD, VERIFIER];
const PASSING = /^\/static\//;
const LANGUAGE = /^\/(?:fr|en)(?=\/)/;
const TOO_MANY = 429; // says nothing of the table, only of who asked

const OFFLINE = "/offline";
export const OFFLINE_PAGES = [OFFLINE, `/fr${OFFLINE}`, `/en${OFFLINE}`];

/** @param {Asked} asked @param {string} origin of the worker @returns {?Kind} null: the worker stays out of it */
export function kindOf({ method, mode, url }, origin) {
  const { origin: site, pathname } = new URL(url);
  if (method !== "GET" || site !== origin) return null;
  if (mode === "navigate") return SCREENS.some((screen) => screen.test(pathname)) ? "table" : "page";
  if (LASTING.test(pathname)) return "lasting";
  return PASSING.test(pathname) ? "passing" : null;
}

/** @param {string} url @param {string} origin @returns {?Kind} of what a page asks to be kept, itself among it */
export function kindToKeep(url, origin) {
  const { pathname } = new URL(url);
  const isScreen = SCREENS.some((screen) => screen.test(pathname));
  return kindOf({ method: "GET", mode: isScreen ? "navigate" : "cors", url }, origin);
}

/**
 * @param {string} url
 * @returns {string} where it is kept: a card's letters and secret open the same table as its code; what a board is asked for is
 *   another board
 */
export function keyOf(url) {
  const { pathname, search } = new URL(url);
  return BOARD.test(pathname) ? pathname + search : pathname;
}

/** @param {string} url of a table or board @returns {boolean} whether it shows that itself, and no part of its past */
export function isWholeTable(url) {
  const { pathname, searchParams } = new URL(url);
  return BOARD.test(pathname) || [...searchParams.keys()].every((name) => name === "letters" || name === "card");
}

/** @param {Answer} answer @param {string} installation @returns {Verdict} */
export function verdictOn({ status, redirected, headers }, installation) {
  if (!isOurs(headers, installation)) return "leave";
  if (status === 200 && !redirected) return "keep";
  return status >= 400 && status < 500 && status !== TOO_MANY ? "drop" : "leave";
}

/**
 * @param {Answer} answer
 * @returns {boolean} whether it is shown though a page is kept. What a hall's Wi-Fi answers is no answer, nor is a
 *   server that has failed; another installation at this address is.
 */
export function isShown({ status, type, headers }) {
  return type === "opaqueredirect" || (headers.get("Charlemagne") !== null && status < 500);
}

/** @param {string} url of a page that is out of reach @returns {string} what is shown there, in its language */
export function offlinePageOf(url) {
  return `${LANGUAGE.exec(new URL(url).pathname)?.[0] ?? ""}${OFFLINE}`;
}
