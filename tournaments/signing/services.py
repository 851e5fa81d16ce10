"""Services that append to a club's results log. Entries never change."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club
from clubs.services.changes import ClubChange
from engine.signed_logs import (
    EntryKind,
    SignedEntry,
    head_of,
    new_private_key,
    next_entry,
    public_of,
    signed_note,
)
from engine.sums import canonical, digest_of
from engine.visibility import Ranks
from tournaments.event_files.queries import event_file_of
from tournaments.event_files.signed import signed_sums
from tournaments.models import ClubKey, Event, LogEntry

from .queries import last_of_event


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedOut:
    """The ``sums`` of an event's current file to be signed, and the ``rows`` of the standings in it."""

    rows: list[Any] | None
    sums: dict[str, str]


def sums_to_sign(event: Event) -> WorkedOut:
    """Compute what may be signed next. It takes long for a large event, so do it outside the transaction."""
    content = event_file_of(event)
    return WorkedOut(rows=(content["standings"] or {}).get("rows"), sums=signed_sums(content))


def keep_log(event: Event, worked_out: WorkedOut | None = None) -> None:
    """Append what is public of the event to the log.

    That is its final standings once published and visible, each correction, and their withdrawal. Call it in
    the transaction of the change, with the event locked. Safe to repeat.

    A hidden event gets no entry before it is visible. Nor do standings with an unpublished correction, as the
    signature covers the event's current file.
    """
    if event.public_page == "":
        return
    last = last_of_event(event)
    is_signed = last is not None and last.published is not None
    if event.final is None:
        if is_signed:
            _append(event.club, EntryKind.WITHDRAWN, event=event)
        return
    if event.visible.standings is not Ranks.FINAL or (last is not None and last.published == event.final):
        return
    worked_out = worked_out or sums_to_sign(event)
    if worked_out.rows == event.published_standings.filter(number=event.final or 0).get().rows:
        kind = EntryKind.CORRECTED if is_signed else EntryKind.FINAL
        _append(event.club, kind, event=event, sums=worked_out.sums)


@transaction.atomic
def change_signing_key(*, club_id: int, by: Actor = NOBODY) -> Club:
    """Replace the club's signing key. The last signature of the old key is that of the new public key. Safe
    to repeat. Refuses: no_such_club."""
    change = ClubChange(club_id, "change_signing_key", by)
    if not change.is_repeat:
        key = _locked_key(change.club)
        private = new_private_key()
        _write(key, EntryKind.KEY, new_key=public_of(private))
        _take(key, private)
        _sign_head(key)
        change.record()
    return change.club


def key_to_sign(club: Club) -> ClubKey:
    """Return the signing key of the club, created when first needed."""
    with transaction.atomic():
        return _locked_key(club)


def _append(club: Club, kind: EntryKind, *, event: Event, sums: dict[str, str] | None = None) -> None:
    key = _locked_key(club)
    says: dict[str, Any] = {} if sums is None else {"sum": digest_of(sums), "standings": sums["standings"]}
    published = None if sums is None else event.final
    _write(
        key, kind, {"event": event, "published": published, "sums": sums}, event=_event_digest(event), **says
    )
    _sign_head(key)


def _event_digest(event: Event) -> str:
    """Return the id of an event in the log. It is not the address, which would reveal the event's name for
    ever."""
    return digest_of([event.club_id, event.pk, event.created_at.isoformat()])[:16]


def _locked_key(club: Club) -> ClubKey:
    """Lock the club's key until the transaction ends, so that nobody else appends; create it when first
    needed. If the key is unreadable, the log continues with a new one, which no older key has signed."""
    ClubKey.objects.get_or_create(club=club, defaults=_halves(new_private_key()))
    key = ClubKey.objects.select_for_update(no_key=True).get(club=club)
    if not key.private:
        _take(key, new_private_key())
    return key


def _halves(private: str) -> dict[str, str]:
    return {"private": private, "public": public_of(private)}


def _take(key: ClubKey, private: str) -> None:
    """Sign with this key from now on."""
    key.private, key.public = private, public_of(private)
    key.save()


def _write(key: ClubKey, kind: EntryKind, columns: dict[str, Any] | None = None, **says: str) -> None:
    last = LogEntry.objects.filter(club=key.club_id).order_by("-number").first()
    signed = next_entry(
        None if last is None else last.signed_entry,
        kind=kind,
        at=timezone.now().isoformat(timespec="seconds"),
        private=key.private,
        public=key.public,
        **says,
    )
    LogEntry.objects.create(
        club_id=key.club_id,
        number=signed.entry["number"],
        written=canonical(dict(signed.entry)).decode(),
        signature=signed.signature,
        **(columns or {}),
    )


def _sign_head(key: ClubKey) -> None:
    entries: list[SignedEntry] = [each.signed_entry for each in LogEntry.objects.filter(club=key.club_id)]
    key.head = signed_note(head_of(entries), private=key.private, public=key.public)
    key.save(update_fields=["head"])
