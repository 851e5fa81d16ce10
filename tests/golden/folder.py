"""The folder that a run writes: a file for each answer, under a name that can be read."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

LONGEST = 150


class Folder:
    """Refuses to write where something is: two runs would be mixed."""

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
    """``/e/abcd/desk?only=owing`` is ``e+abcd+desk+only=owing``."""
    name = re.sub(r"[^\w.=-]+", "+", address).strip("+") or "home"
    if len(name) > LONGEST:
        name = f"{name[:LONGEST]}{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return name
