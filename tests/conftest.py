"""What holds for every test: its language, and the closing words of a run."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Texts in English, whatever a test before left; a test of French asks for French."""
    with translation.override("en"):
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say, right above the last line, what was not run for want of a part, and how to get it."""
    if notes := os.environ.get("CHARLEMAGNE_TEST_NOTES"):
        terminalreporter.section("not run, or failed before")
        terminalreporter.write_line(notes)
