"""The assembly of a round in any format: entries to be drawn, locked tables, and byes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .history import History
from .seating import number_tables
from .values import Certificate, Draw, DrawInput, DrawnBye, DrawnTable, Entrant, Partners, Reason, ReasonCode


@dataclass(frozen=True, slots=True, kw_only=True)
class UnnumberedTable:
    """A table without a number yet."""

    a: Partners
    b: Partners
    slot: str = ""
    reasons: tuple[Reason, ...] = ()


Plan = tuple[list[UnnumberedTable], list[DrawnBye]]


def sort_by_number(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return the starting list: entrants by number."""
    return sorted(entrants, key=lambda entrant: entrant.number)


def list_drawable_entrants(draw_input: DrawInput) -> list[Entrant]:
    """Return the entrants to be drawn, best first: present, without a requested bye, and not at a locked
    table."""
    return [entrant for entrant in _list_present(draw_input) if draw_input.round not in entrant.requested_byes]


def get_slots_by_count(draw_input: DrawInput, *, least: int) -> frozenset[str] | None:
    """Return the slots ahead in formats that seat all present entries, if there are at least so many."""
    return get_common_slots(draw_input, has_tables=len(list_drawable_entrants(draw_input)) >= least)


def get_common_slots(draw_input: DrawInput, *, has_tables: bool) -> frozenset[str] | None:
    """Return the slots ahead in formats whose tables have no slot of their own, and whose other entries sit
    out."""
    return frozenset({""} if has_tables else ()) if _list_present(draw_input) else None


def build_draw(
    format_key: str,
    draw_input: DrawInput,
    planned_round: Plan,
    *,
    price: Mapping[str, int] | None = None,
    certificate: Certificate | None = None,
) -> Draw:
    """Return the draw of these tables, in this order, with the locked ones and all byes."""
    planned_tables, byes = planned_round
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    seats = [[entrants[entry] for entry in (*table.a, *table.b)] for table in planned_tables]
    tables = [
        _number_table(*numbered)
        for numbered in zip(planned_tables, seats, number_tables(seats, draw_input), strict=True)
    ]
    return Draw(
        format=format_key,
        round=draw_input.round,
        seed=draw_input.seed,
        settings=draw_input.settings,
        tables=(*build_locked_tables(draw_input), *sorted(tables, key=lambda table: table.number)),
        byes=(*build_requested_byes(draw_input), *byes),
        price=price or {},
        certificate=certificate,
    )


def build_locked_tables(draw_input: DrawInput) -> list[DrawnTable]:
    """Return the tables that the director has locked."""
    reason = (Reason(code=ReasonCode.LOCKED),)
    return [DrawnTable(number=table.number, a=table.a, b=table.b, reasons=reason) for table in draw_input.locked]


def build_requested_byes(draw_input: DrawInput) -> list[DrawnBye]:
    """Return the byes of entrants who requested one."""
    reason = (Reason(code=ReasonCode.BYE_REQUESTED),)
    return [
        DrawnBye(entry=entrant.id, reasons=reason)
        for entrant in sort_by_number(_list_present(draw_input))
        if draw_input.round in entrant.requested_byes
    ]


def build_turn_bye(
    entrant: Entrant, players: Iterable[Entrant], history: History, *, is_individual: bool = False
) -> DrawnBye:
    """Return the bye of an entrant, given those who play, who have all missed as many rounds or more. For
    people, a table for two counts like a bye."""
    return DrawnBye(
        entry=entrant.id, reasons=tuple(explain_bye(entrant, players, history, is_individual=is_individual))
    )


def explain_bye(
    entrant: Entrant,
    players: Iterable[Entrant],
    history: History,
    *,
    has_scores: bool = False,
    is_individual: bool = False,
) -> Iterator[Reason]:
    """Yield the reasons of a bye beside those who play: how few byes before it, how low the score. For
    people, a table for two counts like a bye."""
    idle, players = history.count_idle_rounds(entrant.id), tuple(players)
    others = [(history.count_idle_rounds(other.id), other.score) for other in players]
    if all(other_idle >= idle for other_idle, _ in others):
        yield Reason(code=ReasonCode.FEWEST_BYES, details={"rounds": history.get_bye_rounds(entrant.id)})
    elif is_individual and is_left_over_least(entrant, players, history):
        yield Reason(code=ReasonCode.FEWEST_LEFT_OVER)
    if not has_scores:
        return
    if all(score >= entrant.score for _, score in others):
        yield Reason(code=ReasonCode.LOWEST_SCORE, details={"score": entrant.score})
    elif all(score >= entrant.score for other_idle, score in others if other_idle <= idle):
        yield Reason(code=ReasonCode.LOWEST_IN_TURN, details={"score": entrant.score})


def is_left_over_least(entrant: Entrant, players: Iterable[Entrant], history: History) -> bool:
    least = history.count_leftover_rounds(entrant.id)
    return all(history.count_leftover_rounds(other.id) >= least for other in players)


def _list_present(draw_input: DrawInput) -> list[Entrant]:
    locked = draw_input.locked_entries
    return [
        entrant for entrant in draw_input.entrants if entrant.is_present(draw_input.round) and entrant.id not in locked
    ]


def _number_table(table: UnnumberedTable, entrants: list[Entrant], number: int) -> DrawnTable:
    is_fixed = any(entrant.table == number for entrant in entrants)
    fixed = (Reason(code=ReasonCode.FIXED_TABLE),) if is_fixed else ()
    reasons = (*table.reasons, *fixed)
    return DrawnTable(number=number, a=table.a, b=table.b, slot=table.slot, reasons=reasons)
