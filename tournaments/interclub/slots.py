"""Invitations and standings by club, in slots of the core."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from clubs.models import Club
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, InvitationAnswer
from tournaments.slots import ALL_STANDINGS, CLUB_PAGE
from tournaments.standings.presenters import StandingsSnapshot

from .presenters import club_standings
from .queries import LOOKED_BACK, invitations_to


@CLUB_PAGE.fill
def invitations_of_club(club: Club, today: datetime.date) -> Mapping[str, Any]:
    invitations = invitations_to(club, since=today - LOOKED_BACK)
    return {
        "invitations": [each for each in invitations if each.answer == InvitationAnswer.WAITING],
        "shared": [
            each.event
            for each in invitations
            if each.answer == InvitationAnswer.ACCEPTED
            and each.event
            and each.event.state != EventState.ENDED
        ],
    }


@ALL_STANDINGS.fill
def standings_by_club(event: Event, kept: StandingsSnapshot, entrants: Sequence[Entry]) -> Mapping[str, Any]:
    return {"clubs": club_standings(event, kept, entrants)}
