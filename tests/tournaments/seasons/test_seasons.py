"""Seasons of a club: which nights count, when standings are worked out, and what closing keeps."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services import PersonDetails, add_person, change_person, keep_usual_night, undo_club_action
from jobs.models import Job
from tests.builders import (
    a_club,
    a_played_night,
    a_running_night,
    an_event,
    code_of,
    matches_of,
    next_round,
    play_round,
    standings_after,
    win,
)
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry, Event, Season
from tournaments.publishing.services.publishing import publish_final, unpublish_final
from tournaments.rounds.services.rounds import close_round
from tournaments.seasons import services
from tournaments.seasons.queries import nights_of, scores_of_line
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
    pytest.mark.postgresql("a season is locked, its nights are chosen by days"),
    pytest.mark.slow,
]

AUTUMN: dict[str, Any] = {"starts": datetime.date(2026, 9, 1), "ends": datetime.date(2026, 12, 31)}
GENERAL = {"name": "General"}


def a_season(club: Club, *ladders: dict[str, Any], **said: Any) -> Season:
    return open_season(club=club, **{"name": "Autumn", "ladders": ladders or (GENERAL,), **AUTUMN, **said})


def a_night(club: Club) -> Event:
    """Four pairs play a round; the pairs at the sides A win 32 to 6."""
    event = a_played_night(4, club=club)
    standings_after(event)
    return event


def add_label(person: Person, label: str) -> None:
    change_person(
        club_id=person.club_id, person_id=person.pk, details=PersonDetails(name=person.name, labels=(label,))
    )


def totals(season: Season, place: int = 0) -> list[int]:
    refresh_seasons(club_id=season.club_id)
    season.refresh_from_db()
    return [row["total"] for row in season.rows[place]] if season.rows else []


def test_a_group_is_one_however_it_is_written_at_its_people() -> None:
    club = a_club()
    night = a_night(club)
    for place, label in enumerate(("Les Aînées", "les-ainees", "LES AÎNÉES ")):
        entry = night.entries.order_by("number")[place]
        add_label(entry.player_1, label)
    season = a_season(club, {"name": "Aînées", "label": "les aînées"})
    assert len(totals(season)) == 3


def test_nights_of_the_club_in_these_days_add_up() -> None:
    club = a_club()
    season = a_season(club)
    a_night(club)
    a_night(a_club("Another club"))
    assert totals(season) == [32] * 4 + [6] * 4
    a_night(club)
    assert sum(totals(season)) == 2 * (4 * 32 + 4 * 6)
    before, after = a_night(club), a_night(club)
    Event.objects.filter(pk=before.pk).update(held_on=datetime.date(2026, 8, 31))
    Event.objects.filter(pk=after.pk).update(held_on=datetime.date(2027, 1, 1))
    assert sum(totals(season)) == 2 * (4 * 32 + 4 * 6)


def test_a_night_counts_as_it_was_published_until_it_is_published_anew() -> None:
    club = a_club()
    season, night = a_season(club), a_night(club)
    once = totals(season)
    publish_final(event_id=night.pk)
    next_round(night)
    play_round(night, 2)
    standings_after(night)
    assert totals(season) == once
    publish_final(event_id=night.pk)
    twice = totals(season)
    assert sum(twice) == 2 * sum(once)
    undo_action(event_id=night.pk, action_id=night.actions.latest("pk").pk)
    assert totals(season) == once, "the correction was undone"
    unpublish_final(event_id=night.pk)
    assert totals(season) == twice


def test_several_ladders_at_once() -> None:
    club = a_club()
    season = a_season(club, GENERAL, {"name": "Pairs", "unit": "pair", "counts": "match_wins"})
    a_night(club)
    assert totals(season, 1) == [1, 1, 0, 0]


def test_a_night_that_is_left_out_does_not_count_until_it_is_put_back() -> None:
    club = a_club()
    season, night = a_season(club), a_night(club)
    count_nights(season_id=season.pk, left_out=[night.pk])
    assert totals(season) == []
    count_nights(season_id=season.pk, left_out=[])
    assert len(totals(season)) == 8


def test_who_stood_on_the_list_and_never_played_was_not_there() -> None:
    club = a_club()
    season, night = a_season(club), a_running_night(4, club=club)
    night.entries.filter(number=1).update(absent=[1])
    night.rounds.get().seatings.filter(entry__number=1).delete()
    for match in matches_of(night):
        win(match)
    standings_after(night)
    assert len(totals(season)) == 6


def brought(season: Season, place: int = 0) -> dict[str, tuple[int, int]]:
    """The total of each line, and its points for being there, by who it is about."""
    totals(season, place)
    people = Person.objects.in_bulk()
    return {
        " & ".join(sorted(people[person].name for person in row["players"])): (row["total"], row["bonus"])
        for row in season.rows[place]
    }


class TestSubstitutes:
    """After a round that the pair won 32 to 6, Zoé takes the place of its first player; they lose 6 to 32."""

    LADDERS = (
        {"name": "Points", "presence": 2},
        {"name": "Pairs", "unit": "pair"},
        {"name": "Wins", "counts": "match_wins"},
        {"name": "Ranks", "counts": "rank_points", "rank_points": [10, 8, 6, 4]},
    )

    def test_each_has_the_rounds_that_they_played_and_was_there(self) -> None:
        club = a_club()
        elsewhere = a_running_night(4)
        self.play_on_with_a_substitute(elsewhere, _winner_of_table_1(elsewhere))
        season, night = a_season(club, *self.LADDERS), a_running_night(4, club=club)
        entry = _winner_of_table_1(night)
        before, partner = (player.name for player in entry.players)
        self.play_on_with_a_substitute(night, entry)
        points = brought(season)
        assert [points[name] for name in (before, partner, "Zoé Zed")] == [(34, 2), (40, 2), (8, 2)]
        pairs = brought(season, 1)
        assert pairs[" & ".join(sorted([before, partner]))] == (32, 0)
        assert pairs[" & ".join(sorted([partner, "Zoé Zed"]))] == (6, 0)
        wins = brought(season, 2)
        assert [wins[name][0] for name in (before, partner, "Zoé Zed")] == [1, 1, 0]
        ranks = brought(season, 3)
        assert ranks[before] == ranks[partner] == ranks["Zoé Zed"]

    def test_who_is_put_in_after_the_last_round_has_nothing_of_it(self) -> None:
        club = a_club()
        season, night = a_season(club, *self.LADDERS), a_night(club)
        entry = _winner_of_table_1(night)
        before = entry.player_1.name
        substitute_player(event_id=night.pk, number=entry.number, place=1, name="Zoé Zed")
        standings_after(night)
        assert brought(season)[before] == (34, 2)
        assert "Zoé Zed" not in brought(season)
        night.entries.filter(pk=entry.pk).update(is_waiting=True)
        assert before not in brought(season), "who waits for a place is in no night"

    def test_who_comes_back_in_the_other_place_keeps_the_rounds_played_before(self) -> None:
        club = a_club()
        season, night = a_season(club, *self.LADDERS), a_running_night(4, club=club)
        entry = _winner_of_table_1(night)
        before, partner = (player.name for player in entry.players)
        self.play_on_with_a_substitute(night, entry)
        substitute_player(event_id=night.pk, number=entry.number, place=2, name=before)
        standings_after(night)
        points = brought(season)
        assert [points[name] for name in (before, partner, "Zoé Zed")] == [(34, 2), (40, 2), (8, 2)]

    def test_nothing_is_shared_out_where_nobody_was_replaced(self) -> None:
        club = a_club()
        a_night(club)
        (night,) = nights_of(a_season(club))
        assert [showing.shares for showing in night.showings] == [()] * 4

    def test_of_drawn_partners_too_each_has_their_own_rounds(self) -> None:
        club = a_club()
        season = a_season(club, *self.LADDERS)
        night = an_event(0, club=club, tables=2, draw_format="swiss_individual")
        add_entries(event_id=night.pk, entries={number: (f"Person {number}",) for number in range(1, 9)})
        start_event(event_id=night.pk)
        next_round(night)
        play_round(night)
        substitute_player(event_id=night.pk, number=4, place=1, name="Zoé Zed")
        next_round(night)
        play_round(night, 2)
        (row,) = (row for row in standings_after(night) if row["entry"] == 4)
        points = brought(season)
        assert [points[name][1] for name in ("Person 4", "Zoé Zed")] == [2, 2]
        assert points["Person 4"][0] + points["Zoé Zed"][0] == row["points_for"] + 2 * 2
        assert {points[name][0] - 2 for name in ("Person 4", "Zoé Zed")} <= {32, 6}

    def play_on_with_a_substitute(self, night: Event, entry: Entry) -> None:
        play_round(night)
        substitute_player(event_id=night.pk, number=entry.number, place=1, name="Zoé Zed")
        next_round(night)
        for match in matches_of(night, 2):
            seat = match.players.filter(person=entry.player_2).values_list("seat", flat=True).first()
            win(match, "A" if seat is None or seat % 2 else "B")
        close_round(event_id=night.pk, number=2)
        standings_after(night)


def _winner_of_table_1(night: Event) -> Entry:
    return Entry.objects.get(seatings__table__number=1, seatings__side=0, event=night)


def test_every_line_opens_to_its_nights() -> None:
    club = a_club()
    season = a_season(club)
    night = a_night(club)
    totals(season)
    players = season.rows[0][0]["players"]
    (score,) = scores_of_line(season, 0, players)
    assert (score.event, score.gained, score.of, score.is_counted) == (night.pk, 32, 4, True)
    assert scores_of_line(season, 0, [0]) == ()


def test_a_result_and_a_change_of_people_have_the_worker_look_at_the_seasons_again() -> None:
    club = a_club()
    a_season(club)
    Job.objects.all().delete()
    a_night(club)
    assert Job.objects.filter(kind="refresh_seasons", key=str(club.pk)).count() == 1
    other = a_club("Without a season")
    a_night(other)
    assert not Job.objects.filter(kind="refresh_seasons", key=str(other.pk)).exists()


def test_a_change_that_concerns_no_standing_gives_the_worker_nothing_to_do() -> None:
    club = a_club()
    a_season(club)
    Job.objects.all().delete()
    keep_usual_night(club_id=club.pk, name="Tuesday", settings={})
    assert not Job.objects.exists()
    add_person(club_id=club.pk, details=PersonDetails(name="Zoé Zed"))
    assert {job.kind for job in Job.objects.all()} == {"refresh_seasons", "refresh_ratings"}


def test_a_ladder_of_guests_follows_who_is_a_guest() -> None:
    club = a_club()
    season = a_season(club, {"name": "Guests", "who": "guests"})
    a_night(club)
    assert totals(season) == []
    Person.objects.filter(pk=club.people.earliest("pk").pk).update(is_guest=True)
    assert len(totals(season)) == 1


class TestClosing:
    def test_keeps_the_standings_whatever_comes_after(self) -> None:
        club = a_club()
        season = a_season(club)
        a_night(club)
        season = close_season(season_id=season.pk)
        kept = [row["total"] for row in season.rows[0]]
        assert kept == [32] * 4 + [6] * 4
        a_night(club)
        assert totals(season) == kept
        reopen_season(season_id=season.pk)
        assert sum(totals(season)) == 2 * sum(kept)

    def test_leaves_nothing_to_change(self) -> None:
        season = close_season(season_id=a_season(a_club()).pk)
        said: dict[str, Any] = {"name": "Other", "ladders": [GENERAL], **AUTUMN}
        assert code_of(change_season, season_id=season.pk, **said) == "season_closed"
        assert code_of(count_nights, season_id=season.pk, left_out=[]) == "season_closed"
        assert close_season(season_id=season.pk).closed_at == season.closed_at


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"name": " "}, "season_name_required"),
        ({"ends": datetime.date(2026, 8, 31)}, "season_ends_before"),
        ({"ends": datetime.date(2029, 1, 1)}, "season_too_long"),
        ({"ladders": ()}, "ladder_required"),
    ],
)
def test_a_season_that_cannot_be_is_refused(said: dict[str, Any], code: str) -> None:
    asked = {"name": "Autumn", "ladders": (GENERAL,), **AUTUMN, **said}
    assert code_of(open_season, club=a_club(), **asked) == code
    assert code_of(close_season, season_id=0) == "no_such_season"


def test_everything_is_done_once_and_undone_in_the_history_of_the_club() -> None:
    club = a_club()
    by = Actor(key=uuid4())
    season = a_season(club, by=by)
    assert a_season(club, by=by) == season
    change_season(season_id=season.pk, name="Winter", ladders=[GENERAL, {"name": "x"}], **AUTUMN)
    assert [action.kind for action in club.actions.all()] == ["change_season", "open_season"]
    undo_club_action(club_id=club.pk, action_id=club.actions.first().pk)  # type: ignore[union-attr]
    season.refresh_from_db()
    assert (season.name, len(season.ladders)) == ("Autumn", 1)
    close_season(season_id=season.pk)
    undo_club_action(club_id=club.pk, action_id=club.actions.first().pk)  # type: ignore[union-attr]
    assert services.reopen_season(season_id=season.pk).closed_at is None
