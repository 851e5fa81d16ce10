/** Types of Pyodide as the verifier's worker uses it, and of the messages from its page. */

interface Pyodide {
  FS: { writeFile(path: string, content: Uint8Array): void };
  globals: { set(name: string, value: unknown): void };
  runPython(program: string): any;
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
}

interface PyodideModule {
  loadPyodide: (options: object) => Promise<Pyodide>;
}

/** `answer` of `operations/verifier/in_browser/answering.py`. */
type VerifierAnswer = (
  file: string, log: string, key: string, progress: (done: number, of: number) => void,
) => string;

interface VerifierParts {
  release: string;
  program: string;
  language: string;
  /** The files embedded in a saved page, by name: all of the release, and `program.zip`. */
  files: Record<string, ArrayBuffer> | null;
}

interface VerifierQuestion {
  file: ArrayBuffer | null;
  log: ArrayBuffer | null;
  key: string;
}
