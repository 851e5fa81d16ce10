"""People drawn with a partner: byes and tables for two if their number is no multiple of four, and sides."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Any

from engine.draws.history import History
from engine.draws.rounds import UnnumberedTable, explain_bye, get_slots_by_count
from engine.draws.seating import Seats
from engine.draws.values import DrawInput, DrawnBye, Entrant, EntryId, Partners, Reason, ReasonCode
from rules import Side

BYE, TABLE_FOR_TWO = "bye", "two_player_table"
ODD_CHOICES = (BYE, TABLE_FOR_TWO)
"""The choices for people without a place at a table of four."""

LEFT_OVER_VERSION = 7
"""The version of draws from which on a table for two counts like a bye when turns are taken."""

_FEWEST = {BYE: 4, TABLE_FOR_TWO: 2}


@dataclass(frozen=True, slots=True)
class FoursSplit:
    """People in order of standing: those who play in fours, two who play each other or none, and those who
    sit out."""

    fours: list[Entrant]
    two: list[Entrant]
    idle: list[Entrant]


def split_into_fours(people: Sequence[Entrant], history: History, *, odd: str, version: int) -> FoursSplit:
    """Split people into fours, the best first as given. Sitting out, and playing one against one, goes in
    turn: to those left over least often, among them from the bottom of the standings."""
    remainder = len(people) % 4
    has_two = odd == TABLE_FOR_TWO and remainder >= 2
    idle = _select_by_turn(people, remainder - 2 * has_two, get_bye_turns(history, odd=odd, version=version))
    remaining = [person for person in people if person not in idle]
    two = _select_by_turn(remaining, 2 * has_two, get_duel_turns(history, version=version))
    return FoursSplit(fours=[person for person in remaining if person not in two], two=two, idle=idle)


Turn = Callable[[EntryId], tuple[int, int]]
"""The number of turns that a person has had: the fewest come first."""


def get_bye_turns(history: History, *, odd: str, version: int) -> Turn:
    """Order turns by byes and tables for two together, then by byes."""
    if version < LEFT_OVER_VERSION or odd == BYE:
        return lambda entry: (history.count_idle_rounds(entry), 0)
    return lambda entry: (history.count_leftover_rounds(entry), history.count_idle_rounds(entry))


def get_duel_turns(history: History, *, version: int) -> Turn:
    """Order turns by byes and tables for two together, then by tables for two."""
    if version < LEFT_OVER_VERSION:
        return lambda entry: (history.count_duels(entry), 0)
    return lambda entry: (history.count_leftover_rounds(entry), history.count_duels(entry))


def has_table_for_two(settings: Mapping[str, Any]) -> bool:
    """Return whether two people without a place at a table of four play one against one."""
    return bool(settings.get("odd") == TABLE_FOR_TWO)


def get_people_slots(draw_input: DrawInput, *, odd: str) -> frozenset[str] | None:
    """Return the slots ahead in formats that split people into fours."""
    return get_slots_by_count(draw_input, least=_FEWEST[odd])


def get_fewest_people(settings: Mapping[str, Any]) -> int:
    """Return how many people a table needs at least, under these settings."""
    return _FEWEST[settings.get("odd", ODD_CHOICES[0])]


def _select_by_turn(people: Sequence[Entrant], count: int, get_turn: Turn) -> list[Entrant]:
    ordered = sorted(range(len(people)), key=lambda place: (get_turn(people[place].id), -place))
    return [people[place] for place in sorted(ordered[:count])]


def assign_sides(
    one: Sequence[Entrant], other: Sequence[Entrant], *, history: History, chance: Random
) -> tuple[Sequence[Entrant], Sequence[Entrant]]:
    """Return two partnerships, side A first: fixed sides, else the one less often on side A, else by lot."""
    lot = chance.random() < 1 / 2
    wants_a = [
        (
            sum((person.side is Side.B) - (person.side is Side.A) for person in partners),
            sum(history.get_side_balance(person.id) for person in partners),
        )
        for partners in (one, other)
    ]
    swaps = wants_a[1] < wants_a[0] or (wants_a[0] == wants_a[1] and lot)
    return (other, one) if swaps else (one, other)


def build_two_player_table(two: Sequence[Entrant], *, history: History, chance: Random) -> UnnumberedTable:
    """Return a table of one against one."""
    a, b = (list_ids(side) for side in assign_sides(two[:1], two[1:], history=history, chance=chance))
    return UnnumberedTable(a=a, b=b, reasons=(Reason(code=ReasonCode.TWO_LEFT), *list_repeat_reasons((a, b), history)))


def build_turn_byes(idle_people: Iterable[Entrant], people: Sequence[Entrant], history: History) -> list[DrawnBye]:
    """Return the byes of people whose turn it is to sit out, in a field of these people."""
    idle_people = list(idle_people)
    playing = [person for person in people if person not in idle_people]
    return [
        DrawnBye(
            entry=person.id,
            reasons=tuple(
                explain_bye(
                    person,
                    playing,
                    history,
                    has_scores=len({p.score for p in people}) > 1,
                    is_individual=True,
                )
            ),
        )
        for person in idle_people
    ]


def list_ids(people: Iterable[Entrant]) -> Partners:
    return tuple(person.id for person in people)


def list_repeat_reasons(sides: Seats, history: History) -> Iterator[Reason]:
    """Yield the people at this table who have been partners, or opponents, before."""
    for side in sides:
        for pair in combinations(side, 2):
            if rounds := history.get_rounds_partnered(*pair):
                details = {"entries": pair, "rounds": rounds}
                yield Reason(code=ReasonCode.PARTNERED_BEFORE, details=details)
    for pair in product(*sides):
        if rounds := history.get_rounds_met(*pair):
            yield Reason(code=ReasonCode.MET_BEFORE, details={"entries": pair, "rounds": rounds})
