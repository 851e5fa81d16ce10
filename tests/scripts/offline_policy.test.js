import assert from "node:assert/strict";
import { test } from "node:test";

import { classifyRequest, classifyUrl, decideCaching, getCacheKey, getOfflinePage, isCacheablePage, isUsable } from "./offline_policy.js";

const ORIGIN = "https://192.168.1.7:8443";
const OURS = "0123456789abcdef";

function createRequest(path, more = {}) {
  return { method: "GET", mode: "navigate", url: ORIGIN + path, ...more };
}

function createAnswer(status, { mark = OURS, type = "basic", redirected = false } = {}) {
  return { status, type, redirected, headers: new Headers(mark ? { Charlemagne: mark } : {}) };
}

test("only pages of tables are cached", () => {
  assert.equal(classifyRequest(createRequest("/t/123456"), ORIGIN), "table");
  for (const path of ["/", "/t/123456/hands", "/match/7", "/e/mardi/desk", "/club/x", "/t/12345", "/fr/e/mardi"]) {
    assert.equal(classifyRequest(createRequest(path), ORIGIN), "page", path);
  }
});

test("a board is cached by its path and query", () => {
  for (const path of ["/e/mardi/board", "/fr/e/mardi/board/2", "/e/mardi/board?part=2/4"]) {
    assert.equal(classifyRequest(createRequest(path), ORIGIN), "table", path);
    assert.equal(classifyUrl(ORIGIN + path, ORIGIN), "table", path);
    assert.ok(isCacheablePage(ORIGIN + path));
    assert.equal(getCacheKey(ORIGIN + path), path);
  }
  for (const path of ["/e/mardi", "/e/mardi/desk/boards", "/e/mardi/board/2/x"]) {
    assert.equal(classifyRequest(createRequest(path), ORIGIN), "page", path);
  }
});

test("the worker handles neither posts nor polls", () => {
  assert.equal(classifyRequest(createRequest("/t/123456", { method: "POST" }), ORIGIN), null);
  assert.equal(classifyRequest(createRequest("/t/123456", { mode: "cors" }), ORIGIN), null);
  assert.equal(classifyRequest(createRequest("/api/tables/123456", { mode: "cors" }), ORIGIN), null);
  assert.equal(classifyRequest(createRequest("/t/123456", { url: "https://elsewhere.example/t/123456" }), ORIGIN), null);
});

test("a file with a digest in its name lasts; another one is requested first", () => {
  const classifyFile = (path) => classifyRequest(createRequest(path, { mode: "cors" }), ORIGIN);
  assert.equal(classifyFile("/static/js/table.0123456789ab.js"), "lasting");
  assert.equal(classifyFile("/t/screens/fr/f8138bc44820f458.json"), "lasting");
  assert.equal(classifyFile("/static/js/outbox.js"), "passing");
});

test("a page may have its table and files cached, and nothing else", () => {
  assert.equal(classifyUrl(`${ORIGIN}/t/123456`, ORIGIN), "table");
  assert.equal(classifyUrl(`${ORIGIN}/static/js/outbox.js`, ORIGIN), "passing");
  assert.equal(classifyUrl(`${ORIGIN}/match/7`, ORIGIN), null);
});

test("the QR code of a card opens the cached table", () => {
  assert.equal(getCacheKey(`${ORIGIN}/t/123456?letters=AB`), "/t/123456");
  assert.ok(isCacheablePage(`${ORIGIN}/t/123456?letters=AB`));
  assert.ok(!isCacheablePage(`${ORIGIN}/t/123456?game=2`));
});

test("a response of this installation is cached, and removed by a client error", () => {
  assert.equal(decideCaching(createAnswer(200), OURS), "keep");
  assert.equal(decideCaching(createAnswer(404), OURS), "drop");
  assert.equal(decideCaching(createAnswer(410), OURS), "drop");
});

test("a response that does not concern the table leaves the cache unchanged", () => {
  for (const status of [304, 429, 500, 503]) assert.equal(decideCaching(createAnswer(status), OURS), "leave", `${status}`);
  assert.equal(decideCaching(createAnswer(200, { redirected: true }), OURS), "leave");
});

test("responses of others are ignored", () => {
  for (const mark of ["", "another"]) {
    assert.equal(decideCaching(createAnswer(200, { mark }), OURS), "leave");
    assert.equal(decideCaching(createAnswer(404, { mark }), OURS), "leave");
  }
});

test("the cached table replaces pages of Wi-Fi and server errors, not another installation", () => {
  assert.ok(!isUsable(createAnswer(200, { mark: "" })));
  assert.ok(!isUsable(createAnswer(503)));
  assert.ok(isUsable(createAnswer(200, { mark: "another" })));
  assert.ok(isUsable(createAnswer(404)));
  assert.ok(isUsable(createAnswer(0, { mark: "", type: "opaqueredirect" })));
});

test("the offline page has the language of the address", () => {
  assert.equal(getOfflinePage(`${ORIGIN}/fr/e/mardi`), "/fr/offline");
  assert.equal(getOfflinePage(`${ORIGIN}/en/`), "/en/offline");
  assert.equal(getOfflinePage(`${ORIGIN}/friday`), "/offline");
});
