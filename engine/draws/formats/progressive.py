"""Progressive: the winners of a table move one up, its losers one down.

At the top table the winners stay, at the bottom table the losers. Pairs stay together; individuals change
partners at each new table, and play with the one of the other three with whom they have partnered least.

A table that nobody won is decided by lot. Missing entries are replaced from the bottom, where late entries
come in. Entries without a seat come from the bottom in turn: nobody sits out again while somebody present has
missed fewer rounds.

Entries are kept apart in the first round only: after it, the results decide who meets whom.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations, count, islice, product
from random import Random
from typing import Any

from engine.draws.history import History, build_history
from engine.draws.pairing_cost.costs import build_prices
from engine.draws.pairing_cost.criteria import PairingSettings
from engine.draws.pairing_cost.pairing import find_cheapest_pairing
from engine.draws.rounds import (
    build_locked_tables,
    build_requested_byes,
    build_turn_bye,
    get_common_slots,
    list_drawable_entrants,
    sort_by_number,
)
from engine.draws.seating import Seats, choose_sides, number_tables
from engine.draws.settings import MIXES, check_setting_names, parse_boolean, parse_choice
from engine.draws.values import (
    Draw,
    DrawInput,
    DrawnTable,
    Entrant,
    EntryId,
    Format,
    PlayedPairing,
    Reason,
    ReasonCode,
    SeparationTiming,
)
from rules import Side

FIRST_ROUND_ORDERS = ("lot", "number")

LOT_NO_WIN_VERSION = 6
"""The version from which on reasons do not call an entry that moved up by lot a winner."""

LINE_PAIRING = PairingSettings(criteria=("forbidden", "avoid", "distance"), target="adjacent", mixes_sections=True)
"""Pair neighbours in the line, except those who are kept apart."""


@dataclass(frozen=True, slots=True)
class _Moves:
    """The moves after the last round: the entries that come to each table from the top, and why.

    ``lots`` has the entries that come from a table that nobody won, and which one.
    """

    tables: list[list[EntryId]]
    reasons: Mapping[EntryId, Reason]
    lots: Mapping[EntryId, int] = field(default_factory=dict)


def draw_progressive(draw_input: DrawInput) -> Draw:
    """Draw the next round of pairs. Settings: ``first_round``, by lot or by number.

    Refuses: no_such_setting, no_such_choice.
    """
    return _draw("progressive", draw_input, side=1)


def draw_progressive_individual(draw_input: DrawInput) -> Draw:
    """Draw the next round of individuals, who change partners after each table. Settings and refusals as with
    pairs."""
    return _draw("progressive_individual", draw_input, side=2)


def _parse_first_round(data: Mapping[str, Any]) -> str:
    """Read the setting ``first_round``. Refuses: no_such_setting, no_such_choice."""
    check_setting_names(data, ("first_round", MIXES))
    parse_boolean(data, MIXES)
    return parse_choice(data, "first_round", FIRST_ROUND_ORDERS)


def _draw(format_key: str, draw_input: DrawInput, *, side: int) -> Draw:
    first_round = _parse_first_round(draw_input.settings)
    history = build_history(draw_input)
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    present = {entrant.id: entrant for entrant in list_drawable_entrants(draw_input)}
    moves = _move_tables(draw_input, chance)
    if moves is None:
        moves = _build_first_round(draw_input, chance, first_round, size=2 * side)
    tables, idle = _seat_tables(moves, present, history, size=2 * side)
    return Draw(
        format=format_key,
        round=draw_input.round,
        seed=draw_input.seed,
        settings=draw_input.settings,
        tables=(
            *(replace(table, slot=f"T{table.number}") for table in build_locked_tables(draw_input)),
            *_build_tables(tables, moves, draw_input, history, chance),
        ),
        byes=(
            *build_requested_byes(draw_input),
            *(build_turn_bye(present[entry], [present[e] for t in tables for e in t], history) for entry in idle),
        ),
    )


def _build_first_round(draw_input: DrawInput, chance: Random, first_round: str, *, size: int) -> _Moves:
    """Return the first round: all entries in a line, seated from the top table down."""
    line = sort_by_number(list_drawable_entrants(draw_input))
    reason = Reason(code=ReasonCode.SCHEDULED, details={"round": draw_input.round})
    if first_round == "lot":
        line.sort(key=lambda _: chance.random())
        reason = Reason(code=ReasonCode.BY_LOT)
    if draw_input.version >= 3 and any(entrant.bonds for entrant in line):
        line = _separate_line(line, draw_input, size=size)
    entries = [entrant.id for entrant in line]
    tables = [entries[start : start + size] for start in range(0, len(entries), size)]
    return _Moves(tables, dict.fromkeys(entries, reason))


def _separate_line(line: Sequence[Entrant], draw_input: DrawInput, *, size: int) -> list[Entrant]:
    """Change the line no more than needed to keep entries from the same table: neighbours to twos, and twos
    to fours; last, entries that are left over."""
    groups: list[tuple[Entrant, ...]] = [(entrant,) for entrant in line]
    rest: list[Entrant] = []
    while groups and len(groups[0]) < size:
        field = replace(draw_input, entrants=tuple(map(_merge_group, groups)), settings={}, locked=())
        pairs = sorted(find_cheapest_pairing(build_prices(field, LINE_PAIRING)).pairs)
        rest = [*chain(*(groups[one] for one, other in pairs if other == len(groups))), *rest]
        groups = [groups[one] + groups[other] for one, other in pairs if other < len(groups)]
    return [*chain(*groups), *rest]


def _merge_group(group: Sequence[Entrant]) -> Entrant:
    """Return a group as one entrant, which has the bonds of all its members."""
    return replace(group[0], score=0, bonds=frozenset(chain(*(entrant.bonds for entrant in group))))


def _move_tables(draw_input: DrawInput, chance: Random) -> _Moves | None:
    """Return where the last round sends its players; None before there was one."""
    played = [table for table in draw_input.history if table.b and 0 < table.round < draw_input.round]
    if not played:
        return None
    numbers = {entrant.id: entrant.number for entrant in draw_input.entrants}
    last = max(table.round for table in played)
    ladder = sorted(
        (table for table in played if table.round == last),
        key=lambda table: (_get_rank(table), [numbers.get(entry, 0) for entry in table.a]),
    )
    tables: list[list[EntryId]] = [[] for _ in ladder]
    reasons: dict[EntryId, Reason] = {}
    lots: dict[EntryId, int] = {}
    for place, table in enumerate(ladder):
        winner, number = table.winner, table.table or place + 1
        if winner is None:
            winner = Side.A if chance.random() < 1 / 2 else Side.B
            lots |= dict.fromkeys((*table.a, *table.b), number)
        for side, entries in zip(Side, (table.a, table.b), strict=True):
            is_moving_up = side is winner
            tables[max(0, place - 1) if is_moving_up else min(len(ladder) - 1, place + 1)] += entries
            won = None if table.winner is None and draw_input.version >= LOT_NO_WIN_VERSION else is_moving_up
            for entry in entries:
                details = {"entry": entry, "table": number, "won": won}
                reasons[entry] = Reason(code=ReasonCode.PROGRESSED, details=details)
    return _Moves(tables, reasons, lots)


def _get_rank(table: PlayedPairing) -> int:
    """Return the rank of a table from the top. Its number may differ: some entries keep one table all
    evening."""
    return int(table.slot[1:]) if table.slot[1:].isdecimal() else table.table


def _seat_tables(
    moves: _Moves, present: Mapping[EntryId, Entrant], history: History, *, size: int
) -> tuple[list[list[EntryId]], list[EntryId]]:
    """Return the entries at each table from the top, and those that sit out.

    After tables of other sizes, too many may come to one: the last of them fill in elsewhere.
    """
    moved_entries = [entry for table in moves.tables for entry in table if entry in present]
    known_entries = set(moved_entries)
    line = sorted(
        (entry for entry in present if entry not in known_entries),
        key=lambda entry: (not history.get_bye_rounds(entry), present[entry].number),
    )
    ladder = [*moved_entries, *line]
    from_bottom = ladder[::-1]
    idle = sorted(from_bottom, key=history.count_idle_rounds)[: len(ladder) % size]
    idle_entries = set(idle)
    tables = [
        [entry for entry in table if entry in present and entry not in idle_entries][:size]
        for table in islice((*moves.tables, *([] for _ in ladder)), len(ladder) // size)
    ]
    settled = {entry for table in tables for entry in table}
    fill = (entry for entry in ladder if entry not in settled and entry not in idle_entries)
    for seats in tables:
        seats.extend(islice(fill, size - len(seats)))
    return tables, idle


def _build_tables(
    tables: Sequence[Sequence[EntryId]],
    moves: _Moves,
    draw_input: DrawInput,
    history: History,
    chance: Random,
) -> Iterator[DrawnTable]:
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    taken = {table.number for table in draw_input.locked}
    ranks = (number for number in count(1) if number not in taken)
    seated_tables = [[entrants[entry] for entry in table] for table in tables]
    numbers = number_tables(seated_tables, draw_input)
    for table, number, rank in zip(seated_tables, numbers, ranks, strict=False):
        if len(table) == 2:
            seats = choose_sides(*table, history=history, chance=chance)
        else:
            seats = _split_table(table, history, draw_input.round, chance)
        yield DrawnTable(
            number=number,
            a=seats[0],
            b=seats[1],
            slot=f"T{rank}",
            reasons=tuple(dict.fromkeys(_list_reasons(seats, moves, history))),
        )


def _split_table(table: Sequence[Entrant], history: History, played_round: int, chance: Random) -> Seats:
    """Split four people into two sides, by fixed sides first; then not the partners of the round before; then
    fewest times as partners, fewest as opponents, least on side A; then by lot."""
    needs = {entrant.id: entrant.side for entrant in table}

    def price(seats: Seats) -> tuple[int, int, int, int, int, float]:
        partnered = [history.get_rounds_partnered(*side) for side in seats]
        met = [history.get_rounds_met(*pair) for pair in product(*seats)]
        return (
            sum(needs[e] not in (None, side) for side, entries in zip(Side, seats, strict=True) for e in entries),
            sum(played_round - 1 in rounds for rounds in partnered),
            sum(len(rounds) ** 2 for rounds in partnered),
            sum(len(rounds) ** 2 for rounds in met),
            sum(map(history.get_side_balance, seats[0])) - sum(map(history.get_side_balance, seats[1])),
            chance.random(),
        )

    ways: list[Seats] = [(a, tuple(entry for entry in needs if entry not in a)) for a in combinations(needs, 2)]
    return min(ways, key=price)


def _list_reasons(seats: Seats, moves: _Moves, history: History) -> Iterator[Reason]:
    entries = [entry for side in seats for entry in side]
    for entry in entries:
        if entry in moves.reasons:
            yield moves.reasons[entry]
        else:
            yield Reason(code=ReasonCode.FILLED_IN, details={"entry": entry})
    for table in sorted({moves.lots[entry] for entry in entries if entry in moves.lots}):
        yield Reason(code=ReasonCode.BY_LOT, details={"table": table})
    rounds = sorted({met for pair in product(*seats) for met in history.get_rounds_met(*pair)})
    if rounds:
        yield Reason(code=ReasonCode.MET_BEFORE, details={"rounds": tuple(rounds)})


def _list_next_slots(draw_input: DrawInput, *, size: int) -> frozenset[str] | None:
    tables = len(list_drawable_entrants(draw_input)) // size
    if not tables:
        return get_common_slots(draw_input, has_tables=False)
    return frozenset(f"T{rank}" for rank in range(1, tables + 1))


FORMAT = Format(
    key="progressive",
    draw=draw_progressive,
    next_slots=partial(_list_next_slots, size=2),
    check=_parse_first_round,
    separation=SeparationTiming.FIRST_ROUND,
    separates_sections=True,
)
INDIVIDUAL = Format(
    key="progressive_individual",
    draw=draw_progressive_individual,
    next_slots=partial(_list_next_slots, size=4),
    check=_parse_first_round,
    side=2,
    min_entrants=lambda settings: 4,
    separation=SeparationTiming.FIRST_ROUND,
    separates_sections=True,
)
