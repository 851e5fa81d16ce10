"""Visibility of an event, changed and undone; final standings; and links to an event from elsewhere."""

from __future__ import annotations

import datetime
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club
from engine.visibility import Names, Ranks, RanksRelease, Release, Results
from tests.builders import (
    build_account,
    build_club,
    build_played_night,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.engine.visibility.test_visibility import ALL_RELEASES
from tests.long_runs import IS_LONG
from tests.saved_states import saved_state
from tests.support.browser import Browser
from tests.tournaments.seasons.test_seasons import build_season
from tournaments.entries.services.entries import add_entry
from tournaments.events.queries import counts_publicly, get_public_club_events
from tournaments.events.services.lifecycle import end_event
from tournaments.events.services.settings import rename_event
from tournaments.history.services.undo import undo_action
from tournaments.models import ClubRecord, Event, PersonRecord, Season
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.records.queries import list_meetings
from tournaments.records.services import refresh_ratings
from tournaments.rounds.services.tables import adjust_table
from tournaments.seasons.queries import find_closed_season
from tournaments.seasons.services import close_season, refresh_seasons
from tournaments.standings.presenters import get_latest_snapshot, get_public_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

HIDDEN_RELEASE = Release(is_public=False)


@saved_state
def build_night(club: Club | None = None, rounds: int = 1, **settings: Any) -> Event:
    """Build a night of four pairs with so many rounds played and closed."""
    event = build_running_night(4, **({"club": club} if club else {}), **settings)
    for number in range(1, rounds + 1):
        if number > 1:
            start_next_round(event)
        play_round(event, number)
    compute_standings(event)
    event.refresh_from_db()
    return event


def release_event(event: Event, release: Release) -> Event:
    change_release(event_id=event.pk, release=release)
    event.refresh_from_db()
    compute_standings(event)
    return event


def correct(event: Event) -> None:
    """Rule that the other side won table 1, by 90 points."""
    adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(0, 90))
    compute_standings(event)


class TestRelease:
    @pytest.mark.long
    def test_release_is_stored_unchanged(self) -> None:
        event = build_night()
        for release in {release for release, _ in (ALL_RELEASES if IS_LONG else ALL_RELEASES[::8])}:
            change_release(event_id=event.pk, release=release)
            event.refresh_from_db()
            assert event.release == release

    @pytest.mark.long
    @pytest.mark.postgresql("combined conditions")
    def test_public_count_query_matches_the_python_rule(self) -> None:
        event = build_night()
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
            for place, (release, is_final) in enumerate(ALL_RELEASES)
        ]
        Event.objects.bulk_create(several)
        found = set(Event.objects.filter(counts_publicly()).values_list("short", flat=True))
        assert found - {event.short} == {each.short for each in several if each.visible.counts}

    def test_release_change_is_recorded_once_and_undone(self) -> None:
        event, by = build_night(), Actor(key=uuid4())
        for _ in range(2):
            change_release(event_id=event.pk, release=HIDDEN_RELEASE, by=by)
        action = event.actions.get(kind="change_release")
        undo_action(event_id=event.pk, action_id=action.pk)
        event.refresh_from_db()
        assert event.release == Release()

    def test_silence_cannot_start_before_round_one(self) -> None:
        event = build_night()
        code = get_refusal_code(change_release, event_id=event.pk, release=Release(silent_from=0))
        assert code == "no_such_round_to_keep_back"

    def test_repeated_night_copies_the_release(self) -> None:
        from tournaments.events.event_settings import (
            event_settings_from_json,
            event_settings_to_json,
            read_event_settings,
        )

        event = release_event(build_night(), Release(ranked=RanksRelease.FINAL, silent_from=2, names=Names.SHORT))
        event_settings = event_settings_from_json(event_settings_to_json(read_event_settings(event)))
        assert event_settings.release == event.release


@pytest.mark.long
@pytest.mark.parametrize("names", Names)
def test_page_mentions_consent_only_when_full_names_can_appear(names: Names) -> None:
    event = release_event(build_night(), Release(names=names))
    page = Browser().open(f"/e/{event.short}")
    assert ("Full names appear only with consent" in page.text) == (names is Names.AGREED)


class TestSilentRounds:
    @pytest.mark.long
    def test_silent_rounds_leave_public_standings_unchanged(self) -> None:
        event = release_event(build_night(rounds=1), Release(silent_from=2))
        before = get_public_snapshot(event).rows
        start_next_round(event)
        play_round(event, 2)
        compute_standings(event)
        assert get_public_snapshot(event).rows == before
        assert get_latest_snapshot(event).rows != before
        assert all(
            counted["round"] == 1
            for row in before
            for counted in get_public_snapshot(event, entry_numbers=[row["entry"]]).counted[row["entry"]]["rounds"]
        )

    @pytest.mark.long
    def test_public_standings_are_empty_until_recomputed(self) -> None:
        event = release_event(build_night(rounds=3), Release(silent_from=3))
        change_release(event_id=event.pk, release=Release(silent_from=2))
        event.refresh_from_db()
        assert get_public_snapshot(event).rows == ()

    @pytest.mark.long
    def test_final_standings_reveal_silent_rounds(self) -> None:
        event = release_event(build_night(rounds=2), Release(silent_from=1))
        assert not any(row["points_for"] for row in get_public_snapshot(event).rows)
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        assert get_public_snapshot(event).rows == get_latest_snapshot(event).rows
        assert event.visible.get_results(2) is Results.HANDS


@pytest.mark.postgresql("the highest number")
class TestFinalStandings:
    def test_final_standings_stay_as_published_after_corrections(self) -> None:
        event = build_night()
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        published = get_public_snapshot(event).rows
        correct(event)
        assert get_public_snapshot(event).rows == published
        assert get_latest_snapshot(event).rows != published

    @pytest.mark.long
    def test_republished_standings_name_what_they_correct(self) -> None:
        event = build_night()
        publish_final(event_id=event.pk)
        correct(event)
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        snapshot = get_public_snapshot(event)
        assert (snapshot.number, snapshot.corrects, snapshot.ranks) == (2, 1, Ranks.FINAL)
        assert snapshot.rows == get_latest_snapshot(event).rows
        assert event.actions.filter(kind="publish_correction").exists()

    def test_unchanged_final_standings_are_published_once(self) -> None:
        event = build_night()
        for _ in range(3):
            publish_final(event_id=event.pk)
        assert event.published_standings.count() == 1

    def test_republished_standings_after_withdrawal_are_no_correction(self) -> None:
        event = build_night()
        publish_final(event_id=event.pk)
        unpublish_final(event_id=event.pk)
        event.refresh_from_db()
        assert get_public_snapshot(event).ranks is Ranks.LIVE
        publish_final(event_id=event.pk)
        event.refresh_from_db()
        assert get_public_snapshot(event).corrects is None

    @pytest.mark.long
    def test_undone_publishing_can_be_redone(self) -> None:
        event = build_night()
        publish_final(event_id=event.pk)
        correct(event)
        publish_final(event_id=event.pk)
        correction = event.actions.get(kind="publish_correction")
        undone = undo_action(event_id=event.pk, action_id=correction.pk)
        event.refresh_from_db()
        assert event.final == 1
        undo_action(event_id=event.pk, action_id=undone.pk)
        event.refresh_from_db()
        assert get_public_snapshot(event).rows == get_latest_snapshot(event).rows

    def test_final_standings_require_closed_rounds_and_results(self) -> None:
        event = build_running_night(4)
        assert get_refusal_code(publish_final, event_id=event.pk) == "rounds_still_open"
        event.rounds.all().delete()
        assert get_refusal_code(publish_final, event_id=event.pk) == "nothing_to_publish"

    @pytest.mark.long
    def test_final_standings_require_a_result_at_every_table(self) -> None:
        event = build_played_night(4)
        (match, *_) = matches_of(event)
        mark(match, "misdeal", replaced=match.marks.order_by("pk").last(), director=build_account())
        refused = get_refusal(publish_final, event_id=event.pk)
        assert (refused.code, refused.details) == ("tables_undecided", {"round": 1, "tables": [1]})


def build_club_with_figures() -> tuple[Event, Event, Season]:
    """Build two ended nights of one club, with a season, ratings and records."""
    club = build_club()
    season = build_season(club)
    nights = [build_night(club) for _ in range(2)]
    for night in nights:
        end_event(event_id=night.pk)
    refresh_figures(club)
    return nights[0], nights[1], season


def refresh_figures(club: Club) -> None:
    refresh_seasons(club_id=club.pk)
    refresh_ratings(club_id=club.pk)


def sum_points(season: Season) -> int:
    season.refresh_from_db()
    return sum(row["total"] for row in season.rows[0]) if season.rows else 0


def count_public_matches(club: Club) -> int:
    return sum(PersonRecord.objects.filter(club=club).values_list("matches", flat=True))


@pytest.mark.postgresql("DISTINCT")
class TestHiddenEventFigures:
    @pytest.mark.long
    @pytest.mark.parametrize(
        "release",
        [
            HIDDEN_RELEASE,
            Release(results=Results.NOTHING),
            Release(ranked=RanksRelease.FINAL),
            Release(silent_from=1),
            Release(names=Names.NUMBERS),
        ],
    )
    def test_hidden_event_leaves_club_figures_at_once(self, release: Release) -> None:
        first, second, season = build_club_with_figures()
        whole, matches = sum_points(season), count_public_matches(first.club)
        change_release(event_id=first.pk, release=release)
        assert sum_points(season) == 0
        assert not PersonRecord.objects.filter(club=first.club).exists()
        assert ClubRecord.objects.get(club=first.club).everything is None
        refresh_figures(first.club)
        assert 0 < sum_points(season) < whole
        assert count_public_matches(first.club) * 2 == matches
        assert {meeting.event for meeting in list_meetings(first.club_id)} == {second.pk}

    @pytest.mark.long
    def test_released_event_returns_to_club_figures(self) -> None:
        first, _, season = build_club_with_figures()
        whole = sum_points(season)
        change_release(event_id=first.pk, release=HIDDEN_RELEASE)
        change_release(event_id=first.pk, release=Release())
        refresh_figures(first.club)
        assert sum_points(season) == whole

    @pytest.mark.long
    def test_release_change_stops_running_record_computation(self) -> None:
        from django.utils import timezone

        from tournaments.records.services import _holds_claim

        first, _, _ = build_club_with_figures()
        begun = timezone.now()
        ClubRecord.objects.filter(club=first.club).update(begun_at=begun)
        change_release(event_id=first.pk, release=HIDDEN_RELEASE)
        assert not _holds_claim(first.club_id, begun)

    @pytest.mark.long
    def test_event_played_after_season_closing_can_be_hidden(self) -> None:
        first, _, season = build_club_with_figures()
        close_season(season_id=season.pk)
        later = build_night(first.club)
        end_event(event_id=later.pk)
        refresh_figures(first.club)
        assert find_closed_season(later) is None
        change_release(event_id=later.pk, release=HIDDEN_RELEASE)
        later.refresh_from_db()
        assert not later.is_public

    def test_event_of_a_closed_season_cannot_be_hidden(self) -> None:
        first, _, season = build_club_with_figures()
        close_season(season_id=season.pk)
        assert get_refusal_code(change_release, event_id=first.pk, release=HIDDEN_RELEASE) == "counts_in_closed_season"
        first.refresh_from_db()
        assert first.is_public
        only_less = replace(first.release, entries=False)
        change_release(event_id=first.pk, release=only_less)
        move = partial(rename_event, event_id=first.pk, name=first.name)
        day_after = season.ends + datetime.timedelta(days=1)
        assert get_refusal_code(move, held_on=day_after) == "counts_in_closed_season"
        move(held_on=season.ends)

    @pytest.mark.long
    def test_club_figures_use_the_published_final_standings(self) -> None:
        first, _, season = build_club_with_figures()
        publish_final(event_id=first.pk)
        before = sum_points(season)
        correct(first)
        refresh_figures(first.club)
        assert sum_points(season) == before
        publish_final(event_id=first.pk)
        refresh_figures(first.club)
        assert sum_points(season) != before

    @pytest.mark.long
    def test_public_event_list_omits_hidden_events(self) -> None:
        first, second, _ = build_club_with_figures()
        change_release(event_id=first.pk, release=HIDDEN_RELEASE)
        assert list(get_public_club_events(first.club)) == [second]


@pytest.mark.long
def test_late_hands_do_not_change_published_standings() -> None:
    event = build_night()
    publish_final(event_id=event.pk)
    start_next_round(event)
    for match in matches_of(event, 2):
        win(match)
    compute_standings(event)
    event.refresh_from_db()
    snapshot = get_public_snapshot(event)
    assert snapshot.rounds == 1
    assert "in progress" not in Browser().open(f"/e/{event.short}").text
    assert snapshot.rows != get_latest_snapshot(event).rows


@pytest.mark.long
def test_event_date_decides_its_season() -> None:
    event = build_night()
    season = build_season(event.club, starts=datetime.date(2020, 1, 1), ends=datetime.date(2020, 12, 31))
    close_season(season_id=season.pk)
    change_release(event_id=event.pk, release=HIDDEN_RELEASE)
    event.refresh_from_db()
    assert not event.is_public


@pytest.mark.long
def test_number_in_published_standings_is_never_reused() -> None:
    """Earlier published standings may list an entry that has been removed since."""
    event = build_night()
    (late,) = add_entry(event_id=event.pk, players=["Paul Côté", "Léa Caron"])
    publish_final(event_id=event.pk)
    published = event.published_standings.get()
    published.rows = [*published.rows, {**published.rows[-1], "entry": late.number}]
    published.save()
    undo_action(event_id=event.pk, action_id=event.actions.get(kind="add_entry").pk)
    (other,) = add_entry(event_id=event.pk, players=["Rita Bélanger", "Luc Gagnon"])
    assert other.number > late.number
