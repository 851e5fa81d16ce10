/**
 * The page that checks an event's file in this browser. Python runs in a worker (`verifier_worker.js`), which is fetched with the first
 * check and stays for the next ones, network or not. Without scripts, or where nothing is installed, the page names
 * the command instead. A page that is kept as a file brings the worker and all that it needs along, and asks nobody.
 *
 * @typedef {{refusal?: string, short: string, differences: string[], notes: string[], told: string[]}} Verdict
 * @typedef {{done?: number, of?: number, verdict?: Verdict, failure?: string}} Told by the worker
 */

const form = /** @type {HTMLFormElement} */ (document.getElementById("verify"));
const status = /** @type {HTMLElement} */ (document.getElementById("verify-status"));
const result = /** @type {HTMLElement} */ (document.getElementById("verdict"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const texts = form.dataset;

/** @type {NodeListOf<HTMLElement>} What a kept file brings, each by its name, compressed and in letters. */
const brought = document.querySelectorAll("script[data-name]");

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

/** @returns {Promise<Record<string, ArrayBuffer>>} what the page brings, by name */
async function unpack() {
  const read = [...brought].map(async ({ dataset, textContent }) => {
    const compressed = Uint8Array.from(atob(textContent ?? ""), (letter) => letter.charCodeAt(0));
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return [dataset.name, await new Response(stream).arrayBuffer()];
  });
  return Object.fromEntries(await Promise.all(read));
}

/** @param {Record<string, ArrayBuffer>} files that the page brings @returns {Worker} not a module for a page on a disk:
 * Chromium begins none there */
function newWorker({ "worker.js": script }) {
  if (!script) return new Worker(form.dataset.worker ?? "", { type: "module" });
  return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
}

/** @returns {Promise<Worker>} the one that is there, or a new one */
async function python() {
  if (worker) return worker;
  const files = await unpack();
  worker = newWorker(files);
  worker.postMessage({ parts: { ...form.dataset, files: brought.length ? files : null } });
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

/** @param {FormDataEntryValue | null} chosen a file, or an address @returns {Promise<?ArrayBuffer>} what an address has
 * now, or had before the network went */
async function logOf(chosen) {
  if (chosen instanceof File) return chosen.size ? chosen.arrayBuffer() : null;
  const address = chosen;
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
  const log = await logOf(fields.get("log"));
  if (!file && !log) return tell(texts.nothing);
  button.disabled = true;
  result.hidden = true;
  tell(worker ? texts.checking : texts.fetching);
  (await python()).postMessage({ file, log, key: fields.get("key") });
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  check(new FormData(form)).catch((failure) => hear({ failure: failure.message }));
});

export {}; // loaded as a module: its names are its own
