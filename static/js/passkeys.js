/**
 * Passkeys, where this browser and this address can: forms with `data-passkey` come into sight, and their button
 * asks the device. Elsewhere, as in a hall without HTTPS, nothing is shown, and the password does.
 */

/** @param {string} text in base64url @returns {Uint8Array} */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {?ArrayBuffer} buffer @returns {?string} in base64url */
function text(buffer) {
  if (!buffer) return null;
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {object} question as the server wrote it @returns {object} as browsers want it */
function read(question) {
  const known = question.excludeCredentials ?? [];
  return {
    ...question,
    challenge: bytes(question.challenge),
    ...(question.user && { user: { ...question.user, id: bytes(question.user.id) } }),
    excludeCredentials: known.map((one) => ({ ...one, id: bytes(one.id) })),
  };
}

/** @param {PublicKeyCredential} credential @returns {string} as the server reads it */
function written({ id, rawId, type, response }) {
  const said = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) said[name] = text(response[name]);
  }
  return JSON.stringify({ id, rawId: text(rawId), type, response: said, clientExtensionResults: {} });
}

/** @param {HTMLFormElement} form asks the device, and is sent with its answer @returns {Promise<void>} */
async function ask(form) {
  const answer = await fetch(form.dataset.question, { method: "POST", body: new FormData(form) });
  // What was refused is refused again when the form is sent, on a page with its sentence.
  if (answer.ok && !answer.redirected) {
    const publicKey = read(await answer.json());
    const isNew = form.dataset.passkey === "create";
    const asked = isNew ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey });
    form.elements.credential.value = written(await asked);
  }
  form.submit();
}

const forms = "PublicKeyCredential" in window ? document.querySelectorAll("form[data-passkey]") : [];

for (const form of forms) {
  let isAsking = false;
  const notes = [...form.querySelectorAll("[data-when]")];
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    for (const note of notes) note.hidden = true;
    try {
      await ask(form);
    } catch (stopped) {
      const when = stopped.name === "InvalidStateError" ? "known" : "stopped";
      for (const note of notes) note.hidden = note.dataset.when !== when;
      isAsking = false;
    }
  });
}
