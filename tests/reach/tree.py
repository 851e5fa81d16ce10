"""The files of a tree: all that git would keep, and copies of them."""

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
"""Of the program, as whoever installs it has them."""


def list_files(tree: Path) -> list[str]:
    """The paths of what git keeps, or would if it were told."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    named = subprocess.run(command, cwd=tree, capture_output=True, encoding="utf-8", check=True).stdout
    return sorted({path for path in named.split("\0") if path and (tree / path).is_file()})


def copy_files(paths: Iterable[str], tree: Path, target: Path) -> None:
    """Copies of these files, in folders as they are here, with their times."""
    for path in paths:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(tree / path, target / path)
