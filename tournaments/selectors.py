"""What is known of events: every read, each with a fixed number of queries."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet

from clubs.models import Account, Person
from clubs.selectors import clubs_of
from rules import Side
from scoring.models import Dispute, Match

from .draws import DrawInput, Entrant, EntryId, Played
from .lifecycle import RoundState
from .models import Entry, Event, Round, Seating, Standings, Table
from .ranking import Result

_PLAYERS = ("entry__player_1", "entry__player_2")


def public_event(short: str) -> Event | None:
    """The event of that short name, for anybody who has its address. One query."""
    return Event.objects.select_related("club", "terms").filter(short=short).first()


def directed_event(account: Account, short: str) -> Event | None:
    """The same for somebody who has a role in its club; None for anybody else. One query."""
    clubs = clubs_of(account)
    return Event.objects.select_related("club", "terms").filter(short=short, club__in=clubs).first()


def rounds_of(event: Event) -> QuerySet[Round]:
    """The rounds that have been published, first to last, without their proofs, which no page shows and which
    are large. One query."""
    return event.rounds.exclude(state=RoundState.DRAFT).defer("certificate").order_by("number")


def tables_of(drawn: Round) -> list[Table]:
    """The tables of a round with their seatings, entries and matches. Two queries."""
    seatings = Seating.objects.select_related(*_PLAYERS).order_by("side")
    return list(
        drawn.tables.select_related("match__card")
        .prefetch_related(Prefetch("seatings", queryset=seatings))
        .order_by("number")
    )


def byes_of(drawn: Round) -> list[Seating]:
    """Who sits out in a round. One query."""
    return list(drawn.seatings.filter(table=None).select_related(*_PLAYERS))


def missing_tables(played: Round) -> list[int]:
    """The numbers of the tables without a result that stands: not over, two marks, or a call to the desk."""
    called = Dispute.objects.filter(settled_at=None).values("match")
    settled = Match.objects.filter(is_over=True, has_rivals=False).exclude(pk__in=called)
    return list(played.tables.exclude(match__in=settled).order_by("number").values_list("number", flat=True))


def entries_of(event: Event) -> list[Entry]:
    """Who takes part, by number. One query."""
    return list(event.entries.select_related("player_1", "player_2").order_by("number"))


def in_seats(sides: Sequence[Sequence[Person]]) -> list[Person]:
    """The players of both sides clockwise: A, B, A, B; or A, B where two people play."""
    return [side[place] for place in range(len(sides[0])) for side in sides]


def draw_input(event: Event, *, seed: int) -> DrawInput:
    """All that a draw of the next round depends on. Three queries."""
    ranks = {row["entry"]: position for position, row in enumerate(standings_of(event))}
    entries = list(event.entries.values_list("number", "pk"))
    by_standing = sorted(entries, key=lambda entry: (ranks.get(entry[0], len(ranks)), entry[0]))
    history, scores = _played_so_far(event)
    return DrawInput(
        round=max((table.round for table in history), default=0) + 1,
        entrants=tuple(
            Entrant(id=EntryId(pk), number=number, score=scores[EntryId(pk)]) for number, pk in by_standing
        ),
        history=tuple(history),
        # Nothing tells the entries of a first round apart but the order in which they were typed.
        settings={} if history else {"target": "lot"},
        seed=seed,
    )


def _played_so_far(event: Event) -> tuple[list[Played], Counter[EntryId]]:
    """Every table and bye of the rounds so far, and the score of each entry. One query.

    A match won or a bye scores 2, a drawn match 1.
    """
    seats: dict[tuple[int, int], list[list[EntryId]]] = defaultdict(lambda: [[], []])
    summaries: dict[tuple[int, int], dict[str, Any]] = {}
    for number, table, side, entry, is_over, summary in (
        Seating.objects.filter(round__event=event)
        .order_by("round__number", "table", "entry")
        .values_list(
            "round__number", "table", "side", "entry", "table__match__is_over", "table__match__summary"
        )
    ):
        seats[number, table or -entry][side or 0].append(EntryId(entry))
        if is_over:
            summaries[number, table] = summary
    history: list[Played] = []
    scores: Counter[EntryId] = Counter()
    for (number, table), (a, b) in sorted(seats.items()):
        came = (scores[a[0]], scores[b[0]]) if b else (0, 0)
        winner = _winner(summaries.get((number, table)))
        history.append(Played(round=number, a=tuple(a), b=tuple(b), winner=winner, scores=came))
        if not b or winner is Side.A:
            scores.update(dict.fromkeys(a, 2))
        elif winner is Side.B:
            scores.update(dict.fromkeys(b, 2))
        elif (number, table) in summaries:
            scores.update(dict.fromkeys((*a, *b), 1))
    return history, scores


def _winner(summary: dict[str, Any] | None) -> Side | None:
    name = summary["winner"] if summary else None
    return None if name is None else Side[name]


def standings_of(event: Event) -> list[dict[str, Any]]:
    """The rows as last computed, best first; empty before the first result. One query."""
    standings = Standings.objects.filter(event=event).first()
    return standings.rows if standings is not None else []


def standings_computed_at(event: Event) -> datetime | None:
    """When the standings were last computed. One query."""
    return Standings.objects.filter(event=event).values_list("computed_at", flat=True).first()


def results_by_entry(event: Event) -> dict[EntryId, list[Result]]:
    """Every counted result of each entry: matches that are over, and byes of published rounds. One query.

    A bye counts as a match won, with the games that win a match, and moves no points.
    """
    results: dict[EntryId, list[Result]] = defaultdict(list)
    by_table: dict[int, list[Seating]] = defaultdict(list)
    seatings = (
        Seating.objects.filter(round__event=event)
        .exclude(round__state=RoundState.DRAFT)
        .select_related("round", "table__match")
        .order_by("round__number", "table", "side")
    )
    for seating in seatings:
        if seating.table_id is None:
            results[EntryId(seating.entry_id)].append(_bye(seating, event))
        else:
            by_table[seating.table_id].append(seating)
    for seated in by_table.values():
        for seating, opponent in zip(seated, reversed(seated), strict=True):
            result = _result(seating, opponent)
            if result is not None:
                results[EntryId(seating.entry_id)].append(result)
    return results


def _bye(seating: Seating, event: Event) -> Result:
    return Result(
        round=seating.round.number,
        opponent=None,
        match_won=True,
        games_won=event.terms.match_format.games_to_win or 0,
        games_lost=0,
        points_for=0,
        points_against=0,
    )


def _result(seating: Seating, opponent: Seating) -> Result | None:
    assert seating.table is not None
    assert seating.side is not None
    match = seating.table.match
    if match is None or not match.is_over:
        return None
    side = Side(seating.side)
    summary = match.summary
    return Result(
        round=seating.round.number,
        opponent=EntryId(opponent.entry_id),
        match_won=summary["winner"] == side.name,
        games_won=summary["games_won"][side],
        games_lost=summary["games_won"][side.other],
        points_for=summary["points"][side],
        points_against=summary["points"][side.other],
    )
