"""Results in short text: a line for each round, with slashes between tables.

``1>2``: 1 beat 2; ``1=2``: a draw; ``1>2 32:20``: with points; ``1,2>3,4``: with partners; ``1>2 forfeit``:
2 did not come; ``5 bye``; ``6 absent``.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.draws import Entrant, EntryId
from engine.draws.stages import parse_stage_plan
from engine.ranking import Outcome, OutcomeKind, RankedField, RankingRules, Result, Row, build_ranked_field, rank_field
from engine.results import EventRules, EventSnapshot, PlayedTable, get_default_rules
from engine.standings import StandingsRowJson, row_to_json

UNPLAYED_OUTCOMES = {"bye": Outcome.WON, "absent": Outcome.LOST}

FIELD_SETTINGS = ("seed", "games_to_win", "adjustments")

Results = dict[EntryId, list[Result]]


def parse_results(text: str) -> Results:
    """Return the results of each entry."""
    found: Results = defaultdict(list)
    for number, line in enumerate(text.strip().splitlines(), start=1):
        for table in line.split("/"):
            who, *more = table.split()
            if more and more[0] in UNPLAYED_OUTCOMES:
                result = Result(round=number, outcome=UNPLAYED_OUTCOMES[more[0]], kind=OutcomeKind(more[0]))
                found[EntryId(int(who))].append(result)
            else:
                _add_meeting(found, number, who, more)
    return found


def _add_meeting(found: Results, number: int, who: str, more: list[str]) -> None:
    sign = ">" if ">" in who else "="
    sides = [[EntryId(int(entry)) for entry in side.split(",")] for side in who.split(sign)]
    is_forfeit = more == ["forfeit"]
    points = [int(each) for each in more[0].split(":")] if more and not is_forfeit else [0, 0]
    won = [Outcome.WON, Outcome.LOST] if sign == ">" else [Outcome.DRAWN] * 2
    for side, other in ((0, 1), (1, 0)):
        for entry in sides[side]:
            found[entry].append(
                Result(
                    round=number,
                    outcome=won[side],
                    kind=OutcomeKind.FORFEIT if is_forfeit else OutcomeKind.PLAYED,
                    opponents=tuple(sides[other]),
                    partners=tuple(each for each in sides[side] if each != entry),
                    games_won=won[side] is Outcome.WON,
                    games_lost=won[side] is Outcome.LOST,
                    points_for=points[side],
                    points_against=points[other],
                )
            )


def build_field(text: str, *order: str, entries: Iterable[int] = (), **settings: Any) -> RankedField:
    """Return the field of these rounds; ids are numbers. ``settings`` go to the rules or ``build_ranked_field``."""
    by_entry = parse_results(text)
    numbers = {EntryId(entry): entry for entry in (*by_entry, *entries)}
    given = {name: settings.pop(name) for name in FIELD_SETTINGS if name in settings}
    rules = RankingRules(order=order, **settings) if order else RankingRules(**settings)
    return build_ranked_field(numbers, by_entry, rules, **given)


def rank_text(
    text: str, *order: str, pools: Mapping[EntryId, str] = MappingProxyType({}), **settings: Any
) -> tuple[Row, ...]:
    """Return the rows of the standings after these rounds."""
    return rank_field(replace(build_field(text, *order, **settings), pools=pools))


def serialize_rows(rows: Iterable[Row]) -> list[StandingsRowJson]:
    """Return the rows in their stored form."""
    all_rows = list(rows)
    return [row_to_json(row, {each.entry: int(each.entry) for each in all_rows}, row.order) for row in all_rows]


def get_values(rows: Iterable[Row], key: str) -> dict[int, int | None]:
    return {row.entry: row.values[key] for row in rows}


def list_places(rows: Iterable[Row]) -> list[tuple[int, int, str | None]]:
    """Return rank and entry of each row, and the metric that separates it from the row above."""
    return [(row.rank, row.entry, row.decided_by) for row in rows]


def build_snapshot(
    lines: str,
    *,
    leaves: dict[int, int],
    stage: dict[str, Any],
    slots: dict[int, str] | None = None,
    **rules: Any,
) -> EventSnapshot:
    """Build a snapshot of these rounds: ``1>2``: 1 beat 2; ``3 bye``: 3 had no opponent."""
    sat = []
    for number, line in enumerate(lines.strip().splitlines(), start=1):
        for table, match in enumerate(line.split("/"), start=1):
            a, _, b = match.strip().removesuffix(" bye").partition(">")
            slot = f"1:{(slots or {}).get(int(a), '')}"
            won = {"winner": "A", "games_won": [1, 0], "points": [20, 10]} if b else None
            sat.append(
                PlayedTable(
                    round=number,
                    table=table,
                    slot=slot,
                    a=(EntryId(int(a)),),
                    b=(EntryId(int(b)),) if b else (),
                    outcome=won,
                )
            )
    numbers = sorted({int(entry) for each in sat for entry in (*each.a, *each.b)})
    plan = parse_stage_plan([stage])
    return EventSnapshot(
        basis=EventRules(plan=plan, rules=replace(get_default_rules(plan), **rules), games_to_win=1),
        entrants=tuple(
            Entrant(id=EntryId(number), number=number, leaves_after=leaves.get(number)) for number in numbers
        ),
        tables=tuple(sat),
    )
