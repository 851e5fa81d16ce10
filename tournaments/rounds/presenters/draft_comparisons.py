"""A draft beside another one: as it would be after a swap, and as the program draws it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.draws import DrawInput, EntryId, Reason
from engine.draws.history import History
from engine.draws.lineups import Lineup, PlainReason, lineup_of, reasons_to_json, swap_places
from engine.draws.pairing_cost.comparing import PRICED
from engine.results import EventSnapshot, draw_by, draw_input_of, price_of_lineup
from rules import Refusal
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.models import Entry, Event, Round
from tournaments.rounds.queries import seatings
from tournaments.rounds.queries.drafts import changed_since
from tournaments.rounds.queries.event_snapshot import event_snapshot

from .drafts import FINE, SCALES
from .rounds import with_names


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """A criterion, and what two draws cost by it."""

    criterion: str
    now: int
    then: int

    @property
    def is_fine(self) -> bool:
        """Whether it is a figure that tells nothing alone, only which of two is better."""
        return self.criterion.endswith(FINE)

    @property
    def is_worse(self) -> bool:
        return self.then > self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTable:
    """A table by the names of its sides, and why it is so; without a table, who sits out."""

    table: int | None
    sides: tuple[str, ...]
    reasons: tuple[PlainReason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapView:
    """Two entries that would trade places: what that costs, and the tables as they would be.

    ``prices`` are None where the round is not drawn by price, where somebody is drawn who does not play it
    any more, and where it is published already.
    """

    one: int
    other: int
    names: tuple[str, str]
    prices: tuple[PriceRow, ...] | None
    pairings: tuple[NamedTable, ...]

    @property
    def is_dearer(self) -> bool:
        """Whether the first criterion that differs is worse by the swap."""
        return next((row.is_worse for row in self.prices or () if row.now != row.then), False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """A draft beside the program's own draw."""

    prices: tuple[PriceRow, ...]
    only_here: tuple[NamedTable, ...]
    only_there: tuple[NamedTable, ...]


def swap_view(event: Event, drawn: Round, one: int, other: int) -> SwapView:
    """Some ten queries. Refuses: no_entry_of_number, not_in_the_round, same_place."""
    lineup = seatings.lineup_of(drawn)
    entries = {entry.number: entry for entry in entries_of(event)}
    for number in (one, other):
        if number not in entries:
            raise Refusal("no_entry_of_number", field="other", entry=number)
    first, second = (EntryId(entries[number].pk) for number in (one, other))
    known = event_snapshot(event)
    draw_input = draw_input_of(known, seed=drawn.seed, before=drawn.number)
    after = swap_places(lineup, first, second, History(draw_input.history))
    by_id = {entry.pk: entry for entry in entries.values()}
    named = entries_named_in_full(by_id.values())
    return SwapView(
        one=one,
        other=other,
        names=(named(entries[one]), named(entries[other])),
        prices=_prices(known, drawn, draw_input, lineup, after),
        pairings=tuple(
            pairing
            for pairing, held in zip(_pairings(after, by_id), _holders(after), strict=True)
            if held & {first, second}
        ),
    )


def comparison_view(event: Event, drawn: Round) -> ComparisonView:
    """The draft, and what the program draws by the same lot.

    Refuses: not_priced, changed_since where somebody is drawn who does not play the round any more."""
    entries = entries_of(event)
    away, _ = changed_since(drawn, entries)
    if away:
        raise Refusal("changed_since")
    lineup = seatings.lineup_of(drawn)
    known = event_snapshot(event)
    draw_input = draw_input_of(known, seed=drawn.seed, before=drawn.number)
    best = lineup_of(draw_by(known, draw_input))
    prices = _prices(known, drawn, draw_input, best, lineup)
    if prices is None:
        raise Refusal("not_priced", field="format", value=drawn.draw_format, choices=tuple(PRICED))
    by_id = {entry.pk: entry for entry in entries}
    here, there = _meetings(lineup), _meetings(best)
    return ComparisonView(
        prices=prices,
        only_here=tuple(_pairings(lineup, by_id, without=there)),
        only_there=tuple(_pairings(best, by_id, without=here)),
    )


def _prices(
    known: EventSnapshot, drawn: Round, draw_input: DrawInput, lineup: Lineup, after: Lineup
) -> tuple[PriceRow, ...] | None:
    if drawn.draft is None:
        return None
    now, then = (price_of_lineup(known, draw_input, each) for each in (lineup, after))
    if now is None or then is None:
        return None
    return tuple(
        PriceRow(
            criterion=name,
            now=now[name] // SCALES.get(name, 1),
            then=then[name] // SCALES.get(name, 1),
        )
        for name in now
        if now[name] or then[name]
    )


def _holders(lineup: Lineup) -> list[set[EntryId]]:
    return [{*table.a, *table.b} for table in lineup.tables] + [{bye.entry} for bye in lineup.byes]


def _meetings(lineup: Lineup) -> set[frozenset[EntryId]]:
    return {frozenset(held) for held in _holders(lineup)}


def _pairings(
    lineup: Lineup, entries: Mapping[int, Entry], without: Iterable[frozenset[EntryId]] = ()
) -> list[NamedTable]:
    entry_named = entries_named_in_full(entries.values())

    def join_partners(partners: Iterable[EntryId]) -> str:
        return ", ".join(entry_named(entries[entry]) for entry in partners)

    def describe_reasons(reasons: Iterable[Reason], seated: int) -> tuple[PlainReason, ...]:
        plain = reasons_to_json(reasons)
        return tuple(with_names(reason, entries, entry_named, seated=seated) for reason in plain)

    left_out = set(without)
    found = [
        NamedTable(
            table=table.number,
            sides=(join_partners(table.a), join_partners(table.b)),
            reasons=describe_reasons(table.reasons, len(table.a) + len(table.b)),
        )
        for table in lineup.tables
        if frozenset((*table.a, *table.b)) not in left_out
    ]
    return found + [
        NamedTable(table=None, sides=(join_partners((bye.entry,)),), reasons=describe_reasons(bye.reasons, 2))
        for bye in lineup.byes
        if frozenset((bye.entry,)) not in left_out
    ]
