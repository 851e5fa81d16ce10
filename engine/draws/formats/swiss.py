"""The Swiss draw of pairs: equal scores meet, without rematches, as one optimum of the field."""

from functools import partial

from engine.draws.pairing_cost.costs import draw_by_price
from engine.draws.pairing_cost.criteria import PairingSettings, pairing_settings, pairing_settings_of
from engine.draws.rounds import slots_by_count
from engine.draws.values import Draw, DrawInput, Format, KeepsApart

SWISS = PairingSettings()


def draw_swiss(draw_input: DrawInput) -> Draw:
    """Draw the next round. Refuses: what ``pairing_settings`` refuses."""
    return draw_by_price("swiss", draw_input, pairing_settings_of(draw_input, usual=SWISS))


FORMAT = Format(
    key="swiss",
    draw=draw_swiss,
    slots_ahead=partial(slots_by_count, least=2),
    check=partial(pairing_settings, usual=SWISS),
    keeps_apart=KeepsApart.EACH_ROUND,
    separates_sections=True,
)
