"""Rulings: who wins a trick, what may be played, and the page that says so."""

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
