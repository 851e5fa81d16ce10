"""A series of several clubs: which events count, for whom, and each club's permissions."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services.clubs import ClubSettings, change_club
from clubs.services.people import find_or_add_people
from clubs.services.undo import undo_club_action
from jobs.models import Job
from tests.builders import build_club, build_event, compute_standings, get_refusal_code, play_round, start_next_round
from tournaments.entries.services.entries import add_known_people
from tournaments.events.services.lifecycle import start_event
from tournaments.history.services.undo import undo_action
from tournaments.interclub.queries import list_series_clubs
from tournaments.interclub.services.invitations import (
    InvitationTarget,
    accept_for_club,
    assign_to_series,
    decline_for_club,
    invite_club,
    withdraw_invitation,
)
from tournaments.interclub.services.visitors import enter_for_club
from tournaments.models import Event, InvitedClub, Season, SharedNight
from tournaments.seasons.presenters import build_ladder_view, list_line_nights
from tournaments.seasons.queries import select_season_events
from tournaments.seasons.services import close_season, open_season, refresh_seasons

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("row locks"),
    pytest.mark.slow,
]

DAYS: dict[str, Any] = {"starts": datetime.date(2026, 9, 1), "ends": datetime.date(2026, 12, 31)}
LADDERS: tuple[dict[str, Any], ...] = (
    {"name": "Clubs", "unit": "club", "counts": "match_wins"},
    {"name": "Pairs", "unit": "pair", "counts": "match_wins"},
)

ZONE = "America/Montreal"


class Series:
    """A series opened by Rimouski with Matane; each club has four people."""

    def __init__(self) -> None:
        self.opener: Club = build_club("Rimouski")
        self.other: Club = build_club("Matane")
        self.people: dict[Club, list[Person]] = {
            self.opener: find_or_add_people(club=self.opener, full_names=("Ann A", "Bob B", "Cid C", "Dan D")),
            self.other: find_or_add_people(club=self.other, full_names=("Eva E", "Fay F", "Guy G", "Hal H")),
        }
        self.season: Season = open_season(club=self.opener, name="Interclub", ladders=LADDERS, is_shared=True, **DAYS)
        invited = invite_club(target=InvitationTarget(season_id=self.season.pk), club_id=self.other.pk)
        self.invited: InvitedClub = accept_for_club(club_id=self.other.pk, invited_id=invited.pk)

    def play_event(self, host: Club, *, counts: bool = True) -> Event:
        """Play an event of four pairs, two of each club; side A wins every match."""
        (guest,) = {self.opener, self.other} - {host}
        event = build_event(0, club=host, tables=2)
        invited = invite_club(target=InvitationTarget(event_id=event.pk), club_id=guest.pk)
        accept_for_club(club_id=guest.pk, invited_id=invited.pk)
        for club in (host, guest):
            pks = [person.pk for person in self.people[club]]
            for pair in (pks[:2], pks[2:]):
                if club == guest:
                    enter_for_club(club_id=club.pk, event_id=event.pk, people=pair, by=Actor(key=uuid4()))
                else:
                    add_known_people(event_id=event.pk, people=[pair])
        if counts:
            assign_to_series(event_id=event.pk, season_id=self.season.pk)
        start_event(event_id=event.pk)
        start_next_round(event)
        play_round(event)
        compute_standings(event)
        return event

    def get_totals(self, place: int = 0) -> dict[str, int]:
        """Refresh the series and return its totals by name."""
        refresh_seasons(club_id=self.season.club_id)
        self.season.refresh_from_db()
        return {line.names: line.total for line in build_ladder_view(self.season, place).lines}


@pytest.fixture
def series() -> Series:
    return Series()


@pytest.mark.long
def test_series_adds_up_wins_by_club_at_every_host(series: Series) -> None:
    for host in (series.opener, series.other):
        series.play_event(host)
    wins = series.get_totals()
    assert wins.keys() == {"Rimouski", "Matane"}
    assert sum(wins.values()) == 4


@pytest.mark.long
def test_renamed_club_keeps_its_series_results(series: Series) -> None:
    series.play_event(series.opener)
    before = series.get_totals()
    settings = ClubSettings(name="Matane-sur-Mer", language="fr", ruleset="canadian", time_zone=ZONE)
    change_club(club_id=series.other.pk, settings=settings)
    assert series.get_totals() == {"Rimouski": before["Rimouski"], "Matane-sur-Mer": before["Matane"]}


@pytest.mark.long
def test_pair_has_one_line_at_home_and_away(series: Series) -> None:
    for host in (series.opener, series.other):
        series.play_event(host)
    assert len(series.get_totals(1)) == 4
    assert all(line.nights == 2 for line in build_ladder_view(series.season, 1).lines)


@pytest.mark.long
def test_series_total_lists_its_nights(series: Series) -> None:
    events = [series.play_event(host) for host in (series.opener, series.other)]
    series.get_totals()
    for line in build_ladder_view(series.season, 0).lines:
        nights = list_line_nights(series.season, 0, line)
        assert [night.event for night in nights] == events
        assert sum(night.score.gained for night in nights) == line.total
        assert {night.score.of for night in nights} == {2}


@pytest.mark.long
def test_only_assigned_events_of_participating_clubs_count(series: Series) -> None:
    series.play_event(series.opener, counts=False)
    assert series.get_totals() == {}
    stranger = build_event(4)
    ids = {"event_id": stranger.pk, "season_id": series.season.pk}
    assert get_refusal_code(assign_to_series, **ids) == "no_such_season"
    series.play_event(series.other)
    assert sum(series.get_totals().values()) == 2
    decline_for_club(club_id=series.other.pk, invited_id=series.invited.pk)
    assert series.get_totals() == {}


@pytest.mark.long
def test_undo_returns_an_event_to_the_series(series: Series) -> None:
    event = series.play_event(series.other)
    assign_to_series(event_id=event.pk, season_id=None)
    assert series.get_totals() == {}
    Job.objects.all().delete()
    undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    assert Job.objects.filter(kind="refresh_seasons", key=str(series.opener.pk)).exists()
    assert sum(series.get_totals().values()) == 2


@pytest.mark.long
def test_result_at_either_club_refreshes_the_series(series: Series) -> None:
    event = series.play_event(series.other)
    Job.objects.all().delete()
    compute_standings(event)
    assert Job.objects.filter(kind="refresh_seasons", key=str(series.other.pk)).exists()
    refresh_seasons(club_id=series.other.pk)
    series.season.refresh_from_db()
    assert len(series.season.rows[0]) == 2


def test_closed_series_is_frozen_for_all_clubs(series: Series) -> None:
    event = series.play_event(series.opener)
    close_season(season_id=series.season.pk)
    totals = series.get_totals()
    assert totals
    assert get_refusal_code(assign_to_series, event_id=event.pk, season_id=None) == "season_closed"
    later = build_event(4, club=series.other)
    ids = {"event_id": later.pk, "season_id": series.season.pk}
    assert get_refusal_code(assign_to_series, **ids) == "no_such_season"
    to = InvitationTarget(season_id=series.season.pk)
    assert get_refusal_code(invite_club, target=to, club_id=build_club("Mont-Joli").pk) == "season_closed"
    withdraw_invitation(target=to, invited_id=series.invited.pk)
    assert series.get_totals() == totals


def test_only_a_series_has_club_standings(series: Series) -> None:
    refused = get_refusal_code(open_season, club=series.opener, name="Autumn", ladders=LADDERS, **DAYS)
    assert refused == "clubs_in_a_series_only"
    usual = open_season(club=series.opener, name="Autumn", ladders=[{"name": "All"}], **DAYS)
    assert (
        get_refusal_code(invite_club, target=InvitationTarget(season_id=usual.pk), club_id=series.other.pk)
        == "no_such_season"
    )


@pytest.mark.long
def test_series_agreement_is_in_both_histories_without_undo(series: Series) -> None:
    kinds = series.opener.actions.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["open_season", "invite_club", "club_accepted"]
    assert list(series.other.actions.order_by("pk").values_list("kind", flat=True)) == [
        "invited_elsewhere",
        "accept_elsewhere",
    ]
    for line in series.other.actions.all():
        assert get_refusal_code(undo_club_action, club_id=series.other.pk, action_id=line.pk) == "cannot_be_undone"


def test_opening_club_comes_first_and_ordinary_seasons_are_unaffected(series: Series) -> None:
    assert list_series_clubs(series.season) == [series.opener, series.other]
    usual = open_season(club=series.opener, name="Autumn", ladders=[{"name": "All"}], **DAYS)
    event = series.play_event(series.opener, counts=False)
    assert list(select_season_events(usual)) == [event]
    assert not SharedNight.objects.exists()
