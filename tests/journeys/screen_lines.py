"""Lines of a screen as a screen reader reads it: names, roles, headings and landmarks."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from config import __version__
from tests.support.page_lines import NAME

PLACEHOLDERS = {
    rf"Charlemagne {re.escape(__version__)}": "Charlemagne VERSION",
    r"\d+ h\b( \d\d)?": "20 h 14",  # on the hour it has no minutes
    r"\d+(\.\d+){3}:\d+": "192.0.2.40:8000",
    r"Director \d+": "Director",
    rf"\b{NAME}": "NAME",
    r"\d\d\d[ \u00a0]\d\d\d(?!\d)": "123 456",
}
"""Placeholders for text that changes between runs."""
_GROUP = re.compile(r"[a-z]+:|/url: .*")
"""Lines that only group others, and targets of links."""


def list_screen_lines(page: Page) -> list[str]:
    """Return a line for each element, without indentation."""
    text = page.locator("body").aria_snapshot()
    for changing, placeholder in PLACEHOLDERS.items():
        text = re.sub(changing, placeholder, text)
    lines = (line.strip().removeprefix("- ") for line in text.splitlines())
    return [line for line in lines if not _GROUP.fullmatch(line)]
