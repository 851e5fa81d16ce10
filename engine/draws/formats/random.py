"""The draw by lot: opponents at random, without rematches while that is possible.

The bye of an odd field goes to one of those who have had the fewest, and this comes before avoiding
rematches: a rematch is still a match, a second bye is not, and everybody in the hall can count it.
"""

from functools import partial

from engine.draws.pairing_cost.costs import draw_by_price
from engine.draws.pairing_cost.criteria import PairingSettings, pairing_settings, pairing_settings_of
from engine.draws.rounds import slots_by_count
from engine.draws.values import Draw, DrawInput, Format, KeepsApart

BY_LOT = PairingSettings(
    criteria=("forbidden", "byes", "repeats", "avoid", "distance", "sides"), target="lot"
)


def draw_at_random(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what ``pairing_settings`` refuses."""
    return draw_by_price("random", draw_input, pairing_settings_of(draw_input, usual=BY_LOT))


FORMAT = Format(
    key="random",
    draw=draw_at_random,
    slots_ahead=partial(slots_by_count, least=2),
    check=partial(pairing_settings, usual=BY_LOT),
    keeps_apart=KeepsApart.EACH_ROUND,
    separates_sections=True,
)
