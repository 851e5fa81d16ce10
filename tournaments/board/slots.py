"""Changes of wall screens in the history."""

from tournaments.history.labels import EVENT_ACTIONS

from .labels import BOARD_ACTIONS

EVENT_ACTIONS["settings"] |= BOARD_ACTIONS
