"""Invitations of other clubs, in a slot of the core."""

import datetime
from collections.abc import Mapping
from typing import Any

from clubs.models import Club
from tournaments.lifecycle import EventState
from tournaments.models import InvitationAnswer
from tournaments.slots import CLUB_PAGE

from .queries import PAST_EVENTS_SHOWN, list_invitations


@CLUB_PAGE.fill
def show_invitations(club: Club, today: datetime.date) -> Mapping[str, Any]:
    invitations = list_invitations(club, cutoff=today - PAST_EVENTS_SHOWN)
    return {
        "invitations": [invitation for invitation in invitations if invitation.answer == InvitationAnswer.WAITING],
        "shared": [
            invitation.event
            for invitation in invitations
            if invitation.answer == InvitationAnswer.ACCEPTED
            and invitation.event
            and invitation.event.state != EventState.ENDED
        ],
    }
