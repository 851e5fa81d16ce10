"""The Swiss draw of pairs: equal scores meet, nobody the same opponent twice, as one optimum of the field."""

from tournaments.draws.pricing.criteria import PairingSettings, pairing_settings
from tournaments.draws.pricing.priced import draw_by_price
from tournaments.draws.values import Draw, DrawInput, Format

SWISS = PairingSettings()


def draw_swiss(draw_input: DrawInput) -> Draw:
    """The next round. Refuses: what ``pairing_settings`` refuses."""
    return draw_by_price("swiss", draw_input, pairing_settings(draw_input.settings, usual=SWISS))


FORMAT = Format(key="swiss", draw=draw_swiss)
