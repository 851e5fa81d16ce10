/**
 * The page that checks an event's file in this browser. Python runs in a worker (`verifier_worker.js`), which is fetched with the first
 * check and stays for the next ones, network or not. Without scripts, or where nothing is installed, the page names
 * the command instead.
 *
 * @typedef {{refusal?: string, short: string, differences: string[], notes: string[], told: string[]}} Verdict
 * @typedef {{done?: number, of?: number, verdict?: Verdict, failure?: string}} Told by the worker
 */

const form = /** @type {HTMLFormElement} */ (document.getElementById("verify"));
const status = /** @type {HTMLElement} */ (document.getElementById("verify-status"));
const result = /** @type {HTMLElement} */ (document.getElementById("verdict"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const texts = form.dataset;

/** @type {?Worker} */
let worker = null;
/** @type {?ArrayBuffer} The club's, as it was when there was a network. */
let keptLog = null;

/** @param {string} [said] with names in braces @param {Record<string, unknown>} [values] of these names */
function tell(said = "", values = {}) {
  status.textContent = said.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** @param {string} tag @param {string} text @param {string} [kind] @returns {HTMLElement} */
function element(tag, text, kind = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = kind;
  return made;
}

/** @param {Verdict} verdict */
function show(verdict) {
  const { refusal, differences = [], notes = [], told = [] } = verdict;
  const isWrong = refusal !== undefined || differences.length > 0;
  const heading = element("h2", refusal ?? verdict.short);
  heading.tabIndex = -1;
  const lines = element("ul", "", "list open");
  lines.append(...[...differences, ...notes, ...(isWrong ? [] : told)].map((line) => element("li", line)));
  result.replaceChildren(heading, ...(lines.childElementCount ? [lines] : []));
  result.dataset.verdict = isWrong ? "wrong" : "right";
  result.hidden = false;
  heading.focus();
}

/** @param {Told} told */
function hear({ done = 0, of = 0, verdict, failure }) {
  if (verdict) show(verdict);
  if (failure !== undefined) tell(texts.failed, { failure });
  else if (verdict) tell();
  else tell(of ? texts.round : texts.checking, { round: done + 1, of });
  button.disabled = !verdict && failure === undefined;
}

/** @returns {Worker} the one that is there, or a new one */
function python() {
  if (worker) return worker;
  worker = new Worker(form.dataset.worker ?? "", { type: "module" });
  worker.addEventListener("message", ({ data }) => hear(data));
  worker.addEventListener("error", () => {
    worker = null;
    hear({ failure: texts.unable });
  });
  return worker;
}

/** @param {?string} address @returns {Promise<?ArrayBuffer>} what is there */
async function at(address) {
  if (!address) return null;
  const answered = await fetch(address);
  if (!answered.ok || answered.redirected) throw new Error(`${address}: ${answered.status}`);
  return answered.arrayBuffer();
}

/** @param {?string} address @returns {Promise<?ArrayBuffer>} as it is now, or as it was before the network went */
async function logAt(address) {
  if (!address) return null;
  keptLog = await at(address).catch((unreachable) => {
    if (!keptLog) throw unreachable;
    return keptLog;
  });
  return keptLog;
}

/** @param {FormData} fields */
async function check(fields) {
  const picked = /** @type {?File} */ (fields.get("file"));
  const own = /** @type {?string} */ (fields.get("own"));
  const file = picked?.size ? await picked.arrayBuffer() : await at(own);
  const log = await logAt(/** @type {?string} */ (fields.get("log")));
  if (!file && !log) return tell(texts.nothing);
  button.disabled = true;
  result.hidden = true;
  tell(worker ? texts.checking : texts.fetching);
  python().postMessage({ parts: { ...form.dataset }, file, log, key: fields.get("key") });
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  check(new FormData(form)).catch((failure) => hear({ failure: failure.message }));
});

export {}; // loaded as a module: its names are its own
