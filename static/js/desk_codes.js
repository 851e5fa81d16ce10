/** Reads the QR codes of a table at the desk into the text field of a form, each code once. */

import { FrameCollector, parseFrame } from "./bundle.js";
import { createMessenger, startReader } from "./read_codes.js";

const reader = /** @type {HTMLElement} */ (document.querySelector("[data-reader]"));
const field = /** @type {HTMLTextAreaElement} */ (document.querySelector("#codes textarea"));
const frames = new FrameCollector();
const showMessage = createMessenger(reader);

/** @param {string} text */
function handleCode(text) {
  const frame = parseFrame(text);
  if (frame?.kind !== "H") return showMessage("bundle_other");
  const bundleFrames = frames.add(frame);
  if (!field.value.includes(text)) field.value = `${field.value}${text}\n`;
  showMessage(bundleFrames.length === frame.count ? "whole" : "some", { number: bundleFrames.length, count: frame.count });
}

for (const line of field.value.split("\n")) {
  const frame = parseFrame(line); // its bundle is incomplete
  if (frame) frames.add(frame);
}
startReader(reader, handleCode, () => showMessage("nothing"));
