"""The Swiss draw of pairs: equal scores meet, without rematches, as one optimum of the field."""

from functools import partial

from engine.draws.pairing_cost.costs import draw_by_price
from engine.draws.pairing_cost.criteria import PairingSettings, get_pairing_settings, parse_pairing_settings
from engine.draws.rounds import get_slots_by_count
from engine.draws.values import Draw, DrawInput, Format, SeparationTiming

SWISS = PairingSettings()


def draw_swiss(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what ``parse_pairing_settings`` refuses."""
    return draw_by_price("swiss", draw_input, get_pairing_settings(draw_input, usual=SWISS))


FORMAT = Format(
    key="swiss",
    draw=draw_swiss,
    next_slots=partial(get_slots_by_count, least=2),
    check=partial(parse_pairing_settings, usual=SWISS),
    separation=SeparationTiming.EACH_ROUND,
    separates_sections=True,
)
