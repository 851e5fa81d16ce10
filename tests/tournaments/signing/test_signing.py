"""The signed results log: final standings enter it once, when they are public, and nothing earlier."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import override_settings

from clubs.audit.log import Actor
from clubs.models import Club
from engine.signed_logs import SignedLog, get_fingerprint
from engine.visibility import RanksRelease, Release
from tests.builders import build_account, build_club
from tests.tournaments.publishing.test_publishing import HIDDEN_RELEASE, build_night, correct, release_event
from tournaments.events.services.lifecycle import end_event
from tournaments.history.services.undo import undo_action
from tournaments.models import ClubKey, Event
from tournaments.publishing.services.publishing import publish_final, unpublish_final
from tournaments.signing.queries import find_final_entry, find_signed_log
from tournaments.signing.services import change_signing_key

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def get_log(club: Club) -> SignedLog:
    log = find_signed_log(club)
    assert log is not None
    assert log.find_faults() == []
    return log


def list_kinds(club: Club) -> list[str]:
    return [each.entry["kind"] for each in get_log(club).entries]


def publish_event_final(event: Event, by: Actor = Actor()) -> Event:  # noqa: B008 - a value
    publish_final(event_id=event.pk, by=by)
    event.refresh_from_db()
    return event


class TestLogEntry:
    def test_final_standings_are_logged_once(self) -> None:
        event, by = build_night(), Actor(account=build_account(), key=uuid4())
        assert find_signed_log(event.club) is None
        for _ in range(2):
            publish_event_final(event, by)
        publish_event_final(event)
        assert list_kinds(event.club) == ["final"]
        final_entry = find_final_entry(event)
        assert final_entry is not None
        assert final_entry.published == event.final

    @pytest.mark.long
    def test_corrections_and_withdrawals_are_logged(self) -> None:
        event = publish_event_final(build_night())
        correct(event)
        publish_event_final(event)
        unpublish_final(event_id=event.pk)
        publish_event_final(event)
        assert list_kinds(event.club) == ["final", "corrected", "withdrawn", "final"]
        event_keys = {each.entry["event"] for each in get_log(event.club).entries}
        assert len(event_keys) == 1

    def test_undone_publishing_is_logged_as_withdrawn(self) -> None:
        event = publish_event_final(build_night())
        line = event.actions.get(kind="publish_final")
        undo_action(event_id=event.pk, action_id=line.pk)
        event.refresh_from_db()
        assert list_kinds(event.club) == ["final", "withdrawn"]
        assert find_final_entry(event) is None

    @pytest.mark.long
    def test_log_entry_contains_only_digests(self) -> None:
        event = publish_event_final(build_night())
        (entry,) = get_log(event.club).entries
        assert event.short not in str(entry.entry)
        assert entry.entry.keys() == (
            {"charlemagne_log", "number", "kind", "at", "before", "key", "event", "sum", "standings"}
        )

    @pytest.mark.long
    def test_log_entry_survives_hiding_the_event(self) -> None:
        event = publish_event_final(build_night())
        end_event(event_id=event.pk)
        release_event(event, HIDDEN_RELEASE)
        assert list_kinds(event.club) == ["final"]
        release_event(event, Release())
        assert list_kinds(event.club) == ["final"]


@pytest.mark.long
class TestHiddenStandings:
    @pytest.mark.parametrize("release", [HIDDEN_RELEASE, Release(ranked=RanksRelease.NEVER)])
    def test_hidden_standings_are_not_logged_until_shown(self, release: Release) -> None:
        event = release_event(build_night(), release)
        publish_event_final(event)
        assert find_signed_log(event.club) is None
        release_event(event, Release())
        assert list_kinds(event.club) == ["final"]

    def test_hidden_withdrawal_is_logged_once_shown(self) -> None:
        event = release_event(publish_event_final(build_night()), HIDDEN_RELEASE)
        unpublish_final(event_id=event.pk)
        assert list_kinds(event.club) == ["final"]
        event.refresh_from_db()
        release_event(event, Release())
        assert list_kinds(event.club) == ["final", "withdrawn"]

    def test_unpublished_correction_delays_the_log_entry(self) -> None:
        """The event file already contains the correction, so nothing is signed until it is published."""
        event = publish_event_final(release_event(build_night(), HIDDEN_RELEASE))
        correct(event)
        release_event(event, Release())
        assert find_signed_log(event.club) is None
        publish_event_final(event)
        assert list_kinds(event.club) == ["final"]


class TestSigningKey:
    @pytest.mark.long
    def test_each_club_has_one_signing_key(self) -> None:
        club, other = build_club(), build_club("Les Valets")
        for each in (club, club, other):
            publish_event_final(build_night(each))
        assert len({each.entry["key"] for each in get_log(club).entries}) == 1
        assert len({each.public for each in ClubKey.objects.all()}) == 2

    @pytest.mark.long
    def test_key_change_is_signed_by_the_previous_key(self) -> None:
        event, by = publish_event_final(build_night()), Actor(account=build_account(), key=uuid4())
        first = ClubKey.objects.get().public
        for _ in range(2):
            change_signing_key(club_id=event.club_id, by=by)
        publish_event_final(build_night(event.club))
        assert list_kinds(event.club) == ["final", "key", "final"]
        _, changed, last = get_log(event.club).entries
        assert (changed.entry["key"], changed.entry["new_key"]) == (first, last.entry["key"])
        assert get_log(event.club).find_faults(pinned_key=get_fingerprint(first)) == []

    @pytest.mark.long
    def test_key_can_change_before_anything_is_signed(self) -> None:
        club = build_club()
        change_signing_key(club_id=club.pk)
        publish_event_final(build_night(club))
        assert list_kinds(club) == ["key", "final"]

    @pytest.mark.long
    def test_database_stores_the_key_encrypted(self) -> None:
        publish_event_final(build_night())
        club_key = ClubKey.objects.get()
        assert len(club_key.private) == 64
        assert ClubKey.objects.extra(where=["private LIKE %s"], params=[f"%{club_key.private}%"]).count() == 0

    def test_lost_key_is_replaced_and_reported_in_the_log(self) -> None:
        event = publish_event_final(build_night())
        with override_settings(SECRET_KEY="that of another data folder"):
            publish_event_final(build_night(event.club))
        log = find_signed_log(event.club)
        assert log is not None
        assert [(each.kind, each.number) for each in log.find_faults()] == [("log_other_key", 2)]
