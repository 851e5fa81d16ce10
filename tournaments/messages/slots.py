"""Messages of the desk in the history."""

from tournaments.history.labels import EVENT_ACTIONS

from .labels import MESSAGE_ACTIONS

EVENT_ACTIONS["rounds"] |= MESSAGE_ACTIONS
