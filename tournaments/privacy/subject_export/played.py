"""Entries and matches of a person, with the hands recorded.

Other people appear under their public names.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import Prefetch

from clubs.models import Club, Person
from rules import Seat, side_of
from scoring.models import Mark, Match, Player
from tournaments.entries.queries.people import events_of_person
from tournaments.models import Entry, Seating

RESULT = ("points", "games_won", "winner")
"""Fields of a match that make its result, side A first; hands are listed separately."""


def subject_entries(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the entries, newest event first. Three queries."""
    seatings = Seating.objects.select_related("round", "table").order_by("round__number")
    entries = events_of_person(person).prefetch_related(
        "adjustments", Prefetch("seatings", queryset=seatings)
    )
    return [_entry(club, person, entry) for entry in entries]


def _entry(club: Club, person: Person, entry: Entry) -> dict[str, Any]:
    return {
        "event": entry.event.name,
        "day": entry.event.held_on,
        "entry": entry.number,
        "with": _others(club, person, entry.players),
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
            {"metric": one.metric, "amount": one.amount, "round": one.round, "reason": one.reason}
            for one in entry.adjustments.all()
        ],
        "rounds": [
            {"round": seating.round.number, "table": seating.table.number if seating.table else None}
            for seating in entry.seatings.all()
        ],
    }


def subject_matches(club: Club, person: Person) -> list[dict[str, Any]]:
    """Return the matches, newest first, also those set aside. Seven queries."""
    played = (
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
    return [_match(club, person, player) for player in played]


def _match(club: Club, person: Person, player: Player) -> dict[str, Any]:
    match = player.match
    table = getattr(match, "table", None)
    mine = side_of(Seat(player.seat))
    sides: dict[bool, list[Person]] = {True: [], False: []}
    for other in match.players.all():
        sides[side_of(Seat(other.seat)) is mine].append(other.person)
    return {
        "event": "" if table is None else table.round.event.name,
        "day": match.opened_at if table is None else table.round.event.held_on,
        "round": match.round_number,
        "table": match.card.number,
        "side": mine.name,
        "seat": player.seat,
        "with": _others(club, person, sides[True]),
        "against": _others(club, person, sides[False]),
        "is_over": match.is_over,
        "set_aside_at": match.withdrawn_at,
        "result": {name: match.summary[name] for name in RESULT},
        "ruling": None if table is None else table.ruling,
        "hands": [_hand(mark) for mark in match.marks.all()],
        "bids": match.tally.bids if hasattr(match, "tally") else [],
        **_around(match),
    }


def _hand(mark: Mark) -> dict[str, Any]:
    return {
        "hand": mark.number,
        "marked": mark.record_data,
        "state": mark.status,
        "when": mark.created_at,
        "who": mark.director or mark.helper,
        "reason": mark.reason,
    }


def _around(match: Match) -> dict[str, Any]:
    return {
        "agreements": [
            {
                "game": one.game,
                "side": one.get_side_display(),
                "agreed_to": one.agreed_to,
                "when": one.created_at,
            }
            for one in match.agreements.all()
        ],
        "calls": [
            {"note": one.note, "when": one.created_at, "ruling": one.ruling, "settled_at": one.settled_at}
            for one in match.disputes.all()
        ],
        "hands_too_late": [
            {"hand": one.number, "marked": one.record_data, "when": one.created_at}
            for one in match.refused_marks.all()
        ],
    }


def _others(club: Club, person: Person, people: Iterable[Person]) -> list[str]:
    return [other.name_in_public(club) for other in people if other.pk != person.pk]
