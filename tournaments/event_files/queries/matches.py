"""Matches in an event file, with everything recorded of each."""

from collections import defaultdict
from collections.abc import Mapping

from rules import Side
from scoring.models import Agreement, Dispute, Mark, Match, Player
from tournaments.event_files.schema import Content
from tournaments.models import Event

from .moments import moment_to_json
from .people import FilePeople

FileMatches = Mapping[int, tuple[Match, Content]]
"""Each match and its form in a file, by key."""


def matches_to_json(event: Event, people: FilePeople) -> FileMatches:
    """Return the matches of the event by key, with everything recorded of them. Five queries."""
    matches = Match.objects.filter(card__topic=event.topic).select_related("card")
    matches_by_id: dict[int, tuple[Match, Content]] = {}
    for match in matches.order_by("round_number", "card__number", "pk"):
        match_data: Content = {
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
            match_data["own_terms"] = match.own_terms
        matches_by_id[match.pk] = match, match_data
    _add_players(event, matches_by_id, people)
    _add_marks(event, matches_by_id)
    _add_agreements_and_calls(event, matches_by_id)
    return matches_by_id


def _add_players(event: Event, matches_by_id: FileMatches, people: FilePeople) -> None:
    players = Player.objects.filter(match__card__topic=event.topic).order_by("seat")
    players_by_match: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for match, person, name in players.values_list("match", "person", "person__name"):
        players_by_match[match].append((person, name))
    for pk, (_, match_data) in matches_by_id.items():
        match_data["players"] = [people.get_number(*player) for player in players_by_match[pk]]


_MARK_FIELDS = (
    *("pk", "match", "number", "record_data", "status", "supersedes", "saw_only", "waited", "created_at"),
    *("account__name", "written_by", "device", "reason"),
)


def _add_marks(event: Event, matches_by_id: FileMatches) -> None:
    """Add the log of each match in the order of writing; marks are referred to by their place in it."""
    places: dict[int, int] = {}
    marks = Mark.objects.filter(match__card__topic=event.topic).order_by("pk").values(*_MARK_FIELDS)
    for mark in marks.iterator(chunk_size=5_000):
        log = matches_by_id[mark["match"]][1]["marks"]
        places[mark["pk"]] = len(log) + 1
        superseded_id = mark["supersedes"]
        line: Content = {
            "place": mark["number"],
            "record": mark["record_data"],
            "status": mark["status"],
            "supersedes": None if superseded_id is None else places[superseded_id],
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


def _add_agreements_and_calls(event: Event, matches_by_id: FileMatches) -> None:
    """Add the agreements of sides, and calls to the desk."""
    for agreement_row in Agreement.objects.filter(match__card__topic=event.topic).order_by("pk"):
        agreement: Content = {
            "game": agreement_row.game,
            "side": Side(agreement_row.side).name,
            "agreed_to": agreement_row.agreed_to,
            "device": agreement_row.device,
            "at": moment_to_json(agreement_row.created_at),
        }
        if agreement_row.waited:
            agreement["waited"] = agreement_row.waited
        matches_by_id[agreement_row.match_id][1]["agreements"].append(agreement)
    calls = Dispute.objects.filter(match__card__topic=event.topic).select_related("settled_by")
    for call in calls.order_by("pk"):
        matches_by_id[call.match_id][1]["calls"].append(
            {
                "note": call.note,
                "device": call.device,
                "at": moment_to_json(call.created_at),
                "settled_at": moment_to_json(call.settled_at),
                "settled_by": call.settler,
                "ruling": call.ruling,
            }
        )
