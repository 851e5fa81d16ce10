/**
 * What goes between a table and the desk where no network does, as texts for QR codes: the twin of `scoring/bundles.py`,
 * which says what stands in them. No page: node imports this module as browsers do.
 *
 * @typedef {"H" | "R"} Kind what was tapped at a table, or what a phone knows of its match
 * @typedef {{kind: Kind, code: string, name: string, number: number, count: number, part: string}} Frame
 */

import { sha256 } from "../vendor/sha256.min.js";
import { secondsOf } from "./outbox.js";

const FRAME_LENGTH = 440;
const SEAL_LENGTH = 16;
const NAME_LENGTH = 8;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const FRAME = /^CHM1:([HR]):(\d{6}):([A-Z2-7]{8}):(\d{1,2})\/(\d{1,2}):([A-Z2-7]+)\.$/;

/** Why a bundle is not taken; `code` names the sentence. */
export class BundleRefusal extends Error {
  /** @param {"bundle_damaged" | "bundle_foreign" | "bundle_too_new"} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** @param {string} table its address @returns {string} the code of its card */
export function codeOf(table) {
  return table.slice(-6);
}

/** @param {Kind} kind @param {string} code @param {object} value @param {string} key @returns {Promise<string[]>} */
export async function framesOf(kind, code, value, key) {
  const content = await pack(new TextEncoder().encode(JSON.stringify(value)));
  const text = toBase32(concat(content, sealOf(kind, code, content, key)));
  const count = Math.ceil(text.length / FRAME_LENGTH);
  const head = `CHM1:${kind}:${code}:${nameOf(kind, code, text)}`;
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, place) => {
    const part = text.slice(place * size, (place + 1) * size);
    return `${head}:${place + 1}/${count}:${part}.`;
  });
}

/** @param {import("./outbox.js").Entry} entry @returns {{path: string, values: Record<string, string>}} what the desk is to know of it */
function toldOf(entry) {
  const { path, table, values } = entry;
  const said = Object.entries({ ...values, waited: String(secondsOf(entry)) }).filter(([, value]) => value !== "");
  return { path: path.slice(table.length), values: Object.fromEntries(said) };
}

/**
 * The texts of the codes for all that waits on this phone, table by table. What the server has a question about is not
 * among it: the answer is not there yet.
 *
 * @param {import("./outbox.js").Entry[]} entries
 * @param {(table: string) => Promise<?import("./table/known.js").Known>} knownOf
 * @returns {Promise<string[]>}
 */
export async function framesToShow(entries, knownOf) {
  const waiting = entries.filter(({ state }) => state === "kept" || state === "sending");
  const frames = [...new Set(waiting.map(({ table }) => table))].map(async (table) => {
    const known = await knownOf(table);
    if (!known) return [];
    const told = waiting.filter((entry) => entry.table === table).map(toldOf);
    return framesOf("H", codeOf(table), { device: known.device, entries: told }, known.bundle_key);
  });
  return (await Promise.all(frames)).flat();
}

/** @param {string} text of one code @returns {?Frame} null where it is none of ours */
export function readFrame(text) {
  const found = FRAME.exec(text.trim().toUpperCase());
  if (!found) return null;
  const [, kind, code, name, number, count, part] = found;
  return { kind: /** @type {Kind} */ (kind), code, name, number: Number(number), count: Number(count), part };
}

/** The frames that were read, by bundle. */
export class Frames {
  /** @type {Map<string, Map<number, Frame>>} */
  bundles = new Map();

  /** @param {Frame} frame @returns {Frame[]} those of its bundle by now, in order */
  add(frame) {
    const bundle = `${frame.kind} ${frame.code} ${frame.name} ${frame.count}`;
    if (!this.bundles.has(bundle)) this.bundles.set(bundle, new Map());
    const frames = /** @type {Map<number, Frame>} */ (this.bundles.get(bundle)).set(frame.number, frame);
    return [...frames.values()].sort((one, other) => one.number - other.number);
  }
}

/** @param {Frame[]} frames all of a bundle, in order @param {string} key @returns {Promise<any>} what it says */
export async function openBundle(frames, key) {
  const [{ kind, code, name }] = frames;
  const text = frames.map(({ part }) => part).join("");
  if (nameOf(kind, code, text) !== name) throw new BundleRefusal("bundle_damaged");
  const whole = fromBase32(text);
  const content = whole.slice(0, -SEAL_LENGTH);
  const seal = sealOf(kind, code, content, key);
  if (whole.slice(-SEAL_LENGTH).some((byte, place) => byte !== seal[place])) throw new BundleRefusal("bundle_foreign");
  return JSON.parse(new TextDecoder().decode(await unpack(content)));
}

/** @param {string} kind @param {string} code @param {string} text */
function nameOf(kind, code, text) {
  return toBase32(sha256.array(`${kind}:${code}:${text}`)).slice(0, NAME_LENGTH);
}

/** @param {string} kind @param {string} code @param {Uint8Array} content @param {string} key @returns {number[]} */
function sealOf(kind, code, content, key) {
  const head = new TextEncoder().encode(`${kind}:${code}:`);
  return sha256.hmac.array(key, concat(head, content)).slice(0, SEAL_LENGTH);
}

/** @param {ArrayLike<number>[]} parts @returns {Uint8Array} */
function concat(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...Array.from(part)]));
}

/** @param {Uint8Array} plain @returns {Promise<Uint8Array>} compressed where the browser can, as its first byte says */
async function pack(plain) {
  try {
    return concat([1], await through(new CompressionStream("deflate-raw"), plain));
  } catch {
    return concat([0], plain);
  }
}

/** @param {Uint8Array} content @returns {Promise<Uint8Array>} */
async function unpack(content) {
  if (content[0] === 0) return content.slice(1);
  let stream;
  try {
    stream = new DecompressionStream("deflate-raw");
  } catch {
    throw new BundleRefusal("bundle_too_new");
  }
  return through(stream, content.slice(1));
}

/** @param {CompressionStream | DecompressionStream} stream @param {Uint8Array} bytes */
async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** @param {ArrayLike<number>} bytes @returns {string} without the padding, as all here */
function toBase32(bytes) {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** @param {string} text @returns {Uint8Array} */
function fromBase32(text) {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((eight) => parseInt(eight, 2)));
}
