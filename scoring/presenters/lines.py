"""The places of the score sheet, one line each."""

from dataclasses import dataclass, replace

from rules import GameTotals, Line, MatchState, PlayedHand, Record, Ruleset, compute_hand_points
from scoring.log_values import MarkStatus
from scoring.logs import Log
from scoring.models import Mark

from .sides import SideView


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLineView:
    """A place of the score sheet: its record and effect, and the other marks if two phones differ.

    A contract that ``ends_game`` pays nothing: its gainer wins the game. ``awarded_to`` is the side to which
    the director awards the game.
    """

    number: int
    record: Record
    bidder: SideView | None = None
    gainer: SideView | None = None
    awarded_to: SideView | None = None
    gained: int = 0
    ends_game: bool = False
    line: Line | None = None
    mark: Mark | None = None
    is_corrected: bool = False
    rivals: tuple["HandLineView", ...] = ()

    @property
    def choices(self) -> tuple["HandLineView", ...]:
        """All marks that differ, the first one first."""
        return (self, *self.rivals)

    @property
    def differs(self) -> tuple[str, ...]:
        """The parts (side, contract, outcome) in which the marks of this hand differ."""
        records = [line.record for line in self.choices if isinstance(line.record, PlayedHand)]
        parts: dict[str, set[object]] = {
            "side": {record.side for record in records},
            "contract": {record.contract for record in records},
            "outcome": {(record.made, record.tricks) for record in records},
        }
        return tuple(name for name, values in parts.items() if len(values) > 1)

    @property
    def newest(self) -> Mark | None:
        """The latest mark shown on this line."""
        return max((line.mark for line in self.choices if line.mark), key=lambda mark: mark.pk, default=None)


def build_line(number: int, record: Record, sides: tuple[SideView, SideView], ruleset: Ruleset) -> HandLineView:
    """Return a record as a line, with the side that gains by it."""
    if isinstance(record, GameTotals) and record.awarded and record.winner is not None:
        return HandLineView(number=number, record=record, awarded_to=sides[record.winner])
    if not isinstance(record, PlayedHand):
        return HandLineView(number=number, record=record)
    return HandLineView(
        number=number,
        record=record,
        bidder=sides[record.side],
        gainer=sides[record.side if record.made else record.side.other],
        gained=max(compute_hand_points(ruleset, record)),
        ends_game=ruleset.get_contract(record.contract).ends_game,
    )


def build_hand_lines(
    log: Log[Mark], state: MatchState, sides: tuple[SideView, SideView], marks: list[Mark]
) -> tuple[HandLineView, ...]:
    lines = {line.number: line for line in state.lines}
    replaced_numbers = {mark.number for mark in marks if mark.status == MarkStatus.SUPERSEDED}
    return tuple(
        replace(
            build_line(number, record, sides, state.ruleset),
            mark=mark,
            line=lines.get(number),
            is_corrected=number in replaced_numbers,
            rivals=tuple(
                replace(build_line(number, record, sides, state.ruleset), mark=rival)
                for rival, record in log.rivals.get(number, [])
            ),
        )
        for number, (mark, record) in sorted(log.active.items())
    )


def find_undone_line(
    log: Log[Mark], marks: list[Mark], sides: tuple[SideView, SideView], ruleset: Ruleset
) -> HandLineView | None:
    """Return the mark that the last undo removed, for the button that restores it."""
    undo = log.undone.get(log.next_number)
    replaced_mark = next((mark for mark in marks if undo is not None and mark.pk == undo.supersedes_id), None)
    if replaced_mark is None:
        return None
    return replace(build_line(replaced_mark.number, replaced_mark.record(ruleset), sides, ruleset), mark=replaced_mark)
