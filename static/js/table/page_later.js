/**
 * Loads what draws the table on the phone once its page is there and keeps what is tapped: until then the server draws
 * it. In a hall where 25 tables are opened at once, each is there sooner. The worker comes last: it keeps what was loaded.
 */

const load = () => import("./page.js")
  .then(() => import("./codes.js"))
  .then(() => import("../live.js"))
  .then(() => import("./silence.js"))
  .then(() => import("../register_worker.js"))
  .catch(() => {}); // then the server goes on

if (document.readyState === "complete") load();
else addEventListener("load", load, { once: true });
document.addEventListener("network:back", load);
