"""The Swiss draw of pairs: equal scores meet, nobody the same opponent twice, as one optimum of the field."""

from tournaments.draws.pricing.criteria import PairingSettings, settings_of
from tournaments.draws.pricing.priced import draw_by_price
from tournaments.draws.values import Draw, DrawInput, Format

SWISS = PairingSettings()


def draw_swiss(draw_input: DrawInput) -> Draw:
    """The next round. Refuses: what ``pairing_settings`` refuses."""
    return draw_by_price("swiss", draw_input, settings_of(draw_input, usual=SWISS))


FORMAT = Format(key="swiss", draw=draw_swiss)
