"""Wrong clocks, such as a laptop's after its battery was empty."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest

WRONG_YEARS = (1970, 1975, 2110)
"""Years that the dates of a ZIP archive cannot hold."""


@pytest.fixture(params=WRONG_YEARS)
def wrong_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Set the local time, by which new archive members are dated, to a wrong year, and return it."""
    hour = datetime(request.param, 7, 14, 20, 30, tzinfo=UTC)

    def local(_seconds: float | None = None) -> Any:
        return hour.timetuple()

    monkeypatch.setattr(time, "localtime", local)
    return hour
