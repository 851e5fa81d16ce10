"""Invitations of other clubs, in a slot of the core, and their changes in histories."""

import datetime
from collections.abc import Mapping
from typing import Any

from clubs.audit.labels import CLUB_ACTIONS
from clubs.models import Club
from tournaments.history.labels import EVENT_ACTIONS
from tournaments.lifecycle import EventState
from tournaments.models import InvitationAnswer
from tournaments.slots import CLUB_PAGE

from .labels import CAPTAIN_ACTIONS, INVITATION_ACTIONS, SHARED_ACTIONS
from .queries import PAST_EVENTS_SHOWN, list_invitations

EVENT_ACTIONS["interclub"] = INVITATION_ACTIONS
EVENT_ACTIONS["rounds"] |= CAPTAIN_ACTIONS
CLUB_ACTIONS["interclub"] = SHARED_ACTIONS


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
