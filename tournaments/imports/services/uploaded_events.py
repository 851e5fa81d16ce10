"""Event files of a club: received, examined, and imported; large ones by a background task."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from clubs.audit.log import Actor
from clubs.models import Account, Club
from engine.draws.trf import read_report
from errors import Refusal
from jobs.failures import serialize_failure
from jobs.models import Job
from jobs.pieces import Progress, ignore_progress
from jobs.services import enqueue
from rules import RULESETS
from tournaments.event_files.comparison import list_differences, list_moved_entries
from tournaments.event_files.conversion import upgrade_content
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import PLACE_PART, Content, list_file_people
from tournaments.event_files.trf import convert_trf_report
from tournaments.event_files.verifying import TAMPERING_ERRORS, Difference, verify_event_file
from tournaments.event_files.writer import get_file_key, serialize_event_file
from tournaments.events.event_settings import event_settings_from_json
from tournaments.imports.queries.events import find_event_of_file
from tournaments.imports.uploaded_events import (
    MOST_BYTES,
    FileComparison,
    FileSummary,
    ImportOrder,
    UploadedEventFile,
    get_event_version,
    save_file,
)
from tournaments.models import Event

from .event_import import IMPORT_EVENT, bring_in_event
from .replacement import check_replaceable, find_event_to_replace

READ_FILE = "read_event_file"
"""Kind of the jobs that read files; a job's key is that of the file. For jobs of the kind ``IMPORT_EVENT``, a slash
and the name of the order follow."""

MAX_DIFFERENCES = 200
"""Most differences that are stored to be shown."""


def receive_event_file(*, club: Club, content: bytes) -> UploadedEventFile:
    """Store and examine an event file: a small one at once, a large one in a background task. Safe to repeat.

    Refuses: event_file_too_large, file_required, club_disk_full; of a small one what ``read_event_file``
    refuses.
    """
    if len(content) > MOST_BYTES:
        raise Refusal("event_file_too_large", field="file", most=MOST_BYTES // 1024**2)
    if not content.strip():
        raise Refusal("file_required", field="file")
    file = save_file(club, content)
    if not file.is_large:
        examine_file(file)
    elif file.load_examination() is None:
        enqueue(kind=READ_FILE, key=file.key, topic=file.topic, club_id=file.club_id)
    return file


def receive_trf(*, club: Club, content: bytes, held_on: date | None = None) -> UploadedEventFile:
    """Convert a report in FIDE's format to an event file, which is stored and examined. Safe to repeat.

    Refuses: file_required, and what ``convert_trf`` refuses.
    """
    if not content.strip():
        raise Refusal("file_required", field="report")
    event_file = convert_trf(club, content, held_on=held_on)
    return receive_event_file(club=club, content=serialize_event_file(event_file))


def convert_trf(club: Club, content: bytes, *, held_on: date | None = None) -> Content:
    """Return the event file of a report, in UTF-8 or in the encoding of older Windows programs. It is played
    by the club's usual rules.

    Refuses: event_file_too_large, what ``read_report`` and ``convert_trf_report`` refuse.
    """
    if len(content) > MOST_BYTES:
        raise Refusal("event_file_too_large", field="report", most=MOST_BYTES // 1024**2)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    return convert_trf_report(read_report(text), ruleset=RULESETS[club.usual_ruleset], held_on=held_on)


def get_comparison(file: UploadedEventFile, event: Event) -> FileComparison | None:
    """Return what the file of a copy changes in the current event. None if a background task has yet to
    compare them. It has ``differences``, how many ``more`` there are, the ``ranks`` that would change, and the
    ``money`` that comes from the file."""
    comparison = file.load_comparison(get_event_version(event))
    if comparison is None and not file.is_large:
        return _compare(file, event, upgrade_content(read_event_file(file.path.read_bytes())))
    if comparison is None:
        enqueue(kind=READ_FILE, key=file.key, topic=file.topic, club_id=file.club_id)
    return comparison


def _compare(file: UploadedEventFile, event: Event, content: Content) -> FileComparison:
    state = get_event_version(event)
    current = build_event_file(Event.objects.select_related("club", "terms").get(pk=event.pk))
    differences = list_differences(current, content)
    comparison: FileComparison = {
        "differences": [_difference_to_json(difference) for difference in differences[:MAX_DIFFERENCES]],
        "more": max(0, len(differences) - MAX_DIFFERENCES),
        "ranks": [
            [list(difference.names), difference.before, difference.after]
            for difference in list_moved_entries(current, content)
        ],
        "money": [name for name in ("fees", "prizes") if content.get("desk", {}).get(name)],
    }
    file.save_comparison(state, comparison)
    return comparison


def examine_file(file: UploadedEventFile, progress: Progress = ignore_progress) -> None:
    """Examine the file: recompute everything in it, and store the findings. If it is a copy of an event here, it
    is compared with that event. A refused file is deleted at once. Safe to repeat.

    Refuses: file_required, for a deleted file; what ``read_event_file`` and ``upgrade_content`` refuse.
    """
    try:
        _examine(file, progress)
    except FileNotFoundError:
        raise Refusal("file_required", field="file") from None
    except Refusal:
        file.remove()
        raise


def _examine(file: UploadedEventFile, progress: Progress) -> None:
    content = read_event_file(file.path.read_bytes())
    report = verify_event_file(content, progress=progress)  # as it was written, with the sums that it was written with
    content = upgrade_content(content)
    file.save_examination(
        {
            **_summarize(content),
            "sum": report.sum,
            "counts": report.counts,
            "differences": [_difference_to_json(difference) for difference in report.differences[:MAX_DIFFERENCES]],
            "more": max(0, len(report.differences) - MAX_DIFFERENCES),
            "notes": [_difference_to_json(difference) for difference in report.notes[:MAX_DIFFERENCES]],
        }
    )
    existing = find_event_of_file(Club.objects.get(pk=file.club_id), content)
    if existing is not None and not report.differences:
        _compare(file, existing, content)


def _summarize(content: Content) -> FileSummary:
    event = content["event"]
    tables = [table for round_data in content["rounds"] for table in round_data["tables"]]
    single_count = _count_looking(content)
    return {
        "key": str(get_file_key(content)),
        "name": event["name"],
        "held_on": event["held_on"],
        "state": event["state"],
        "lot": event["lot"],
        "club": content[PLACE_PART]["club"],
        "short": content[PLACE_PART]["short"],
        "people": list_file_people(content),
        "entries": len(content["entries"]) - single_count,
        "looking": single_count,
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
    except (Refusal, *TAMPERING_ERRORS):
        return 0
    return sum(entry["is_waiting"] and len(entry["players"]) < size for entry in content["entries"])


def _difference_to_json(difference: Difference) -> Mapping[str, Any]:
    """Return a difference as JSON; its sentence is made later, in the reader's language."""
    return {"where": difference.location, **serialize_failure(code=difference.code, details=difference.details)}


def start_file_import(
    *,
    club: Club,
    file: UploadedEventFile,
    matched_ids: Mapping[int, int],
    are_guests: bool,
    is_copy: bool,
    event_to_replace: Event | None = None,
    by: Actor,
) -> Event | Job:
    """Import the event of an examined file; a large one in a background task, whose job is returned. Safe to
    repeat with the same key. Refuses: event_file_differs, and what ``bring_in_event`` refuses."""
    _check_verified(file)
    if event_to_replace is not None:
        check_replaceable(event_to_replace)
    order: ImportOrder = {
        "known": sorted(matched_ids.items()),
        "are_guests": are_guests,
        "copy": str(by.key or uuid4()) if is_copy else None,
        "instead_of": None if event_to_replace is None else event_to_replace.pk,
        "by": (None if by.account is None else by.account.pk, by.origin),
    }
    name = file.save_order(order)
    if not file.is_large:
        return run_file_import(file, name)
    return enqueue(kind=IMPORT_EVENT, key=f"{file.key}/{name}", topic=file.topic, club_id=file.club_id)


def run_file_import(file: UploadedEventFile, name: str, progress: Progress = ignore_progress) -> Event:
    """Import the event of a file, as ordered. Safe to repeat. Refuses: what ``start_file_import`` refuses."""
    _check_verified(file)
    order = file.load_order(name)
    account_id, origin = order["by"]
    account = None if account_id is None else Account.objects.filter(pk=account_id).first()
    club = Club.objects.get(pk=file.club_id)
    return bring_in_event(
        club=club,
        content=read_event_file(file.path.read_bytes()),
        matched_ids=dict(order["known"]),
        are_guests=order["are_guests"],
        key=UUID(order["copy"]) if order["copy"] else None,
        event_to_replace=find_event_to_replace(club, order.get("instead_of")),
        by=Actor(account=account, origin=origin),
        job_key=f"{file.key}/{name}",
        progress=progress,
    )


def _check_verified(file: UploadedEventFile) -> None:
    examination = file.load_examination()
    if examination is None or examination["differences"]:
        raise Refusal("event_file_differs", field="file")
