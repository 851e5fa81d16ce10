"""Create the club that is copied: nights played through the services, and one of each kind of data."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from random import Random
from uuid import UUID

from django.utils import timezone

from clubs.models import Account, Club
from jobs.models import Job, Status
from rules import CANADIAN, MatchFormat
from scoring.services.marks import record_hand
from tests.builders import (
    build_account,
    build_club,
    build_player_names,
    build_running_night,
    matches_of,
    start_next_round,
)
from tests.every_page.test_every_page import PATHS_BY_PATTERN
from tests.every_page.test_query_counts import MAX_QUERIES
from tests.support.hall import Hall
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.records.services import refresh_ratings
from tournaments.rounds.services.rounds import close_round
from tournaments.seasons.services import open_season, refresh_seasons
from tournaments.standings.services import refresh_standings

from .club_copies import DAYS_BETWEEN_COPIES, continue_sequences, copy_nights, set_sequences
from .numbers import FIRST_NIGHT, TONIGHT

NIGHTS, PAIRS, ROUNDS, HANDS = 4, 8, 3, 8
"""Size of the nights that are played through the services; all others are copies."""
LAST_DATE = datetime.date(2026, 11, 10)
CONTRACTS = ("5", "6", "7", "mulot")


def make(*, copies: int, seed: int) -> Hall:
    """Create a club with ``copies`` copies of its nights, a night in progress, and all data that its pages show."""
    set_sequences(FIRST_NIGHT)
    owner = build_account()
    club = build_club(owner=owner)
    chance = Random(seed)
    for number in range(NIGHTS):
        _play_night(club, LAST_DATE - datetime.timedelta(days=number * DAYS_BETWEEN_COPIES // NIGHTS), chance)
    finish_queued_jobs()
    copy_nights(copies)
    set_sequences(TONIGHT)
    hall = _build_hall(owner, club)
    last = LAST_DATE.year
    for year in range(last - copies * DAYS_BETWEEN_COPIES // 365, last + 1):
        day = datetime.date(year, 1, 1)
        open_season(
            club=club,
            name=str(year),
            starts=day,
            ends=day.replace(month=12, day=31),
            ladders=[{"name": "General"}],
        )
    for path in list_addresses(hall).values():
        hall.desk.open(path)
    refresh_seasons(club_id=club.pk)
    refresh_ratings(club_id=club.pk)
    finish_queued_jobs()
    continue_sequences()
    return hall


def list_addresses(hall: Hall) -> dict[str, str]:
    """Return the paths of all pages, by name or pattern."""
    found: dict[str, str] = {}
    lists: dict[str, Callable[[Hall], str]] = {name: path for name, (_, path) in MAX_QUERIES.items()} | PATHS_BY_PATTERN
    for name, path in lists.items():
        found[name] = path(hall)
    return found


def finish_queued_jobs() -> None:
    """Mark queued jobs as done a day ago."""
    yesterday = timezone.now() - datetime.timedelta(days=1)
    Job.objects.filter(status=Status.QUEUED).update(status=Status.DONE, started_at=yesterday, ended_at=yesterday)


def _build_hall(owner: Account, club: Club) -> Hall:
    hall = Hall.__new__(Hall)
    hall.owner, hall.event, hall.phones = owner, build_running_night(PAIRS, club=club), 0
    return hall


def _play_night(club: Club, held_on: datetime.date, chance: Random) -> Event:
    """Play a night to its end: record each hand, and compute the standings."""
    event = create_event(
        club=club,
        name="Soirée du mardi",
        held_on=held_on,
        ruleset=CANADIAN,
        match_format=MatchFormat(hands=HANDS),
        table_count=PAIRS // 2,
    )
    people = [name for pair in build_player_names(2 * PAIRS).values() for name in pair]
    present = chance.sample(people, 2 * PAIRS)
    pairs = {number: (present[2 * number - 2], present[2 * number - 1]) for number in range(1, PAIRS + 1)}
    add_entries(event_id=event.pk, entries=pairs)
    start_event(event_id=event.pk)
    for number in range(1, ROUNDS + 1):
        start_next_round(event, seed=chance.randrange(2**31))
        for match in matches_of(event, number):
            for place in range(1, HANDS + 1):
                _mark(match.pk, place, chance)
        close_round(event_id=event.pk, number=number)
    end_event(event_id=event.pk)
    refresh_standings(event_id=event.pk)
    return event


def _mark(match: int, place: int, chance: Random) -> None:
    contract = chance.choice(CONTRACTS)
    outcome = "made" if chance.random() < 0.8 else "failed"
    hand = {"side": chance.choice("AB"), "contract": contract, "outcome": outcome}
    key = UUID(int=chance.getrandbits(128), version=4)
    record_hand(match_id=match, entry_key=key, number=place, hand=hand, device="phone")
