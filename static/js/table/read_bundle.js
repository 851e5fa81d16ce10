/** What the desk says of this table's match, read from its codes where no network brings it. */

/** @typedef {import("./known.js").Known} Known */

import { BundleRefusal, codeOf, Frames, openBundle, readFrame } from "../bundle.js";
import { readWith, voiceOf } from "../read_codes.js";
import { newer } from "./known.js";

/**
 * @param {HTMLElement} reader which has a sentence for each thing that can be wrong
 * @param {Known} known
 * @param {(known: Known) => void} onKnown
 * @returns {() => void} what stops the camera
 */
export function readRound(reader, known, onKnown) {
  const frames = new Frames();
  const say = voiceOf(reader);

  /** @param {import("../bundle.js").Frame[]} whole */
  const learn = async (whole) => {
    try {
      const heard = { ...known, move: null, ...await openBundle(whole, known.bundle_key) };
      if (newer(known, heard) === heard) onKnown(heard);
      else say("bundle_old");
    } catch (refusal) {
      say(refusal instanceof BundleRefusal ? refusal.code : "bundle_damaged");
    }
  };

  /** @param {string} text */
  const take = (text) => {
    const frame = readFrame(text);
    if (frame?.kind !== "R") return say("bundle_other");
    if (frame.code !== codeOf(known.url)) return say("bundle_foreign");
    const there = frames.add(frame);
    say("some", { number: there.length, count: frame.count });
    if (there.length === frame.count) learn(there);
  };

  say("none");
  return readWith(reader, take, () => say("nothing"));
}
