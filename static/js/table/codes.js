/**
 * Exchanges hands with the desk by QR codes, without any network: shows the waiting entries, and reads the codes of the
 * desk. The modules for it are loaded after the table, while there still is a network.
 */

import { outbox, store } from "../sender.js";

const { hands: url = "" } = document.body.dataset;
const { installation = "" } = document.documentElement.dataset;
const showDialog = /** @type {HTMLDialogElement} */ (document.getElementById("show-codes"));
const readDialog = /** @type {HTMLDialogElement} */ (document.getElementById("read-codes"));

/** @type {?typeof import("./show_bundle.js")} */
let bundleViewer = null;
/** @type {?typeof import("./read_bundle.js")} */
let bundleReader = null;
let stopCamera = () => {};

async function loadModules() {
  if (bundleReader) return;
  try {
    bundleViewer = await import(showDialog.dataset.module ?? "");
    bundleReader = await import(readDialog.dataset.module ?? "");
    document.body.dataset.codes = "";
  } catch { /* retried at the next sign of a network */ }
}

/** @param {string} table @returns {Promise<?import("./snapshot.js").TableSnapshot>} */
async function loadSnapshot(table) {
  return (await store.get(`${installation} ${table}`))?.known ?? null;
}

/** @param {HTMLDialogElement} dialog */
function openDialog(dialog) {
  dialog.hidden = false;
  dialog.showModal();
}

async function showCodes() {
  const frames = await bundleViewer?.buildWaitingFrames(await outbox.listEntries(), loadSnapshot) ?? [];
  /** @type {NodeListOf<HTMLElement>} */
  const sections = showDialog.querySelectorAll("[data-pages], [data-none]");
  const [framesSection, emptySection] = sections;
  framesSection.hidden = !frames.length;
  emptySection.hidden = frames.length > 0;
  bundleViewer?.showFrames(framesSection, frames);
  openDialog(showDialog);
}

async function readCodes() {
  const known = await loadSnapshot(url);
  if (!known || !bundleReader) return;
  const reader = /** @type {HTMLElement} */ (readDialog.querySelector("[data-reader]"));
  stopCamera = bundleReader.readBundle(reader, known, (snapshot) => {
    document.dispatchEvent(new CustomEvent("table:learn", { detail: snapshot }));
    readDialog.close();
  });
  openDialog(readDialog);
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-codes]") : null;
  if (button?.matches("[data-codes=show]")) showCodes();
  if (button?.matches("[data-codes=read]")) readCodes();
});

for (const dialog of [showDialog, readDialog]) {
  dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.hidden = true;
    stopCamera();
    bundleViewer?.hideFrames(dialog);
  });
}

const loadLater = () => setTimeout(loadModules); // after everything that the table itself needs
if (document.readyState === "complete") loadLater();
else addEventListener("load", loadLater, { once: true });
document.addEventListener("network:back", loadModules);
