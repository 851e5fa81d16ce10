"""The comeback of some events: the match won from the lowest chance."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from clubs.models import Person
from engine.chances import find_lowest_chance
from engine.visibility import Results
from rules import Seat, get_side
from scoring.fold import fold_match, load_log
from tournaments.events.queries import counts_publicly
from tournaments.models import CERTAIN_CHANCE, PROOFS, Table
from tournaments.rounds.chances import get_own_counts

MAX_CHANCE = CERTAIN_CHANCE // 4
"""Matches won from a higher chance are no comebacks."""
MAX_CANDIDATES = 50
"""How many matches are looked at: of some, the hands or the winners' names are not public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comeback:
    """A match won from a low chance, in percent: its table, the winners by seat, and the hand after which their chance
    was so low."""

    table: Table
    people: tuple[Person, ...]
    hand: int
    chance: int


def find_comeback(events: QuerySet[Any, Any] | Iterable[int]) -> Comeback | None:
    """Return the match of ended events won from the lowest chance, if everybody may see its hands and its winners
    may be named. One query without any, three with one; two more for each match that is passed over."""
    tables = Table.objects.filter(
        counts_publicly("round__event__"),
        round__event__in=events,
        ruling__isnull=True,
        match__has_rivals=False,
        match__withdrawn_at=None,
        match__tally__revision=F("match__revision"),
        match__tally__lowest_chance__lte=MAX_CHANCE,
    )
    rows = tables.select_related("match__terms", "round__event__terms", "round__event__club")
    rows = rows.defer(*(f"round__{name}" for name in PROOFS)).order_by("match__tally__lowest_chance", "match")
    return next(filter(None, map(_read_comeback, rows[:MAX_CANDIDATES])), None)


def _read_comeback(table: Table) -> Comeback | None:
    match, event = table.match, table.round.event
    if match is None or event.visible.get_results(table.round.number) is not Results.HANDS:
        return None
    state = fold_match(match, load_log(match).places)
    swing = find_lowest_chance(state, get_own_counts(event, state.ruleset))
    players = match.players.select_related("person").order_by("seat")
    people = tuple(player.person for player in players if get_side(Seat(player.seat)) is state.winner)
    if swing is None or state.winner is None or not all(one.is_rated and not one.is_hidden for one in people):
        return None
    return Comeback(
        table=table, people=people, hand=swing.line.number, chance=swing.after.percentages[2 * state.winner]
    )
