"""State of the copy of an event, in a slot of the desk."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tournaments.models import Event
from tournaments.slots import DESK

from .presenters import dispute_at_desk, sent_at_desk


@DESK.fill
def mirror_at_desk(event: Event, now: datetime) -> Mapping[str, Any]:
    return {"sent": sent_at_desk(event, now=now), "dispute": dispute_at_desk(event)}
