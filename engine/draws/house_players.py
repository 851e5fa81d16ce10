"""House players: entrants who complete a table where others would sit out, and have no rank.

When a round is drawn again, only as many play as the field needs, and none where they would not help. A
schedule has them from the first round to the last. A bracket has none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .rounds import list_drawable_entrants, sort_by_number
from .values import DrawInput, Entrant, Format


def remove_spare_house_players(draw_format: Format, draw_input: DrawInput) -> DrawInput:
    """Return the draw of a field in which the house players who are not needed have no place."""
    house = [entrant for entrant in sort_by_number(draw_input.entrants) if entrant.is_house]
    if not house:
        return draw_input
    spare = {entrant.id for entrant in _list_spare_house(draw_format, draw_input)}
    if draw_format.is_bracket or _is_scheduled(draw_format, draw_input):
        entrants = tuple(entrant for entrant in draw_input.entrants if entrant.id not in spare)
    else:
        entrants = tuple(
            replace(entrant, absent=entrant.absent | {draw_input.round}) if entrant.id in spare else entrant
            for entrant in draw_input.entrants
        )
    return replace(draw_input, entrants=entrants)


def count_house_needed(draw_format: Format, settings: Mapping[str, Any], others: int, house_count: int) -> int:
    """Return how many of these house players complete the tables of so many others."""
    needed = -others % draw_format.min_entrants(settings)
    return needed if needed <= house_count else 0


def _list_spare_house(draw_format: Format, draw_input: DrawInput) -> Sequence[Entrant]:
    """Return the house players whom a field does not need. Those at a locked table stay there."""
    if draw_format.is_bracket:
        return [entrant for entrant in draw_input.entrants if entrant.is_house]
    if _is_scheduled(draw_format, draw_input):
        present = [entrant for entrant in draw_input.entrants if not entrant.has_left(draw_input.round)]
    else:
        present = list_drawable_entrants(draw_input)
    house = sort_by_number(entrant for entrant in present if entrant.is_house)
    return house[count_house_needed(draw_format, draw_input.settings, len(present) - len(house), len(house)) :]


def _is_scheduled(draw_format: Format, draw_input: DrawInput) -> bool:
    return draw_format.rounds(len(draw_input.entrants), draw_input.settings) is not None
