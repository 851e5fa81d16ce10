import assert from "node:assert/strict";
import test from "node:test";

import { decodeBase64, encodeBase64 } from "./base64url.js";

test("bytes are encoded without characters that a URL escapes, and decoded again", () => {
  for (const [bytes, text] of [[[], ""], [[0], "AA"], [[251, 255], "-_8"], [[255, 239, 190], "_---"]]) {
    assert.equal(encodeBase64(Uint8Array.from(bytes).buffer), text);
    assert.deepEqual([...decodeBase64(text)], bytes);
  }
});

test("every byte is decoded again, at every length", () => {
  for (let length = 0; length <= 256; length += 1) {
    const bytes = Array.from({ length }, (_, place) => place);
    const text = encodeBase64(Uint8Array.from(bytes).buffer);
    assert.match(text, /^[\w-]*$/);
    assert.deepEqual([...decodeBase64(text)], bytes);
  }
});
