"""Publishing in the history."""

from tournaments.history.labels import EVENT_ACTIONS

from .labels import RELEASE_ACTIONS

EVENT_ACTIONS["publishing"] = RELEASE_ACTIONS
