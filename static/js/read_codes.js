/**
 * Reads QR codes from photos, and from the camera if the browser gives the page one, which it does only over HTTPS.
 */

import { decodeQR } from "../vendor/qr/decode.js";

const MAX_PIXELS = 1_600;
const DECODE_TIMEOUT = 4_000;

/** @returns {Promise<?BarcodeDetector>} that of the browser, if it has one */
async function createDetector() {
  try {
    const formats = await BarcodeDetector.getSupportedFormats();
    return formats.includes("qr_code") ? new BarcodeDetector({ formats: ["qr_code"] }) : null;
  } catch {
    return null;
  }
}

const detector = createDetector();

/** @param {CanvasImageSource} image @param {number} width @param {number} height @param {number} maxSize */
function readPixels(image, width, height, maxSize) {
  const scale = Math.min(1, maxSize / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** @param {ImageData} pixels @param {{effort?: number, timeLimit?: number}} [options] @returns {string[]} */
function decodePixels(pixels, options) {
  try {
    return [decodeQR(pixels, options)];
  } catch {
    return []; // no QR code
  }
}

/** @param {Blob} photo @returns {Promise<string[]>} the texts of its QR codes */
async function readPhoto(photo) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(photo);
  } catch {
    return []; // not a picture
  }
  const seen = await (await detector)?.detect(bitmap).catch(() => []);
  if (seen?.length) return seen.map(({ rawValue }) => rawValue);
  const pixels = readPixels(bitmap, bitmap.width, bitmap.height, MAX_PIXELS);
  return decodePixels(pixels, { effort: Infinity, timeLimit: DECODE_TIMEOUT });
}

/**
 * @param {HTMLElement} reader with a sentence for each message
 * @returns {(name: string, values?: Record<string, number>) => void} shows one of them
 */
export function createMessenger(reader) {
  const status = /** @type {HTMLElement} */ (reader.querySelector("[data-status]"));
  return (name, values = {}) => {
    const text = (reader.dataset[name] ?? "").replace(/\{(\w+)\}/g, (_, word) => `${values[word]}`);
    if (status.textContent !== text) status.textContent = text;
  };
}

/** @returns {boolean} whether this page can use a camera */
function hasCamera() {
  return Boolean(navigator.mediaDevices?.getUserMedia);
}

/**
 * Scans the camera image until it is stopped.
 *
 * @param {HTMLVideoElement} video
 * @param {(text: string) => void} onText called for each code, repeatedly
 * @returns {Promise<() => void>} stops it
 */
async function watchCamera(video, onText) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  video.srcObject = stream;
  await video.play();
  let isOn = true;
  const scanFrame = async () => {
    if (!isOn) return;
    const { videoWidth: width, videoHeight: height } = video;
    const seen = width ? await (await detector)?.detect(video).catch(() => []) : [];
    const texts = seen?.length || !width ? (seen ?? []).map(({ rawValue }) => rawValue)
      : decodePixels(readPixels(video, width, height, MAX_PIXELS));
    texts.forEach(onText);
    setTimeout(scanFrame, 100);
  };
  scanFrame();
  return () => {
    isOn = false;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
}

/**
 * Starts the code reader of a page (templates/scoring/code_reader.html), with photos and, if there is one, the camera.
 *
 * @param {HTMLElement} reader
 * @param {(text: string) => void} onText
 * @param {() => void} onNoCode called for a photo without a code
 * @returns {() => void} stops the camera
 */
export function startReader(reader, onText, onNoCode) {
  const photos = /** @type {HTMLInputElement} */ (reader.querySelector("input[type=file]"));
  const video = /** @type {HTMLVideoElement} */ (reader.querySelector("video"));
  const button = /** @type {HTMLButtonElement} */ (reader.querySelector("[data-camera]"));
  const controller = new AbortController();
  photos.disabled = false; // disabled until this script is loaded
  let stopCamera = () => {};
  photos.addEventListener("change", async () => {
    for (const photo of [...photos.files ?? []]) {
      const texts = await readPhoto(photo);
      texts.forEach(onText);
      if (!texts.length) onNoCode();
    }
    photos.value = "";
  }, controller);
  button.hidden = !hasCamera();
  button.addEventListener("click", async () => {
    try {
      video.hidden = false;
      stopCamera = await watchCamera(video, onText);
    } catch {
      button.hidden = video.hidden = true; // no camera, or no permission: use photos
    }
  }, controller);
  return () => {
    controller.abort();
    stopCamera();
    video.hidden = true;
  };
}
