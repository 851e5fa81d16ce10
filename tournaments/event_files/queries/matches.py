"""Matches as a file has them: everything that was written of each."""

from collections.abc import Mapping
from typing import Any

from rules import Side
from scoring.models import Agreement, Dispute, Mark, Match, Player
from tournaments.models import Event

from .moments import plain_moment
from .people import PeopleHere

Matches = Mapping[int, tuple[Match, dict[str, Any]]]
"""By key, each match and what a file has of it."""


def plain_matches(event: Event, people: PeopleHere) -> Matches:
    """The matches of the event by key, with all that was written of them. Five queries."""
    matches = Match.objects.filter(card__topic=event.topic).select_related("card")
    found: dict[int, tuple[Match, dict[str, Any]]] = {}
    for match in matches.order_by("round_number", "card__number", "pk"):
        plain = {
            "opened_at": plain_moment(match.opened_at),
            "closed_at": plain_moment(match.closed_at),
            "first_dealer": match.first_dealer,
            "players": [],
            "summary": match.summary,
            "is_over": match.is_over,
            "has_rivals": match.has_rivals,
            "marks": [],
            "agreements": [],
            "calls": [],
        }
        found[match.pk] = match, plain
    _add_players(event, found, people)
    _add_marks(event, found)
    _add_said(event, found)
    return found


def _add_players(event: Event, found: Matches, people: PeopleHere) -> None:
    players = Player.objects.filter(match__card__topic=event.topic).order_by("seat")
    for match, person, name in players.values_list("match", "person", "person__name"):
        found[match][1]["players"].append((person, name))
    for _, plain in found.values():
        plain["players"] = [people.number_of(*player) for player in plain["players"]]


def _add_marks(event: Event, found: Matches) -> None:
    """The log of each match in the order in which it was written: lines are known by their place in it."""
    places: dict[int, int] = {}
    marks = Mark.objects.filter(match__card__topic=event.topic).order_by("pk")
    for (
        pk,
        match,
        number,
        record,
        status,
        supersedes,
        saw_only,
        waited,
        at,
        account,
        by,
        device,
        reason,
    ) in marks.values_list(
        "pk",
        "match",
        "number",
        "record_data",
        "status",
        "supersedes",
        "saw_only",
        "waited",
        "created_at",
        "account__name",
        "written_by",
        "device",
        "reason",
    ).iterator(chunk_size=5_000):
        log = found[match][1]["marks"]
        places[pk] = len(log) + 1
        log.append(
            {
                "place": number,
                "record": record,
                "status": status,
                "supersedes": None if supersedes is None else places[supersedes],
                "at": plain_moment(at),
                "by": account or by,
                "device": device,
                "reason": reason,
            }
            | ({"saw_only": True} if saw_only else {})
            | ({"waited": waited} if waited else {})
        )


def _add_said(event: Event, found: Matches) -> None:
    """What sides agreed to, and calls to the desk."""
    for said in Agreement.objects.filter(match__card__topic=event.topic).order_by("pk"):
        found[said.match_id][1]["agreements"].append(
            {
                "game": said.game,
                "side": Side(said.side).name,
                "agreed_to": said.agreed_to,
                "device": said.device,
                "at": plain_moment(said.created_at),
            }
            | ({"waited": said.waited} if said.waited else {})
        )
    calls = Dispute.objects.filter(match__card__topic=event.topic).select_related("settled_by")
    for call in calls.order_by("pk"):
        found[call.match_id][1]["calls"].append(
            {
                "note": call.note,
                "device": call.device,
                "at": plain_moment(call.created_at),
                "settled_at": plain_moment(call.settled_at),
                "settled_by": call.settler,
                "ruling": call.ruling,
            }
        )
