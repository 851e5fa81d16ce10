"""Payload of a webhook message: public data at the time of sending, in the schemas of the API."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import override

from api.read_operations import serialize_public_entries
from api.shapes.clubs import NightOut
from api.shapes.events import EntryOut, EventNews
from api.shapes.rounds import RoundLine, TableOut
from clubs.calendar import list_recurring_nights
from clubs.models import TEST, Club, NewsKind, WebhookDelivery
from engine.visibility import Ranks, Results
from tournaments.models import Event
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.queries.rounds import are_entries_public, get_published_rounds

from .change_detection import find_club, find_event

Data = dict[str, Any]


def build_payload(delivery: WebhookDelivery) -> dict[str, Any] | None:
    """Return the payload; None if its subject is no longer public."""
    club = find_club(delivery.ordering_key)
    if club is None:
        return None
    with override(club.language):
        data = _build_data(delivery, club)
    if data is None:
        return None
    return {
        "type": delivery.kind,
        "timestamp": delivery.noticed_at.isoformat(),
        "data": {"club": club.slug, **data},
    }


def _build_data(delivery: WebhookDelivery, club: Club) -> Data | None:
    if delivery.kind == TEST:
        return {"url": _build_url(f"clubs/{club.slug}")}
    event = find_event(delivery.ordering_key)
    if event is None:
        return _build_night(club, int(delivery.subject)) if delivery.ordering_key == club.calendar_topic else None
    if not event.public_page:
        return None
    data = EVENT_BUILDERS[NewsKind(delivery.kind)](event, delivery.subject)
    return None if data is None else {"event": event.short, **data}


def _build_night(club: Club, pk: int) -> Data:
    """Return a recurring night; ``night`` is null if it is no longer in the calendar."""
    night = next((candidate for candidate in list_recurring_nights(club) if candidate.pk == pk), None)
    night_data = None if night is None else NightOut(night).data
    return {"night_id": pk, "night": night_data, "url": _build_url(f"clubs/{club.slug}/calendar")}


def _build_event(event: Event, _: str) -> Data:
    return {"night": EventNews(event).data, "url": _build_url(f"events/{event.short}")}


def _build_round(event: Event, subject: str) -> Data | None:
    drawn = get_published_rounds(event).filter(number=subject).first() if event.visible.draw else None
    if drawn is None:
        return None
    return {"round": RoundLine(drawn).data, "url": _build_url(f"events/{event.short}/rounds/{subject}")}


def _build_table(event: Event, subject: str) -> Data | None:
    number, table = map(int, subject.split("/"))
    drawn = get_published_rounds(event).filter(number=number).first()
    if drawn is None or event.visible.get_results(number) is Results.NOTHING:
        return None
    drawn.event = event
    tables = build_round_view(drawn, is_public=True, tables=[table]).tables
    address = _build_url(f"events/{event.short}/rounds/{number}/tables/{table}")
    return {"round": number, "table": TableOut(tables[0]).data, "url": address} if tables else None


def _build_standings(event: Event, _: str) -> Data | None:
    if event.visible.standings is not Ranks.FINAL:
        return None
    return {"standings": event.final, "url": _build_url(f"events/{event.short}/standings")}


def _build_entry(event: Event, subject: str) -> Data | None:
    """Return an entry; ``entry`` is null if it no longer takes part."""
    if not are_entries_public(event):
        return None
    lines = EntryOut(serialize_public_entries(event), many=True).data
    entry_data = next((line for line in lines if str(line["id"]) == subject), None)
    address = _build_url(f"events/{event.short}/entries")
    return {"entry_id": int(subject), "entry": entry_data, "url": address}


EVENT_BUILDERS: Mapping[NewsKind, Callable[[Event, str], Data | None]] = {
    NewsKind.ROUND_PUBLISHED: _build_round,
    NewsKind.TABLE_RESULT: _build_table,
    NewsKind.STANDINGS_FINAL: _build_standings,
    NewsKind.STANDINGS_CORRECTED: _build_standings,
    NewsKind.ENTRY_CHANGED: _build_entry,
    NewsKind.NIGHT_CHANGED: _build_event,
}


def _build_url(path: str) -> str:
    """Return the API address of a path, without a host if the installation does not know its own."""
    return f"{settings.ADDRESS}/api/v1/{path}"
