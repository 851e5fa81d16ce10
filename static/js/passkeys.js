/**
 * Signs in with passkeys, if the browser supports them here: shows forms with `data-passkey`. Elsewhere, as in a hall
 * without HTTPS, they stay hidden, and the password is used.
 */

import { decodeBase64, encodeBase64 } from "./base64url.js";

const BINARY_FIELDS = /** @type {const} */ ([
  "clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle",
]);

/** @param {PasskeyCreation} question as the server wrote it @returns {PublicKeyCredentialCreationOptions} */
function decodeCreation({ challenge, user, excludeCredentials: credentials = [], ...question }) {
  return {
    ...question,
    challenge: decodeBase64(challenge),
    user: { ...user, id: decodeBase64(user.id) },
    excludeCredentials: credentials.map((one) => ({ ...one, id: decodeBase64(one.id) })),
  };
}

/** @param {PasskeyRequest} question as the server wrote it @returns {PublicKeyCredentialRequestOptions} */
function decodeRequest({ challenge, ...question }) {
  return { ...question, challenge: decodeBase64(challenge) };
}

/** @param {PublicKeyCredential} credential @returns {string} as the server reads it */
function serialize({ id, rawId, type, response }) {
  const parts = /** @type {Partial<AuthenticatorAttestationResponse & AuthenticatorAssertionResponse>} */ (response);
  /** @type {Record<string, string>} */
  const texts = {};
  for (const name of BINARY_FIELDS) {
    const part = parts[name];
    if (part) texts[name] = encodeBase64(part);
  }
  return JSON.stringify({ id, rawId: encodeBase64(rawId), type, response: texts, clientExtensionResults: {} });
}

/** @param {HTMLFormElement} form submitted with the credential @returns {Promise<void>} */
async function authenticateAndSubmit(form) {
  const answer = await fetch(form.dataset.question ?? "", { method: "POST", body: new FormData(form) });
  // A refusal comes again with the form, on a page with its sentence.
  if (answer.ok && !answer.redirected) {
    const question = await answer.json();
    const credential = form.dataset.passkey === "create"
      ? await navigator.credentials.create({ publicKey: decodeCreation(question) })
      : await navigator.credentials.get({ publicKey: decodeRequest(question) });
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
    field.value = serialize(/** @type {PublicKeyCredential} */ (credential));
  }
  form.submit();
}

/** @type {NodeListOf<HTMLFormElement> | never[]} */
const forms = "PublicKeyCredential" in window ? document.querySelectorAll("form[data-passkey]") : [];

for (const form of forms) {
  let isSubmitting = false;
  /** @type {NodeListOf<HTMLElement>} */
  const notes = form.querySelectorAll("[data-when]");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSubmitting) return;
    isSubmitting = true;
    for (const note of notes) note.hidden = true;
    try {
      await authenticateAndSubmit(form);
    } catch (error) {
      const reason = error instanceof DOMException && error.name === "InvalidStateError" ? "known" : "stopped";
      for (const note of notes) note.hidden = note.dataset.when !== reason;
      isSubmitting = false;
    }
  });
}
