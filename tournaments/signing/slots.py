"""Signature of final standings, in a slot of the core."""

from collections.abc import Mapping
from typing import Any

from tournaments.models import Event
from tournaments.slots import PUBLIC_STANDINGS

from .presenters import standings_signature


@PUBLIC_STANDINGS.fill
def signature_of_standings(event: Event) -> Mapping[str, Any]:
    return {"signature": standings_signature(event)}
