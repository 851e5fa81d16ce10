"""State of the copy of an event, in a slot of the desk."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tournaments.models import Event
from tournaments.slots import DESK

from .presenters import build_desk_view, get_dispute


@DESK.fill
def show_mirror_state(event: Event, now: datetime) -> Mapping[str, Any]:
    return {"sent": build_desk_view(event, now=now), "dispute": get_dispute(event)}
