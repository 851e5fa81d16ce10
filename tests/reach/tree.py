"""Files of a working tree that git tracks or would track, and copies of them."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

from operations.data_dir import PROJECT

_PROJECT_FILE = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
_FOLDERS = _PROJECT_FILE["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
PACKAGES = tuple(folder for folder in _FOLDERS if (PROJECT / folder / "__init__.py").exists())
"""The packages of the program, as in its wheel."""


def list_files(tree: Path) -> list[str]:
    """Return the paths of tracked files, and of untracked files that git does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    named = subprocess.run(command, cwd=tree, capture_output=True, encoding="utf-8", check=True).stdout
    return sorted({path for path in named.split("\0") if path and (tree / path).is_file()})


def copy_files(paths: Iterable[str], tree: Path, target: Path) -> None:
    """Copy the files with their folders and modification times."""
    for path in paths:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(tree / path, target / path)
