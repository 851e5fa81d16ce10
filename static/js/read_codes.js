/**
 * Reads QR codes: from photos, on any page, and from the camera, where the browser gives one to the page, which it
 * does not on a plain address of a hall.
 */

import { decodeQR } from "../vendor/qr/decode.js";

const MOST_PIXELS = 1_600;
const PATIENCE = 4_000;

/** @returns {Promise<?BarcodeDetector>} the browser's own, where it has one */
async function ownDetector() {
  try {
    const formats = await BarcodeDetector.getSupportedFormats();
    return formats.includes("qr_code") ? new BarcodeDetector({ formats: ["qr_code"] }) : null;
  } catch {
    return null;
  }
}

const detector = ownDetector();

/** @param {CanvasImageSource} image @param {number} width @param {number} height @param {number} most */
function pixelsOf(image, width, height, most) {
  const scale = Math.min(1, most / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** @param {ImageData} pixels @param {{effort?: number, timeLimit?: number}} [more] @returns {string[]} */
function decodePixels(pixels, more) {
  try {
    return [decodeQR(pixels, more)];
  } catch {
    return []; // no code in it
  }
}

/** @param {Blob} photo @returns {Promise<string[]>} the texts of the codes in it */
async function readPhoto(photo) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(photo);
  } catch {
    return []; // no picture
  }
  const seen = await (await detector)?.detect(bitmap).catch(() => []);
  if (seen?.length) return seen.map(({ rawValue }) => rawValue);
  return decodePixels(pixelsOf(bitmap, bitmap.width, bitmap.height, MOST_PIXELS), { effort: Infinity, timeLimit: PATIENCE });
}

/**
 * @param {HTMLElement} reader which has a sentence for each thing that there is to say
 * @returns {(name: string, values?: Record<string, number>) => void} what says one of them, once
 */
export function voiceOf(reader) {
  const status = /** @type {HTMLElement} */ (reader.querySelector("[data-status]"));
  return (name, values = {}) => {
    const text = (reader.dataset[name] ?? "").replace(/\{(\w+)\}/g, (_, word) => `${values[word]}`);
    if (status.textContent !== text) status.textContent = text;
  };
}

/** @returns {boolean} whether the browser gives this page a camera */
function hasCamera() {
  return Boolean(navigator.mediaDevices?.getUserMedia);
}

/**
 * Looks through the camera until it is stopped.
 *
 * @param {HTMLVideoElement} video
 * @param {(text: string) => void} onText for each code that is seen, again and again
 * @returns {Promise<() => void>} what stops it
 */
async function watchCamera(video, onText) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  video.srcObject = stream;
  await video.play();
  let isOn = true;
  const look = async () => {
    if (!isOn) return;
    const { videoWidth: width, videoHeight: height } = video;
    const seen = width ? await (await detector)?.detect(video).catch(() => []) : [];
    const texts = seen?.length || !width ? (seen ?? []).map(({ rawValue }) => rawValue)
      : decodePixels(pixelsOf(video, width, height, MOST_PIXELS));
    texts.forEach(onText);
    setTimeout(look, 100);
  };
  look();
  return () => {
    isOn = false;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
}

/**
 * The part of a page where codes are read (templates/scoring/code_reader.html): photos, and the camera where there is one.
 *
 * @param {HTMLElement} reader
 * @param {(text: string) => void} onText
 * @param {() => void} onNothing a photo had no code in it
 * @returns {() => void} what stops the camera
 */
export function readWith(reader, onText, onNothing) {
  const photos = /** @type {HTMLInputElement} */ (reader.querySelector("input[type=file]"));
  const video = /** @type {HTMLVideoElement} */ (reader.querySelector("video"));
  const button = /** @type {HTMLButtonElement} */ (reader.querySelector("[data-camera]"));
  const end = new AbortController();
  photos.disabled = false; // before, nobody would have read them
  let stop = () => {};
  photos.addEventListener("change", async () => {
    for (const photo of [...photos.files ?? []]) {
      const texts = await readPhoto(photo);
      texts.forEach(onText);
      if (!texts.length) onNothing();
    }
    photos.value = "";
  }, end);
  button.hidden = !hasCamera();
  button.addEventListener("click", async () => {
    try {
      video.hidden = false;
      stop = await watchCamera(video, onText);
    } catch {
      button.hidden = video.hidden = true; // there is none, or it is not given: photos are left
    }
  }, end);
  return () => {
    end.abort();
    stop();
    video.hidden = true;
  };
}
