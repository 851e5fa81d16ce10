/**
 * Verifies an event file in this browser. Python runs in a worker (`verifier_worker.js`), which is fetched with the first
 * check and reused without a network. Without scripts, or if Pyodide is not installed, the page shows the command instead.
 * A page saved as a file embeds the worker and all its files.
 *
 * @typedef {{refusal?: string, short: string, differences: string[], notes: string[], statements: string[]}} Verdict
 * @typedef {{done?: number, of?: number, verdict?: Verdict, failure?: string}} WorkerMessage from the worker
 */

const form = /** @type {HTMLFormElement} */ (document.getElementById("verify"));
const status = /** @type {HTMLElement} */ (document.getElementById("verify-status"));
const result = /** @type {HTMLElement} */ (document.getElementById("verdict"));
const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
const texts = form.dataset;

/** @type {NodeListOf<HTMLElement>} The files embedded in a saved page, compressed and in base64. */
const embeddedFiles = document.querySelectorAll("script[data-name]");

/** @type {?Worker} */
let worker = null;
/** @type {?ArrayBuffer} The log of the club, as last fetched. */
let savedLog = null;

/** @param {string} [sentence] with placeholders in braces @param {Record<string, unknown>} [values] of these names */
function showStatus(sentence = "", values = {}) {
  status.textContent = sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** @param {string} tag @param {string} text @param {string} [kind] @returns {HTMLElement} */
function createElement(tag, text, kind = "") {
  const created = document.createElement(tag);
  created.textContent = text;
  created.className = kind;
  return created;
}

/** @param {Verdict} verdict */
function showVerdict(verdict) {
  const { refusal, differences = [], notes = [], statements = [] } = verdict;
  const isWrong = refusal !== undefined || differences.length > 0;
  const heading = createElement("h2", refusal ?? verdict.short);
  heading.tabIndex = -1;
  const lines = createElement("ul", "", "list open");
  lines.append(...[...differences, ...notes, ...(isWrong ? [] : statements)].map((line) => createElement("li", line)));
  result.replaceChildren(heading, ...(lines.childElementCount ? [lines] : []));
  result.dataset.verdict = isWrong ? "wrong" : "right";
  result.hidden = false;
  heading.focus();
}

/** @param {WorkerMessage} message */
function handleMessage({ done = 0, of = 0, verdict, failure }) {
  if (verdict) showVerdict(verdict);
  if (failure !== undefined) showStatus(texts.failed, { failure });
  else if (verdict) showStatus();
  else showStatus(of ? texts.round : texts.checking, { round: done + 1, of });
  button.disabled = !verdict && failure === undefined;
}

/** @returns {Promise<Record<string, ArrayBuffer>>} the embedded files, by name */
async function unpackFiles() {
  const unpacked = [...embeddedFiles].map(async ({ dataset, textContent }) => {
    const compressed = Uint8Array.from(atob(textContent ?? ""), (letter) => letter.charCodeAt(0));
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return [dataset.name, await new Response(stream).arrayBuffer()];
  });
  return Object.fromEntries(await Promise.all(unpacked));
}

/** @param {Record<string, ArrayBuffer>} files embedded in the page @returns {Worker} a classic one for a page on disk:
 * Chromium starts no module worker there */
function createWorker({ "worker.js": script }) {
  if (!script) return new Worker(form.dataset.worker ?? "", { type: "module" });
  return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
}

/** @returns {Promise<Worker>} the running one, or a new one */
async function getWorker() {
  if (worker) return worker;
  const files = await unpackFiles();
  worker = createWorker(files);
  worker.postMessage({ parts: { ...form.dataset, files: embeddedFiles.length ? files : null } });
  worker.addEventListener("message", ({ data }) => handleMessage(data));
  worker.addEventListener("error", () => {
    worker = null;
    handleMessage({ failure: texts.unable });
  });
  return worker;
}

/** @param {?string} address @returns {Promise<?ArrayBuffer>} its content */
async function fetchFile(address) {
  if (!address) return null;
  const response = await fetch(address);
  if (!response.ok || response.redirected) throw new Error(`${address}: ${response.status}`);
  return response.arrayBuffer();
}

/** @param {FormDataEntryValue | null} chosen a file, or an address @returns {Promise<?ArrayBuffer>} its current content,
 * or the last one without a network */
async function fetchLog(chosen) {
  if (chosen instanceof File) return chosen.size ? chosen.arrayBuffer() : null;
  const address = chosen;
  if (!address) return null;
  savedLog = await fetchFile(address).catch((error) => {
    if (!savedLog) throw error;
    return savedLog;
  });
  return savedLog;
}

/** @param {FormData} fields */
async function checkFile(fields) {
  const picked = /** @type {?File} */ (fields.get("file"));
  const own = /** @type {?string} */ (fields.get("own"));
  const file = picked?.size ? await picked.arrayBuffer() : await fetchFile(own);
  const log = await fetchLog(fields.get("log"));
  if (!file && !log) return showStatus(texts.nothing);
  button.disabled = true;
  result.hidden = true;
  showStatus(worker ? texts.checking : texts.fetching);
  (await getWorker()).postMessage({ file, log, key: fields.get("key") });
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  checkFile(new FormData(form)).catch((failure) => handleMessage({ failure: failure.message }));
});

export {}; // makes it a module, with names of its own
