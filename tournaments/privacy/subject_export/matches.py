"""Entries and matches of a person, with the hands recorded.

Other people appear under their public names.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import Prefetch

from clubs.models import Club, Person
from rules import Seat, get_side
from scoring.models import Mark, Match, Player
from tournaments.entries.queries.people import list_entries_of_person
from tournaments.models import Entry, Seating

RESULT_FIELDS = ("points", "games_won", "winner")
"""Fields of a match that make its result, side A first; hands are listed separately."""


def export_entries(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the entries, newest event first. Three queries."""
    seatings = Seating.objects.select_related("round", "table").order_by("round__number")
    entries = list_entries_of_person(person).prefetch_related("adjustments", Prefetch("seatings", queryset=seatings))
    return [_build_entry_line(club, person, entry) for entry in entries]


def _build_entry_line(club: Club, person: Person, entry: Entry) -> dict[str, Any]:
    return {
        "event": entry.event.name,
        "day": entry.event.held_on,
        "entry": entry.number,
        "with": _list_other_names(club, person, entry.players),
        "section": entry.section,
        "team": entry.team,
        "strength": entry.rating,
        "own_table": entry.table,
        "family": entry.family,
        "car": entry.car,
        "category": entry.labels,
        "own_side": entry.get_side_display() or "",
        "is_waiting": entry.is_waiting,
        "looks_for_partner": entry.looks_for_partner,
        "signed_up_at": entry.signed_up_at,
        "present_at": entry.present_at,
        "first_round": entry.arrives,
        "left_after": entry.leaves_after,
        "absent": entry.absent,
        "excused": entry.excused,
        "withdrawn": entry.withdrawn,
        "byes_asked": entry.byes_asked,
        "disqualification": entry.disqualification,
        "is_house": entry.is_house,
        "adjustments": [
            {
                "metric": adjustment.metric,
                "amount": adjustment.amount,
                "round": adjustment.round,
                "reason": adjustment.reason,
            }
            for adjustment in entry.adjustments.all()
        ],
        "rounds": [
            {"round": seating.round.number, "table": seating.table.number if seating.table else None}
            for seating in entry.seatings.all()
        ],
    }


def export_matches(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the matches, newest first, also those set aside. Seven queries."""
    seats = (
        person.seats.select_related("match__card", "match__table__round__event", "match__tally")
        .prefetch_related(
            Prefetch("match__players", queryset=Player.objects.select_related("person").order_by("seat")),
            Prefetch("match__marks", queryset=Mark.objects.select_related("account").order_by("pk")),
            "match__agreements",
            "match__disputes",
            "match__refused_marks",
        )
        .order_by("-match__opened_at", "-match")
    )
    return [_build_match_line(club, person, player) for player in seats]


def _build_match_line(club: Club, person: Person, player: Player) -> dict[str, Any]:
    match = player.match
    table = getattr(match, "table", None)
    own_side = get_side(Seat(player.seat))
    sides: dict[bool, list[Person]] = {True: [], False: []}
    for other in match.players.all():
        sides[get_side(Seat(other.seat)) is own_side].append(other.person)
    return {
        "event": "" if table is None else table.round.event.name,
        "day": match.opened_at if table is None else table.round.event.held_on,
        "round": match.round_number,
        "table": match.card.number,
        "side": own_side.name,
        "seat": player.seat,
        "with": _list_other_names(club, person, sides[True]),
        "against": _list_other_names(club, person, sides[False]),
        "is_over": match.is_over,
        "set_aside_at": match.withdrawn_at,
        "result": {name: match.summary[name] for name in RESULT_FIELDS},
        "ruling": None if table is None else table.ruling,
        "hands": [_build_hand_line(mark) for mark in match.marks.all()],
        "bids": match.tally.bids if hasattr(match, "tally") else [],
        **_build_match_details(match),
    }


def _build_hand_line(mark: Mark) -> dict[str, Any]:
    return {
        "hand": mark.number,
        "marked": mark.record_data,
        "state": mark.status,
        "when": mark.created_at,
        "who": mark.director or mark.helper,
        "reason": mark.reason,
    }


def _build_match_details(match: Match) -> dict[str, Any]:
    return {
        "agreements": [
            {
                "game": row.game,
                "side": row.get_side_display(),
                "agreed_to": row.agreed_to,
                "when": row.created_at,
            }
            for row in match.agreements.all()
        ],
        "calls": [
            {"note": row.note, "when": row.created_at, "ruling": row.ruling, "settled_at": row.settled_at}
            for row in match.disputes.all()
        ],
        "hands_too_late": [
            {"hand": row.number, "marked": row.record_data, "when": row.created_at} for row in match.refused_marks.all()
        ],
    }


def _list_other_names(club: Club, person: Person, people: Iterable[Person]) -> list[str]:
    return [other.get_public_name(club) for other in people if other.pk != person.pk]
