"""Pyodide, the Python for browsers, in one pinned release, of which the project has only the checksums.

The operator of an installation downloads it once (``install_verifier``). It is then stored compressed in the
data folder, and served from there.
"""

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
"""Files that a browser downloads, each with its SHA-256."""
PACKAGE_SPEC = f"{NAME}@{VERSION}"
"""Name and version in its registry."""
RELEASE_NAME = f"{NAME}-{VERSION}"
ARCHIVE_FOLDER = "package"
"""Folder with all files in an archive of that registry."""


class WrongRelease(Exception):  # noqa: N818 - it is not this one
    """Raised if an archive lacks a file of the release, or has another one under its name."""


def is_installed() -> bool:
    return get_release_folder().is_dir()


def get_release_folder() -> Path:
    return data_folder() / "verifier" / RELEASE_NAME


def get_compressed_path(name: str) -> Path:
    """Return the path of a file of the release, compressed as it is sent."""
    return get_release_folder() / f"{name}.gz"


def compute_download_size() -> int:
    """Return how many bytes of it a browser downloads."""
    return sum(get_compressed_path(name).stat().st_size for name in FILES)


def install_release(archive: Path) -> None:
    """Install all of the release or nothing; older ones are deleted. Safe to repeat. Raises WrongRelease."""
    files = _read_release_files(archive)
    parent = get_release_folder().parent
    parent.mkdir(parents=True, exist_ok=True)
    temporary_folder = Path(mkdtemp(dir=parent))
    for name, content in files.items():
        (temporary_folder / get_compressed_path(name).name).write_bytes(gzip.compress(content, mtime=0))
    for old in (path for path in parent.iterdir() if path != temporary_folder):
        shutil.rmtree(old)
    temporary_folder.rename(get_release_folder())


def _read_release_files(archive: Path) -> dict[str, bytes]:
    files = {}
    try:
        with tarfile.open(archive) as tar:
            for name in FILES:
                member = tar.extractfile(f"{ARCHIVE_FOLDER}/{name}")
                files[name] = b"" if member is None else member.read()
    except (KeyError, tarfile.TarError, EOFError, OSError) as error:
        raise WrongRelease(str(archive)) from error
    for name, digest in FILES.items():
        if sha256(files[name]).hexdigest() != digest:
            raise WrongRelease(name)
    return files
