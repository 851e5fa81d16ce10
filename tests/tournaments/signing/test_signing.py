"""Final standings in the log of their club: each once, when everybody sees them, and nothing before."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import override_settings

from clubs.audit.log import Actor
from clubs.models import Club
from engine.signed_logs import SignedLog, fingerprint
from engine.visibility import RanksRelease, Release
from tests.builders import a_club, an_account
from tests.tournaments.publishing.test_publishing import HIDDEN, a_night, correct, released
from tournaments.events.services.lifecycle import end_event
from tournaments.history.services.undo import undo_action
from tournaments.models import ClubKey, Event
from tournaments.publishing.services.publishing import publish_final, unpublish_final
from tournaments.signing.queries import entry_of_event, signed_log_of
from tournaments.signing.services import change_signing_key

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def logged(club: Club) -> SignedLog:
    log = signed_log_of(club)
    assert log is not None
    assert log.faults() == []
    return log


def kinds(club: Club) -> list[str]:
    return [each.entry["kind"] for each in logged(club).entries]


def published(event: Event, by: Actor = Actor()) -> Event:  # noqa: B008 - a value
    publish_final(event_id=event.pk, by=by)
    event.refresh_from_db()
    return event


class TestAnEntry:
    def test_is_appended_when_standings_become_final_once_however_often_it_is_asked(self) -> None:
        event, by = a_night(), Actor(account=an_account(), key=uuid4())
        assert signed_log_of(event.club) is None
        for _ in range(2):
            published(event, by)
        published(event)
        assert kinds(event.club) == ["final"]
        kept = entry_of_event(event)
        assert kept is not None
        assert kept.published == event.final

    def test_is_appended_when_they_are_corrected_and_when_they_are_taken_back(self) -> None:
        event = published(a_night())
        correct(event)
        published(event)
        unpublish_final(event_id=event.pk)
        published(event)
        assert kinds(event.club) == ["final", "corrected", "withdrawn", "final"]
        told = {each.entry["event"] for each in logged(event.club).entries}
        assert len(told) == 1

    def test_follows_what_is_undone_in_the_history(self) -> None:
        event = published(a_night())
        line = event.actions.get(kind="publish_final")
        undo_action(event_id=event.pk, action_id=line.pk)
        event.refresh_from_db()
        assert kinds(event.club) == ["final", "withdrawn"]
        assert entry_of_event(event) is None

    def test_says_nothing_of_the_event_but_sums(self) -> None:
        event = published(a_night())
        (entry,) = logged(event.club).entries
        assert event.short not in str(entry.entry)
        assert entry.entry.keys() == (
            {"charlemagne_log", "number", "kind", "at", "before", "key", "event", "sum", "standings"}
        )

    def test_is_gone_with_nothing_that_happens_after(self) -> None:
        event = published(a_night())
        end_event(event_id=event.pk)
        released(event, HIDDEN)
        assert kinds(event.club) == ["final"]
        released(event, Release())
        assert kinds(event.club) == ["final"]


class TestWhatIsKeptBack:
    @pytest.mark.parametrize("release", [HIDDEN, Release(ranked=RanksRelease.NEVER)])
    def test_is_in_no_log_before_it_is_shown(self, release: Release) -> None:
        event = released(a_night(), release)
        published(event)
        assert signed_log_of(event.club) is None
        released(event, Release())
        assert kinds(event.club) == ["final"]

    def test_is_not_taken_back_in_public_either(self) -> None:
        event = released(published(a_night()), HIDDEN)
        unpublish_final(event_id=event.pk)
        assert kinds(event.club) == ["final"]
        event.refresh_from_db()
        released(event, Release())
        assert kinds(event.club) == ["final", "withdrawn"]

    def test_is_a_correction_that_waits(self) -> None:
        """The file of the event has it already, so that nothing is signed until it is published."""
        event = published(released(a_night(), HIDDEN))
        correct(event)
        released(event, Release())
        assert signed_log_of(event.club) is None
        published(event)
        assert kinds(event.club) == ["final"]


class TestTheKey:
    def test_is_one_for_all_events_of_a_club_and_another_for_each_club(self) -> None:
        club, other = a_club(), a_club("Les Valets")
        for each in (club, club, other):
            published(a_night(each))
        assert len({each.entry["key"] for each in logged(club).entries}) == 1
        assert len({each.public for each in ClubKey.objects.all()}) == 2

    def test_is_changed_by_an_entry_that_the_one_before_signs(self) -> None:
        event, by = published(a_night()), Actor(account=an_account(), key=uuid4())
        first = ClubKey.objects.get().public
        for _ in range(2):
            change_signing_key(club_id=event.club_id, by=by)
        published(a_night(event.club))
        assert kinds(event.club) == ["final", "key", "final"]
        _, changed, last = logged(event.club).entries
        assert (changed.entry["key"], changed.entry["new_key"]) == (first, last.entry["key"])
        assert logged(event.club).faults(pinned=fingerprint(first)) == []

    def test_is_another_one_also_where_nothing_was_signed_yet(self) -> None:
        club = a_club()
        change_signing_key(club_id=club.pk)
        published(a_night(club))
        assert kinds(club) == ["key", "final"]

    def test_stands_sealed_in_the_database(self) -> None:
        published(a_night())
        kept = ClubKey.objects.get()
        assert len(kept.private) == 64
        assert ClubKey.objects.extra(where=["private LIKE %s"], params=[f"%{kept.private}%"]).count() == 0

    def test_that_nobody_can_read_any_more_is_followed_by_one_that_the_log_tells_apart(self) -> None:
        event = published(a_night())
        with override_settings(SECRET_KEY="that of another data folder"):
            published(a_night(event.club))
        log = signed_log_of(event.club)
        assert log is not None
        assert [(each.what, each.number) for each in log.faults()] == [("log_other_key", 2)]
