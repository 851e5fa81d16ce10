/**
 * Passkeys, where this browser and this address can: forms with `data-passkey` come into sight, and their button
 * asks the device. Elsewhere, as in a hall without HTTPS, nothing is shown, and the password does.
 */

import { decode, encode } from "./base64url.js";

const BYTES = /** @type {const} */ ([
  "clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle",
]);

/** @param {PasskeyCreation} question as the server wrote it @returns {PublicKeyCredentialCreationOptions} */
function creationOf({ challenge, user, excludeCredentials: known = [], ...question }) {
  return {
    ...question,
    challenge: decode(challenge),
    user: { ...user, id: decode(user.id) },
    excludeCredentials: known.map((one) => ({ ...one, id: decode(one.id) })),
  };
}

/** @param {PasskeyRequest} question as the server wrote it @returns {PublicKeyCredentialRequestOptions} */
function requestOf({ challenge, ...question }) {
  return { ...question, challenge: decode(challenge) };
}

/** @param {PublicKeyCredential} credential @returns {string} as the server reads it */
function serialize({ id, rawId, type, response }) {
  const parts = /** @type {Partial<AuthenticatorAttestationResponse & AuthenticatorAssertionResponse>} */ (response);
  /** @type {Record<string, string>} */
  const texts = {};
  for (const name of BYTES) {
    const part = parts[name];
    if (part) texts[name] = encode(part);
  }
  return JSON.stringify({ id, rawId: encode(rawId), type, response: texts, clientExtensionResults: {} });
}

/** @param {HTMLFormElement} form asks the device, and is sent with its answer @returns {Promise<void>} */
async function ask(form) {
  const answer = await fetch(form.dataset.question ?? "", { method: "POST", body: new FormData(form) });
  // What was refused is refused again when the form is sent, on a page with its sentence.
  if (answer.ok && !answer.redirected) {
    const question = await answer.json();
    const credential = form.dataset.passkey === "create"
      ? await navigator.credentials.create({ publicKey: creationOf(question) })
      : await navigator.credentials.get({ publicKey: requestOf(question) });
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
    field.value = serialize(/** @type {PublicKeyCredential} */ (credential));
  }
  form.submit();
}

/** @type {NodeListOf<HTMLFormElement> | never[]} */
const forms = "PublicKeyCredential" in window ? document.querySelectorAll("form[data-passkey]") : [];

for (const form of forms) {
  let isAsking = false;
  /** @type {NodeListOf<HTMLElement>} */
  const notes = form.querySelectorAll("[data-when]");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    for (const note of notes) note.hidden = true;
    try {
      await ask(form);
    } catch (stopped) {
      const when = stopped instanceof DOMException && stopped.name === "InvalidStateError" ? "known" : "stopped";
      for (const note of notes) note.hidden = note.dataset.when !== when;
      isAsking = false;
    }
  });
}
