"""What is kept as text, to be compared: version control shows what a change has changed in it."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

RENEW = "--renew-outlines"


class KeptTexts:
    """Those of a folder, a file each; ``is_renewed`` writes them as they are now."""

    def __init__(self, folder: Path, *, is_renewed: bool) -> None:
        self.folder, self.is_renewed = folder, is_renewed

    def text(self, name: str) -> str:
        """What is kept under this name; "" if nothing."""
        file = self.folder / name
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def compare(self, name: str, now: str) -> None:
        """Fails with the lines that are otherwise."""
        if difference := self.difference(name, now):
            pytest.fail(difference, pytrace=False)

    def difference(self, name: str, now: str) -> str:
        """What there is now otherwise than in the file of this name, line by line; "" if nothing."""
        file = self.folder / name
        if self.is_renewed:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(now, encoding="utf-8") if now else file.unlink(missing_ok=True)
        was, is_now = self.text(name).splitlines(keepends=True), now.splitlines(keepends=True)
        return "".join(unified_diff(was, is_now, fromfile=f"{name}, as kept", tofile=f"{name}, as now"))


def lines_otherwise(usual: str, other: str) -> str:
    """The lines that one text has and the other has not, in order: ``-`` the usual, ``+`` the other."""
    changes = unified_diff(usual.splitlines(), other.splitlines(), n=0, lineterm="")
    return "".join(f"{line}\n" for line in list(changes)[2:] if not line.startswith("@@"))
