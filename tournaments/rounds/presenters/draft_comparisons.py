"""Comparisons of a draw: after a swap, with the program's own draw, and with two given entries meeting."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.draws import DrawInput, EntryId, Partners, Reason
from engine.draws.history import History
from engine.draws.lineups import Lineup, PlainReason, lineup_of, reasons_to_json, swap_places
from engine.draws.pairing_cost.comparison import PRICED
from engine.results import (
    ComparedPrices,
    EventSnapshot,
    compare_lineups,
    compare_meeting,
    draw_by,
    draw_input_of,
    snapshot_from_json,
)
from errors import Refusal
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.models import Entry, Event, Round
from tournaments.rounds.queries import seatings
from tournaments.rounds.queries.drafts import changed_since
from tournaments.rounds.queries.event_snapshot import event_snapshot

from .drafts import FINE, in_own_unit
from .rounds import with_names


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """A criterion, and its cost in two draws."""

    criterion: str
    now: int
    then: int

    @property
    def is_fine(self) -> bool:
        """Whether it is a figure that means nothing alone and only serves to compare two draws."""
        return self.criterion.endswith(FINE)

    @property
    def is_worse(self) -> bool:
        return self.then > self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTable:
    """A table with the names of its sides and its reasons; without a table, a bye."""

    table: int | None
    sides: tuple[str, ...]
    reasons: tuple[PlainReason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapView:
    """The cost and the tables of a draft if two entries swap places.

    ``prices`` are None if the round is not drawn by price, is published already, or has drawn somebody who
    does not play it any more.
    """

    one: int
    other: int
    names: tuple[str, str]
    prices: tuple[PriceRow, ...] | None
    pairings: tuple[NamedTable, ...]

    @property
    def is_dearer(self) -> bool:
        """Whether the first criterion that differs is worse by the swap."""
        return _is_dearer(self.prices or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingView:
    """The reasons why two entries do not meet in this round.

    ``table`` is where they meet, if they do. ``prices`` are those of the program's draw and of the cheapest
    one in which they meet; None if no draw by price could have seated them together.
    """

    other: int
    names: tuple[str, str]
    table: int | None
    prices: tuple[PriceRow, ...] | None

    @property
    def is_dearer(self) -> bool:
        """Whether a draw in which they meet is worse by the first criterion that differs."""
        return _is_dearer(self.prices or ())

    @property
    def decisive(self) -> PriceRow | None:
        """First criterion that differs."""
        return _first_difference(self.prices or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """A draft beside the program's own draw."""

    prices: tuple[PriceRow, ...]
    only_here: tuple[NamedTable, ...]
    only_there: tuple[NamedTable, ...]


def swap_view(drawn: Round, lineup: Lineup, entrants: Iterable[Entry], one: int, other: int) -> SwapView:
    """Compute what a swap of two entries costs. Three queries. Refuses: no_entry_of_number,
    not_in_the_round, same_place."""
    entries = _entries_with(entrants, one, other)
    first, second = (EntryId(entries[number].pk) for number in (one, other))
    known = event_snapshot(drawn.event)
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


def meeting_view(
    drawn: Round, lineup: Lineup, entrants: Iterable[Entry], one: int, other: int
) -> MeetingView:
    """Explain why two entries do not meet, from the data of the draw, whatever was corrected since. Two
    queries at most.

    Refuses: no_entry_of_number.
    """
    entries = _entries_with(entrants, one, other)
    named = entries_named_in_full(entries.values())
    numbers = {EntryId(entry.pk): EntryId(number) for number, entry in entries.items()}
    lineup = _by_number(lineup, numbers)
    met = next((each.number for each in lineup.tables if {one, other} <= {*each.a, *each.b}), None)
    return MeetingView(
        other=other,
        names=(named(entries[one]), named(entries[other])),
        table=met,
        prices=None if met else _prices_of_meeting(drawn, lineup, numbers, one, other),
    )


def _prices_of_meeting(
    drawn: Round, lineup: Lineup, numbers: Mapping[EntryId, EntryId], one: int, other: int
) -> tuple[PriceRow, ...] | None:
    if drawn.drawn_from is None:
        return None
    earlier = drawn.event.rounds.filter(number__lt=drawn.number).values_list("number", "order")
    orders = {number: [numbers[pk] for pk in order if pk in numbers] for number, order in earlier}
    known = snapshot_from_json(drawn.drawn_from, orders)
    order = [EntryId(number) for number in drawn.drawn_from["order"]]
    draw_input = draw_input_of(known, seed=drawn.seed, order=order)
    return _price_rows(compare_meeting(known, draw_input, lineup, EntryId(one), EntryId(other)))


def _by_number(lineup: Lineup, numbers: Mapping[EntryId, EntryId]) -> Lineup:
    """Return the tables with entries named by number, as in the data of the draw."""

    def by_number(side: Partners) -> Partners:
        return tuple(numbers[entry] for entry in side)

    return Lineup(
        tables=tuple(replace(table, a=by_number(table.a), b=by_number(table.b)) for table in lineup.tables)
    )


def comparison_view(event: Event, drawn: Round) -> ComparisonView:
    """Compare the draft with the program's own draw by the same lot.

    Refuses: not_priced, changed_since where somebody is drawn who does not play the round any more.
    """
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
    return _price_rows(compare_lineups(known, draw_input, lineup, after))


def _price_rows(prices: ComparedPrices | None) -> tuple[PriceRow, ...] | None:
    """Return a row for each criterion that costs anything in either draw."""
    if prices is None:
        return None
    return tuple(
        PriceRow(criterion=name, now=now, then=then)
        for name, (now, then) in in_own_unit(prices.now, prices.then).items()
        if now or then
    )


def _first_difference(prices: Iterable[PriceRow]) -> PriceRow | None:
    return next((row for row in prices if row.now != row.then), None)


def _is_dearer(prices: Iterable[PriceRow]) -> bool:
    first = _first_difference(prices)
    return first is not None and first.is_worse


def _entries_with(entrants: Iterable[Entry], *numbers: int) -> dict[int, Entry]:
    """Return all entrants by number, after checking these. Refuses: no_entry_of_number."""
    entries = {entry.number: entry for entry in entrants}
    for number in numbers:
        if number not in entries:
            raise Refusal("no_entry_of_number", field="other", entry=number)
    return entries


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
