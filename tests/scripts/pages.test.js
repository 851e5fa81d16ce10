import assert from "node:assert/strict";
import test from "node:test";

/** The browser API that these modules use. */
const messages = [];
const listeners = new Map();
const addListener = (kind, listener) => listeners.set(kind, listener);

Object.assign(globalThis, {
  parent: { postMessage: (message, to) => messages.push([message, to]) },
  ResizeObserver: class { observe() {} },
  addEventListener: addListener,
  document: { body: { offsetHeight: 640 }, addEventListener: addListener },
  Idiomorph: { defaults: { callbacks: {} } },
});

await import("./frame_height.js");
await import("./morph_form.js");

test("a frame sends its height only after our own message", () => {
  listeners.get("message")({ data: "another" });
  assert.deepEqual(messages, []);
  listeners.get("message")({ data: "charlemagne" });
  assert.deepEqual(messages, [[{ charlemagne: 640 }, "*"]]);
});

test("fields changed after the request keep their values, also in lists", () => {
  const { beforeAttributeUpdated: mayChange } = Idiomorph.defaults.callbacks;
  const field = { closest: () => null };
  const list = { closest: () => list };
  const option = { closest: () => list };
  listeners.get("input")({ target: field });
  listeners.get("change")({ target: list });
  assert.deepEqual([mayChange("value", field), mayChange("selected", option)], [false, false]);
  assert.ok(mayChange("class", field));
  listeners.get("htmx:beforeSend")();
  assert.deepEqual([mayChange("value", field), mayChange("selected", option)], [true, true]);
  assert.ok(!mayChange("open", field));
});
