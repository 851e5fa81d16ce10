"""A series of several clubs: whose events count, for whom, and what each club may do about it."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services import ClubSettings, change_club, find_or_add_people, undo_club_action
from jobs.models import Job
from tests.builders import a_club, an_event, code_of, next_round, play_round, standings_after
from tournaments.entries.services.entries import add_known_people
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.interclub.queries import clubs_of_series
from tournaments.interclub.services.invitations import (
    To,
    accept_for_club,
    decline_for_club,
    invite_club,
    withdraw_club,
)
from tournaments.interclub.services.series import put_in_series
from tournaments.interclub.services.visitors import enter_for_club
from tournaments.models import Event, InvitedClub, Season, SharedNight
from tournaments.seasons.presenters import ladder_view, nights_behind
from tournaments.seasons.queries import events_of_season
from tournaments.seasons.services import close_season, open_season, refresh_seasons

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("a season is locked, across clubs"),
    pytest.mark.slow,
]

DAYS: dict[str, Any] = {"starts": datetime.date(2026, 9, 1), "ends": datetime.date(2026, 12, 31)}
LADDERS: tuple[dict[str, Any], ...] = (
    {"name": "Clubs", "unit": "club", "counts": "match_wins"},
    {"name": "Pairs", "unit": "pair", "counts": "match_wins"},
)

ZONE = "America/Montreal"


class Series:
    """Rimouski has opened a series, in which Matane takes part; each has four people."""

    def __init__(self) -> None:
        self.opener: Club = a_club("Rimouski")
        self.other: Club = a_club("Matane")
        self.people: dict[Club, list[Person]] = {
            self.opener: find_or_add_people(
                club=self.opener, full_names=("Ann A", "Bob B", "Cid C", "Dan D")
            ),
            self.other: find_or_add_people(club=self.other, full_names=("Eva E", "Fay F", "Guy G", "Hal H")),
        }
        self.season: Season = open_season(
            club=self.opener, name="Interclub", ladders=LADDERS, is_shared=True, **DAYS
        )
        invited = invite_club(to=To(season_id=self.season.pk), club_id=self.other.pk)
        self.invited: InvitedClub = accept_for_club(club_id=self.other.pk, invited_id=invited.pk)

    def holds(self, host: Club, *, counts: bool = True) -> Event:
        """An event of one club to which the other comes; side A wins everywhere. Four pairs."""
        (guest,) = {self.opener, self.other} - {host}
        event = an_event(0, club=host, tables=2)
        invited = invite_club(to=To(event_id=event.pk), club_id=guest.pk)
        accept_for_club(club_id=guest.pk, invited_id=invited.pk)
        for club in (host, guest):
            pks = [person.pk for person in self.people[club]]
            for pair in (pks[:2], pks[2:]):
                if club == guest:
                    enter_for_club(club_id=club.pk, event_id=event.pk, people=pair, by=Actor(key=uuid4()))
                else:
                    add_known_people(event_id=event.pk, people=[pair])
        if counts:
            put_in_series(event_id=event.pk, season_id=self.season.pk)
        start_event(event_id=event.pk)
        next_round(event)
        play_round(event)
        standings_after(event)
        return event

    def wins(self, place: int = 0) -> dict[str, int]:
        """The totals of a ladder by name, as the worker keeps them."""
        refresh_seasons(club_id=self.season.club_id)
        self.season.refresh_from_db()
        return {line.names: line.total for line in ladder_view(self.season, place).lines}


@pytest.fixture
def series() -> Series:
    return Series()


def test_events_add_up_by_club_whichever_club_held_them(series: Series) -> None:
    for host in (series.opener, series.other):
        series.holds(host)
    wins = series.wins()
    assert wins.keys() == {"Rimouski", "Matane"}
    assert sum(wins.values()) == 4


def test_a_club_that_is_called_otherwise_since_keeps_what_it_won(series: Series) -> None:
    series.holds(series.opener)
    before = series.wins()
    settings = ClubSettings(name="Matane-sur-Mer", language="fr", ruleset="canadian", time_zone=ZONE)
    change_club(club_id=series.other.pk, settings=settings)
    assert series.wins() == {"Rimouski": before["Rimouski"], "Matane-sur-Mer": before["Matane"]}


def test_the_same_pair_has_one_line_at_home_and_away(series: Series) -> None:
    for host in (series.opener, series.other):
        series.holds(host)
    assert len(series.wins(1)) == 4
    assert all(line.nights == 2 for line in ladder_view(series.season, 1).lines)


def test_every_total_opens_to_its_nights(series: Series) -> None:
    events = [series.holds(host) for host in (series.opener, series.other)]
    series.wins()
    for line in ladder_view(series.season, 0).lines:
        nights = nights_behind(series.season, 0, line)
        assert [night.event for night in nights] == events
        assert sum(night.score.gained for night in nights) == line.total
        assert {night.score.of for night in nights} == {2}


def test_only_events_that_say_so_count_and_only_of_clubs_that_take_part(series: Series) -> None:
    series.holds(series.opener, counts=False)
    assert series.wins() == {}
    stranger = an_event(4)
    said = {"event_id": stranger.pk, "season_id": series.season.pk}
    assert code_of(put_in_series, **said) == "no_such_season"
    series.holds(series.other)
    assert sum(series.wins().values()) == 2
    decline_for_club(club_id=series.other.pk, invited_id=series.invited.pk)
    assert series.wins() == {}


def test_an_event_leaves_the_series_and_the_undo_brings_it_back(series: Series) -> None:
    event = series.holds(series.other)
    put_in_series(event_id=event.pk, season_id=None)
    assert series.wins() == {}
    Job.objects.all().delete()
    undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    assert Job.objects.filter(kind="refresh_seasons", key=str(series.opener.pk)).exists()
    assert sum(series.wins().values()) == 2


def test_a_result_at_either_club_has_the_worker_add_up_the_series(series: Series) -> None:
    event = series.holds(series.other)
    Job.objects.all().delete()
    standings_after(event)
    assert Job.objects.filter(kind="refresh_seasons", key=str(series.other.pk)).exists()
    refresh_seasons(club_id=series.other.pk)
    series.season.refresh_from_db()
    assert len(series.season.rows[0]) == 2


def test_closing_freezes_it_for_all_clubs(series: Series) -> None:
    event = series.holds(series.opener)
    close_season(season_id=series.season.pk)
    kept = series.wins()
    assert kept
    assert code_of(put_in_series, event_id=event.pk, season_id=None) == "season_closed"
    later = an_event(4, club=series.other)
    said = {"event_id": later.pk, "season_id": series.season.pk}
    assert code_of(put_in_series, **said) == "no_such_season"
    to = To(season_id=series.season.pk)
    assert code_of(invite_club, to=to, club_id=a_club("Mont-Joli").pk) == "season_closed"
    withdraw_club(to=to, invited_id=series.invited.pk)
    assert series.wins() == kept


def test_only_a_series_adds_up_by_club(series: Series) -> None:
    refused = code_of(open_season, club=series.opener, name="Autumn", ladders=LADDERS, **DAYS)
    assert refused == "clubs_in_a_series_only"
    usual = open_season(club=series.opener, name="Autumn", ladders=[{"name": "All"}], **DAYS)
    assert code_of(invite_club, to=To(season_id=usual.pk), club_id=series.other.pk) == "no_such_season"


def test_what_is_agreed_stands_in_both_histories_without_an_undo(series: Series) -> None:
    kinds = series.opener.actions.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["open_season", "invite_club", "club_accepted"]
    assert list(series.other.actions.order_by("pk").values_list("kind", flat=True)) == [
        "invited_elsewhere",
        "accept_elsewhere",
    ]
    for line in series.other.actions.all():
        assert code_of(undo_club_action, club_id=series.other.pk, action_id=line.pk) == "cannot_be_undone"


def test_its_own_club_stands_first_and_a_season_of_the_club_is_as_before(series: Series) -> None:
    assert clubs_of_series(series.season) == [series.opener, series.other]
    usual = open_season(club=series.opener, name="Autumn", ladders=[{"name": "All"}], **DAYS)
    event = series.holds(series.opener, counts=False)
    assert list(events_of_season(usual)) == [event]
    assert not SharedNight.objects.exists()
