/**
 * Where no network is at all: what waits on this phone is shown to the desk as codes, and the desk's codes are read.
 * What draws and reads them is fetched once the table is there, while there still is a network, and kept in the page.
 */

import { outbox, store } from "../sender.js";

const { hands: url = "" } = document.body.dataset;
const { installation = "" } = document.documentElement.dataset;
const showing = /** @type {HTMLDialogElement} */ (document.getElementById("show-codes"));
const reading = /** @type {HTMLDialogElement} */ (document.getElementById("read-codes"));

/** @type {?typeof import("./show_bundle.js")} */
let shower = null;
/** @type {?typeof import("./read_bundle.js")} */
let reader = null;
let stopCamera = () => {};

async function load() {
  if (reader) return;
  try {
    shower = await import(showing.dataset.module ?? "");
    reader = await import(reading.dataset.module ?? "");
    document.body.dataset.codes = "";
  } catch { /* with the next sign of a network again */ }
}

/** @param {string} table @returns {Promise<?import("./known.js").Known>} */
async function knownOf(table) {
  return (await store.get(`${installation} ${table}`))?.known ?? null;
}

/** @param {HTMLDialogElement} dialog */
function open(dialog) {
  dialog.hidden = false;
  dialog.showModal();
}

async function show() {
  const frames = await shower?.framesToShow(await outbox.entries(), knownOf) ?? [];
  const [some, none] = /** @type {NodeListOf<HTMLElement>} */ (showing.querySelectorAll("[data-pages], [data-none]"));
  some.hidden = !frames.length;
  none.hidden = frames.length > 0;
  shower?.showFrames(some, frames);
  open(showing);
}

async function read() {
  const known = await knownOf(url);
  if (!known || !reader) return;
  stopCamera = reader.readRound(/** @type {HTMLElement} */ (reading.querySelector("[data-reader]")), known, (heard) => {
    document.dispatchEvent(new CustomEvent("table:learn", { detail: heard }));
    reading.close();
  });
  open(reading);
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-codes]") : null;
  if (button?.matches("[data-codes=show]")) show();
  if (button?.matches("[data-codes=read]")) read();
});

for (const dialog of [showing, reading]) {
  dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.hidden = true;
    stopCamera();
    shower?.hideFrames(dialog);
  });
}

const loadLast = () => setTimeout(load); // after all that the table itself needs
if (document.readyState === "complete") loadLast();
else addEventListener("load", loadLast, { once: true });
document.addEventListener("network:back", load);
