"""Payload of a webhook message: public data at the time of sending, in the schemas of the API."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import override

from api.reading import public_entry_lines
from api.shapes.clubs import NightOut
from api.shapes.events import EntryOut, EventNews
from api.shapes.rounds import RoundLine, TableOut
from clubs.calendar import recurring_nights_of
from clubs.models import TEST, Club, NewsKind, WebhookDelivery
from engine.visibility import Ranks, Results
from tournaments.models import Event
from tournaments.rounds.presenters.rounds import round_view
from tournaments.rounds.queries.rounds import are_entries_public, rounds_of

from .change_detection import club_of, event_of

Data = dict[str, Any]


def payload_of(delivery: WebhookDelivery) -> dict[str, Any] | None:
    """Return the payload; None if its subject is no longer public."""
    club = club_of(delivery.ordering_key)
    if club is None:
        return None
    with override(club.language):
        told = _data_of(delivery, club)
    if told is None:
        return None
    return {
        "type": delivery.kind,
        "timestamp": delivery.noticed_at.isoformat(),
        "data": {"club": club.slug, **told},
    }


def _data_of(delivery: WebhookDelivery, club: Club) -> Data | None:
    if delivery.kind == TEST:
        return {"url": _address(f"clubs/{club.slug}")}
    event = event_of(delivery.ordering_key)
    if event is None:
        return _night(club, int(delivery.subject)) if delivery.ordering_key == club.calendar_topic else None
    if not event.public_page:
        return None
    told = OF_AN_EVENT[NewsKind(delivery.kind)](event, delivery.subject)
    return None if told is None else {"event": event.short, **told}


def _night(club: Club, pk: int) -> Data:
    """Return a recurring night; ``night`` is null if it is no longer in the calendar."""
    night = next((one for one in recurring_nights_of(club) if one.pk == pk), None)
    shown = None if night is None else NightOut(night).data
    return {"night_id": pk, "night": shown, "url": _address(f"clubs/{club.slug}/calendar")}


def _event(event: Event, _: str) -> Data:
    return {"night": EventNews(event).data, "url": _address(f"events/{event.short}")}


def _round(event: Event, subject: str) -> Data | None:
    drawn = rounds_of(event).filter(number=subject).first() if event.visible.draw else None
    if drawn is None:
        return None
    return {"round": RoundLine(drawn).data, "url": _address(f"events/{event.short}/rounds/{subject}")}


def _table(event: Event, subject: str) -> Data | None:
    number, table = map(int, subject.split("/"))
    drawn = rounds_of(event).filter(number=number).first()
    if drawn is None or event.visible.results_in(number) is Results.NOTHING:
        return None
    drawn.event = event
    shown = round_view(drawn, is_public=True, tables=[table]).tables
    address = _address(f"events/{event.short}/rounds/{number}/tables/{table}")
    return {"round": number, "table": TableOut(shown[0]).data, "url": address} if shown else None


def _standings(event: Event, _: str) -> Data | None:
    if event.visible.standings is not Ranks.FINAL:
        return None
    return {"standings": event.final, "url": _address(f"events/{event.short}/standings")}


def _entry(event: Event, subject: str) -> Data | None:
    """Return an entry; ``entry`` is null if it no longer takes part."""
    if not are_entries_public(event):
        return None
    lines = EntryOut(public_entry_lines(event), many=True).data
    shown = next((line for line in lines if str(line["id"]) == subject), None)
    address = _address(f"events/{event.short}/entries")
    return {"entry_id": int(subject), "entry": shown, "url": address}


OF_AN_EVENT: Mapping[NewsKind, Callable[[Event, str], Data | None]] = {
    NewsKind.ROUND_PUBLISHED: _round,
    NewsKind.TABLE_RESULT: _table,
    NewsKind.STANDINGS_FINAL: _standings,
    NewsKind.STANDINGS_CORRECTED: _standings,
    NewsKind.ENTRY_CHANGED: _entry,
    NewsKind.NIGHT_CHANGED: _event,
}


def _address(path: str) -> str:
    """Return the API address of a path, without a host if the installation does not know its own."""
    return f"{settings.ADDRESS}/api/v1/{path}"
