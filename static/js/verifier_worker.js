/**
 * Runs Python in a worker, so that the page stays responsive: loads it once, then runs each check. All files are fetched
 * before the first check, so that later ones need no network; a page saved as a file sends them itself. Served by
 * `operations/verifier/views.py`.
 */

const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const START_CODE = [
  "import sys",
  'sys.path.insert(0, "/program")',
  "sys.dont_write_bytecode = True",
  "from operations.verifier.in_browser.stand_ins import stand_in",
  'stand_in(f"/program/{language}.mo")',
  "from operations.verifier.in_browser.entry_point import answer",
  "answer",
].join("\n");
const FILE_PATH = "/event.json";
const LOG_PATH = "/log.json";

/** @type {VerifierParts} */
let parts;

/** @type {Promise<{python: Pyodide, answer: VerifierAnswer}> | null} */
let loading = null;

/** @param {VerifierParts} parts @returns {Promise<{python: Pyodide, answer: VerifierAnswer}>} */
async function loadPython({ release, program, language, files }) {
  const [python, archive] = files ? [await startPython(files), files["program.zip"]] : await fetchPython(release, program);
  python.unpackArchive(archive, "zip", { extractDir: "/program" });
  python.globals.set("language", language);
  return { python, answer: python.runPython(START_CODE) };
}

/** @param {string} release @param {string} program their addresses @returns {Promise<[Pyodide, ArrayBuffer]>} */
async function fetchPython(release, program) {
  const archive = fetch(program).then((response) => {
    if (!response.ok) throw new Error(`${program}: ${response.status}`);
    return response.arrayBuffer();
  });
  /** @type {PyodideModule} */
  const { loadPyodide } = await import(release);
  const python = await loadPyodide({ indexURL: new URL("./", new URL(release, worker.location.origin)).href });
  return [python, await archive];
}

/** @param {Record<string, ArrayBuffer>} files of the release, by name @returns {Promise<Pyodide>} which fetches no other file */
async function startPython(files) {
  Object.assign(worker, { importScripts: undefined }); // Pyodide takes a worker with it for a classic one, and refuses it
  /** @param {string} name @param {string} type @returns {string} an object URL of that file */
  const createFileUrl = (name, type) => URL.createObjectURL(new Blob([files[name]], { type }));
  /** @type {PyodideModule} */
  const { loadPyodide } = await import(createFileUrl("pyodide.mjs", "text/javascript"));
  const { default: createPyodideModule } = await import(createFileUrl("pyodide.asm.mjs", "text/javascript"));
  return loadPyodide({
    createPyodideModule,
    indexURL: `${createFileUrl("pyodide.asm.wasm", "application/wasm")}#`, // the fragment hides the name that Pyodide appends
    stdLibURL: createFileUrl("python_stdlib.zip", "application/zip"),
    lockFileContents: new TextDecoder().decode(files["pyodide-lock.json"]),
  });
}

/** @param {Pyodide} python @param {string} path @param {?ArrayBuffer} content @returns {string} its path; "" without content */
function writeFile(python, path, content) {
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
    loading ??= loadPython(parts);
    const { python, answer } = await loading;
    /** @param {number} done @param {number} total */
    const progress = (done, total) => worker.postMessage({ done, of: total });
    worker.postMessage({ done: 0, of: 0 });
    const verdict = answer(writeFile(python, FILE_PATH, file), writeFile(python, LOG_PATH, log), key, progress);
    worker.postMessage({ verdict: JSON.parse(verdict) });
  } catch (failure) {
    loading = null;
    worker.postMessage({ failure: String(failure).trim().split("\n").pop() });
  }
});
