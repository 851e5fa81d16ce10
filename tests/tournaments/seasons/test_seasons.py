"""Seasons of a club: which nights count, when standings are computed, and what closing a season preserves."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services.night_templates import save_night_template
from clubs.services.people import PersonDetails, add_person, change_person
from clubs.services.undo import undo_club_action
from engine.visibility import Release
from jobs.models import Job
from tests.builders import (
    build_club,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.support.event_files import export_event, list_differences
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import rename_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry, Event, Season
from tournaments.publishing.services.publishing import change_release, publish_final, unpublish_final
from tournaments.rounds.services.rounds import close_round
from tournaments.seasons import services
from tournaments.seasons.queries import get_line_scores, list_season_nights
from tournaments.seasons.services import (
    change_season,
    close_season,
    count_nights,
    open_season,
    refresh_seasons,
    reopen_season,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("row locks, and date ranges"),
    pytest.mark.slow,
]

AUTUMN: dict[str, Any] = {"starts": datetime.date(2026, 9, 1), "ends": datetime.date(2026, 12, 31)}
GENERAL = {"name": "General"}


def build_season(club: Club, *ladders: dict[str, Any], **settings: Any) -> Season:
    return open_season(club=club, **{"name": "Autumn", "ladders": ladders or (GENERAL,), **AUTUMN, **settings})


def build_night(club: Club) -> Event:
    """Build a night of four pairs with one round, in which side A wins 32 to 6 at each table."""
    event = build_played_night(4, club=club)
    compute_standings(event)
    return event


def add_label(person: Person, label: str) -> None:
    change_person(club_id=person.club_id, person_id=person.pk, details=PersonDetails(name=person.name, labels=(label,)))


def list_totals(season: Season, place: int = 0) -> list[int]:
    refresh_seasons(club_id=season.club_id)
    season.refresh_from_db()
    return [row["total"] for row in season.rows[place]] if season.rows else []


@pytest.mark.long
def test_group_is_recognized_in_any_spelling() -> None:
    club = build_club()
    night = build_night(club)
    for place, label in enumerate(("Les Aînées", "les-ainees", "LES AÎNÉES ")):
        entry = night.entries.order_by("number")[place]
        add_label(entry.player_1, label)
    season = build_season(club, {"name": "Aînées", "label": "les aînées"})
    assert len(list_totals(season)) == 3


@pytest.mark.long
def test_season_adds_up_nights_within_its_dates() -> None:
    club = build_club()
    season = build_season(club)
    build_night(club)
    build_night(build_club("Another club"))
    assert list_totals(season) == [32] * 4 + [6] * 4
    build_night(club)
    assert sum(list_totals(season)) == 2 * (4 * 32 + 4 * 6)
    before, after = build_night(club), build_night(club)
    Event.objects.filter(pk=before.pk).update(held_on=datetime.date(2026, 8, 31))
    Event.objects.filter(pk=after.pk).update(held_on=datetime.date(2027, 1, 1))
    assert sum(list_totals(season)) == 2 * (4 * 32 + 4 * 6)


@pytest.mark.long
def test_night_counts_as_published_until_republished() -> None:
    club = build_club()
    season, night = build_season(club), build_night(club)
    once = list_totals(season)
    publish_final(event_id=night.pk)
    start_next_round(night)
    play_round(night, 2)
    compute_standings(night)
    assert list_totals(season) == once
    publish_final(event_id=night.pk)
    twice = list_totals(season)
    assert sum(twice) == 2 * sum(once)
    undo_action(event_id=night.pk, action_id=night.actions.latest("pk").pk)
    assert list_totals(season) == once, "the correction was undone"
    unpublish_final(event_id=night.pk)
    assert list_totals(season) == twice


@pytest.mark.long
def test_season_computes_several_standings() -> None:
    club = build_club()
    season = build_season(club, GENERAL, {"name": "Pairs", "unit": "pair", "counts": "match_wins"})
    build_night(club)
    assert list_totals(season, 1) == [1, 1, 0, 0]


def test_finalists_keep_their_matches_of_pools_that_the_final_does_not_carry_over() -> None:
    club = build_club()
    season = build_season(club, *({"name": name, "counts": name} for name in ("match_wins", "points_for", "games_won")))
    final = {"format": "knockout", "takes": "top", "count": 2, "carried": "none"}
    event = build_played_night(4, club=club, stages=[{"format": "round_robin"}, final])
    for number in (2, 3, 4):
        start_next_round(event)
        play_round(event, number)
    compute_standings(event)
    assert sum(list_totals(season, 0)) == sum(list_totals(season, 2)) == 2 * 7
    assert sum(list_totals(season, 1)) == 2 * 7 * (32 + 6)
    assert list_differences(export_event(event)) == []


@pytest.mark.long
def test_excluded_night_does_not_count_until_restored() -> None:
    club = build_club()
    season, night = build_season(club), build_night(club)
    count_nights(season_id=season.pk, left_out=[night.pk])
    assert list_totals(season) == []
    count_nights(season_id=season.pk, left_out=[])
    assert len(list_totals(season)) == 8


@pytest.mark.long
def test_entry_that_never_played_is_not_counted() -> None:
    club = build_club()
    season, night = build_season(club), build_running_night(4, club=club)
    night.entries.filter(number=1).update(absent=[1])
    night.rounds.get().seatings.filter(entry__number=1).delete()
    for match in matches_of(night):
        win(match)
    compute_standings(night)
    assert len(list_totals(season)) == 6


def get_presence_points(season: Season, place: int = 0) -> dict[str, tuple[int, int]]:
    """Return the total and the attendance bonus of each line, by the names of its players."""
    list_totals(season, place)
    people = Person.objects.in_bulk()
    return {
        " & ".join(sorted(people[person].name for person in row["players"])): (row["total"], row["bonus"])
        for row in season.rows[place]
    }


class TestSubstitutes:
    """After a round that the pair won 32 to 6, Zoé replaces its first player, and they lose 6 to 32."""

    LADDERS = (
        {"name": "Points", "presence": 2},
        {"name": "Pairs", "unit": "pair"},
        {"name": "Wins", "counts": "match_wins"},
        {"name": "Ranks", "counts": "rank_points", "rank_points": [10, 8, 6, 4]},
    )

    @pytest.mark.long
    def test_each_player_gets_the_rounds_they_played(self) -> None:
        club = build_club()
        elsewhere = build_running_night(4)
        self.play_on_with_a_substitute(elsewhere, _get_first_table_winner(elsewhere))
        season, night = build_season(club, *self.LADDERS), build_running_night(4, club=club)
        entry = _get_first_table_winner(night)
        before, partner = (player.name for player in entry.players)
        self.play_on_with_a_substitute(night, entry)
        points = get_presence_points(season)
        assert [points[name] for name in (before, partner, "Zoé Zed")] == [(34, 2), (40, 2), (8, 2)]
        pairs = get_presence_points(season, 1)
        assert pairs[" & ".join(sorted([before, partner]))] == (32, 0)
        assert pairs[" & ".join(sorted([partner, "Zoé Zed"]))] == (6, 0)
        wins = get_presence_points(season, 2)
        assert [wins[name][0] for name in (before, partner, "Zoé Zed")] == [1, 1, 0]
        ranks = get_presence_points(season, 3)
        assert ranks[before] == ranks[partner] == ranks["Zoé Zed"]

    def test_substitute_after_the_last_round_gets_nothing(self) -> None:
        club = build_club()
        season, night = build_season(club, *self.LADDERS), build_night(club)
        entry = _get_first_table_winner(night)
        before = entry.player_1.name
        substitute_player(event_id=night.pk, number=entry.number, place=1, name="Zoé Zed")
        compute_standings(night)
        assert get_presence_points(season)[before] == (34, 2)
        assert "Zoé Zed" not in get_presence_points(season)
        night.entries.filter(pk=entry.pk).update(is_waiting=True)
        assert before not in get_presence_points(season), "who waits for a place is in no night"

    @pytest.mark.long
    def test_returning_player_keeps_the_earlier_rounds(self) -> None:
        club = build_club()
        season, night = build_season(club, *self.LADDERS), build_running_night(4, club=club)
        entry = _get_first_table_winner(night)
        before, partner = (player.name for player in entry.players)
        self.play_on_with_a_substitute(night, entry)
        substitute_player(event_id=night.pk, number=entry.number, place=2, name=before)
        compute_standings(night)
        points = get_presence_points(season)
        assert [points[name] for name in (before, partner, "Zoé Zed")] == [(34, 2), (40, 2), (8, 2)]

    @pytest.mark.long
    def test_entry_without_substitutes_is_not_shared(self) -> None:
        club = build_club()
        build_night(club)
        (night,) = list_season_nights(build_season(club))
        assert [showing.shares for showing in night.results] == [()] * 4

    def test_bye_is_attended_by_those_who_had_it(self) -> None:
        club = build_club()
        season, night = build_season(club, *self.LADDERS), build_played_night(5, club=club)
        entry = night.entries.get(seatings__table=None)
        before = entry.player_1.name
        substitute_player(event_id=night.pk, number=entry.number, place=1, name="Zoé Zed")
        compute_standings(night)
        assert before in get_presence_points(season)
        assert "Zoé Zed" not in get_presence_points(season)

    @pytest.mark.long
    def test_individual_player_and_substitute_get_their_own_rounds(self) -> None:
        club = build_club()
        season = build_season(club, *self.LADDERS)
        night = build_event(0, club=club, tables=2, draw_format="swiss_individual")
        add_entries(event_id=night.pk, entries={number: (f"Person {number}",) for number in range(1, 9)})
        start_event(event_id=night.pk)
        start_next_round(night)
        play_round(night)
        substitute_player(event_id=night.pk, number=4, place=1, name="Zoé Zed")
        start_next_round(night)
        play_round(night, 2)
        (row,) = (row for row in compute_standings(night) if row["entry"] == 4)
        points = get_presence_points(season)
        assert [points[name][1] for name in ("Person 4", "Zoé Zed")] == [2, 2]
        assert points["Person 4"][0] + points["Zoé Zed"][0] == row["points_for"] + 2 * 2
        assert {points[name][0] - 2 for name in ("Person 4", "Zoé Zed")} <= {32, 6}

    def play_on_with_a_substitute(self, night: Event, entry: Entry) -> None:
        play_round(night)
        substitute_player(event_id=night.pk, number=entry.number, place=1, name="Zoé Zed")
        start_next_round(night)
        for match in matches_of(night, 2):
            seat = match.players.filter(person=entry.player_2).values_list("seat", flat=True).first()
            win(match, "A" if seat is None or seat % 2 else "B")
        close_round(event_id=night.pk, number=2)
        compute_standings(night)


def _get_first_table_winner(night: Event) -> Entry:
    return Entry.objects.get(seatings__table__number=1, seatings__side=0, event=night)


@pytest.mark.long
def test_every_season_line_lists_its_nights() -> None:
    club = build_club()
    season = build_season(club)
    night = build_night(club)
    list_totals(season)
    players = season.rows[0][0]["players"]
    (score,) = get_line_scores(season, 0, players)
    assert (score.event, score.gained, score.of, score.is_counted) == (night.pk, 32, 4, True)
    assert get_line_scores(season, 0, [0]) == ()


@pytest.mark.long
def test_new_result_refreshes_only_seasons_of_its_club() -> None:
    club = build_club()
    build_season(club)
    Job.objects.all().delete()
    build_night(club)
    assert Job.objects.filter(kind="refresh_seasons", key=str(club.pk)).count() == 1
    other = build_club("Without a season")
    build_night(other)
    assert not Job.objects.filter(kind="refresh_seasons", key=str(other.pk)).exists()


def test_moved_or_hidden_night_leaves_its_season() -> None:
    club = build_club()
    season, night = build_season(club), build_night(club)
    once = list_totals(season)
    moved = build_night(club)
    Job.objects.all().delete()
    rename_event(event_id=moved.pk, name=moved.name, held_on=AUTUMN["ends"] + datetime.timedelta(days=1))
    assert Job.objects.filter(kind="refresh_seasons", key=str(club.pk)).exists()
    assert list_totals(season) == once
    Job.objects.all().delete()
    change_release(event_id=night.pk, release=Release(is_public=False))
    assert {job.kind for job in Job.objects.all()} >= {"refresh_seasons", "refresh_ratings"}, "both were emptied"


@pytest.mark.long
def test_unrelated_change_queues_no_refresh() -> None:
    club = build_club()
    build_season(club)
    Job.objects.all().delete()
    save_night_template(club_id=club.pk, name="Tuesday", settings={})
    assert not Job.objects.exists()
    add_person(club_id=club.pk, details=PersonDetails(name="Zoé Zed"))
    assert {job.kind for job in Job.objects.all()} == {"refresh_seasons", "refresh_ratings"}


@pytest.mark.long
def test_guest_standings_follow_guest_status() -> None:
    club = build_club()
    season = build_season(club, {"name": "Guests", "who": "guests"})
    build_night(club)
    assert list_totals(season) == []
    Person.objects.filter(pk=club.people.earliest("pk").pk).update(is_guest=True)
    assert len(list_totals(season)) == 1


class TestClosing:
    @pytest.mark.long
    def test_closed_season_keeps_its_standings(self) -> None:
        club = build_club()
        season = build_season(club)
        build_night(club)
        season = close_season(season_id=season.pk)
        totals = [row["total"] for row in season.rows[0]]
        assert totals == [32] * 4 + [6] * 4
        build_night(club)
        assert list_totals(season) == totals
        reopen_season(season_id=season.pk)
        assert sum(list_totals(season)) == 2 * sum(totals)

    def test_closed_season_cannot_be_changed(self) -> None:
        season = close_season(season_id=build_season(build_club()).pk)
        season_values: dict[str, Any] = {"name": "Other", "ladders": [GENERAL], **AUTUMN}
        assert get_refusal_code(change_season, season_id=season.pk, **season_values) == "season_closed"
        assert get_refusal_code(count_nights, season_id=season.pk, left_out=[]) == "season_closed"
        assert close_season(season_id=season.pk).closed_at == season.closed_at


@pytest.mark.parametrize(
    ("invalid_values", "code"),
    [
        ({"name": " "}, "season_name_required"),
        ({"ends": datetime.date(2026, 8, 31)}, "season_ends_before"),
        ({"ends": datetime.date(2029, 1, 1)}, "season_too_long"),
        ({"ladders": ()}, "ladder_required"),
    ],
)
def test_invalid_season_is_refused(invalid_values: dict[str, Any], code: str) -> None:
    season_values = {"name": "Autumn", "ladders": (GENERAL,), **AUTUMN, **invalid_values}
    assert get_refusal_code(open_season, club=build_club(), **season_values) == code
    assert get_refusal_code(close_season, season_id=0) == "no_such_season"


def test_season_actions_are_applied_once_and_undoable() -> None:
    club = build_club()
    by = Actor(key=uuid4())
    season = build_season(club, by=by)
    assert build_season(club, by=by) == season
    change_season(season_id=season.pk, name="Winter", ladders=[GENERAL, {"name": "x"}], **AUTUMN)
    assert [action.kind for action in club.actions.all()] == ["change_season", "open_season"]
    undo_club_action(club_id=club.pk, action_id=club.actions.first().pk)  # type: ignore[union-attr]
    season.refresh_from_db()
    assert (season.name, len(season.ladders)) == ("Autumn", 1)
    close_season(season_id=season.pk)
    undo_club_action(club_id=club.pk, action_id=club.actions.first().pk)  # type: ignore[union-attr]
    assert services.reopen_season(season_id=season.pk).closed_at is None
