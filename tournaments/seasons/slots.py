"""Closed seasons in a slot of the core, and the changes that season standings follow."""

from collections.abc import Mapping
from typing import Any

from clubs.audit.labels import CLUB_ACTIONS
from clubs.services.changes import ClubChange
from tournaments.models import Event
from tournaments.slots import EFFECTS
from tournaments.standings.queries.delays import CLUB_TASK_KINDS, SEASONS_KIND

from .labels import SEASON_ACTIONS
from .queries import find_closed_season

CLUB_ACTIONS["seasons"] = SEASON_ACTIONS
CLUB_TASK_KINDS.append(SEASONS_KIND)
# Of a person: whether they are a guest, in a group, somebody else, or left out; of an event: whether a copy
# counts instead.
ClubChange.register_job(SEASONS_KIND, ("person", "season", "event"))


@EFFECTS.fill
def show_closed_season(event: Event) -> Mapping[str, Any]:
    season = find_closed_season(event)
    return {} if season is None else {"closed_season": season.name}
