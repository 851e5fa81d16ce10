import assert from "node:assert/strict";
import test from "node:test";

/** What a browser gives a module of a page, as far as these ask for it. */
const told = [];
const heard = new Map();
const hear = (kind, listener) => heard.set(kind, listener);

Object.assign(globalThis, {
  parent: { postMessage: (message, to) => told.push([message, to]) },
  ResizeObserver: class { observe() {} },
  addEventListener: hear,
  document: { body: { offsetHeight: 640 }, addEventListener: hear },
  Idiomorph: { defaults: { callbacks: {} } },
});

await import("./frame_height.js");
await import("./morph_form.js");

test("a frame says how high it is to whoever asks in its own word, and to nobody else's", () => {
  heard.get("message")({ data: "another" });
  assert.deepEqual(told, []);
  heard.get("message")({ data: "charlemagne" });
  assert.deepEqual(told, [[{ charlemagne: 640 }, "*"]]);
});

test("what somebody changed since the question was sent stands, also the choice of a list", () => {
  const { beforeAttributeUpdated: mayChange } = Idiomorph.defaults.callbacks;
  const field = { closest: () => null };
  const list = { closest: () => list };
  const option = { closest: () => list };
  heard.get("input")({ target: field });
  heard.get("change")({ target: list });
  assert.deepEqual([mayChange("value", field), mayChange("selected", option)], [false, false]);
  assert.ok(mayChange("class", field));
  heard.get("htmx:beforeSend")();
  assert.deepEqual([mayChange("value", field), mayChange("selected", option)], [true, true]);
  assert.ok(!mayChange("open", field));
});
