"""The folder that a run writes: a file for each response, with a readable name."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

LONGEST = 150


class Folder:
    """An output folder. It must be empty at first, since two runs would mix."""

    def __init__(self, path: Path) -> None:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise SystemExit(f"{path} is not empty")
        self.path = path

    def write(self, name: str, content: bytes | str) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())


def get_file_name(address: str) -> str:
    """Return the file name of an address: ``/e/abcd/desk?only=owing`` becomes ``e+abcd+desk+only=owing``."""
    name = re.sub(r"[^\w.=-]+", "+", address).strip("+") or "home"
    if len(name) > LONGEST:
        name = f"{name[:LONGEST]}{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return name
