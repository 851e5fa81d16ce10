"""State of the copy of an event, in a slot of the desk."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tournaments.models import Event
from tournaments.slots import DESK

from .presenters import build_desk_view, get_dispute
from .queries import get_position


@DESK.fill
def show_mirror_state(event: Event, now: datetime) -> Mapping[str, Any]:
    return {
        "sent": build_desk_view(event, now=now),
        "dispute": get_dispute(event),
        "is_handing_over": event.is_mirror and get_position(event).is_handing_over,
    }
