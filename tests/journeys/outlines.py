"""The outline of a screen as text: names, roles, headings and landmarks, as a screen reader has them."""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path

from playwright.sync_api import Page

RENEW = "--renew-outlines"
PASSING = {
    r"\d+ h \d\d": "20 h 14",
    r"^ *- /url: .*\n": "",
    r"\d+(\.\d+){3}:\d+": "192.0.2.40:8000",
    r"Director \d+": "Director",
    r"\d\d\d[ \u00a0]\d\d\d(?!\d)": "123 456",
}
"""What is another one each time: hours, addresses, accounts, and codes of tables."""


class Outlines:
    """Those that are kept in a folder, a file each; ``is_renewed`` writes them as the screens are now."""

    def __init__(self, folder: Path, *, is_renewed: bool) -> None:
        self.folder, self.is_renewed = folder, is_renewed

    def difference(self, name: str, page: Page) -> str:
        """What the screen has otherwise than the outline of this name, line by line; "" if nothing."""
        now = page.locator("body").aria_snapshot() + "\n"
        for passing, fixed in PASSING.items():
            now = re.sub(passing, fixed, now, flags=re.MULTILINE)
        file = self.folder / f"{name}.yml"
        if self.is_renewed:
            file.write_text(now, encoding="utf-8")
        kept = file.read_text(encoding="utf-8") if file.exists() else ""
        was, is_now = kept.splitlines(keepends=True), now.splitlines(keepends=True)
        return "".join(unified_diff(was, is_now, fromfile=f"{name}, as kept", tofile=f"{name}, as shown"))
