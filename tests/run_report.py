"""Report failures of a test run when they happen, beside pytest's own list at the end."""

from __future__ import annotations

from typing import Any

import pytest


class Failures:
    """Plugin that prints each failure and its traceback as soon as it is known."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._print_failure(report.nodeid, report.longreprtext)

    @pytest.hookimpl(trylast=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._print_failure(report.nodeid, report.longreprtext)

    def _print_failure(self, name: str, why: str) -> None:
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None:
            terminal.ensure_newline()
            terminal.section(f"failed just now: {name}", sep="_")
            terminal.line(why)


def escape_surrogates(value: Any) -> Any:
    """Return the value with lone surrogates (halves of characters) written as escapes."""
    match value:
        case str():
            return value.encode(errors="backslashreplace").decode()
        case dict():
            return {escape_surrogates(key): escape_surrogates(each) for key, each in value.items()}
        case list() | tuple():
            return type(value)(map(escape_surrogates, value))
        case _:
            return value
