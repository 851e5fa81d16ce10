"""The clocks of two linked computers differ: countdowns end at the same moment, and both pages say it."""

from __future__ import annotations

from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from tests.tournaments.mirrors.test_two_installations import Pair, pair, site, the_event
from tournaments.mirrors.services import admission, answering
from tournaments.mirrors.services.clocks import seconds_ahead
from tournaments.rounds.clock import clock_of
from tournaments.rounds.services.clock import begin_round, pause_clock

__all__ = ["pair", "site"]

AHEAD = timedelta(hours=5)
SLACK = timedelta(seconds=5)


@pytest.fixture
def is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """The public site's clock, where it tells it and where it compares it with a request's."""
    for module in (admission, answering):
        monkeypatch.setattr(module, "timezone", SimpleNamespace(now=lambda: timezone.now() + AHEAD))


def ends_at() -> datetime:
    event = the_event()
    clock = clock_of(event.rounds.get(number=1), event.terms.match_format)
    assert clock is not None
    return timezone.now() + clock.left_at(timezone.now())


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.usefixtures("is_ahead")
class TestTwoClocks:
    def test_a_countdown_ends_at_the_same_moment_at_both(self, pair: Pair) -> None:
        begin_round(event_id=pair.event.pk, number=1, minutes=45)
        pair.catch_up()
        here = ends_at()
        with pair.site.here():
            assert abs(ends_at() - here - AHEAD) < SLACK

    def test_a_paused_countdown_comes_back_as_it_was(self, pair: Pair) -> None:
        begin_round(event_id=pair.event.pk, number=1, minutes=45)
        pause_clock(event_id=pair.event.pk, number=1)
        pair.catch_up()
        before = ends_at()
        pair.hand_over()
        pair.hand_back()
        assert abs(ends_at() - before) < SLACK * 4
        assert not the_event().is_mirror

    def test_both_pages_say_a_difference_of_more_than_a_minute(self, pair: Pair) -> None:
        pair.catch_up()
        assert "clock is 300 minutes ahead of this one" in pair.page().text
        assert "clock is 300 minutes behind this one" in pair.page(there=True).text


def test_a_slow_answer_tells_nothing_of_a_clock() -> None:
    now = timezone.now()
    assert seconds_ahead(now + AHEAD, asked_at=now, answered_at=now) == AHEAD.total_seconds()
    assert seconds_ahead(now, asked_at=now, answered_at=now + timedelta(minutes=1)) is None
    assert seconds_ahead(now, asked_at=now, answered_at=now - timedelta(minutes=1)) is None
