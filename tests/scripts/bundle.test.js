import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { BundleRefusal, FrameCollector, buildFrames, buildWaitingFrames, openBundle, parseFrame } from "./bundle.js";

const VECTORS = JSON.parse(await readFile(new URL("bundles.json", import.meta.url), "utf8"));
const KEY = "a key";
const LONG = { numbers: Array.from({ length: 900 }, (_, number) => number * number * 7919) };

/** Calls it as in a browser without compression streams. */
async function withoutStreams(what) {
  const { CompressionStream, DecompressionStream } = globalThis;
  Object.assign(globalThis, { CompressionStream: undefined, DecompressionStream: undefined });
  try {
    return await what();
  } finally {
    Object.assign(globalThis, { CompressionStream, DecompressionStream });
  }
}

const openTexts = (texts, key) => openBundle(texts.map(parseFrame), key);
const isRefusal = (code) => (error) => error instanceof BundleRefusal && error.code === code;

for (const { name, kind, code, key, value, raw, compressed } of VECTORS) {
  test(`${name}: decodes like the server`, async () => {
    assert.deepEqual(await openTexts(raw, key), value);
    assert.deepEqual(await openTexts(compressed, key), value);
  });

  test(`${name}: encodes like the server`, async () => {
    assert.deepEqual(await withoutStreams(() => buildFrames(kind, code, value, key)), raw);
    assert.deepEqual(await openTexts(await buildFrames(kind, code, value, key), key), value);
  });
}

test("frames are collected in any order, and duplicates count once", async () => {
  const texts = await buildFrames("R", "123456", LONG, KEY);
  assert.ok(texts.length > 2);
  const frames = new FrameCollector();
  let collected = [];
  for (const text of [texts[1], ...texts.slice().reverse(), texts[0]]) collected = frames.add(parseFrame(text));
  assert.equal(collected.length, texts.length);
  assert.deepEqual(await openBundle(collected, KEY), LONG);
});

test("a bundle with any damaged letter is refused", async () => {
  const texts = await buildFrames("R", "123456", LONG, KEY);
  for (let place = 0; place < texts[0].length; place += 1) {
    const changed = texts[0][place] === "A" ? "B" : "A";
    const first = texts[0].slice(0, place) + changed + texts[0].slice(place + 1);
    const frame = parseFrame(first);
    const isDetected = !frame || frame.number !== 1 || frame.count !== texts.length;
    if (!isDetected) await assert.rejects(openBundle([frame, ...texts.slice(1).map(parseFrame)], KEY), isRefusal("bundle_damaged"));
  }
});

test("a bundle of another table is refused", async () => {
  await assert.rejects(openTexts(await buildFrames("R", "123456", {}, KEY), "another"), isRefusal("bundle_foreign"));
});

test("a compressed bundle is refused as too new by an old browser", async () => {
  const texts = await buildFrames("R", "123456", {}, KEY);
  await withoutStreams(() => assert.rejects(openTexts(texts, KEY), isRefusal("bundle_too_new")));
});

test("any other QR code is ignored", () => {
  for (const text of ["", "https://example.org/t/123456", "CHM1:H:123456"]) assert.equal(parseFrame(text), null);
});

test("waiting entries are encoded by table with their wait, without empty values, finished entries and questions", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-11-22T20:12:34Z") });
  const at = "2026-11-22T20:00:00Z";
  const entry = (table, state, key) => ({ at, table, state, path: `${table}/agree`, values: { entry_key: key, said: key, none: "" } });
  const entries = [
    entry("/t/111111", "kept", "one"),
    entry("/t/222222", "sending", "two"),
    entry("/t/111111", "accepted", "three"),
    entry("/t/111111", "asked", "four"),
    entry("/t/333333", "kept", "no page of it was ever here"),
  ];
  const knownOf = async (table) => (table === "/t/333333" ? null : { device: "phone", bundle_key: `key of ${table}` });
  const texts = await buildWaitingFrames(entries, knownOf);
  assert.deepEqual(texts.map((text) => text.split(":").slice(0, 3).join(":")), ["CHM1:H:111111", "CHM1:H:222222"]);
  assert.deepEqual(await openTexts(texts.slice(0, 1), "key of /t/111111"), {
    device: "phone",
    entries: [{ path: "/agree", values: { entry_key: "one", said: "one", waited: "754" } }],
  });
});
