"""A round with its tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules import Side
from scoring.screens import COLOURS
from tournaments import selectors
from tournaments.draws import ReasonCode
from tournaments.lifecycle import RoundState
from tournaments.models import Round, Table

from .names import full_names, public_names


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSide:
    colour: str
    names: str
    points: int | None
    games_won: int | None
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table of a round as drawn, and as played so far."""

    number: int
    sides: tuple[TableSide, ...]
    is_over: bool
    reasons: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round with its tables, and who sits out."""

    number: int
    state: str
    draw_format: str
    seed: int
    tables: tuple[TableView, ...]
    byes: tuple[str, ...]

    @property
    def is_playing(self) -> bool:
        return self.state == RoundState.PUBLISHED

    @property
    def results(self) -> int:
        """How many tables have a result."""
        return sum(table.is_over for table in self.tables)


def round_view(drawn: Round, *, is_public: bool) -> RoundView:
    """Three queries."""
    named = public_names if is_public else full_names
    return RoundView(
        number=drawn.number,
        state=drawn.state,
        draw_format=drawn.draw_format,
        seed=drawn.seed,
        tables=tuple(_table(table, is_public=is_public) for table in selectors.tables_of(drawn)),
        byes=tuple(named(seating.entry) for seating in selectors.byes_of(drawn)),
    )


def _table(table: Table, *, is_public: bool) -> TableView:
    named = public_names if is_public else full_names
    match = table.match
    summary = match.summary if match is not None else None
    sides = []
    for seating in table.seatings.all():
        side = Side(seating.side or 0)
        points = None
        if match is not None and summary is not None:
            points = (summary["points"] if match.is_over else summary["running"])[side]
        sides.append(
            TableSide(
                colour=COLOURS[side],
                names=named(seating.entry),
                points=points,
                games_won=None if summary is None else summary["games_won"][side],
                has_won=summary is not None and summary["winner"] == side.name,
            )
        )
    return TableView(
        number=table.number,
        sides=tuple(sides),
        is_over=match is not None and match.is_over,
        reasons=[reason for reason in table.reasons if _is_told(reason)],
    )


def _is_told(reason: dict[str, Any]) -> bool:
    """Whether the draft says it: chance needs no words, nor does an opponent who was a question of price."""
    if reason["code"] == ReasonCode.INSTEAD_OF:
        return "repeats" in reason["levels"]
    return bool(reason["code"] != ReasonCode.BY_LOT)
