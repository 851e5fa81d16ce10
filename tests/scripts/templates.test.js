import assert from "node:assert/strict";
import test from "node:test";

import { renderTemplate } from "./table/templates.js";

/** Cases that no context of the server has; tests/web/test_portable_templates.py compares the rest with Django. */
const renderNodes = (nodes, context, words = {}) => renderTemplate({ templates: { page: nodes }, words }, "page", context);

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

test("a getter is read only if it is used", () => {
  assert.equal(renderNodes([["=", "side.total"], ["=", "side.names.1"]], { side: new Side() }), "3Bruno");
  const unread = { get total() { throw new Error("read"); } };
  assert.equal(renderNodes([["if", ["side", ["a side"]]]], { side: unread }), "a side");
});

test("a method is not called", () => {
  assert.equal(renderNodes([["=", "side.winner"], ["=", "side.constructor"]], { side: new Side() }), "");
});

test("an object without public properties is true", () => {
  class Closed { #inside = 1; }
  assert.equal(renderNodes([["if", ["x", ["yes"]], [true, ["no"]]]], { x: new Closed() }), "yes");
});

test("variables set by a template are not set in its context", () => {
  const context = Object.freeze({ name: "a" });
  assert.equal(renderNodes([["as", "name", ["b"]], ["=", "name"]], context), "b");
  assert.equal(context.name, "a");
});

test("a moment is a text or a Date, in the zone of the table", () => {
  const words = { time: Array.from({ length: 48 }, (_, hour) => (hour < 24 ? `${hour} h` : `${hour - 24} h {minutes}`)) };
  const hour = [["=", ["time", "at"]]];
  const at = "2026-11-18T01:04:59+00:00";
  assert.equal(renderNodes(hour, { at, time_zone: "America/Toronto" }, words), "20 h 04");
  assert.equal(renderNodes(hour, { at: new Date(at), time_zone: "America/Halifax" }, words), "21 h 04");
  assert.equal(renderNodes(hour, { at: "2026-11-18T01:00:30Z", time_zone: "America/Toronto" }, words), "20 h");
});

test("a dictionary with other keys than texts has its pairs", () => {
  const nodes = [["for", ["table", "names"], "tables.items", false, [["=", "table"], ["=", "names"]], []]];
  assert.equal(renderNodes(nodes, { tables: { items: [[3, "a"], [null, "b"]] } }), "3aNoneb");
  assert.equal(renderNodes([["if", ["tables", nodes], [true, ["none"]]]], { tables: {} }), "none");
});
