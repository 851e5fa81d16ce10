"""An afternoon of three clubs of unequal sizes in which everybody plays, counted by hand."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from tests.builders import an_event, next_round, play_round, standings_after
from tournaments.entries.queries.entries import entries_of
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event, Table
from tournaments.standings.presenters.clubs import club_standings
from tournaments.standings.presenters.snapshots import latest_snapshot

pytestmark = pytest.mark.django_db

SIZES = {"Matane": 4, "Rimouski": 5, "Amqui": 3}
ROUNDS = 2


def an_afternoon(*, house: bool = False) -> Event:
    """Two rounds, every table won by side A: 32 to 6. With ``house``, one club lacks a pair."""
    teams = [club for club, size in SIZES.items() for _ in range(size)]
    event = an_event(len(teams), draw_format="interclub_all")
    for number, team in enumerate(teams, start=1):
        is_house = house and number == len(teams)
        describe_entry(event_id=event.pk, number=number, team="" if is_house else team, is_house=is_house)
    start_event(event_id=event.pk)
    for number in range(1, ROUNDS + 1):
        next_round(event, seed=number)
        play_round(event, number)
    standings_after(event)
    return event


def tables_won(event: Event) -> Counter[tuple[str, str]]:
    """Count the tables won by the club of the winner and that of the loser."""
    won: Counter[tuple[str, str]] = Counter()
    for table in Table.objects.filter(round__event=event):
        winner, loser = table.seatings.select_related("entry").order_by("side")
        won[winner.entry.team, loser.entry.team] += 1
    return won


@pytest.mark.slow
@pytest.mark.parametrize("house", [False, True])
def test_clubs_are_ranked_by_their_meetings_of_all_rounds(house: bool) -> None:
    event = an_afternoon(house=house)
    won = tables_won(event)
    assert sum(won.values()) == 6 * ROUNDS
    counted: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for club in SIZES:
        for other in SIZES.keys() - {club}:
            own, lost = won[club, other], won[other, club]
            counted[club][0] += 2 * (own > lost) + (own == lost) * (own > 0)
            counted[club][1] += 2 * own
    entries = entries_of(event)
    lines = club_standings(event, latest_snapshot(event, counted=[each.number for each in entries]), entries)
    scores = {line.name: line.score for line in lines if line.score is not None}
    assert {club: [score.match_points, score.game_points] for club, score in scores.items()} == counted
