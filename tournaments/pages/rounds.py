"""A round with its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from clubs.wording import joined
from rules import Side
from scoring.screens import COLOURS
from tournaments import selectors
from tournaments.draws import DrawnTable, Partners, ReasonCode
from tournaments.draws.lineups import plain_reasons
from tournaments.lifecycle import OPEN, RoundState
from tournaments.models import Entry, Event, Round, Table

from .names import Named, full_name, full_names, named_publicly


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSide:
    """One side of a table: its ``entries`` by number, and who sits there by name."""

    colour: str
    entries: tuple[int, ...]
    names: str
    points: int | None
    games_won: int | None
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table of a round as drawn, and as played so far. ``ruling`` is how the director decided it, if so."""

    number: int
    sides: tuple[TableSide, ...]
    is_over: bool
    is_held: bool
    ruling: str
    reasons: Sequence[dict[str, Any]]

    @property
    def have_met(self) -> bool:
        """Whether any two of the table have met or been partners before."""
        return any(
            reason["code"] in (ReasonCode.MET_BEFORE, ReasonCode.PARTNERED_BEFORE) for reason in self.reasons
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeView:
    """Who sits out, and why."""

    entry: int
    names: str
    reasons: Sequence[dict[str, Any]]

    @property
    def waits(self) -> bool:
        """Whether the entry only waits for the other side of a bracket."""
        return any(reason["code"] == ReasonCode.WAITS for reason in self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round with its tables, and who sits out."""

    number: int
    state: str
    draw_format: str
    seed: int
    tables: tuple[TableView, ...]
    byes: tuple[ByeView, ...]

    @property
    def state_name(self) -> str:
        return str(RoundState(self.state).label)

    @property
    def is_playing(self) -> bool:
        return self.state in OPEN

    @property
    def results(self) -> int:
        """How many tables have a result."""
        return sum(table.is_over for table in self.tables)


def free_entries(event: Event, drawn: Round) -> list[tuple[int, str]]:
    """Who sits at no table of a round and has not left, by number and name. Three queries."""
    seated = {entry for table in selectors.lineup_of(drawn).tables for entry in (*table.a, *table.b)}
    return [
        (entry.number, full_names(entry))
        for entry in selectors.entries_of(event)
        if entry.pk not in seated and not entry.is_waiting and entry.leaves_after is None
    ]


def round_view(drawn: Round, *, is_public: bool) -> RoundView:
    """Two queries for a draft, six for others."""
    named = named_publicly(drawn.event.club) if is_public else full_name
    lineup = selectors.lineup_of(drawn)
    entries = selectors.entries_in(lineup)
    played = {} if drawn.state == RoundState.DRAFT else selectors.played_tables(drawn)
    view = partial(_table, entries=entries, played=played, held=drawn.held, named=named)
    return RoundView(
        number=drawn.number,
        state=drawn.state,
        draw_format=drawn.draw_format,
        seed=drawn.seed,
        tables=tuple(view(table) for table in lineup.tables),
        byes=tuple(
            ByeView(
                entry=entries[bye.entry].number,
                names=joined([named(person) for person in entries[bye.entry].players]),
                reasons=plain_reasons(bye.reasons),
            )
            for bye in lineup.byes
        ),
    )


def _table(
    drawn: DrawnTable,
    *,
    entries: Mapping[int, Entry],
    played: Mapping[int, Table],
    held: Sequence[int],
    named: Named,
) -> TableView:
    table = played.get(drawn.number)
    ruling = table.ruling if table is not None else None
    match = table.match if table is not None else None
    is_over = ruling is not None or (match is not None and match.is_over)
    return TableView(
        number=drawn.number,
        sides=tuple(
            _side(side, partners, entries, table, named)
            for side, partners in zip(Side, (drawn.a, drawn.b), strict=True)
        ),
        is_over=is_over,
        is_held=drawn.number in held,
        ruling=ruling["kind"] if ruling else "",
        reasons=[reason for reason in plain_reasons(drawn.reasons) if _is_told(reason)],
    )


def _side(
    side: Side, partners: Partners, entries: Mapping[int, Entry], table: Table | None, named: Named
) -> TableSide:
    match = table.match if table is not None else None
    people = [person for entry in partners for person in entries[entry].players]
    counted: Mapping[str, Any] = {}
    if match is not None:
        people = [player.person for player in match.players.all() if player.seat % 2 == side]
        counted = match.summary
    if table is not None and table.ruling is not None:
        counted = table.ruling
    points = counted.get("points")
    if match is not None and not match.is_over and counted is match.summary:
        points = counted["running"]
    games = counted.get("games_won")
    return TableSide(
        colour=COLOURS[side],
        entries=tuple(entries[entry].number for entry in partners),
        names=joined([named(person) for person in people]),
        points=None if points is None else points[side],
        games_won=None if games is None else games[side],
        has_won=counted.get("winner") == side.name,
    )


def _is_told(reason: Mapping[str, Any]) -> bool:
    """Whether the draft says it: chance needs no words, nor does an opponent who was a question of price."""
    if reason["code"] == ReasonCode.INSTEAD_OF:
        return "repeats" in reason["levels"]
    return bool(reason["code"] != ReasonCode.BY_LOT)
