"""What was played so far, as draws and rankings see it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from rules import Side
from tournaments.draws import Bond, DrawInput, Entrant, EntryId, Played, ReasonCode
from tournaments.draws.stages import blocks, stage_of
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Seating
from tournaments.ranking import Bye, stored_rules

WON, DRAWN = 2, 1
"""What a match adds to the score by which the Swiss draw groups."""

BYES: Mapping[Bye, int] = {Bye.WIN: WON, Bye.DRAW: DRAWN, Bye.NOTHING: 0}
"""What a bye adds to it, by the ranking of the event."""

NOTHING_WON = frozenset({ReasonCode.BYE_ASKED.value, ReasonCode.WAITS.value})
"""Why somebody sits out without winning anything by it."""


def played_so_far(event: Event, *, before: int | None = None) -> DrawInput:
    """The entries in the order of the starting list, and every table and bye of the published rounds; or of
    those before a round. Two queries."""
    history, scores = _played_so_far(event, before)
    entries = event.entries.filter(is_waiting=False).order_by("number")
    return DrawInput(
        round=max((table.round for table in history), default=0) + 1,
        entrants=tuple(_entrant(entry, scores[EntryId(entry.pk)]) for entry in entries),
        history=tuple(history),
    )


def stage_standings(event: Event, draw: DrawInput) -> list[list[EntryId]]:
    """For each stage, everybody best first as it was when the stage ended: who goes on is kept with the first
    draw of the next one, whatever is corrected later. One query."""
    begun: dict[int, int] = {}
    for table in draw.history:
        stage = stage_of(table)
        if stage is not None:
            begun[stage] = min(table.round, begun.get(stage, table.round))
    orders = dict(event.rounds.filter(number__in=begun.values()).values_list("number", "order"))
    now = [entrant.id for entrant in draw.entrants]
    groups = blocks(event.plan)
    after = [min((begun[index] for index in block if index in begun), default=0) for block in groups]
    return [
        orders.get(following, now)
        for block, following in zip(groups, [*after[1:], 0], strict=True)
        for _ in block
    ]


def _entrant(entry: Entry, score: int) -> Entrant:
    return Entrant(
        id=EntryId(entry.pk),
        number=entry.number,
        score=score,
        bonds=frozenset({Bond("club", entry.team)} if entry.team else ()),
        section=entry.section or None,
        table=entry.table,
        arrives=entry.arrives,
        leaves_after=entry.leaves_after,
        absent=frozenset(entry.absent),
        byes_asked=frozenset(entry.byes_asked),
    )


def published_seatings(event: Event, *, before: int | None = None) -> Iterable[Any]:
    """A row for each entry in each published round, or in those before a round. One query."""
    seatings = Seating.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    if before is not None:
        seatings = seatings.filter(round__number__lt=before)
    return seatings.order_by("round__number", "table", "side", "place", "entry").values(
        "round__number",
        "table",
        "side",
        "entry",
        "slot",
        "reasons",
        "table__number",
        "table__slot",
        "table__ruling",
        "table__match__is_over",
        "table__match__summary",
    )


def outcome_of(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The director's result, else that of a match that is over; None while undecided."""
    if row["table__ruling"] is not None:
        return dict(row["table__ruling"])
    return row["table__match__summary"] if row["table__match__is_over"] else None


def _played_so_far(event: Event, before: int | None = None) -> tuple[list[Played], Counter[EntryId]]:
    """Every table and bye of the published rounds, and the score of each entry. One query."""
    seats: dict[tuple[int, int], list[list[EntryId]]] = defaultdict(lambda: [[], []])
    found: dict[tuple[int, int], Mapping[str, Any]] = {}
    for row in published_seatings(event, before=before):
        key = row["round__number"], row["table"] or -row["entry"]
        seats[key][row["side"] or 0].append(EntryId(row["entry"]))
        found[key] = row
    history: list[Played] = []
    scores: Counter[EntryId] = Counter()
    bye = BYES[stored_rules(event.ranking).bye]
    for key, (a, b) in sorted(seats.items()):
        played = _played(found[key], a, b, scores)
        history.append(played)
        _count(scores, played, found[key], bye=bye)
    return history, scores


def _played(row: Mapping[str, Any], a: list[EntryId], b: list[EntryId], scores: Counter[EntryId]) -> Played:
    outcome = outcome_of(row) or {}
    winner = outcome.get("winner")
    return Played(
        round=row["round__number"],
        a=tuple(a),
        b=tuple(b),
        table=row["table__number"] or 0,
        slot=(row["table__slot"] if b else row["slot"]) or "",
        winner=None if winner is None else Side[winner],
        scores=(sum(scores[entry] for entry in a), sum(scores[entry] for entry in b)) if b else (0, 0),
        is_forfeit=outcome.get("kind") == "forfeit",
    )


def _count(scores: Counter[EntryId], played: Played, row: Mapping[str, Any], *, bye: int) -> None:
    if not played.b:
        codes = {reason["code"] for reason in row["reasons"]}
        scores.update(dict.fromkeys(played.a, bye if codes.isdisjoint(NOTHING_WON) else 0))
    elif played.winner is not None:
        scores.update(dict.fromkeys(played.a if played.winner is Side.A else played.b, WON))
    elif outcome_of(row) is not None and not played.is_forfeit:
        scores.update(dict.fromkeys((*played.a, *played.b), DRAWN))
