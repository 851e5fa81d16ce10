import assert from "node:assert/strict";
import test from "node:test";

import { decode, encode } from "./base64url.js";

test("bytes are written without what an address would not take, and read back", () => {
  for (const [bytes, text] of [[[], ""], [[0], "AA"], [[251, 255], "-_8"], [[255, 239, 190], "_---"]]) {
    assert.equal(encode(Uint8Array.from(bytes).buffer), text);
    assert.deepEqual([...decode(text)], bytes);
  }
});

test("every byte comes back, at every length", () => {
  for (let length = 0; length <= 256; length += 1) {
    const bytes = Array.from({ length }, (_, place) => place);
    const text = encode(Uint8Array.from(bytes).buffer);
    assert.match(text, /^[\w-]*$/);
    assert.deepEqual([...decode(text)], bytes);
  }
});
