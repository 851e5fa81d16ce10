"""All clubs at once: everybody plays each round, against entries of other clubs.

Any number of clubs of any sizes play together: with three clubs, all three meet in each round. Two of one
club meet only where nobody else is left for them, and only one entry of an odd field sits out.
"""

from functools import partial

from engine.draws.pairing_cost.costs import draw_by_price
from engine.draws.pairing_cost.criteria import PairingSettings, get_pairing_settings, parse_pairing_settings
from engine.draws.rounds import get_slots_by_count
from engine.draws.values import Draw, DrawInput, Format, SeparationTiming

ALL_CLUBS_PAIRING = PairingSettings(
    criteria=("forbidden", "own_club", "byes", "repeats", "avoid", "clubs", "distance", "sides"),
    target="lot",
    avoid=("family", "carpool"),
)


def draw_all_clubs(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what ``parse_pairing_settings`` refuses."""
    return draw_by_price("interclub_all", draw_input, get_pairing_settings(draw_input, usual=ALL_CLUBS_PAIRING))


FORMAT = Format(
    key="interclub_all",
    draw=draw_all_clubs,
    next_slots=partial(get_slots_by_count, least=2),
    check=partial(parse_pairing_settings, usual=ALL_CLUBS_PAIRING),
    separation=SeparationTiming.EACH_ROUND,
    separates_sections=True,
    is_interclub=True,
)
