"""Rulings on a trick: who wins it, what may be played, and the page that shows them."""

from .answers import (
    LegalCards,
    PlayRule,
    TrickWinner,
    TrumpChoice,
    WinReason,
    find_legal_cards,
    find_winner,
    list_trump_choices,
)
from .screen import RulingScreen, build_ruling_screen

__all__ = [
    "LegalCards",
    "PlayRule",
    "RulingScreen",
    "TrickWinner",
    "TrumpChoice",
    "WinReason",
    "build_ruling_screen",
    "find_legal_cards",
    "find_winner",
    "list_trump_choices",
]
