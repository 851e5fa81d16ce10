"""Rulings on a trick: who wins it, what may be played, and the page that shows them."""

from .answers import Binds, MayPlay, TrickWinner, TrumpChoice, WinsBy, may_play, trump_choices, winner
from .screen import RulingScreen, ruling_screen

__all__ = [
    "Binds",
    "MayPlay",
    "RulingScreen",
    "TrickWinner",
    "TrumpChoice",
    "WinsBy",
    "may_play",
    "ruling_screen",
    "trump_choices",
    "winner",
]
