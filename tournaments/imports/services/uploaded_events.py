"""Event files of a club: received, examined, and imported; large ones by a background task."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from clubs.audit.log import Actor
from clubs.models import Account, Club
from engine.draws.trf import read_report
from errors import Refusal
from jobs.failures import failure_to_json
from jobs.models import Job
from jobs.services import enqueue
from rules import RULESETS
from tournaments.event_files import (
    BROKEN,
    PLACE,
    Content,
    Difference,
    differences_of,
    event_file_of_trf,
    in_newest_form,
    key_of_file,
    moved_entries,
    read_event_file,
    serialize_event_file,
    verify,
)
from tournaments.event_files.queries import event_file_of
from tournaments.events.event_settings import event_settings_from_json
from tournaments.imports.queries.events import file_there_already
from tournaments.imports.uploaded_events import (
    MOST_BYTES,
    BroughtFile,
    FileComparison,
    FileSummary,
    ImportOrder,
    keep_file,
    state_of,
)
from tournaments.models import Event

from .event_import import BRING_IN, bring_in_event
from .replacement import check_can_be_replaced, replaced_event

READ = "read_event_file"
"""Kind of the jobs that read files; a job's key is that of the file. Jobs of ``BRING_IN`` add a slash and the
name of the order."""

MOST_TOLD = 200
"""Most differences that are stored to be shown."""

Progress = Callable[[int, int], None]


def receive_event_file(*, club: Club, content: bytes) -> BroughtFile:
    """Store and examine an event file: a small one at once, a large one in a background task. Safe to repeat.

    Refuses: event_file_too_large, file_required, club_disk_full; of a small one what ``read_event_file``
    refuses.
    """
    if len(content) > MOST_BYTES:
        raise Refusal("event_file_too_large", field="file", most=MOST_BYTES // 1024**2)
    if not content.strip():
        raise Refusal("file_required", field="file")
    file = keep_file(club, content)
    if not file.is_large:
        examine_file(file)
    elif file.examination() is None:
        enqueue(kind=READ, key=file.key, topic=file.topic, club_id=file.club_id)
    return file


def receive_trf(*, club: Club, content: bytes, held_on: date | None = None) -> BroughtFile:
    """Convert a report in FIDE's format to an event file, which is stored and examined. Safe to repeat.

    Refuses: file_required, and what ``content_of_trf`` refuses.
    """
    if not content.strip():
        raise Refusal("file_required", field="report")
    made = content_of_trf(club, content, held_on=held_on)
    return receive_event_file(club=club, content=serialize_event_file(made))


def content_of_trf(club: Club, content: bytes, *, held_on: date | None = None) -> Content:
    """Return the event file of a report, in UTF-8 or in the encoding of older Windows programs. It is played
    by the club's usual rules.

    Refuses: event_file_too_large, what ``read_report`` and ``event_file_of_trf`` refuse.
    """
    if len(content) > MOST_BYTES:
        raise Refusal("event_file_too_large", field="report", most=MOST_BYTES // 1024**2)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    return event_file_of_trf(read_report(text), ruleset=RULESETS[club.usual_ruleset], held_on=held_on)


def comparison_of(file: BroughtFile, event: Event) -> FileComparison | None:
    """Return what the file of a copy changes in the current event. None if a background task has yet to
    compare them. It has ``differences``, how many ``more`` there are, and the ``ranks`` that would change."""
    known = file.comparison(state_of(event))
    if known is None and not file.is_large:
        return _compare(file, event, in_newest_form(read_event_file(file.path.read_bytes())))
    if known is None:
        enqueue(kind=READ, key=file.key, topic=file.topic, club_id=file.club_id)
    return known


def _compare(file: BroughtFile, event: Event, content: Content) -> FileComparison:
    state = state_of(event)
    here = event_file_of(Event.objects.select_related("club", "terms").get(pk=event.pk))
    differences = differences_of(here, content)
    found: FileComparison = {
        "differences": [_plain(each) for each in differences[:MOST_TOLD]],
        "more": max(0, len(differences) - MOST_TOLD),
        "ranks": [[list(each.names), each.before, each.after] for each in moved_entries(here, content)],
    }
    file.keep_compared(state, found)
    return found


def examine_file(file: BroughtFile, progress: Progress = lambda done, of: None) -> None:
    """Examine the file: compute everything in it again, and store what was found. If it is a copy of an event
    here, it is compared with that. A refused file is deleted at once. Safe to repeat.

    Refuses: file_required, of a deleted file; what ``read_event_file`` and ``in_newest_form`` refuse.
    """
    try:
        _examine(file, progress)
    except FileNotFoundError:
        raise Refusal("file_required", field="file") from None
    except Refusal:
        file.remove()
        raise


def _examine(file: BroughtFile, progress: Progress) -> None:
    content = read_event_file(file.path.read_bytes())
    report = verify(content, progress=progress)  # as it was written, with the sums that it was written with
    content = in_newest_form(content)
    file.keep_examined(
        {
            **_what_it_is(content),
            "sum": report.sum,
            "counts": report.counts,
            "differences": [_plain(each) for each in report.differences[:MOST_TOLD]],
            "more": max(0, len(report.differences) - MOST_TOLD),
            "notes": [_plain(each) for each in report.notes[:MOST_TOLD]],
        }
    )
    there = file_there_already(Club.objects.get(pk=file.club_id), content)
    if there is not None and not report.differences:
        _compare(file, there, content)


def _what_it_is(content: Content) -> FileSummary:
    event = content["event"]
    tables = [table for drawn in content["rounds"] for table in drawn["tables"]]
    looking = _count_looking(content)
    return {
        "key": str(key_of_file(content)),
        "name": event["name"],
        "held_on": event["held_on"],
        "state": event["state"],
        "lot": event["lot"],
        "club": content[PLACE]["club"],
        "short": content[PLACE]["short"],
        "people": content["people"],
        "entries": len(content["entries"]) - looking,
        "looking": looking,
        "rounds": len(content["rounds"]),
        "results": sum(
            table["ruling"] is not None or (table["match"] is not None and table["match"]["is_over"])
            for table in tables
        ),
    }


def _count_looking(content: Content) -> int:
    """Count the people who look for a partner: they are no entry before they have one. 0 where the settings
    are unsound, which the differences say."""
    try:
        size = event_settings_from_json(content["event"]["settings"]).entry_size
    except (Refusal, *BROKEN):
        return 0
    return sum(entry["is_waiting"] and len(entry["players"]) < size for entry in content["entries"])


def _plain(found: Difference) -> Mapping[str, Any]:
    """Return a difference as JSON; its sentence is made later, in the reader's language."""
    return {"where": found.where, **failure_to_json(code=found.code, details=found.details)}


def bring_in_file(
    *,
    club: Club,
    file: BroughtFile,
    known: Mapping[int, int],
    are_guests: bool,
    is_copy: bool,
    instead_of: Event | None = None,
    by: Actor,
) -> Event | Job:
    """Import the event of an examined file; a large one in a background task, whose job is returned. Safe to
    repeat with the same key. Refuses: event_file_differs, and what ``bring_in_event`` refuses."""
    _check_true(file)
    if instead_of is not None:
        check_can_be_replaced(instead_of)
    asked: ImportOrder = {
        "known": sorted(known.items()),
        "are_guests": are_guests,
        "copy": str(by.key or uuid4()) if is_copy else None,
        "instead_of": None if instead_of is None else instead_of.pk,
        "by": (None if by.account is None else by.account.pk, by.origin),
    }
    name = file.keep_asked(asked)
    if not file.is_large:
        return bring_in_asked(file, name)
    return enqueue(kind=BRING_IN, key=f"{file.key}/{name}", topic=file.topic, club_id=file.club_id)


def bring_in_asked(file: BroughtFile, name: str, progress: Progress = lambda done, of: None) -> Event:
    """Import the event of a file, as ordered. Safe to repeat. Refuses: what ``bring_in_file`` does."""
    _check_true(file)
    asked = file.order_of(name)
    account_id, origin = asked["by"]
    account = None if account_id is None else Account.objects.filter(pk=account_id).first()
    club = Club.objects.get(pk=file.club_id)
    return bring_in_event(
        club=club,
        content=read_event_file(file.path.read_bytes()),
        known=dict(asked["known"]),
        are_guests=asked["are_guests"],
        key=UUID(asked["copy"]) if asked["copy"] else None,
        instead_of=replaced_event(club, asked.get("instead_of")),
        by=Actor(account=account, origin=origin),
        job_key=f"{file.key}/{name}",
        progress=progress,
    )


def _check_true(file: BroughtFile) -> None:
    found = file.examination()
    if found is None or found["differences"]:
        raise Refusal("event_file_differs", field="file")
