"""Announcements to other processes through Redis, which may be unreachable."""

import pytest
from django.test import override_settings

from live.announcements import announce_change


def test_unreachable_redis_is_logged_once_without_an_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("live.announcements._is_away", False)
    for _ in range(3):
        monkeypatch.setattr("live.announcements._silent_until", 0.0)
        with override_settings(LIVE_REDIS_URL="redis://127.0.0.1:1/0"):
            announce_change("event:1")
    assert [record.name for record in caplog.records] == ["live.announcements"]
