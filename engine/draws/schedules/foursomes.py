"""People drawn with a partner: byes and tables for two if their number is no multiple of four, and sides."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Any

from engine.draws.history import History
from engine.draws.rounds import UnnumberedTable, reasons_of_bye, slots_by_count
from engine.draws.seating import Seats
from engine.draws.values import (
    DrawInput,
    DrawnBye,
    Entrant,
    EntryId,
    Partners,
    Reason,
    ReasonCode,
)
from rules import Side

BYE, TABLE_FOR_TWO = "bye", "two_player_table"
ODD = (BYE, TABLE_FOR_TWO)
"""The choices for people without a place at a table of four."""

LEFT_OVER_SINCE = 7
"""The version of draws from which on a table for two counts like a bye when turns are taken."""

_FEWEST = {BYE: 4, TABLE_FOR_TWO: 2}


@dataclass(frozen=True, slots=True)
class FoursSplit:
    """People in order of standing: those who play in fours, two who play each other or none, and those who
    sit out."""

    fours: list[Entrant]
    two: list[Entrant]
    out: list[Entrant]


def split_into_fours(people: Sequence[Entrant], history: History, *, odd: str, version: int) -> FoursSplit:
    """Split people into fours, the best first as given. Sitting out, and playing one against one, goes in
    turn: to those left over least often, among them from the bottom of the standings."""
    left = len(people) % 4
    has_two = odd == TABLE_FOR_TWO and left >= 2
    out = _in_turn(people, left - 2 * has_two, turn_to_sit_out(history, odd=odd, version=version))
    here = [person for person in people if person not in out]
    two = _in_turn(here, 2 * has_two, turn_to_play_alone(history, version=version))
    return FoursSplit(fours=[person for person in here if person not in two], two=two, out=out)


Turn = Callable[[EntryId], tuple[int, int]]
"""The number of turns that a person has had: the fewest come first."""


def turn_to_sit_out(history: History, *, odd: str, version: int) -> Turn:
    """Order turns by byes and tables for two together, then by byes."""
    if version < LEFT_OVER_SINCE or odd == BYE:
        return lambda entry: (history.idle_rounds(entry), 0)
    return lambda entry: (history.rounds_left_over(entry), history.idle_rounds(entry))


def turn_to_play_alone(history: History, *, version: int) -> Turn:
    """Order turns by byes and tables for two together, then by tables for two."""
    if version < LEFT_OVER_SINCE:
        return lambda entry: (history.duels(entry), 0)
    return lambda entry: (history.rounds_left_over(entry), history.duels(entry))


def has_table_for_two(settings: Mapping[str, Any]) -> bool:
    """Return whether two people without a place at a table of four play one against one."""
    return bool(settings.get("odd") == TABLE_FOR_TWO)


def slots_of_people(draw_input: DrawInput, *, odd: str) -> frozenset[str] | None:
    """Return the slots ahead in formats that split people into fours."""
    return slots_by_count(draw_input, least=_FEWEST[odd])


def fewest_people(settings: Mapping[str, Any]) -> int:
    """Return how many people a table needs at least, under these settings."""
    return _FEWEST[settings.get("odd", ODD[0])]


def _in_turn(people: Sequence[Entrant], count: int, had: Turn) -> list[Entrant]:
    in_turn = sorted(range(len(people)), key=lambda place: (had(people[place].id), -place))
    return [people[place] for place in sorted(in_turn[:count])]


def facing(
    one: Sequence[Entrant], other: Sequence[Entrant], *, history: History, chance: Random
) -> tuple[Sequence[Entrant], Sequence[Entrant]]:
    """Return two partnerships, side A first: fixed sides, else the one less often on side A, else by lot."""
    lot = chance.random() < 1 / 2
    wants_a = [
        (
            sum((person.side is Side.B) - (person.side is Side.A) for person in partners),
            sum(history.lean(person.id) for person in partners),
        )
        for partners in (one, other)
    ]
    swaps = wants_a[1] < wants_a[0] or (wants_a[0] == wants_a[1] and lot)
    return (other, one) if swaps else (one, other)


def table_of_two(two: Sequence[Entrant], *, history: History, chance: Random) -> UnnumberedTable:
    """Return a table of one against one."""
    a, b = (ids(side) for side in facing(two[:1], two[1:], history=history, chance=chance))
    return UnnumberedTable(a=a, b=b, reasons=(Reason(code=ReasonCode.TWO_LEFT), *repeats_at((a, b), history)))


def byes_in_turn(out: Iterable[Entrant], people: Sequence[Entrant], history: History) -> list[DrawnBye]:
    """Return the byes of people whose turn it is to sit out, in a field of these people."""
    out = list(out)
    playing = [person for person in people if person not in out]
    return [
        DrawnBye(
            entry=person.id,
            reasons=tuple(
                reasons_of_bye(
                    person,
                    playing,
                    history,
                    tells_score=len({p.score for p in people}) > 1,
                    are_people=True,
                )
            ),
        )
        for person in out
    ]


def ids(people: Iterable[Entrant]) -> Partners:
    return tuple(person.id for person in people)


def repeats_at(sides: Seats, history: History) -> Iterator[Reason]:
    """Yield the people at this table who have been partners, or opponents, before."""
    for side in sides:
        for pair in combinations(side, 2):
            if rounds := history.rounds_partnered(*pair):
                details = {"entries": pair, "rounds": rounds}
                yield Reason(code=ReasonCode.PARTNERED_BEFORE, details=details)
    for pair in product(*sides):
        if rounds := history.rounds_met(*pair):
            yield Reason(code=ReasonCode.MET_BEFORE, details={"entries": pair, "rounds": rounds})
