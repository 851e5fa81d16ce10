"""The draw by lot: opponents at random, without rematches while that is possible.

The bye of an odd field goes to one of those who have had the fewest, and this comes before avoiding
rematches: a rematch is still a match, a second bye is not, and everybody in the hall can count it.
"""

from functools import partial

from engine.draws.pairing_cost.costs import draw_by_price
from engine.draws.pairing_cost.criteria import PairingSettings, get_pairing_settings, parse_pairing_settings
from engine.draws.rounds import get_slots_by_count
from engine.draws.values import Draw, DrawInput, Format, SeparationTiming

RANDOM_PAIRING = PairingSettings(criteria=("forbidden", "byes", "repeats", "avoid", "distance", "sides"), target="lot")


def draw_at_random(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what ``parse_pairing_settings`` refuses."""
    return draw_by_price("random", draw_input, get_pairing_settings(draw_input, usual=RANDOM_PAIRING))


FORMAT = Format(
    key="random",
    draw=draw_at_random,
    next_slots=partial(get_slots_by_count, least=2),
    check=partial(parse_pairing_settings, usual=RANDOM_PAIRING),
    separation=SeparationTiming.EACH_ROUND,
    separates_sections=True,
)
