/**
 * Being told one's table by the phone, where this browser and this address can: the form with `data-alerts` comes
 * into sight, and its button asks the phone. Elsewhere, as in a hall without https, a note says what works.
 */

import { decode, encode } from "./base64url.js";

/** @param {PushManager} manager @param {string} key of the installation, in base64url @returns {Promise<PushSubscription>} */
async function subscribe(manager, key) {
  const options = { userVisibleOnly: true, applicationServerKey: decode(key) };
  try {
    return await manager.subscribe(options);
  } catch (failed) {
    const old = await manager.getSubscription();
    if (!old) throw failed;
    await old.unsubscribe(); // that of another installation, which had this address before
    return manager.subscribe(options);
  }
}

/** @param {PushSubscription} subscription @returns {string} as the server reads it */
function serialize(subscription) {
  const [p256dh, auth] = /** @type {const} */ (["p256dh", "auth"]).map((name) => subscription.getKey(name));
  return JSON.stringify({
    endpoint: subscription.endpoint,
    p256dh: encode(p256dh ?? new ArrayBuffer(0)),
    auth: encode(auth ?? new ArrayBuffer(0)),
  });
}

/** @param {HTMLFormElement} form asks the phone, and is sent with its answer @returns {Promise<void>} */
async function ask(form) {
  await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await subscribe(pushManager, form.dataset.alerts ?? "");
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("address"));
  field.value = serialize(subscription);
  form.submit();
}

const canBeAsked = isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
/** @type {?HTMLFormElement} */
const form = canBeAsked ? document.querySelector("form[data-alerts]") : null;

if (form) {
  let isAsking = false;
  const refused = /** @type {HTMLElement} */ (form.querySelector("[data-when=refused]"));
  form.hidden = false;
  document.querySelector("[data-without-alerts]")?.remove();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    refused.hidden = true;
    try {
      await ask(form);
    } catch (failed) {
      refused.hidden = false;
      isAsking = false;
    }
  });
}
