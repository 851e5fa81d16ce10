"""Linked computers with different clocks: countdowns end at the same moment, and both pages report the difference."""

from __future__ import annotations

from datetime import datetime, timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.utils import timezone

from clubs.audit.log import Actor
from jobs.models import Job
from tests.builders import build_running_night
from tests.tournaments.mirrors.test_two_installations import Pair, get_event, pair, site
from tournaments.mirrors.agreement import Position, RemoteState
from tournaments.mirrors.services import admission, responder
from tournaments.mirrors.services.clocks import measure_offset
from tournaments.mirrors.services.delivery import SEND_SNAPSHOT, enqueue_due_snapshots
from tournaments.mirrors.services.disagreements import record_disagreement, record_overdue_handovers
from tournaments.mirrors.services.leadership import hand_over
from tournaments.mirrors.services.polling import POLL_SITE, enqueue_due_polls, fetch_snapshots
from tournaments.models import Event, Mirror, Pairing, PublicSite, SentEvent
from tournaments.rounds.clock import build_clock
from tournaments.rounds.services.clock import begin_round, pause_clock

__all__ = ["pair", "site"]

AHEAD = timedelta(hours=5)
SET_BACK_FROM = timezone.now() + timedelta(hours=1)
SLACK = timedelta(seconds=5)


def build_linked_night() -> Event:
    """Return a night of an installation that is linked to a public site without an address."""
    event = build_running_night()
    link = {"address": "https://site.invalid", "key": "00", "pairing": uuid4(), "paired_at": "2026-01-01T00:00Z"}
    PublicSite.objects.create(club=event.club, **link)
    return event


@pytest.fixture
def is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the public site's clock ahead, both where it reports its time and where it checks a request's time."""
    for module in (admission, responder):
        monkeypatch.setattr(module, "timezone", SimpleNamespace(now=lambda: timezone.now() + AHEAD))


def get_end_time() -> datetime:
    event = get_event()
    clock = build_clock(event.rounds.get(number=1), event.terms.match_format)
    assert clock is not None
    return timezone.now() + clock.compute_remaining(timezone.now())


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.usefixtures("is_ahead")
class TestClockOffset:
    @pytest.mark.long
    def test_countdown_ends_simultaneously_on_both_computers(self, pair: Pair) -> None:
        begin_round(event_id=pair.event.pk, number=1, minutes=45)
        pair.catch_up()
        here = get_end_time()
        with pair.site.activate():
            assert abs(get_end_time() - here - AHEAD) < SLACK

    @pytest.mark.long
    def test_paused_countdown_survives_a_handover_unchanged(self, pair: Pair) -> None:
        begin_round(event_id=pair.event.pk, number=1, minutes=45)
        pause_clock(event_id=pair.event.pk, number=1)
        pair.catch_up()
        before = get_end_time()
        pair.hand_over()
        pair.hand_back()
        assert abs(get_end_time() - before) < SLACK * 4
        assert not get_event().is_mirror

    def test_site_learns_a_clock_difference_with_the_first_poll(self, pair: Pair) -> None:
        PublicSite.objects.update(clock_ahead=None)
        with pair.site.activate():
            Pairing.objects.update(clock_ahead=None)
        fetch_snapshots(pair.event.club_id)
        with pair.site.activate():
            assert Pairing.objects.get().clock_ahead == pytest.approx(-AHEAD.total_seconds(), abs=SLACK.seconds)

    def test_both_pages_report_a_clock_difference(self, pair: Pair) -> None:
        pair.catch_up()
        assert "clock is 300 minutes ahead of this one" in pair.open_page().text
        assert "clock is 300 minutes behind this one" in pair.open_page(there=True).text


@pytest.mark.django_db
@pytest.mark.slow
def test_exchange_continues_after_a_clock_was_set_back() -> None:
    event = build_linked_night()
    SentEvent.objects.create(event=event, due_at=SET_BACK_FROM)
    PublicSite.objects.update(asked_at=SET_BACK_FROM)
    enqueue_due_snapshots()
    enqueue_due_polls()
    assert {SEND_SNAPSHOT, POLL_SITE} <= set(Job.objects.values_list("kind", flat=True))


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("is_other_heard", [True, False])
def test_handover_before_a_clock_was_set_back_is_overdue(is_other_heard: bool) -> None:
    event = build_linked_night()
    hand_over(club_id=event.club_id, event_id=event.pk, by=Actor())
    Mirror.objects.update(as_of=SET_BACK_FROM)
    if is_other_heard:
        remote = RemoteState(position=Position(), is_known_here=False, knows_our_snapshot=False)
        record_disagreement(get_event(), remote)
    else:
        record_overdue_handovers()
    trouble = Mirror.objects.get().trouble
    assert trouble is not None
    assert trouble["code"] == "handover_not_accepted"


def test_slow_answer_yields_no_clock_offset() -> None:
    now = timezone.now()
    assert measure_offset(now + AHEAD, requested_at=now, answered_at=now) == AHEAD.total_seconds()
    assert measure_offset(now, requested_at=now, answered_at=now + timedelta(minutes=1)) is None
    assert measure_offset(now, requested_at=now, answered_at=now - timedelta(minutes=1)) is None
