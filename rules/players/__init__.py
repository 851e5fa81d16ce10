"""Players by machine: one that draws among what is legal, and one that plays by rules of thumb.

They serve simulation: a table that a program can fill, with nothing but what a seat may see.
"""

from .player import Player, SeatView, as_seen
from .random_player import RandomPlayer
from .sensible import SensiblePlayer

__all__ = ["Player", "RandomPlayer", "SeatView", "SensiblePlayer", "as_seen"]
