"""Machine players: one that chooses among legal actions at random, and one that plays by rules of thumb.

They serve simulation: a program can fill a table with them, and each knows only what its seat may see.
"""

from .heuristic_player import HeuristicPlayer
from .player import Player, SeatView, hide_unseen_hands
from .random_player import RandomPlayer

__all__ = ["HeuristicPlayer", "Player", "RandomPlayer", "SeatView", "hide_unseen_hands"]
