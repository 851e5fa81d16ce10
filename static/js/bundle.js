/**
 * Encodes and decodes the QR codes that a table and the desk exchange without a network, like `scoring/bundles.py`,
 * which describes their format. Uses no page: node imports this module as browsers do.
 *
 * @typedef {"H" | "R"} Kind hands from a table, or the round from the desk
 * @typedef {{kind: Kind, code: string, name: string, number: number, count: number, part: string}} Frame
 */

import { sha256 } from "../vendor/sha256.min.js";
import { countWaitSeconds } from "./outbox.js";

const FRAME_LENGTH = 440;
const SEAL_LENGTH = 16;
const NAME_LENGTH = 8;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const FRAME = /^CHM1:([HR]):(\d{6}):([A-Z2-7]{8}):(\d{1,2})\/(\d{1,2}):([A-Z2-7]+)\.$/;

/** Refusal of a bundle; `code` names the sentence. */
export class BundleRefusal extends Error {
  /** @param {"bundle_damaged" | "bundle_foreign" | "bundle_too_new"} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** @param {string} table its address @returns {string} the code on its card */
export function getTableCode(table) {
  return table.slice(-6);
}

/** @param {Kind} kind @param {string} code @param {object} value @param {string} key @returns {Promise<string[]>} */
export async function buildFrames(kind, code, value, key) {
  const content = await compress(new TextEncoder().encode(JSON.stringify(value)));
  const text = encodeBase32(concat(content, computeSeal(kind, code, content, key)));
  const count = Math.ceil(text.length / FRAME_LENGTH);
  const head = `CHM1:${kind}:${code}:${computeName(kind, code, text)}`;
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, place) => {
    const part = text.slice(place * size, (place + 1) * size);
    return `${head}:${place + 1}/${count}:${part}.`;
  });
}

/**
 * @param {import("./outbox.js").Entry} entry
 * @returns {{path: string, values: Record<string, string>}} the entry as the desk reads it
 */
function serializeEntry(entry) {
  const { path, table, values } = entry;
  const all = { ...values, waited: String(countWaitSeconds(entry)) };
  const filledValues = Object.entries(all).filter(([, value]) => value !== "");
  return { path: path.slice(table.length), values: Object.fromEntries(filledValues) };
}

/**
 * Builds the texts of the QR codes for all waiting entries of this phone, table by table. Entries with an open question
 * are left out.
 *
 * @param {import("./outbox.js").Entry[]} entries
 * @param {(table: string) => Promise<?import("./table/snapshot.js").TableSnapshot>} loadSnapshot
 * @returns {Promise<string[]>}
 */
export async function buildWaitingFrames(entries, loadSnapshot) {
  const waiting = entries.filter(({ state }) => state === "kept" || state === "sending");
  const frames = [...new Set(waiting.map(({ table }) => table))].map(async (table) => {
    const known = await loadSnapshot(table);
    if (!known) return [];
    const serialized = waiting.filter((entry) => entry.table === table).map(serializeEntry);
    return buildFrames("H", getTableCode(table), { device: known.device, entries: serialized }, known.bundle_key);
  });
  return (await Promise.all(frames)).flat();
}

/** @param {string} text of one QR code @returns {?Frame} null for any other code */
export function parseFrame(text) {
  const found = FRAME.exec(text.trim().toUpperCase());
  if (!found) return null;
  const [, kind, code, name, number, count, part] = found;
  return { kind: /** @type {Kind} */ (kind), code, name, number: Number(number), count: Number(count), part };
}

/** Collects the frames that were read, by bundle. */
export class FrameCollector {
  /** @type {Map<string, Map<number, Frame>>} */
  bundles = new Map();

  /** @param {Frame} frame @returns {Frame[]} the frames of its bundle so far, in order */
  add(frame) {
    const bundle = `${frame.kind} ${frame.code} ${frame.name} ${frame.count}`;
    if (!this.bundles.has(bundle)) this.bundles.set(bundle, new Map());
    const frames = /** @type {Map<number, Frame>} */ (this.bundles.get(bundle)).set(frame.number, frame);
    return [...frames.values()].sort((one, other) => one.number - other.number);
  }
}

/** @param {Frame[]} frames all of a bundle, in order @param {string} key @returns {Promise<any>} its content */
export async function openBundle(frames, key) {
  const [{ kind, code, name }] = frames;
  const text = frames.map(({ part }) => part).join("");
  if (computeName(kind, code, text) !== name) throw new BundleRefusal("bundle_damaged");
  const whole = decodeBase32(text);
  const content = whole.slice(0, -SEAL_LENGTH);
  const seal = computeSeal(kind, code, content, key);
  if (whole.slice(-SEAL_LENGTH).some((byte, place) => byte !== seal[place])) throw new BundleRefusal("bundle_foreign");
  return JSON.parse(new TextDecoder().decode(await decompress(content)));
}

/** @param {string} kind @param {string} code @param {string} text */
function computeName(kind, code, text) {
  return encodeBase32(sha256.array(`${kind}:${code}:${text}`)).slice(0, NAME_LENGTH);
}

/** @param {string} kind @param {string} code @param {Uint8Array} content @param {string} key @returns {number[]} */
function computeSeal(kind, code, content, key) {
  const head = new TextEncoder().encode(`${kind}:${code}:`);
  return sha256.hmac.array(key, concat(head, content)).slice(0, SEAL_LENGTH);
}

/** @param {ArrayLike<number>[]} parts @returns {Uint8Array} */
function concat(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...Array.from(part)]));
}

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} compressed if the browser can; the first byte says so */
async function compress(bytes) {
  try {
    return concat([1], await pipeThrough(new CompressionStream("deflate-raw"), bytes));
  } catch {
    return concat([0], bytes);
  }
}

/** @param {Uint8Array} content @returns {Promise<Uint8Array>} */
async function decompress(content) {
  if (content[0] === 0) return content.slice(1);
  let stream;
  try {
    stream = new DecompressionStream("deflate-raw");
  } catch {
    throw new BundleRefusal("bundle_too_new");
  }
  return pipeThrough(stream, content.slice(1));
}

/** @param {CompressionStream | DecompressionStream} stream @param {Uint8Array} bytes */
async function pipeThrough(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** @param {ArrayLike<number>} bytes @returns {string} without padding */
function encodeBase32(bytes) {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** @param {string} text @returns {Uint8Array} */
function decodeBase32(text) {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((eight) => parseInt(eight, 2)));
}
