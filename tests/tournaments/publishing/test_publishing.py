"""Visibility of an event, changed and undone; final standings; mentions of an event elsewhere."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club
from engine.visibility import Names, Ranks, RanksRelease, Release, Results
from tests.builders import (
    a_club,
    a_played_night,
    a_running_night,
    an_account,
    code_of,
    mark,
    matches_of,
    next_round,
    play_round,
    refusal_of,
    standings_after,
    win,
)
from tests.engine.visibility.test_what_is_seen import EVERY
from tests.long import IS_LONG
from tests.saved_states import saved_state
from tests.support.browser import Browser
from tests.tournaments.seasons.test_seasons import a_season
from tournaments.entries.services.entries import add_entry
from tournaments.events.queries import counts_publicly, public_events_of
from tournaments.events.services.lifecycle import end_event
from tournaments.history.services.undo import undo_action
from tournaments.models import ClubRecord, Event, PersonRecord, Season
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.records.queries import meetings_of
from tournaments.records.services import refresh_ratings
from tournaments.rounds.services.tables import adjust_table
from tournaments.seasons.queries import closed_season_with
from tournaments.seasons.services import close_season, refresh_seasons
from tournaments.standings.presenters import latest_snapshot, public_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

HIDDEN = Release(is_public=False)


@saved_state
def a_night(club: Club | None = None, rounds: int = 1, **settings: Any) -> Event:
    """Four pairs play some rounds, all closed."""
    event = a_running_night(4, **({"club": club} if club else {}), **settings)
    for number in range(1, rounds + 1):
        if number > 1:
            next_round(event)
        play_round(event, number)
    standings_after(event)
    event.refresh_from_db()
    return event


def released(event: Event, release: Release) -> Event:
    change_release(event_id=event.pk, release=release)
    event.refresh_from_db()
    standings_after(event)
    return event


def correct(event: Event) -> None:
    """The director gives the first table to the other side, by far."""
    adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(0, 90))
    standings_after(event)


class TestARelease:
    def test_is_what_was_said_whatever_it_says(self) -> None:
        event = a_night()
        for release in {release for release, _ in (EVERY if IS_LONG else EVERY[::8])}:
            change_release(event_id=event.pk, release=release)
            event.refresh_from_db()
            assert event.release == release

    @pytest.mark.postgresql("conditions are put together")
    def test_counts_in_a_query_just_where_it_counts_in_python(self) -> None:
        event = a_night()
        several = [
            Event(
                club=event.club,
                terms=event.terms,
                short=f"e{place}",
                name="x",
                held_on=event.held_on,
                table_count=1,
                is_public=release.is_public,
                shows_entries=release.entries,
                shows_draw=release.draw,
                shows_results=release.results,
                silent_from=release.silent_from,
                shows_standings=release.ranked,
                shows_names=release.names,
                final=1 if is_final else None,
            )
            for place, (release, is_final) in enumerate(EVERY)
        ]
        Event.objects.bulk_create(several)
        found = set(Event.objects.filter(counts_publicly()).values_list("short", flat=True))
        assert found - {event.short} == {each.short for each in several if each.visible.counts}

    def test_is_changed_once_by_a_repeat_and_undone_by_the_history(self) -> None:
        event, by = a_night(), Actor(key=uuid4())
        for _ in range(2):
            change_release(event_id=event.pk, release=HIDDEN, by=by)
        action = event.actions.get(kind="change_release")
        undo_action(event_id=event.pk, action_id=action.pk)
        event.refresh_from_db()
        assert event.release == Release()

    def test_cannot_keep_back_what_comes_before_the_first_round(self) -> None:
        event = a_night()
        code = code_of(change_release, event_id=event.pk, release=Release(silent_from=0))
        assert code == "no_such_round_to_keep_back"

    def test_goes_with_the_evening_to_the_next_one_made_like_it(self) -> None:
        from tournaments.events.event_settings import (
            event_settings_from_json,
            event_settings_of,
            event_settings_to_json,
        )

        event = released(a_night(), Release(ranked=RanksRelease.FINAL, silent_from=2, names=Names.SHORT))
        kept = event_settings_from_json(event_settings_to_json(event_settings_of(event)))
        assert kept.release == event.release


@pytest.mark.parametrize("names", Names)
def test_that_names_are_in_full_by_consent_is_said_where_they_may_be(names: Names) -> None:
    event = released(a_night(), Release(names=names))
    page = Browser().open(f"/e/{event.short}")
    assert ("Full names appear only with consent" in page.text) == (names is Names.AGREED)


class TestSilentRounds:
    def test_leave_the_standings_as_they_were_before_them(self) -> None:
        event = released(a_night(rounds=1), Release(silent_from=2))
        before = public_snapshot(event).rows
        next_round(event)
        play_round(event, 2)
        standings_after(event)
        assert public_snapshot(event).rows == before
        assert latest_snapshot(event).rows != before
        assert all(
            counted["round"] == 1
            for row in before
            for counted in public_snapshot(event, counted=[row["entry"]]).counted[row["entry"]]["rounds"]
        )

    def test_show_nothing_while_it_is_not_yet_worked_out_without_them(self) -> None:
        event = released(a_night(rounds=3), Release(silent_from=3))
        change_release(event_id=event.pk, release=Release(silent_from=2))
        event.refresh_from_db()
        assert public_snapshot(event).rows == ()

    def test_show_everything_once_the_standings_are_final(self) -> None:
        event = released(a_night(rounds=2), Release(silent_from=1))
        assert not any(row["points_for"] for row in public_snapshot(event).rows)
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        assert public_snapshot(event).rows == latest_snapshot(event).rows
        assert event.visible.results_in(2) is Results.HANDS


@pytest.mark.postgresql("the last number is looked for")
class TestFinalStandings:
    def test_stay_as_published_whatever_is_corrected_after(self) -> None:
        event = a_night()
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        published = public_snapshot(event).rows
        correct(event)
        assert public_snapshot(event).rows == published
        assert latest_snapshot(event).rows != published

    def test_are_corrected_by_publishing_again_which_says_what_it_corrects(self) -> None:
        event = a_night()
        publish_final(event_id=event.pk)
        correct(event)
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        kept = public_snapshot(event)
        assert (kept.number, kept.corrects, kept.ranks) == (2, 1, Ranks.FINAL)
        assert kept.rows == latest_snapshot(event).rows
        assert event.actions.filter(kind="publish_correction").exists()

    def test_are_published_once_where_nothing_changed(self) -> None:
        event = a_night()
        for _ in range(3):
            publish_final(event_id=event.pk)
        assert event.published_standings.count() == 1

    def test_are_taken_back_and_published_anew_as_no_correction(self) -> None:
        event = a_night()
        publish_final(event_id=event.pk)
        unpublish_final(event_id=event.pk)
        event.refresh_from_db()
        assert public_snapshot(event).ranks is Ranks.LIVE
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        assert public_snapshot(event).corrects is None

    def test_come_back_when_a_publishing_is_undone_and_done_again(self) -> None:
        event = a_night()
        publish_final(event_id=event.pk)
        correct(event)
        publish_final(event_id=event.pk)
        correction = event.actions.get(kind="publish_correction")
        undone = undo_action(event_id=event.pk, action_id=correction.pk)
        event.refresh_from_db()
        assert event.final == 1
        undo_action(event_id=event.pk, action_id=undone.pk)
        event.refresh_from_db()
        assert public_snapshot(event).rows == latest_snapshot(event).rows

    def test_wait_for_the_round_that_is_played_and_for_a_result(self) -> None:
        event = a_running_night(4)
        assert code_of(publish_final, event_id=event.pk) == "rounds_still_open"
        event.rounds.all().delete()
        assert code_of(publish_final, event_id=event.pk) == "nothing_to_publish"

    def test_wait_for_a_table_of_a_closed_round_that_lost_its_result(self) -> None:
        event = a_played_night(4)
        (match, *_) = matches_of(event)
        mark(match, "misdeal", replacing=match.marks.order_by("pk").last(), director=an_account())
        refused = refusal_of(publish_final, event_id=event.pk)
        assert (refused.code, refused.details) == ("tables_undecided", {"round": 1, "tables": [1]})


def a_club_with_figures() -> tuple[Event, Event, Season]:
    """Two evenings of one club that have ended, in a season, ratings and records."""
    club = a_club()
    season = a_season(club)
    nights = [a_night(club) for _ in range(2)]
    for night in nights:
        end_event(event_id=night.pk)
    work_out(club)
    return nights[0], nights[1], season


def work_out(club: Club) -> None:
    refresh_seasons(club_id=club.pk)
    refresh_ratings(club_id=club.pk)


def points_in(season: Season) -> int:
    season.refresh_from_db()
    return sum(row["total"] for row in season.rows[0]) if season.rows else 0


def matches_told(club: Club) -> int:
    return sum(PersonRecord.objects.filter(club=club).values_list("matches", flat=True))


@pytest.mark.postgresql("whoever is there several times is there once")
class TestWhatTellsOfAnEventElsewhere:
    @pytest.mark.parametrize(
        "release",
        [
            HIDDEN,
            Release(results=Results.NOTHING),
            Release(ranked=RanksRelease.FINAL),
            Release(silent_from=1),
            Release(names=Names.NUMBERS),
        ],
    )
    def test_is_empty_at_once_and_then_tells_of_the_others_only(self, release: Release) -> None:
        first, second, season = a_club_with_figures()
        whole, matches = points_in(season), matches_told(first.club)
        change_release(event_id=first.pk, release=release)
        assert points_in(season) == 0
        assert not PersonRecord.objects.filter(club=first.club).exists()
        assert ClubRecord.objects.get(club=first.club).everything is None
        work_out(first.club)
        assert 0 < points_in(season) < whole
        assert matches_told(first.club) * 2 == matches
        assert {meeting.event for meeting in meetings_of(first.club_id)} == {second.pk}

    def test_tells_of_it_again_once_it_is_released(self) -> None:
        first, _, season = a_club_with_figures()
        whole = points_in(season)
        change_release(event_id=first.pk, release=HIDDEN)
        change_release(event_id=first.pk, release=Release())
        work_out(first.club)
        assert points_in(season) == whole

    def test_stops_work_on_the_records_that_has_read_it_already(self) -> None:
        from django.utils import timezone

        from tournaments.records.services import _holds

        first, _, _ = a_club_with_figures()
        begun = timezone.now()
        ClubRecord.objects.filter(club=first.club).update(begun_at=begun)
        change_release(event_id=first.pk, release=HIDDEN)
        assert not _holds(first.club_id, begun)

    def test_leaves_one_that_was_played_after_its_season_was_closed_to_be_hidden(self) -> None:
        first, _, season = a_club_with_figures()
        close_season(season_id=season.pk)
        later = a_night(first.club)
        end_event(event_id=later.pk)
        work_out(first.club)
        assert closed_season_with(later) is None
        change_release(event_id=later.pk, release=HIDDEN)
        later.refresh_from_db()
        assert not later.is_public

    def test_keeps_it_from_being_hidden_where_a_closed_season_tells_of_it(self) -> None:
        first, _, season = a_club_with_figures()
        close_season(season_id=season.pk)
        assert code_of(change_release, event_id=first.pk, release=HIDDEN) == "counts_in_closed_season"
        first.refresh_from_db()
        assert first.is_public
        only_less = replace(first.release, entries=False)
        change_release(event_id=first.pk, release=only_less)

    def test_counts_the_final_standings_as_published(self) -> None:
        first, _, season = a_club_with_figures()
        publish_final(event_id=first.pk)
        before = points_in(season)
        correct(first)
        work_out(first.club)
        assert points_in(season) == before
        publish_final(event_id=first.pk)
        work_out(first.club)
        assert points_in(season) != before

    def test_lists_only_what_is_public(self) -> None:
        first, second, _ = a_club_with_figures()
        change_release(event_id=first.pk, release=HIDDEN)
        assert list(public_events_of(first.club)) == [second]


def test_hands_that_come_in_while_standings_are_final_change_nothing_published() -> None:
    event = a_night()
    publish_final(event_id=event.pk)
    next_round(event)
    for match in matches_of(event, 2):
        win(match)
    standings_after(event)
    event.refresh_from_db()
    kept = public_snapshot(event)
    assert kept.rounds == 1
    assert "in progress" not in Browser().open(f"/e/{event.short}").text
    assert kept.rows != latest_snapshot(event).rows


def test_the_day_of_an_event_decides_its_season() -> None:
    event = a_night()
    season = a_season(event.club, starts=datetime.date(2020, 1, 1), ends=datetime.date(2020, 12, 31))
    close_season(season_id=season.pk)
    change_release(event_id=event.pk, release=HIDDEN)
    event.refresh_from_db()
    assert not event.is_public


def test_nobody_gets_the_number_of_somebody_whom_published_standings_name() -> None:
    """Older ones name also who had not come."""
    event = a_night()
    (late,) = add_entry(event_id=event.pk, players=["Paul Côté", "Léa Caron"])
    publish_final(event_id=event.pk)
    published = event.published_standings.get()
    published.rows = [*published.rows, {**published.rows[-1], "entry": late.number}]
    published.save()
    undo_action(event_id=event.pk, action_id=event.actions.get(kind="add_entry").pk)
    (other,) = add_entry(event_id=event.pk, players=["Rita Bélanger", "Luc Gagnon"])
    assert other.number > late.number
