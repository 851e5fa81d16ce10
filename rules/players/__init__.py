"""Machine players: one that chooses among legal actions at random, and one that plays by rules of thumb.

They serve simulation: a program can fill a table with them, and each knows only what its seat may see.
"""

from .heuristic_player import SensiblePlayer
from .player import Player, SeatView, as_seen
from .random_player import RandomPlayer

__all__ = ["Player", "RandomPlayer", "SeatView", "SensiblePlayer", "as_seen"]
