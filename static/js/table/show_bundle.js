/** Draws the waiting entries of this phone as QR codes for the desk, without a network. */

import { stopTurning, turnPages } from "../turn_pages.js";
import encodeQR from "../../vendor/qr/index.js";

export { buildWaitingFrames } from "../bundle.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** @param {string} text @param {string} label @returns {SVGElement} its QR code */
function drawCode(text, label) {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 1 });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  const svg = document.createElementNS(SVG_NAMESPACE, "svg");
  svg.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.setAttribute("class", "qr");
  svg.append(document.createElementNS(SVG_NAMESPACE, "path"));
  svg.firstElementChild?.setAttribute("d", path);
  return svg;
}

/** @param {HTMLElement} pages @param {string[]} frames */
export function showFrames(pages, frames) {
  const { one = "" } = pages.dataset;
  const list = /** @type {HTMLElement} */ (pages.querySelector("ol"));
  list.replaceChildren(...frames.map((text, place) => {
    const item = document.createElement("li");
    item.append(drawCode(text, one.replace("{number}", `${place + 1}`).replace("{count}", `${frames.length}`)));
    return item;
  }));
  turnPages(pages);
}

/** @param {HTMLElement} dialog */
export function hideFrames(dialog) {
  for (const pages of dialog.querySelectorAll("[data-pages]")) stopTurning(/** @type {HTMLElement} */ (pages));
}
