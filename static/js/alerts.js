/**
 * Subscribes the phone to table alerts by web push, if the browser supports it here: shows the form with `data-alerts`.
 * Elsewhere, as in a hall without HTTPS, a note says what works.
 */

import { decodeBase64, encodeBase64 } from "./base64url.js";

/** @param {PushManager} manager @param {string} key of the installation, in base64url @returns {Promise<PushSubscription>} */
async function subscribe(manager, key) {
  const options = { userVisibleOnly: true, applicationServerKey: decodeBase64(key) };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const oldSubscription = await manager.getSubscription();
    if (!oldSubscription) throw error;
    await oldSubscription.unsubscribe(); // of another installation that had this address before
    return manager.subscribe(options);
  }
}

/** @param {PushSubscription} subscription @returns {string} as the server reads it */
function serialize(subscription) {
  const [p256dh, auth] = /** @type {const} */ (["p256dh", "auth"]).map((name) => subscription.getKey(name));
  return JSON.stringify({
    endpoint: subscription.endpoint,
    p256dh: encodeBase64(p256dh ?? new ArrayBuffer(0)),
    auth: encodeBase64(auth ?? new ArrayBuffer(0)),
  });
}

/** @param {HTMLFormElement} form submitted with the subscription @returns {Promise<void>} */
async function subscribeAndSubmit(form) {
  await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await subscribe(pushManager, form.dataset.alerts ?? "");
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("address"));
  field.value = serialize(subscription);
  form.submit();
}

const isSupported = isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
/** @type {?HTMLFormElement} */
const form = isSupported ? document.querySelector("form[data-alerts]") : null;

if (form) {
  let isSubmitting = false;
  const refusalNote = /** @type {HTMLElement} */ (form.querySelector("[data-when=refused]"));
  form.hidden = false;
  document.querySelector("[data-without-alerts]")?.remove();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSubmitting) return;
    isSubmitting = true;
    refusalNote.hidden = true;
    try {
      await subscribeAndSubmit(form);
    } catch (error) {
      refusalNote.hidden = false;
      isSubmitting = false;
    }
  });
}
