"""An afternoon of three clubs of unequal sizes in which everybody plays, counted by hand."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from tests.builders import build_event, compute_standings, play_round, start_next_round
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event, Table
from tournaments.standings.presenters.clubs import build_club_rows
from tournaments.standings.presenters.snapshots import get_latest_snapshot

pytestmark = pytest.mark.django_db

SIZES = {"Matane": 4, "Rimouski": 5, "Amqui": 3}
ROUNDS = 2


def build_afternoon(*, has_house_player: bool = False) -> Event:
    """Play two rounds in which side A wins every table 32 to 6; optionally, a house pair replaces one club's pair."""
    teams = [club for club, size in SIZES.items() for _ in range(size)]
    event = build_event(len(teams), draw_format="interclub_all")
    for number, team in enumerate(teams, start=1):
        is_house = has_house_player and number == len(teams)
        describe_entry(event_id=event.pk, number=number, team="" if is_house else team, is_house=is_house)
    start_event(event_id=event.pk)
    for number in range(1, ROUNDS + 1):
        start_next_round(event, seed=number)
        play_round(event, number)
    compute_standings(event)
    return event


def count_won_tables(event: Event) -> Counter[tuple[str, str]]:
    """Count the tables by the winner's and the loser's club."""
    won: Counter[tuple[str, str]] = Counter()
    for table in Table.objects.filter(round__event=event):
        winner, loser = table.seatings.select_related("entry").order_by("side")
        won[winner.entry.team, loser.entry.team] += 1
    return won


@pytest.mark.parametrize("house", [False, True])
@pytest.mark.long
def test_clubs_rank_by_their_meetings_in_all_rounds(house: bool) -> None:
    event = build_afternoon(has_house_player=house)
    won = count_won_tables(event)
    assert sum(won.values()) == 6 * ROUNDS
    counted: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for club in SIZES:
        for other in SIZES.keys() - {club}:
            own, lost = won[club, other], won[other, club]
            counted[club][0] += 2 * (own > lost) + (own == lost) * (own > 0)
            counted[club][1] += 2 * own
    entries = get_entries(event)
    lines = build_club_rows(event, get_latest_snapshot(event, entry_numbers=[each.number for each in entries]), entries)
    scores = {line.name: line.score for line in lines if line.score is not None}
    assert {club: [score.match_points, score.game_points] for club, score in scores.items()} == counted
