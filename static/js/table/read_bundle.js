/** Reads the match of this table from the QR codes of the desk, without a network. */

/** @typedef {import("./snapshot.js").TableSnapshot} TableSnapshot */

import { BundleRefusal, FrameCollector, getTableCode, openBundle, parseFrame } from "../bundle.js";
import { createMessenger, startReader } from "../read_codes.js";
import { pickNewer } from "./snapshot.js";

/**
 * @param {HTMLElement} reader with a sentence for each error
 * @param {TableSnapshot} known
 * @param {(known: TableSnapshot) => void} onSnapshot
 * @returns {() => void} stops the camera
 */
export function readBundle(reader, known, onSnapshot) {
  const frames = new FrameCollector();
  const showMessage = createMessenger(reader);

  /** @param {import("../bundle.js").Frame[]} bundleFrames */
  const handleBundle = async (bundleFrames) => {
    try {
      const snapshot = { ...known, move: null, ...await openBundle(bundleFrames, known.bundle_key) };
      if (pickNewer(known, snapshot) === snapshot) onSnapshot(snapshot);
      else showMessage("bundle_old");
    } catch (refusal) {
      showMessage(refusal instanceof BundleRefusal ? refusal.code : "bundle_damaged");
    }
  };

  /** @param {string} text */
  const handleCode = (text) => {
    const frame = parseFrame(text);
    if (frame?.kind !== "R") return showMessage("bundle_other");
    if (frame.code !== getTableCode(known.url)) return showMessage("bundle_foreign");
    const bundleFrames = frames.add(frame);
    showMessage("some", { number: bundleFrames.length, count: frame.count });
    if (bundleFrames.length === frame.count) handleBundle(bundleFrames);
  };

  showMessage("none");
  return startReader(reader, handleCode, () => showMessage("nothing"));
}
