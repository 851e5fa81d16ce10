import assert from "node:assert/strict";
import { test } from "node:test";

import { isShown, isWholeTable, keyOf, kindOf, kindToKeep, offlinePageOf, verdictOn } from "./offline_policy.js";

const ORIGIN = "https://192.168.1.7:8443";
const OURS = "0123456789abcdef";

function asked(path, more = {}) {
  return { method: "GET", mode: "navigate", url: ORIGIN + path, ...more };
}

function answer(status, { mark = OURS, type = "basic", redirected = false } = {}) {
  return { status, type, redirected, headers: new Headers(mark ? { Charlemagne: mark } : {}) };
}

test("the page of a table is kept, and of no other page anything", () => {
  assert.equal(kindOf(asked("/t/123456"), ORIGIN), "table");
  for (const path of ["/", "/t/123456/hands", "/match/7", "/e/mardi/desk", "/club/x", "/t/12345", "/fr/e/mardi"]) {
    assert.equal(kindOf(asked(path), ORIGIN), "page", path);
  }
});

test("a board is kept by itself, and by what it was asked for", () => {
  for (const path of ["/e/mardi/board", "/fr/e/mardi/board/2", "/e/mardi/board?part=2/4"]) {
    assert.equal(kindOf(asked(path), ORIGIN), "table", path);
    assert.equal(kindToKeep(ORIGIN + path, ORIGIN), "table", path);
    assert.ok(isWholeTable(ORIGIN + path));
    assert.equal(keyOf(ORIGIN + path), path);
  }
  for (const path of ["/e/mardi", "/e/mardi/desk/boards", "/e/mardi/board/2/x"]) {
    assert.equal(kindOf(asked(path), ORIGIN), "page", path);
  }
});

test("the worker stays out of what a page sends, and of the news that it asks for", () => {
  assert.equal(kindOf(asked("/t/123456", { method: "POST" }), ORIGIN), null);
  assert.equal(kindOf(asked("/t/123456", { mode: "cors" }), ORIGIN), null);
  assert.equal(kindOf(asked("/api/tables/123456", { mode: "cors" }), ORIGIN), null);
  assert.equal(kindOf(asked("/t/123456", { url: "https://elsewhere.example/t/123456" }), ORIGIN), null);
});

test("a file that bears its digest lasts; under its plain name it is asked for first", () => {
  const file = (path) => kindOf(asked(path, { mode: "cors" }), ORIGIN);
  assert.equal(file("/static/js/table.0123456789ab.js"), "lasting");
  assert.equal(file("/t/screens/fr/f8138bc44820f458.json"), "lasting");
  assert.equal(file("/static/js/outbox.js"), "passing");
});

test("a page may ask for its table and its files to be kept, and for nothing else", () => {
  assert.equal(kindToKeep(`${ORIGIN}/t/123456`, ORIGIN), "table");
  assert.equal(kindToKeep(`${ORIGIN}/static/js/outbox.js`, ORIGIN), "passing");
  assert.equal(kindToKeep(`${ORIGIN}/match/7`, ORIGIN), null);
});

test("the square of a card opens the table that was kept by its code", () => {
  assert.equal(keyOf(`${ORIGIN}/t/123456?letters=AB`), "/t/123456");
  assert.ok(isWholeTable(`${ORIGIN}/t/123456?letters=AB`));
  assert.ok(!isWholeTable(`${ORIGIN}/t/123456?game=2`));
});

test("what this installation answers with 200 is kept, and gone once it says so", () => {
  assert.equal(verdictOn(answer(200), OURS), "keep");
  assert.equal(verdictOn(answer(404), OURS), "drop");
  assert.equal(verdictOn(answer(410), OURS), "drop");
});

test("an answer that says nothing of the table leaves it as it is kept", () => {
  for (const status of [304, 429, 500, 503]) assert.equal(verdictOn(answer(status), OURS), "leave", `${status}`);
  assert.equal(verdictOn(answer(200, { redirected: true }), OURS), "leave");
});

test("what others answer is neither kept nor believed", () => {
  for (const mark of ["", "another"]) {
    assert.equal(verdictOn(answer(200, { mark }), OURS), "leave");
    assert.equal(verdictOn(answer(404, { mark }), OURS), "leave");
  }
});

test("the kept table stands in for a hall's Wi-Fi and for a server that fails, not for another installation", () => {
  assert.ok(!isShown(answer(200, { mark: "" })));
  assert.ok(!isShown(answer(503)));
  assert.ok(isShown(answer(200, { mark: "another" })));
  assert.ok(isShown(answer(404)));
  assert.ok(isShown(answer(0, { mark: "", type: "opaqueredirect" })));
});

test("a page out of reach says so in the language of its address", () => {
  assert.equal(offlinePageOf(`${ORIGIN}/fr/e/mardi`), "/fr/offline");
  assert.equal(offlinePageOf(`${ORIGIN}/en/`), "/en/offline");
  assert.equal(offlinePageOf(`${ORIGIN}/friday`), "/offline");
});
