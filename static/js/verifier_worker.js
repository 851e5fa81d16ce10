/**
 * Python beside the page, so that the page stays alive: loads it once, then checks whatever the page asks. Everything it needs
 * is fetched before the first check, so that later ones ask nothing of the network. Served by `operations/verifier/views.py`.
 */

const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const BEGIN = [
  "import sys",
  'sys.path.insert(0, "/program")',
  "sys.dont_write_bytecode = True",
  "from operations.verifier.in_browser.stand_ins import stand_in",
  'stand_in(f"/program/{language}.mo")',
  "from operations.verifier.in_browser.answering import answer",
  "answer",
].join("\n");
const FILE = "/event.json";
const LOG = "/log.json";

/** @type {Promise<{python: Pyodide, answer: VerifierAnswer}> | null} */
let loading = null;

/** @param {VerifierParts} parts @returns {Promise<{python: Pyodide, answer: VerifierAnswer}>} */
async function load({ release, program, language }) {
  const fetched = fetch(program).then((answered) => {
    if (!answered.ok) throw new Error(`${program}: ${answered.status}`);
    return answered.arrayBuffer();
  });
  /** @type {{loadPyodide: (options: object) => Promise<Pyodide>}} */
  const { loadPyodide } = await import(release);
  const python = await loadPyodide({ indexURL: new URL("./", new URL(release, worker.location.origin)).href });
  python.unpackArchive(await fetched, "zip", { extractDir: "/program" });
  python.globals.set("language", language);
  return { python, answer: python.runPython(BEGIN) };
}

/** @param {Pyodide} python @param {string} path @param {?ArrayBuffer} content @returns {string} where it is, if it is */
function put(python, path, content) {
  if (!content) return "";
  python.FS.writeFile(path, new Uint8Array(content));
  return path;
}

worker.addEventListener("message", async ({ data }) => {
  /** @type {VerifierQuestion} */
  const { parts, file, log, key } = data;
  try {
    loading ??= load(parts);
    const { python, answer } = await loading;
    /** @param {number} done @param {number} of */
    const progress = (done, of) => worker.postMessage({ done, of });
    worker.postMessage({ done: 0, of: 0 });
    const verdict = answer(put(python, FILE, file), put(python, LOG, log), key, progress);
    worker.postMessage({ verdict: JSON.parse(verdict) });
  } catch (failure) {
    loading = null;
    worker.postMessage({ failure: String(failure).trim().split("\n").pop() });
  }
});
