"""Matches in an event file, with everything recorded of each."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from rules import Side
from scoring.fold import MatchSummary
from scoring.models import Agreement, Dispute, Mark, Match, Player
from tournaments.models import Event

from .moments import moment_to_json
from .people import PeopleHere


class FileMark(TypedDict):
    """A mark of the log; ``supersedes`` is the place in the log, from 1, of the mark that it replaces."""

    place: int
    record: Any
    status: str
    supersedes: int | None
    at: str | None
    by: str
    device: str
    reason: str
    saw_only: NotRequired[bool]
    waited: NotRequired[int]


class FileAgreement(TypedDict):
    game: int
    side: str
    agreed_to: str
    device: str
    at: str | None
    waited: NotRequired[int]


class FileCall(TypedDict):
    """A call to the desk."""

    note: str
    device: str
    at: str | None
    settled_at: str | None
    settled_by: str
    ruling: str


class FileMatch(TypedDict):
    """A match with everything recorded of it; ``players`` are places in the list of people."""

    opened_at: str | None
    closed_at: str | None
    first_dealer: int | None
    players: list[int]
    summary: MatchSummary
    is_over: bool
    has_rivals: bool
    marks: list[FileMark]
    agreements: list[FileAgreement]
    calls: list[FileCall]
    own_terms: NotRequired[Mapping[str, Any]]


Matches = Mapping[int, tuple[Match, FileMatch]]
"""Each match and its form in a file, by key."""


def matches_to_json(event: Event, people: PeopleHere) -> Matches:
    """Return the matches of the event by key, with everything recorded of them. Five queries."""
    matches = Match.objects.filter(card__topic=event.topic).select_related("card")
    found: dict[int, tuple[Match, FileMatch]] = {}
    for match in matches.order_by("round_number", "card__number", "pk"):
        plain: FileMatch = {
            "opened_at": moment_to_json(match.opened_at),
            "closed_at": moment_to_json(match.closed_at),
            "first_dealer": match.first_dealer,
            "players": [],
            "summary": match.summary,
            "is_over": match.is_over,
            "has_rivals": match.has_rivals,
            "marks": [],
            "agreements": [],
            "calls": [],
        }
        if match.own_terms is not None:
            plain["own_terms"] = match.own_terms
        found[match.pk] = match, plain
    _add_players(event, found, people)
    _add_marks(event, found)
    _add_said(event, found)
    return found


def _add_players(event: Event, found: Matches, people: PeopleHere) -> None:
    players = Player.objects.filter(match__card__topic=event.topic).order_by("seat")
    seated: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for match, person, name in players.values_list("match", "person", "person__name"):
        seated[match].append((person, name))
    for pk, (_, plain) in found.items():
        plain["players"] = [people.number_of(*player) for player in seated[pk]]


_OF_A_MARK = (
    *("pk", "match", "number", "record_data", "status", "supersedes", "saw_only", "waited", "created_at"),
    *("account__name", "written_by", "device", "reason"),
)


def _add_marks(event: Event, found: Matches) -> None:
    """Add the log of each match in the order of writing; marks are referred to by their place in it."""
    places: dict[int, int] = {}
    marks = Mark.objects.filter(match__card__topic=event.topic).order_by("pk").values(*_OF_A_MARK)
    for mark in marks.iterator(chunk_size=5_000):
        log = found[mark["match"]][1]["marks"]
        places[mark["pk"]] = len(log) + 1
        seen = mark["supersedes"]
        line: FileMark = {
            "place": mark["number"],
            "record": mark["record_data"],
            "status": mark["status"],
            "supersedes": None if seen is None else places[seen],
            "at": moment_to_json(mark["created_at"]),
            "by": mark["account__name"] or mark["written_by"],
            "device": mark["device"],
            "reason": mark["reason"],
        }
        if mark["saw_only"]:
            line["saw_only"] = True
        if mark["waited"]:
            line["waited"] = mark["waited"]
        log.append(line)


def _add_said(event: Event, found: Matches) -> None:
    """Add the agreements of sides, and calls to the desk."""
    for said in Agreement.objects.filter(match__card__topic=event.topic).order_by("pk"):
        agreement: FileAgreement = {
            "game": said.game,
            "side": Side(said.side).name,
            "agreed_to": said.agreed_to,
            "device": said.device,
            "at": moment_to_json(said.created_at),
        }
        if said.waited:
            agreement["waited"] = said.waited
        found[said.match_id][1]["agreements"].append(agreement)
    calls = Dispute.objects.filter(match__card__topic=event.topic).select_related("settled_by")
    for call in calls.order_by("pk"):
        found[call.match_id][1]["calls"].append(
            {
                "note": call.note,
                "device": call.device,
                "at": moment_to_json(call.created_at),
                "settled_at": moment_to_json(call.settled_at),
                "settled_by": call.settler,
                "ruling": call.ruling,
            }
        )
