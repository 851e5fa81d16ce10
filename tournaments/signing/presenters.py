"""Presenters of a club's results log, for pages and papers."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from clubs.models import Club
from engine.signed_logs import EntryKind, get_fingerprint, group_digits
from engine.visibility import Ranks
from tournaments.models import Event, LogEntry

from .queries import find_final_entry, find_signing_key, list_unsigned_events

SHORT_DIGITS = 16
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


def get_key_fingerprint(club: Club) -> str:
    """Return the fingerprint of the club's signing key; "" without one. One query."""
    key = find_signing_key(club)
    return "" if key is None else get_fingerprint(key.public)


def build_log_view(club: Club) -> dict[str, Any]:
    """Present the log of a club, newest entry first, with the fingerprint of the current key ("" without one) and the
    events whose final standings are not signed. Three queries."""
    entries = club.log_entries.select_related("event").order_by("-number")
    return {
        "key": get_key_fingerprint(club),
        "entries": [_build_signature_view(club, entry) for entry in entries],
        "unsigned": list_unsigned_events(club),
    }


def get_standings_signature(event: Event) -> SignatureView | None:
    """Return the signature of the public final standings; None without one. One query, none if they are not
    final."""
    if event.visible.standings is not Ranks.FINAL:
        return None
    entry = find_final_entry(event)
    return None if entry is None else _build_signature_view(event.club, entry)


def _build_signature_view(club: Club, entry: LogEntry) -> SignatureView:
    content = entry.signed_entry.entry
    return SignatureView(
        number=content["number"],
        kind=EntryKind(content["kind"]),
        at=datetime.fromisoformat(content["at"]),
        sum=group_digits(content.get("sum", "")),
        signature=group_digits(entry.signature[:SHORT_DIGITS]),
        key=get_fingerprint(content["key"]),
        new_key=get_fingerprint(content["new_key"]) if "new_key" in content else "",
        path=f"{reverse('public-log', args=[club.slug])}#entry-{content['number']}",
        event=entry.event if entry.event is not None and entry.event.public_page else None,
    )
