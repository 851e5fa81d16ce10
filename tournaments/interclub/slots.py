"""Invitations of other clubs, in a slot of the core."""

import datetime
from collections.abc import Mapping
from typing import Any

from clubs.models import Club
from tournaments.lifecycle import EventState
from tournaments.models import InvitationAnswer
from tournaments.slots import CLUB_PAGE

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
