import assert from "node:assert/strict";
import test from "node:test";

import { drawTemplate } from "./table/templates.js";

/** What no context of the server has: tests/web/test_portable_templates.py has the rest, beside Django. */
const drawn = (nodes, context, words = {}) => drawTemplate({ templates: { page: nodes }, words }, "page", context);

class Side {
  #points = 3;
  names = ["Agathe", "Bruno"];
  get total() {
    return this.#points;
  }
  winner() {
    return "nobody";
  }
}

test("a getter is read, where it is asked for", () => {
  assert.equal(drawn([["=", "side.total"], ["=", "side.names.1"]], { side: new Side() }), "3Bruno");
  const unread = { get total() { throw new Error("read"); } };
  assert.equal(drawn([["if", ["side", ["a side"]]]], { side: unread }), "a side");
});

test("a method is not called", () => {
  assert.equal(drawn([["=", "side.winner"], ["=", "side.constructor"]], { side: new Side() }), "");
});

test("an object is true, though nothing of it can be seen", () => {
  class Closed { #inside = 1; }
  assert.equal(drawn([["if", ["x", ["yes"]], [true, ["no"]]]], { x: new Closed() }), "yes");
});

test("what a template sets, its context does not have afterwards", () => {
  const context = Object.freeze({ name: "a" });
  assert.equal(drawn([["as", "name", ["b"]], ["=", "name"]], context), "b");
  assert.equal(context.name, "a");
});

test("a moment is a text or a Date, in the zone of the table", () => {
  const words = { time: Array.from({ length: 48 }, (_, hour) => (hour < 24 ? `${hour} h` : `${hour - 24} h {minutes}`)) };
  const hour = [["=", ["time", "at"]]];
  const at = "2026-11-18T01:04:59+00:00";
  assert.equal(drawn(hour, { at, time_zone: "America/Toronto" }, words), "20 h 04");
  assert.equal(drawn(hour, { at: new Date(at), time_zone: "America/Halifax" }, words), "21 h 04");
  assert.equal(drawn(hour, { at: "2026-11-18T01:00:30Z", time_zone: "America/Toronto" }, words), "20 h");
});

test("a dictionary whose keys are not texts has its pairs", () => {
  const nodes = [["for", ["table", "names"], "tables.items", false, [["=", "table"], ["=", "names"]], []]];
  assert.equal(drawn(nodes, { tables: { items: [[3, "a"], [null, "b"]] } }), "3aNoneb");
  assert.equal(drawn([["if", ["tables", nodes], [true, ["none"]]]], { tables: {} }), "none");
});
