/** Encodes and decodes base64url, as passkeys use it. Uses no page: node imports this module as browsers do. */

/** @param {string} text in base64url */
export function decodeBase64(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer @returns {string} in base64url */
export function encodeBase64(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
