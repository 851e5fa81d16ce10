"""Dues and awards in slots of the core, prizes of a copied event, and changes of money in histories."""

from collections.abc import Mapping, Sequence
from typing import Any

from clubs.audit.labels import CLUB_ACTIONS
from tournaments.history.labels import EVENT_ACTIONS
from tournaments.models import Entry, Event
from tournaments.slots import CHECK_IN, COPIED_PARTS, PUBLIC_LIST, CopiedPart
from web.money import combine_charges

from .labels import DOOR_PRIZE_ACTIONS, DUES_ACTIONS, FEE_ACTIONS
from .presenters.awards import get_public_awards
from .queries.fees import get_dues_by_person, list_fees, prizes_to_json
from .services.prize_categories import copy_prizes

EVENT_ACTIONS["money"] = FEE_ACTIONS
EVENT_ACTIONS["attendance"] |= DOOR_PRIZE_ACTIONS
CLUB_ACTIONS["money"] = DUES_ACTIONS
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
