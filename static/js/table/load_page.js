/**
 * Loads the scripts that draw the table on the phone once its page is shown: until then the server draws it. So 25 tables
 * that are opened at once all appear sooner. The service worker comes last, and caches what was loaded.
 */

const load = () => import("./page.js")
  .then(() => import("./codes.js"))
  .then(() => import("../live.js"))
  .then(() => import("./heartbeat.js"))
  .then(() => import("../register_worker.js"))
  .catch(() => {}); // then the server still draws the page

if (document.readyState === "complete") load();
else addEventListener("load", load, { once: true });
document.addEventListener("network:back", load);
