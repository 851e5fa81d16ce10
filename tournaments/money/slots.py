"""Dues and awards in slots of the core, and prizes of a copied event."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.models import Entry, Event
from tournaments.slots import CHECK_IN, COPIED, PUBLIC_LIST, CopiedPart
from web.money import together

from .presenters.awards import public_awards
from .queries.fees import dues_by_person, fee_lines, prizes_to_json
from .services.prize_categories import bring_in_prizes

COPIED["prizes"] = CopiedPart(read=prizes_to_json, write=bring_in_prizes)


@CHECK_IN.fill
def dues_at_check_in(event: Event, entries: Sequence[Entry]) -> Mapping[str, Any]:
    if event.rates.is_free:
        return {}
    by_person = dues_by_person(fee_lines(event))
    return {
        "dues": {
            entry.number: together(by_person[person.pk] for person in entry.players) for entry in entries
        }
    }


@PUBLIC_LIST.fill
def awards_in_standings(event: Event, entries: Sequence[Entry]) -> Mapping[str, Any]:
    return {"awards": public_awards(event, entries)}
