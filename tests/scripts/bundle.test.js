import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { BundleRefusal, Frames, framesOf, framesToShow, openBundle, readFrame } from "./bundle.js";

const VECTORS = JSON.parse(await readFile(new URL("bundles.json", import.meta.url), "utf8"));
const KEY = "a key";
const LONG = { numbers: Array.from({ length: 900 }, (_, number) => number * number * 7919) };

/** Without what younger browsers have. */
async function withoutStreams(what) {
  const { CompressionStream, DecompressionStream } = globalThis;
  Object.assign(globalThis, { CompressionStream: undefined, DecompressionStream: undefined });
  try {
    return await what();
  } finally {
    Object.assign(globalThis, { CompressionStream, DecompressionStream });
  }
}

const open = (texts, key) => openBundle(texts.map(readFrame), key);
const refuses = (code) => (error) => error instanceof BundleRefusal && error.code === code;

for (const { name, kind, code, key, value, raw, compressed } of VECTORS) {
  test(`${name}: is read as the server reads it`, async () => {
    assert.deepEqual(await open(raw, key), value);
    assert.deepEqual(await open(compressed, key), value);
  });

  test(`${name}: is written as the server writes it`, async () => {
    assert.deepEqual(await withoutStreams(() => framesOf(kind, code, value, key)), raw);
    assert.deepEqual(await open(await framesOf(kind, code, value, key), key), value);
  });
}

test("frames are put together in any order, and one read twice is one", async () => {
  const texts = await framesOf("R", "123456", LONG, KEY);
  assert.ok(texts.length > 2);
  const frames = new Frames();
  let there = [];
  for (const text of [texts[1], ...texts.slice().reverse(), texts[0]]) there = frames.add(readFrame(text));
  assert.equal(there.length, texts.length);
  assert.deepEqual(await openBundle(there, KEY), LONG);
});

test("a damaged one is refused, whatever part of it was hit", async () => {
  const texts = await framesOf("R", "123456", LONG, KEY);
  for (let place = 0; place < texts[0].length; place += 1) {
    const changed = texts[0][place] === "A" ? "B" : "A";
    const first = texts[0].slice(0, place) + changed + texts[0].slice(place + 1);
    const frame = readFrame(first);
    const isTold = !frame || frame.number !== 1 || frame.count !== texts.length;
    if (!isTold) await assert.rejects(openBundle([frame, ...texts.slice(1).map(readFrame)], KEY), refuses("bundle_damaged"));
  }
});

test("another table's is refused", async () => {
  await assert.rejects(open(await framesOf("R", "123456", {}, KEY), "another"), refuses("bundle_foreign"));
});

test("a compressed one says that it cannot be read where a browser is too old", async () => {
  const texts = await framesOf("R", "123456", {}, KEY);
  await withoutStreams(() => assert.rejects(open(texts, KEY), refuses("bundle_too_new")));
});

test("any other code is none of ours", () => {
  for (const text of ["", "https://example.org/t/123456", "CHM1:H:123456"]) assert.equal(readFrame(text), null);
});

test("what waits is shown with how long it waited, table by table, without what is empty, done or asked about", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-11-22T20:12:34Z") });
  const at = "2026-11-22T20:00:00Z";
  const entry = (table, state, said) => ({ at, table, state, path: `${table}/agree`, values: { entry_key: said, said, none: "" } });
  const entries = [
    entry("/t/111111", "kept", "one"),
    entry("/t/222222", "sending", "two"),
    entry("/t/111111", "accepted", "three"),
    entry("/t/111111", "asked", "four"),
    entry("/t/333333", "kept", "no page of it was ever here"),
  ];
  const knownOf = async (table) => (table === "/t/333333" ? null : { device: "phone", bundle_key: `key of ${table}` });
  const texts = await framesToShow(entries, knownOf);
  assert.deepEqual(texts.map((text) => text.split(":").slice(0, 3).join(":")), ["CHM1:H:111111", "CHM1:H:222222"]);
  assert.deepEqual(await open(texts.slice(0, 1), "key of /t/111111"), {
    device: "phone",
    entries: [{ path: "/agree", values: { entry_key: "one", said: "one", waited: "754" } }],
  });
});
