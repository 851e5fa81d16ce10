"""Dues and awards in slots of the core, and prizes of a copied event."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.models import Entry, Event
from tournaments.slots import CHECK_IN, COPIED_PARTS, PUBLIC_LIST, CopiedPart
from web.money import combine_charges

from .presenters.awards import get_public_awards
from .queries.fees import get_dues_by_person, list_fees, prizes_to_json
from .services.prize_categories import copy_prizes

COPIED_PARTS["prizes"] = CopiedPart(read=prizes_to_json, write=copy_prizes)


@CHECK_IN.fill
def show_dues(event: Event, entries: Sequence[Entry]) -> Mapping[str, Any]:
    if event.rates.is_free:
        return {}
    dues_by_person_id = get_dues_by_person(list_fees(event))
    return {
        "dues": {
            entry.number: combine_charges(dues_by_person_id[person.pk] for person in entry.players) for entry in entries
        }
    }


@PUBLIC_LIST.fill
def show_awards(event: Event, entries: Sequence[Entry]) -> Mapping[str, Any]:
    return {"awards": get_public_awards(event, entries)}
