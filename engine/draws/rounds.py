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


def by_number(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return the starting list: entrants by number."""
    return sorted(entrants, key=lambda entrant: entrant.number)


def to_be_drawn(draw_input: DrawInput) -> list[Entrant]:
    """Return the entrants to be drawn, best first: present, without a requested bye, and not at a locked
    table."""
    return [entrant for entrant in _present(draw_input) if draw_input.round not in entrant.byes_asked]


def slots_by_count(draw_input: DrawInput, *, least: int) -> frozenset[str] | None:
    """Return the slots ahead in formats that seat all present entries, if there are at least so many."""
    return slots_if(draw_input, has_tables=len(to_be_drawn(draw_input)) >= least)


def slots_if(draw_input: DrawInput, *, has_tables: bool) -> frozenset[str] | None:
    """Return the slots ahead in formats whose tables have no slot of their own, and whose other entries sit
    out."""
    return frozenset({""} if has_tables else ()) if _present(draw_input) else None


def drawn_as_planned(
    format_key: str,
    draw_input: DrawInput,
    plan: Plan,
    *,
    price: Mapping[str, int] | None = None,
    certificate: Certificate | None = None,
) -> Draw:
    """Return the draw of these tables, in this order, with the locked ones and all byes."""
    planned, byes = plan
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    seats = [[entrants[entry] for entry in (*table.a, *table.b)] for table in planned]
    tables = [_number_table(*at) for at in zip(planned, seats, number_tables(seats, draw_input), strict=True)]
    return Draw(
        format=format_key,
        round=draw_input.round,
        seed=draw_input.seed,
        settings=draw_input.settings,
        tables=(*locked_tables(draw_input), *sorted(tables, key=lambda table: table.number)),
        byes=(*byes_asked(draw_input), *byes),
        price=price or {},
        certificate=certificate,
    )


def locked_tables(draw_input: DrawInput) -> list[DrawnTable]:
    """Return the tables that the director has locked."""
    reason = (Reason(code=ReasonCode.LOCKED),)
    return [
        DrawnTable(number=table.number, a=table.a, b=table.b, reasons=reason) for table in draw_input.locked
    ]


def byes_asked(draw_input: DrawInput) -> list[DrawnBye]:
    """Return the byes of entrants who requested one."""
    reason = (Reason(code=ReasonCode.BYE_ASKED),)
    return [
        DrawnBye(entry=entrant.id, reasons=reason)
        for entrant in by_number(_present(draw_input))
        if draw_input.round in entrant.byes_asked
    ]


def bye_in_turn(
    out: Entrant, playing: Iterable[Entrant], history: History, *, are_people: bool = False
) -> DrawnBye:
    """Return the bye of an entrant, given those who play, who have all missed as many rounds or more. For
    people, a table for two counts like a bye."""
    return DrawnBye(entry=out.id, reasons=tuple(reasons_of_bye(out, playing, history, are_people=are_people)))


def reasons_of_bye(
    out: Entrant,
    playing: Iterable[Entrant],
    history: History,
    *,
    tells_score: bool = False,
    are_people: bool = False,
) -> Iterator[Reason]:
    """Yield the reasons of a bye beside those who play: how few byes before it, how low the score. For
    people, a table for two counts like a bye."""
    idle, playing = history.idle_rounds(out.id), tuple(playing)
    others = [(history.idle_rounds(other.id), other.score) for other in playing]
    if all(had >= idle for had, _ in others):
        yield Reason(code=ReasonCode.FEWEST_BYES, details={"rounds": history.byes(out.id)})
    elif are_people and is_left_over_least(out, playing, history):
        yield Reason(code=ReasonCode.FEWEST_LEFT_OVER)
    if not tells_score:
        return
    if all(score >= out.score for _, score in others):
        yield Reason(code=ReasonCode.LOWEST_SCORE, details={"score": out.score})
    elif all(score >= out.score for had, score in others if had <= idle):
        yield Reason(code=ReasonCode.LOWEST_IN_TURN, details={"score": out.score})


def is_left_over_least(out: Entrant, playing: Iterable[Entrant], history: History) -> bool:
    least = history.rounds_left_over(out.id)
    return all(history.rounds_left_over(other.id) >= least for other in playing)


def _present(draw_input: DrawInput) -> list[Entrant]:
    locked = draw_input.at_locked_tables
    return [
        entrant
        for entrant in draw_input.entrants
        if entrant.is_present(draw_input.round) and entrant.id not in locked
    ]


def _number_table(planned: UnnumberedTable, entrants: list[Entrant], number: int) -> DrawnTable:
    is_fixed = any(entrant.table == number for entrant in entrants)
    fixed = (Reason(code=ReasonCode.FIXED_TABLE),) if is_fixed else ()
    reasons = (*planned.reasons, *fixed)
    return DrawnTable(number=number, a=planned.a, b=planned.b, slot=planned.slot, reasons=reasons)
