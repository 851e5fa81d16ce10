/**
 * Python beside the page, so that the page stays alive: loads it once, then checks whatever the page asks. Everything it needs
 * is fetched before the first check, so that later ones ask nothing of the network; a page that was kept as a file sends it instead.
 * Served by `operations/verifier/views.py`.
 */

const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const BEGIN = [
  "import sys",
  'sys.path.insert(0, "/program")',
  "sys.dont_write_bytecode = True",
  "from operations.verifier.in_browser.stand_ins import stand_in",
  'stand_in(f"/program/{language}.mo")',
  "from operations.verifier.in_browser.entry_point import answer",
  "answer",
].join("\n");
const FILE = "/event.json";
const LOG = "/log.json";

/** @type {VerifierParts} */
let parts;

/** @type {Promise<{python: Pyodide, answer: VerifierAnswer}> | null} */
let loading = null;

/** @param {VerifierParts} parts @returns {Promise<{python: Pyodide, answer: VerifierAnswer}>} */
async function load({ release, program, language, files }) {
  const [python, archive] = files ? [await pythonOf(files), files["program.zip"]] : await fetchPart(release, program);
  python.unpackArchive(archive, "zip", { extractDir: "/program" });
  python.globals.set("language", language);
  return { python, answer: python.runPython(BEGIN) };
}

/** @param {string} release @param {string} program their addresses @returns {Promise<[Pyodide, ArrayBuffer]>} */
async function fetchPart(release, program) {
  const archive = fetch(program).then((answered) => {
    if (!answered.ok) throw new Error(`${program}: ${answered.status}`);
    return answered.arrayBuffer();
  });
  /** @type {PyodideModule} */
  const { loadPyodide } = await import(release);
  const python = await loadPyodide({ indexURL: new URL("./", new URL(release, worker.location.origin)).href });
  return [python, await archive];
}

/** @param {Record<string, ArrayBuffer>} files of the release, by name @returns {Promise<Pyodide>} which asks for no other */
async function pythonOf(files) {
  Object.assign(worker, { importScripts: undefined }); // by this, Pyodide tells a worker that is no module, and refuses it
  /** @param {string} name @param {string} type @returns {string} an address of that file in this browser */
  const at = (name, type) => URL.createObjectURL(new Blob([files[name]], { type }));
  /** @type {PyodideModule} */
  const { loadPyodide } = await import(at("pyodide.mjs", "text/javascript"));
  const { default: createPyodideModule } = await import(at("pyodide.asm.mjs", "text/javascript"));
  return loadPyodide({
    createPyodideModule,
    indexURL: `${at("pyodide.asm.wasm", "application/wasm")}#`, // the only name that is still put behind it is lost in the fragment
    stdLibURL: at("python_stdlib.zip", "application/zip"),
    lockFileContents: new TextDecoder().decode(files["pyodide-lock.json"]),
  });
}

/** @param {Pyodide} python @param {string} path @param {?ArrayBuffer} content @returns {string} where it is, if it is */
function put(python, path, content) {
  if (!content) return "";
  python.FS.writeFile(path, new Uint8Array(content));
  return path;
}

worker.addEventListener("message", async ({ data }) => {
  if (data.parts) {
    parts = data.parts;
    return;
  }
  /** @type {VerifierQuestion} */
  const { file, log, key } = data;
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
