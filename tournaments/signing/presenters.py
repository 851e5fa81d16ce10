"""Presenters of a club's results log, for pages and papers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from clubs.models import Club
from engine.signed_logs import EntryKind, fingerprint, group_digits
from engine.visibility import Ranks
from tournaments.models import Event, LogEntry

from .queries import entry_of_event, key_of_club, unsigned_events

SHORT = 16
"""Number of digits of a signature that are enough to recognize it on paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureView:
    """An entry of the log. ``path`` leads to it, ``sum`` is in groups, "" without one; ``signature`` is its
    beginning. ``event`` is None if it is no longer public, and for a change of key, which has the fingerprint
    ``new_key``."""

    number: int
    kind: EntryKind
    at: datetime
    sum: str
    signature: str
    key: str
    new_key: str
    path: str
    event: Event | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogView:
    """A club's log, newest entry first. ``key`` is the fingerprint of the current signing key, "" without
    one. ``unsigned`` are events whose final standings are not signed."""

    key: str
    entries: Sequence[SignatureView]
    unsigned: Sequence[Event]


def digits_of_key(club: Club) -> str:
    """Return the fingerprint of the club's signing key; "" without one. One query."""
    key = key_of_club(club)
    return "" if key is None else fingerprint(key.public)


def log_view(club: Club) -> LogView:
    """Present the log of a club. Three queries."""
    entries = club.log_entries.select_related("event").order_by("-number")
    return LogView(
        key=digits_of_key(club),
        entries=[_view(club, each) for each in entries],
        unsigned=unsigned_events(club),
    )


def standings_signature(event: Event) -> SignatureView | None:
    """Return the signature of the public final standings; None without one. One query, none if they are not
    final."""
    if event.visible.standings is not Ranks.FINAL:
        return None
    entry = entry_of_event(event)
    return None if entry is None else _view(event.club, entry)


def _view(club: Club, entry: LogEntry) -> SignatureView:
    said = entry.signed_entry.entry
    return SignatureView(
        number=said["number"],
        kind=EntryKind(said["kind"]),
        at=datetime.fromisoformat(said["at"]),
        sum=group_digits(said.get("sum", "")),
        signature=group_digits(entry.signature[:SHORT]),
        key=fingerprint(said["key"]),
        new_key=fingerprint(said["new_key"]) if "new_key" in said else "",
        path=f"{reverse('public-log', args=[club.slug])}#entry-{said['number']}",
        event=entry.event if entry.event is not None and entry.event.public_page else None,
    )
