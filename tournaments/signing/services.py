"""Services that append to a club's results log. Entries never change."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club
from clubs.services.changes import ClubChange
from engine.checksums import compute_digest, to_canonical_json
from engine.signed_logs import (
    EntryKind,
    SignedEntry,
    build_next_entry,
    build_signed_note,
    generate_private_key,
    get_latest_checkpoint,
    get_public_key,
)
from engine.visibility import Ranks
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.signed_parts import compute_signed_sums
from tournaments.models import ClubKey, Event, LogEntry

from .queries import find_last_entry


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSums:
    """The ``sums`` of an event's current file to be signed, and the ``rows`` of the standings in it."""

    rows: list[Any] | None
    sums: dict[str, str]


def compute_result_sums(event: Event) -> ResultSums:
    """Compute what may be signed next. It takes long for a large event, so do it outside the transaction."""
    content = build_event_file(event)
    return ResultSums(rows=(content["standings"] or {}).get("rows"), sums=compute_signed_sums(content))


def update_log(event: Event, result_sums: ResultSums | None = None) -> None:
    """Append what is public of the event to the log.

    That is its final standings once published and visible, each correction, and their withdrawal. Call it in
    the transaction of the change, with the event locked. Safe to repeat.

    A hidden event gets no entry before it is visible. Nor do standings with an unpublished correction, as the
    signature covers the event's current file.
    """
    if event.public_page == "":
        return
    last_entry = find_last_entry(event)
    is_signed = last_entry is not None and last_entry.published is not None
    if event.final is None:
        if is_signed:
            _append_entry(event.club, EntryKind.WITHDRAWN, event=event)
        return
    if event.visible.standings is not Ranks.FINAL or (last_entry is not None and last_entry.published == event.final):
        return
    result_sums = result_sums or compute_result_sums(event)
    if result_sums.rows == event.published_standings.filter(number=event.final or 0).get().rows:
        kind = EntryKind.CORRECTED if is_signed else EntryKind.FINAL
        _append_entry(event.club, kind, event=event, sums=result_sums.sums)


@transaction.atomic
def change_signing_key(*, club_id: int, by: Actor = NOBODY) -> Club:
    """Replace the club's signing key. The last signature of the old key is that of the new public key. Safe
    to repeat. Refuses: no_such_club."""
    change = ClubChange(club_id, "change_signing_key", by)
    if not change.is_repeat:
        key = _lock_key(change.club)
        private = generate_private_key()
        _write_entry(key, EntryKind.KEY, new_key=get_public_key(private))
        _set_key(key, private)
        _sign_checkpoint(key)
        change.record()
    return change.club


def get_signing_key(club: Club) -> ClubKey:
    """Return the signing key of the club, created when first needed."""
    with transaction.atomic():
        return _lock_key(club)


def _append_entry(club: Club, kind: EntryKind, *, event: Event, sums: dict[str, str] | None = None) -> None:
    key = _lock_key(club)
    content: dict[str, Any] = {} if sums is None else {"sum": compute_digest(sums), "standings": sums["standings"]}
    final_number = None if sums is None else event.final
    _write_entry(
        key, kind, {"event": event, "published": final_number, "sums": sums}, event=_compute_event_id(event), **content
    )
    _sign_checkpoint(key)


def _compute_event_id(event: Event) -> str:
    """Return the id of an event in the log: that of its last entry, also after an import elsewhere. It is not
    the address, which would reveal the event's name for ever."""
    last_entry = find_last_entry(event)
    if last_entry is not None:
        return str(last_entry.signed_entry.entry["event"])
    return compute_digest([event.club_id, event.pk, event.created_at.isoformat()])[:16]


def _lock_key(club: Club) -> ClubKey:
    """Lock the club's key until the transaction ends, so that nobody else appends; create it when first
    needed. If the key is unreadable, the log continues with a new one, which no older key has signed."""
    ClubKey.objects.get_or_create(club=club, defaults=_build_key_pair(generate_private_key()))
    key = ClubKey.objects.select_for_update(no_key=True).get(club=club)
    if not key.private:
        _set_key(key, generate_private_key())
    return key


def _build_key_pair(private: str) -> dict[str, str]:
    return {"private": private, "public": get_public_key(private)}


def _set_key(key: ClubKey, private: str) -> None:
    """Sign with this key from now on."""
    key.private, key.public = private, get_public_key(private)
    key.save()


def _write_entry(key: ClubKey, kind: EntryKind, columns: dict[str, Any] | None = None, **content: str) -> None:
    last_entry = LogEntry.objects.filter(club=key.club_id).order_by("-number").first()
    signed_entry = build_next_entry(
        None if last_entry is None else last_entry.signed_entry,
        kind=kind,
        timestamp=timezone.now().isoformat(timespec="seconds"),
        private=key.private,
        public=key.public,
        **content,
    )
    LogEntry.objects.create(
        club_id=key.club_id,
        number=signed_entry.entry["number"],
        written=to_canonical_json(dict(signed_entry.entry)).decode(),
        signature=signed_entry.signature,
        **(columns or {}),
    )


def _sign_checkpoint(key: ClubKey) -> None:
    entries: list[SignedEntry] = [entry.signed_entry for entry in LogEntry.objects.filter(club=key.club_id)]
    key.head = build_signed_note(get_latest_checkpoint(entries), private=key.private, public=key.public)
    key.save(update_fields=["head"])
