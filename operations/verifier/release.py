"""Python for browsers, of which the project holds only how it is known: Pyodide, as its authors released it.

Whoever runs an installation fetches it once (``install_verifier``). It lies compressed in the data folder
then, and is served from there.
"""

from __future__ import annotations

import gzip
import shutil
import tarfile
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from operations.data_dir import data_folder

NAME, VERSION = "pyodide", "314.0.7"
FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
"""What a browser fetches of it, each known by its SHA-256."""
WANTED = f"{NAME}@{VERSION}"
"""As its registry calls it."""
EDITION = f"{NAME}-{VERSION}"
INSIDE = "package"
"""The folder of an archive of that registry in which everything lies."""


class OtherRelease(Exception):  # noqa: N818 - it is not this one
    """An archive that lacks a file of the release, or has another under its name."""


def is_installed() -> bool:
    return release_folder().is_dir()


def release_folder() -> Path:
    return data_folder() / "verifier" / EDITION


def compressed_path(name: str) -> Path:
    """Where a file of the release lies as browsers are sent it."""
    return release_folder() / f"{name}.gz"


def size() -> int:
    """How many bytes a browser fetches of it."""
    return sum(compressed_path(name).stat().st_size for name in FILES)


def install(archive: Path) -> None:
    """All of the release or nothing; an older one goes. Safe to repeat. Raises OtherRelease."""
    files = _files_of(archive)
    above = release_folder().parent
    above.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(dir=above))
    for name, content in files.items():
        (made / compressed_path(name).name).write_bytes(gzip.compress(content, mtime=0))
    for old in (each for each in above.iterdir() if each != made):
        shutil.rmtree(old)
    made.rename(release_folder())


def _files_of(archive: Path) -> dict[str, bytes]:
    files = {}
    try:
        with tarfile.open(archive) as opened:
            for name in FILES:
                member = opened.extractfile(f"{INSIDE}/{name}")
                files[name] = b"" if member is None else member.read()
    except (KeyError, tarfile.TarError, EOFError, OSError) as error:
        raise OtherRelease(str(archive)) from error
    for name, digest in FILES.items():
        if sha256(files[name]).hexdigest() != digest:
            raise OtherRelease(name)
    return files
