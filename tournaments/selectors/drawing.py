"""What a draw depends on."""

from collections import Counter, defaultdict
from typing import Any

from rules import Side
from tournaments.draws import DrawInput, Entrant, EntryId, Played
from tournaments.models import Event, Seating

from .results import standings_of


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
