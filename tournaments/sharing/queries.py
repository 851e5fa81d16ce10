"""Queries about the matches of an event, for texts about it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from clubs.models import Person
from engine.chances import Swing, find_turning_hand
from rules import MatchFormat, PlayedHand, Side, match_format_from_json
from scoring.fold import ALL_TRICK_CONTRACTS, fold_match, load_log
from scoring.log_values import MarkStatus
from scoring.models import Mark, Match, Player
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Round, Seating, Table
from tournaments.rounds.chances import get_own_counts
from tournaments.rounds.rulings import get_played_outcome

Sides = tuple[tuple[Person, ...], tuple[Person, ...]]

_PUBLISHED_STATES = [state for state in RoundState if state is not RoundState.DRAFT]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match of a round, by its id. ``outcome`` has points, games and winner once it has a result that was
    played for; ``is_ruled`` if the director gave it. ``length`` is that of its phase, None if the event's."""

    match: int
    round: int
    table: int
    slot: str
    length: MatchFormat | None
    outcome: Mapping[str, Any] | None
    is_ruled: bool
    has_rivals: bool
    charlemagnes: int
    recorded_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCharlemagne:
    """A Charlemagne made in a match. ``recorded_at`` is the time at the table; None if the desk recorded it."""

    match: int
    side: Side
    contract: str
    recorded_at: datetime | None


def select_seated_entries(event: Event) -> QuerySet[Entry]:
    """Select the entries that sat at a table, or had a bye, in a published round."""
    return event.entries.filter(is_waiting=False, seatings__round__state__in=_PUBLISHED_STATES).distinct()


def list_played_matches(event: Event) -> list[PlayedMatch]:
    """List the matches of all rounds, table by table, without forfeits. One query."""
    rows = (
        Table.objects.filter(round__event=event, match__withdrawn_at=None)
        .exclude(match=None)
        .order_by("round__number", "number")
        .values_list(
            *("match", "round__number", "number", "slot", "ruling"),
            *("match__summary", "match__is_over", "match__has_rivals", "match__last_marked_at"),
            "match__own_terms",
        )
    )
    matches = []
    for match, round_number, table, slot, ruling, summary, is_over, has_rivals, recorded_at, terms in rows:
        outcome = get_played_outcome(ruling, summary, is_over=is_over)
        if outcome is not None or ruling is None:
            matches.append(
                PlayedMatch(
                    match=match,
                    round=round_number,
                    table=table,
                    slot=slot,
                    length=match_format_from_json(terms["match_format"]) if "match_format" in (terms or {}) else None,
                    outcome=outcome,
                    is_ruled=ruling is not None,
                    has_rivals=has_rivals,
                    charlemagnes=sum(summary.get("charlemagnes", ())),
                    recorded_at=recorded_at,
                )
            )
    return matches


def count_results(round_row: Round) -> tuple[int, int]:
    """Count the tables of a published round, and those with a result. One query."""
    has_result = Q(ruling__isnull=False) | Q(match__is_over=True)
    counts = round_row.tables.aggregate(tables=Count("pk"), results=Count("pk", filter=has_result))
    return counts["tables"], counts["results"]


def get_entry_sides(event: Event, numbers: Collection[int]) -> dict[int, dict[int, Side]]:
    """Return the side of these entries in each of their matches. One query, or none."""
    sides: dict[int, dict[int, Side]] = defaultdict(dict)
    if numbers:
        seatings = Seating.objects.filter(entry__event=event, entry__number__in=numbers)
        for match, number, side in seatings.values_list("table__match", "entry__number", "side"):
            if match is not None and side is not None:
                sides[match][number] = Side(side)
    return sides


def get_people_by_match(matches: Collection[int]) -> dict[int, Sides]:
    """Return the people on each side of these matches, by seat. One query, or none."""
    if not matches:
        return {}
    people: dict[int, tuple[list[Person], list[Person]]] = defaultdict(lambda: ([], []))
    for player in Player.objects.filter(match__in=matches).select_related("person").order_by("seat"):
        people[player.match_id][player.seat % 2].append(player.person)
    return {match: (tuple(a), tuple(b)) for match, (a, b) in people.items()}


def load_matches_with_logs(matches: Collection[int]) -> dict[int, Match]:
    """Load these matches with their logs. Two queries, or none."""
    if not matches:
        return {}
    marks = Prefetch("marks", queryset=Mark.objects.order_by("match", "number", "pk"))
    loaded = Match.objects.filter(pk__in=matches).select_related("terms").prefetch_related(marks)
    return {match.pk: match for match in loaded}


def find_last_charlemagnes(matches: Collection[int], max_count: int) -> set[int]:
    """Return those of the matches with the latest recorded Charlemagnes, at most ``max_count``. One query."""
    current = Mark.objects.filter(match__in=matches, status=MarkStatus.CURRENT).order_by("-created_at", "-pk")
    match_ids = (
        match
        for match, record in current.values_list("match", "record_data").iterator()
        if record.get("contract") in ALL_TRICK_CONTRACTS
    )
    return set(islice(dict.fromkeys(match_ids), max_count))


def list_charlemagnes(matches: Iterable[Match]) -> list[MatchCharlemagne]:
    """List the Charlemagnes made in these matches, from their logs. No query, of matches with their logs."""
    return [charlemagne for match in matches for charlemagne in _list_match_charlemagnes(match)]


def _list_match_charlemagnes(match: Match) -> list[MatchCharlemagne]:
    hands = {
        line.number: line.record
        for line in fold_match(match, load_log(match).places).lines
        if isinstance(line.record, PlayedHand)
        and line.record.made
        and line.record.contract in ALL_TRICK_CONTRACTS
        and not line.is_surplus
    }
    return [
        MatchCharlemagne(
            match=match.pk, side=hand.side, contract=hand.contract, recorded_at=_get_recorded_at(match, number, hand)
        )
        for number, hand in hands.items()
    ]


def _get_recorded_at(match: Match, number: int, hand: PlayedHand) -> datetime | None:
    """Return when the hand was first recorded, even if the phone sent it later. None if a helper or a
    director typed or corrected it."""
    result = (hand.side, hand.contract, hand.made)
    for mark in match.marks.all():
        record = mark.record(match.ruleset) if mark.number == number else None
        if isinstance(record, PlayedHand) and (record.side, record.contract, record.made) == result:
            is_typed = mark.helper or mark.is_directors
            return None if is_typed else mark.created_at - timedelta(seconds=mark.waited)
    return None


def find_turning_swing(event: Event, match: Match) -> Swing | None:
    """Return the hand that turned a match of the event. No query, of a match with its log."""
    return find_turning_hand(fold_match(match, load_log(match).places), get_own_counts(event, match.ruleset))
