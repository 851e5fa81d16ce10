"""Export of an event to a file (``event_files``), with entries, rounds and tables by number."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

from engine.standings import PlainStandings
from jobs.models import Job
from rules import Side
from tournaments.event_files import PHONES_KNOW, SIGNED_BY, Content, with_sums
from tournaments.events.event_settings import event_settings_of, event_settings_to_json
from tournaments.models import Entry, Event, Standings
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.signing.queries import entry_of_event
from tournaments.slots import copied_parts
from tournaments.standings.queries.standings import standings_now

from .matches import matches_to_json
from .moments import moment_to_json
from .people import PeopleHere
from .phones import phone_keys
from .rounds import BROUGHT_IN, rounds_to_json

__all__ = ["BROUGHT_IN", "PeopleHere", "event_file_of"]


def event_file_of(event: Event, *, for_phones: bool = False, people: PeopleHere | None = None) -> Content:
    """Return the whole event, with its sums. Fourteen queries; eighteen before the worker has counted; two
    more ``for_phones``.

    ``for_phones`` adds the keys by which phones in the hall know it: such a file is for its organizer alone.
    ``people`` is filled with the people in the file.
    """
    entries = list(event.entries.select_related("player_1", "player_2").order_by("number"))
    numbers = {entry.pk: entry.number for entry in entries}
    people = PeopleHere() if people is None else people
    players = {
        entry.pk: [people.number_of(person.pk, person.name) for person in entry.players] for entry in entries
    }
    matches = matches_to_json(event, people)
    counted_at, standings = _standings(event)
    content: Content = {
        "place": {"club": event.club.name, "short": event.short, "counted_at": moment_to_json(counted_at)},
        "event": {
            "name": event.name,
            "held_on": event.held_on.isoformat(),
            "state": str(event.state),
            "settings": event_settings_to_json(event_settings_of(event)),
            "lot": event.lot,
            **_kept_apart(event, numbers),
            **_parts(event),
        },
        "entries": [
            {
                "number": entry.number,
                "players": players[entry.pk],
                "section": entry.section,
                "team": entry.team,
                "rating": entry.rating,
                "table": entry.table,
                "is_waiting": entry.is_waiting,
                "signed_up_at": moment_to_json(entry.signed_up_at),
                "present_at": moment_to_json(entry.present_at),
                "arrives": entry.arrives,
                "leaves_after": entry.leaves_after,
                "absent": entry.absent,
                "byes_asked": entry.byes_asked,
                **_noted_of(entry),
            }
            for entry in entries
        ],
        "people": people.names,
        "adjustments": [
            {
                "entry": numbers[given.entry_id],
                "metric": given.metric,
                "amount": given.amount,
                "round": given.round,
                "reason": given.reason,
            }
            for given in event.adjustments.all()
        ],
        "rounds": rounds_to_json(event, numbers, matches),
        "set_aside": [
            {"round": match.round_number, "table": match.card.number, "match": plain}
            for match, plain in matches.values()
            if match.withdrawn_at is not None
        ],
        "standings": standings,
    }
    signed = _signature_of(event)
    if signed is not None:
        content[SIGNED_BY] = signed
    if for_phones:
        content[PHONES_KNOW] = phone_keys(event, matches)
    return with_sums(content)


class FileSignature(TypedDict):
    """An entry of the club's results log, its signature, and the sums that it was made from."""

    entry: Mapping[str, Any]
    signature: str
    sums: Any


def _signature_of(event: Event) -> FileSignature | None:
    """Return the entry of the club's results log about the event, with its sums; None without one."""
    kept = entry_of_event(event)
    if kept is None:
        return None
    return {"entry": dict(kept.signed_entry.entry), "signature": kept.signature, "sums": kept.sums}


def _noted_of(entry: Entry) -> dict[str, Any]:
    """Return the details of an entry that most entries do not have."""
    side = None if entry.side is None else Side(entry.side).name
    told = {
        "family": entry.family,
        "car": entry.car,
        "side": side,
        "labels": entry.labels,
        "excused": entry.excused,
        "withdrawn": entry.withdrawn,
        "disqualification": entry.disqualification,
        "is_house": entry.is_house,
    }
    return {name: value for name, value in told.items() if value}


def _kept_apart(event: Event, numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return the groups of entries kept apart, if any."""
    kept = [
        {**each, "entries": those}
        for each in event.kept_apart
        if len(those := sorted(numbers[entry] for entry in each["entries"] if entry in numbers)) > 1
    ]
    return {"kept_apart": kept} if kept else {}


def _parts(event: Event) -> dict[str, Any]:
    """Return the parts of features that an event has, such as its prizes by category."""
    return {key: part for key, part in copied_parts(event).items() if part}


def _standings(event: Event) -> tuple[datetime | None, PlainStandings | None]:
    """Return the stored standings and when they were computed. If the worker still has changes to count, they
    are computed now, without a time."""
    if Job.objects.filter(kind="refresh_standings", key=str(event.pk), ended_at=None).exists():
        return None, standings_now(event, event_snapshot(event))
    kept = Standings.objects.filter(event=event).defer("charts").first()
    if kept is None:
        return None, None
    return kept.computed_at, {
        "rows": kept.rows,
        "counted": kept.counted,
        "contradictions": kept.contradictions,
    }
