"""Clocks that are wrong, as a laptop's whose battery was empty."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest

WRONG_YEARS = (1970, 1975, 2110)
"""No ZIP archive can bear an hour of them."""


@pytest.fixture(params=WRONG_YEARS)
def wrong_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> datetime:
    """The hour that the computer says it is, and of which its new files are."""
    hour = datetime(request.param, 7, 14, 20, 30, tzinfo=UTC)

    def local(_seconds: float | None = None) -> Any:
        return hour.timetuple()

    monkeypatch.setattr(time, "localtime", local)
    return hour
