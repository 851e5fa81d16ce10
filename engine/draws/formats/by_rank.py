"""The draw of people by rank: 1 and 4 against 2 and 3, 5 and 8 against 6 and 7, whatever was before.

Neighbours in the standings meet, and the two sides of a table are as even as the standings allow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from engine.draws.history import History, meeting_history
from engine.draws.rounds import UnnumberedTable, drawn_as_planned, to_be_drawn
from engine.draws.schedules.foursomes import (
    ODD,
    byes_in_turn,
    facing,
    fewest_people,
    ids,
    repeats_at,
    slots_of_people,
    split_into_fours,
    table_of_two,
)
from engine.draws.settings import MIXES, boolean, check_setting_names, choice
from engine.draws.values import Draw, DrawInput, Entrant, Format, Reason, ReasonCode

WAYS = (((0, 3), (1, 2)), ((0, 2), (1, 3)), ((0, 1), (2, 3)))
"""The ways in which four people can play, as places of either side, the most even way first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByRankSettings:
    """Settings of a draw by rank. ``odd`` says what happens to people left over. With ``avoid_repeats`` the
    four of a table, chosen by rank alone, play in the way that repeats the fewest partners, then the fewest
    opponents."""

    odd: str = "bye"
    avoid_repeats: bool = False

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "ByRankSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice."""
        check_setting_names(plain, ("odd", "avoid_repeats", MIXES))
        boolean(plain, MIXES)
        return cls(odd=choice(plain, "odd", ODD), avoid_repeats=boolean(plain, "avoid_repeats"))


def draw_by_rank(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = ByRankSettings.of(draw_input.settings)
    people = to_be_drawn(draw_input)
    history = meeting_history(draw_input)
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    drawn = split_into_fours(people, history, odd=settings.odd, version=draw_input.version)
    place = {person.id: number for number, person in enumerate(people, 1)}
    tables = []
    for first in range(0, len(drawn.fours), 4):
        four = drawn.fours[first : first + 4]
        way = _fewest_repeats(four, history) if settings.avoid_repeats else WAYS[0]
        one, other = ([four[at] for at in side] for side in way)
        a, b = (ids(side) for side in facing(one, other, history=history, chance=chance))
        places = tuple(tuple(place[entry] for entry in side) for side in (a, b))
        by_rank = Reason(code=ReasonCode.BY_RANK, details={"places": places})
        tables.append(UnnumberedTable(a=a, b=b, reasons=(by_rank, *repeats_at((a, b), history))))
    if drawn.two:
        tables.append(table_of_two(drawn.two, history=history, chance=chance))
    return drawn_as_planned("by_rank", draw_input, (tables, byes_in_turn(drawn.out, people, history)))


def _fewest_repeats(four: Sequence[Entrant], history: History) -> tuple[tuple[int, int], tuple[int, int]]:
    def repeats(way: tuple[tuple[int, int], tuple[int, int]]) -> tuple[int, int]:
        sides = [ids(four[at] for at in side) for side in way]
        partnered = (len(history.rounds_partnered(*side)) for side in sides)
        met = (len(history.rounds_met(*pair)) for pair in product(*sides))
        return sum(count**2 for count in partnered), sum(count**2 for count in met)

    return min(WAYS, key=repeats)


FORMAT = Format(
    key="by_rank",
    draw=draw_by_rank,
    slots_ahead=lambda ahead: slots_of_people(ahead, odd=ByRankSettings.of(ahead.settings).odd),
    check=ByRankSettings.of,
    side=2,
    fewest=fewest_people,
    separates_sections=True,
)
