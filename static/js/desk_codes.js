/** The desk's page for the codes of a table: what is read goes into the form as text, each code once. */

import { Frames, readFrame } from "./bundle.js";
import { readWith, voiceOf } from "./read_codes.js";

const reader = /** @type {HTMLElement} */ (document.querySelector("[data-reader]"));
const field = /** @type {HTMLTextAreaElement} */ (document.querySelector("#codes textarea"));
const frames = new Frames();
const say = voiceOf(reader);

/** @param {string} text */
function take(text) {
  const frame = readFrame(text);
  if (frame?.kind !== "H") return say("bundle_other");
  const there = frames.add(frame);
  if (!field.value.includes(text)) field.value = `${field.value}${text}\n`;
  say(there.length === frame.count ? "whole" : "some", { number: there.length, count: frame.count });
}

for (const line of field.value.split("\n")) {
  const frame = readFrame(line); // the others of its bundle are missing
  if (frame) frames.add(frame);
}
readWith(reader, take, () => say("nothing"));
