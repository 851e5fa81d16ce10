"""Queries for a club's public results log, and for its entries about an event."""

from clubs.models import Club
from engine.signed_logs import SignedLog
from engine.visibility import RanksRelease
from tournaments.models import ClubKey, Event, LogEntry


def find_signing_key(club: Club) -> ClubKey | None:
    """Return the signing key of the club; None before its first use. One query."""
    return ClubKey.objects.filter(club=club).first()


def find_signed_log(club: Club) -> SignedLog | None:
    """Return the whole log; None before its first entry. Two queries."""
    key = find_signing_key(club)
    if key is None or not key.head:
        return None
    return SignedLog(entries=tuple(entry.signed_entry for entry in club.log_entries.all()), checkpoint=key.head)


def find_final_entry(event: Event) -> LogEntry | None:
    """Return the entry that signs the public final standings; None without one. One query."""
    if event.final is None:
        return None
    last_entry = find_last_entry(event)
    return last_entry if last_entry is not None and last_entry.published == event.final else None


def find_last_entry(event: Event) -> LogEntry | None:
    """Return the last entry of the log about the event. One query."""
    return event.log_entries.order_by("-number").first()


def list_unsigned_events(club: Club) -> list[Event]:
    """Return the events with public final standings but no entry, such as older ones, newest first. One
    query."""
    final = Event.objects.filter(club=club, is_public=True, is_put_away=False, log_entries=None)
    return list(final.exclude(final=None).exclude(shows_standings=RanksRelease.NEVER.value))
