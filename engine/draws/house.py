"""House players: entrants who complete a table where others would sit out, and have no rank.

In a round that is drawn anew, only as many play as the field needs, and none where they would not help. A
schedule has them from the first round to the last. A bracket has none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .rounds import by_number, to_be_drawn
from .values import DrawInput, Entrant, Format


def with_house_as_needed(known: Format, own: DrawInput) -> DrawInput:
    """Return the draw of a field in which the house players who are not needed have no place."""
    house = [entrant for entrant in by_number(own.entrants) if entrant.is_house]
    if not house:
        return own
    spare = {entrant.id for entrant in _spare(known, own)}
    if known.is_bracket or _is_scheduled(known, own):
        entrants = tuple(entrant for entrant in own.entrants if entrant.id not in spare)
    else:
        entrants = tuple(
            replace(entrant, absent=entrant.absent | {own.round}) if entrant.id in spare else entrant
            for entrant in own.entrants
        )
    return replace(own, entrants=entrants)


def house_needed(known: Format, settings: Mapping[str, Any], others: int, house: int) -> int:
    """Return how many of these house players complete the tables of so many others."""
    needed = -others % known.fewest(settings)
    return needed if needed <= house else 0


def _spare(known: Format, own: DrawInput) -> Sequence[Entrant]:
    """Return the house players whom a field does not need. Those at a locked table stay there."""
    if known.is_bracket:
        return [entrant for entrant in own.entrants if entrant.is_house]
    if _is_scheduled(known, own):
        there = [entrant for entrant in own.entrants if not entrant.has_left(own.round)]
    else:
        there = to_be_drawn(own)
    house = by_number(entrant for entrant in there if entrant.is_house)
    return house[house_needed(known, own.settings, len(there) - len(house), len(house)) :]


def _is_scheduled(known: Format, own: DrawInput) -> bool:
    return known.rounds(len(own.entrants), own.settings) is not None
