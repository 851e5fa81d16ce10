"""The draw of people by rank: 1 and 4 against 2 and 3, 5 and 8 against 6 and 7, whatever was before.

Neighbours in the standings meet, and the two sides of a table are as even as the standings allow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from engine.draws.history import History, build_history
from engine.draws.rounds import UnnumberedTable, build_draw, list_drawable_entrants
from engine.draws.schedules.foursomes import (
    ODD_CHOICES,
    assign_sides,
    build_turn_byes,
    build_two_player_table,
    get_fewest_people,
    get_people_slots,
    list_ids,
    list_repeat_reasons,
    split_into_fours,
)
from engine.draws.settings import MIXES, check_setting_names, parse_boolean, parse_choice
from engine.draws.values import Draw, DrawInput, Entrant, Format, Reason, ReasonCode

WAYS = (((0, 3), (1, 2)), ((0, 2), (1, 3)), ((0, 1), (2, 3)))
"""The ways in which four people can play, as places of either side, the most even way first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankDrawSettings:
    """Settings of a draw by rank. ``odd`` says what happens to people left over. With ``avoid_repeats`` the
    four of a table, chosen by rank alone, play in the way that repeats the fewest partners, then the fewest
    opponents."""

    odd: str = "bye"
    avoid_repeats: bool = False

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "RankDrawSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice."""
        check_setting_names(data, ("odd", "avoid_repeats", MIXES))
        parse_boolean(data, MIXES)
        return cls(odd=parse_choice(data, "odd", ODD_CHOICES), avoid_repeats=parse_boolean(data, "avoid_repeats"))


def draw_by_rank(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what the settings refuse."""
    settings = RankDrawSettings.parse(draw_input.settings)
    people = list_drawable_entrants(draw_input)
    history = build_history(draw_input)
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    split = split_into_fours(people, history, odd=settings.odd, version=draw_input.version)
    place = {person.id: number for number, person in enumerate(people, 1)}
    tables = []
    for first in range(0, len(split.fours), 4):
        four = split.fours[first : first + 4]
        way = _choose_way(four, history) if settings.avoid_repeats else WAYS[0]
        one, other = ([four[index] for index in side] for side in way)
        a, b = (list_ids(side) for side in assign_sides(one, other, history=history, chance=chance))
        places = tuple(tuple(place[entry] for entry in side) for side in (a, b))
        rank_reason = Reason(code=ReasonCode.BY_RANK, details={"places": places})
        tables.append(UnnumberedTable(a=a, b=b, reasons=(rank_reason, *list_repeat_reasons((a, b), history))))
    if split.two:
        tables.append(build_two_player_table(split.two, history=history, chance=chance))
    return build_draw("by_rank", draw_input, (tables, build_turn_byes(split.idle, people, history)))


def _choose_way(four: Sequence[Entrant], history: History) -> tuple[tuple[int, int], tuple[int, int]]:
    def count_repeats(way: tuple[tuple[int, int], tuple[int, int]]) -> tuple[int, int]:
        sides = [list_ids(four[index] for index in side) for side in way]
        partnered = (len(history.get_rounds_partnered(*side)) for side in sides)
        met = (len(history.get_rounds_met(*pair)) for pair in product(*sides))
        return sum(count**2 for count in partnered), sum(count**2 for count in met)

    return min(WAYS, key=count_repeats)


FORMAT = Format(
    key="by_rank",
    draw=draw_by_rank,
    next_slots=lambda ahead: get_people_slots(ahead, odd=RankDrawSettings.parse(ahead.settings).odd),
    check=RankDrawSettings.parse,
    side=2,
    min_entrants=get_fewest_people,
    separates_sections=True,
)
