"""Closed seasons in a slot of the core, and the changes that season standings follow."""

from collections.abc import Mapping
from typing import Any

from clubs.services import ClubChange
from tournaments.models import Event
from tournaments.slots import EFFECTS
from tournaments.standings.queries.delays import CLUB_COUNTS, SEASONS

from .queries import closed_season_with

CLUB_COUNTS.append(SEASONS)
# Of a person: whether they are a guest, in a group, somebody else, or left out; of an event: whether a copy
# counts instead.
ClubChange.is_followed_by(SEASONS, ("person", "season", "event"))


@EFFECTS.fill
def closed_season_affected(event: Event) -> Mapping[str, Any]:
    closed = closed_season_with(event)
    return {} if closed is None else {"closed_season": closed.name}
