"""Signature of final standings, in a slot of the core."""

from collections.abc import Mapping
from typing import Any

from tournaments.models import Event
from tournaments.slots import PUBLIC_STANDINGS

from .presenters import get_standings_signature


@PUBLIC_STANDINGS.fill
def show_signature(event: Event) -> Mapping[str, Any]:
    return {"signature": get_standings_signature(event)}
