"""What a draw depends on."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules import Side
from tournaments.draws import Bond, DrawInput, Entrant, EntryId, LockedTable, Played
from tournaments.draws.lineups import Lineup
from tournaments.draws.stages import StagePlan, blocks, inputs_of_round, stage_of
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Seating

from .results import ranked

WON, DRAWN = 2, 1
"""What a match adds to the score by which the Swiss draw groups; a bye counts as won."""


def draw_input(
    event: Event, *, seed: int, held: Sequence[LockedTable] = (), before: int | None = None
) -> DrawInput:
    """All that a draw of the next round depends on, or of round ``before`` as it would be drawn today."""
    history, scores = _played_so_far(event, before)
    entries = {EntryId(entry.pk): entry for entry in event.entries.filter(is_waiting=False)}
    return DrawInput(
        round=max((table.round for table in history), default=0) + 1,
        entrants=tuple(_entrant(entries[pk], scores[pk]) for pk in _best_first(event, entries)),
        history=tuple(history),
        locked=tuple(held),
        section_tables={
            section["name"]: (section["first_table"], section["last_table"])
            for section in event.sections
            if section["first_table"] is not None
        },
        seed=seed,
    )


def plan_of(event: Event, draw: DrawInput) -> StagePlan:
    """The stages of the event, as this round is drawn by them: where nothing tells the entries of a first
    round apart but the order in which they were typed, a Swiss stage begins by lot."""
    plan = event.plan
    if event.is_seeded or draw.history or plan[0].format != "swiss":
        return plan
    return (replace(plan[0], settings={**plan[0].settings, "target": "lot"}), *plan[1:])


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


def price_inputs(event: Event, draw: DrawInput, lineup: Lineup) -> list[tuple[str, DrawInput]]:
    """The formats that drew this line-up, each with the draw as its stage sees it."""
    drafted = tuple(
        Played(round=draw.round, a=table.a, b=table.b, slot=table.slot) for table in lineup.tables
    )
    known = replace(draw, history=(*draw.history, *drafted))
    plan = plan_of(event, draw)
    return [
        (
            plan[here.stage].format,
            replace(own, history=tuple(table for table in own.history if table.round < own.round)),
        )
        for here, own in inputs_of_round(plan, known, stage_standings(event, draw))
    ]


def _best_first(event: Event, entries: dict[EntryId, Entry]) -> list[EntryId]:
    numbers = {pk: entry.number for pk, entry in entries.items()}
    return [row.entry for row in ranked(event, numbers)]


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


def _played_so_far(event: Event, before: int | None = None) -> tuple[list[Played], Counter[EntryId]]:
    """Every table and bye of the published rounds, and the score of each entry. One query."""
    seats: dict[tuple[int, int], list[list[EntryId]]] = defaultdict(lambda: [[], []])
    found: dict[tuple[int, int], Mapping[str, Any]] = {}
    seatings = Seating.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    if before is not None:
        seatings = seatings.filter(round__number__lt=before)
    for row in seatings.order_by("round__number", "table", "side", "place", "entry").values(
        "round__number",
        "table",
        "side",
        "entry",
        "slot",
        "table__number",
        "table__slot",
        "table__ruling",
        "table__match__is_over",
        "table__match__summary",
    ):
        key = row["round__number"], row["table"] or -row["entry"]
        seats[key][row["side"] or 0].append(EntryId(row["entry"]))
        found[key] = row
    history: list[Played] = []
    scores: Counter[EntryId] = Counter()
    for key, (a, b) in sorted(seats.items()):
        played = _played(found[key], a, b, scores)
        history.append(played)
        _count(scores, played, is_decided=_outcome(found[key]) is not None)
    return history, scores


def _played(row: Mapping[str, Any], a: list[EntryId], b: list[EntryId], scores: Counter[EntryId]) -> Played:
    outcome = _outcome(row) or {}
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


def _outcome(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The director's result, else that of a match that is over; None while undecided."""
    if row["table__ruling"] is not None:
        return dict(row["table__ruling"])
    return row["table__match__summary"] if row["table__match__is_over"] else None


def _count(scores: Counter[EntryId], played: Played, *, is_decided: bool) -> None:
    if not played.b:
        scores.update(dict.fromkeys(played.a, WON))
    elif played.winner is not None:
        scores.update(dict.fromkeys(played.a if played.winner is Side.A else played.b, WON))
    elif is_decided and not played.is_forfeit:
        scores.update(dict.fromkeys((*played.a, *played.b), DRAWN))
