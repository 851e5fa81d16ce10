"""Export of an event to a file (``event_files``), with entries, rounds and tables by number."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine.standings import StandingsJson
from jobs.models import Job
from rules import Side
from scoring.file_columns import moment_to_json
from tournaments.event_files.columns import ADJUSTMENT_COLUMNS, ENTRY_COLUMNS
from tournaments.event_files.queries.matches import phone_keys
from tournaments.event_files.schema import DESK_PART, PHONE_KEYS_PART, SIGNATURE_PART, Content
from tournaments.event_files.writer import add_checksums
from tournaments.events.event_settings import event_settings_to_json, read_event_settings
from tournaments.models import Event, Standings
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.signing.queries import find_final_entry
from tournaments.slots import read_copied_parts
from tournaments.standings.queries.standings import compute_event_standings

from .desk import desk_to_json
from .matches import matches_to_json
from .people import FilePeople
from .rounds import IMPORT_KIND, rounds_to_json


def build_event_file(
    event: Event, *, with_phone_keys: bool = False, with_desk: bool = False, people: FilePeople | None = None
) -> Content:
    """Return the whole event, with its sums. Fourteen queries; eighteen before the worker has computed the
    standings; two more with ``with_phone_keys``, twelve with ``with_desk``.

    ``with_phone_keys`` adds the keys by which phones in the hall know the event, and ``with_desk`` payments,
    prizes, clocks, messages and the history: such a file is only for its organizer. The people in the file
    are added to ``people``.
    """
    entries = list(event.entries.select_related("player_1", "player_2").order_by("number"))
    numbers = {entry.pk: entry.number for entry in entries}
    people = FilePeople() if people is None else people
    players = {entry.pk: [people.get_number(person.pk, person.name) for person in entry.players] for entry in entries}
    matches = matches_to_json(event, people)
    computed_at, standings = _read_standings(event)
    content: Content = {
        "place": {"club": event.club.name, "short": event.short, "counted_at": moment_to_json(computed_at)},
        "event": {
            "name": event.name,
            "held_on": event.held_on.isoformat(),
            "state": str(event.state),
            "settings": event_settings_to_json(read_event_settings(event)),
            "lot": event.lot,
            **_list_apart_groups(event, numbers),
            **({"hand_counts": event.hand_counts} if event.hand_counts else {}),
            **_list_feature_parts(event),
        },
        "entries": [
            {
                "number": entry.number,
                "players": players[entry.pk],
                **ENTRY_COLUMNS.write(entry),
                **({} if entry.side is None else {"side": Side(entry.side).name}),
            }
            for entry in entries
        ],
        "people": list(people.names),
        "adjustments": [
            {"entry": numbers[adjustment.entry_id], **ADJUSTMENT_COLUMNS.write(adjustment)}
            for adjustment in event.adjustments.all()
        ],
        "rounds": rounds_to_json(event, numbers, matches),
        "set_aside": [
            {"round": match.round_number, "table": match.card.number, "match": match_data}
            for match, match_data in matches.values()
            if match.withdrawn_at is not None
        ],
        "standings": standings,
    }
    signature = _get_signature(event)
    if signature is not None:
        content[SIGNATURE_PART] = signature
    if with_phone_keys:
        content[PHONE_KEYS_PART] = phone_keys(event, matches)
    if with_desk:
        content[DESK_PART] = desk_to_json(event, people)
    return add_checksums(content)


def _get_signature(event: Event) -> Content | None:
    """Return the entry of the club's results log about the event, with its sums; None without one."""
    log_entry = find_final_entry(event)
    if log_entry is None:
        return None
    return {"entry": dict(log_entry.signed_entry.entry), "signature": log_entry.signature, "sums": log_entry.sums}


def _list_apart_groups(event: Event, numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return the groups of entries kept apart, if any."""
    groups = [
        {**group, "entries": numbers_in_group}
        for group in event.kept_apart
        if len(numbers_in_group := sorted(numbers[entry] for entry in group["entries"] if entry in numbers)) > 1
    ]
    return {"kept_apart": groups} if groups else {}


def _list_feature_parts(event: Event) -> dict[str, Any]:
    """Return the parts of features that an event has, such as its prizes by category."""
    return {key: part for key, part in read_copied_parts(event).items() if part}


def _read_standings(event: Event) -> tuple[datetime | None, StandingsJson | None]:
    """Return the stored standings and when they were computed. If the worker still has changes to count, they
    are computed now, without a time."""
    if Job.objects.filter(kind="refresh_standings", key=str(event.pk), ended_at=None).exists():
        return None, compute_event_standings(event, read_event_snapshot(event))
    stored = Standings.objects.filter(event=event).defer("charts").first()
    if stored is None:
        return None, None
    return stored.computed_at, {
        "rows": stored.rows,
        "counted": stored.counted,
        "contradictions": stored.contradictions,
    }
