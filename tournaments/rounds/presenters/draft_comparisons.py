"""Comparisons of a draw: after a swap, with the program's own draw, and with two given entries meeting."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.draws import DrawInput, EntryId, Partners, Reason
from engine.draws.history import History
from engine.draws.lineups import Lineup, ReasonJson, build_lineup, reasons_to_json, swap_places
from engine.draws.pairing_cost.comparison import PRICED_FORMATS
from engine.results import (
    ComparedPrices,
    EventSnapshot,
    build_draw_input,
    compare_lineups,
    compare_meeting,
    draw_next_round,
    snapshot_from_json,
)
from engine.seedings import Seeding, build_seeding
from errors import Refusal
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import EntryFormatter, build_full_entry_formatter
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.queries import rounds
from tournaments.rounds.queries.drafts import find_draft_changes
from tournaments.rounds.queries.event_snapshot import read_event_snapshot

from .drafts import COMPARISON_CRITERIA, convert_costs
from .rounds import add_entry_names


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """A criterion, and its cost in two draws."""

    criterion: str
    now: int
    then: int

    @property
    def is_fine(self) -> bool:
        """Whether it is a figure that means nothing alone and only serves to compare two draws."""
        return self.criterion.endswith(COMPARISON_CRITERIA)

    @property
    def is_worse(self) -> bool:
        return self.then > self.now


def build_swap_view(
    round_row: Round, lineup: Lineup, entrants: Iterable[Entry], first_number: int, second_number: int
) -> dict[str, Any]:
    """Return the cost and the tables of a draft if two entries swap places.

    ``prices`` are None if the round is neither drawn by price nor the first of a bracket, is published already, or has
    drawn somebody who does not play it any more. ``paths`` are those of the two, in the first round of a bracket.
    Three queries. Refuses: no_entry_of_number, and what ``swap_places`` refuses.
    """
    entries = _map_entries_checked(entrants, first_number, second_number)
    first, second = (EntryId(entries[number].pk) for number in (first_number, second_number))
    snapshot = read_event_snapshot(round_row.event)
    draw_input = build_draw_input(snapshot, seed=round_row.seed, round_number=round_row.number)
    swapped = swap_places(lineup, first, second, History(draw_input.history), round_row.event.plan)
    entries_by_id = {entry.pk: entry for entry in entries.values()}
    format_entry = build_full_entry_formatter(entries_by_id.values())
    seedings = [
        seeding
        for table in (lineup, swapped)
        if (seeding := build_seeding(snapshot, draw_input, table)) is not None and round_row.state != RoundState.CLOSED
    ]
    prices = (
        _build_price_rows(ComparedPrices(*(seeding.price for seeding in seedings)))
        if seedings
        else _compare_prices(snapshot, round_row, draw_input, lineup, swapped)
    )
    pairings = zip(_build_pairings(swapped, entries_by_id), _list_holders(swapped), strict=True)
    return {
        "one": first_number,
        "other": second_number,
        "names": (format_entry(entries[first_number]), format_entry(entries[second_number])),
        "prices": prices,
        "is_more_expensive": _is_more_expensive(prices or ()),
        "paths": [
            _build_path(seeding, entry, entries_by_id, format_entry)
            for seeding in seedings[1:]
            for entry in (first, second)
        ],
        "pairings": [pairing for pairing, holders in pairings if holders & {first, second}],
    }


def _build_path(
    seeding: Seeding, entry: EntryId, entries_by_id: Mapping[int, Entry], format_entry: EntryFormatter
) -> dict[str, Any]:
    """Return the possible opponents of an entry in its ``first`` match of a bracket, and ``then`` if it wins."""
    first, then = (*seeding.list_opponents(entry), (), ())[:2]
    return {
        "name": format_entry(entries_by_id[entry]),
        "first": [format_entry(entries_by_id[opponent]) for opponent in first],
        "then": [format_entry(entries_by_id[opponent]) for opponent in then],
    }


def build_meeting_view(
    round_row: Round, lineup: Lineup, entrants: Iterable[Entry], first_number: int, second_number: int
) -> dict[str, Any]:
    """Explain why two entries do not meet, from the data of the draw, whatever was corrected since.

    ``table`` is where they meet, if they do. ``prices`` are those of the program's draw and of the cheapest one in
    which they meet; None if no draw by price could have seated them together. Two queries at most.
    Refuses: no_entry_of_number.
    """
    entries = _map_entries_checked(entrants, first_number, second_number)
    format_entry = build_full_entry_formatter(entries.values())
    numbers = {EntryId(entry.pk): EntryId(number) for number, entry in entries.items()}
    lineup = _number_lineup(lineup, numbers)
    meeting_table = next(
        (table.number for table in lineup.tables if {first_number, second_number} <= {*table.a, *table.b}), None
    )
    prices = None if meeting_table else _compare_meeting_prices(round_row, lineup, numbers, first_number, second_number)
    return {
        "other": second_number,
        "names": (format_entry(entries[first_number]), format_entry(entries[second_number])),
        "table": meeting_table,
        "prices": prices,
        "is_more_expensive": _is_more_expensive(prices or ()),
        "decisive": _find_first_difference(prices or ()),
    }


def _compare_meeting_prices(
    round_row: Round, lineup: Lineup, numbers: Mapping[EntryId, EntryId], first_number: int, second_number: int
) -> tuple[PriceRow, ...] | None:
    if round_row.drawn_from is None:
        return None
    earlier = round_row.event.rounds.filter(number__lt=round_row.number).values_list("number", "order")
    orders = {number: [numbers[pk] for pk in order if pk in numbers] for number, order in earlier}
    snapshot = snapshot_from_json(round_row.drawn_from, orders)
    order = [EntryId(number) for number in round_row.drawn_from["order"]]
    draw_input = build_draw_input(snapshot, seed=round_row.seed, order=order)
    return _build_price_rows(
        compare_meeting(snapshot, draw_input, lineup, EntryId(first_number), EntryId(second_number))
    )


def _number_lineup(lineup: Lineup, numbers: Mapping[EntryId, EntryId]) -> Lineup:
    """Return the tables with entries named by number, as in the data of the draw."""

    def number_side(side: Partners) -> Partners:
        return tuple(numbers[entry] for entry in side)

    return Lineup(
        tables=tuple(replace(table, a=number_side(table.a), b=number_side(table.b)) for table in lineup.tables)
    )


def build_comparison_view(event: Event, round_row: Round) -> dict[str, Any]:
    """Compare the draft with the program's own draw with the same number.

    Refuses: not_priced, changed_since where somebody is drawn who does not play the round any more.
    """
    entries = get_entries(event)
    away, _ = find_draft_changes(round_row, entries)
    if away:
        raise Refusal("changed_since")
    lineup = rounds.lineup_of(round_row)
    snapshot = read_event_snapshot(event)
    draw_input = build_draw_input(snapshot, seed=round_row.seed, round_number=round_row.number)
    best = build_lineup(draw_next_round(snapshot, draw_input))
    prices = _compare_prices(snapshot, round_row, draw_input, best, lineup)
    if prices is None:
        raise Refusal("not_priced", field="format", value=round_row.draw_format, choices=tuple(PRICED_FORMATS))
    entries_by_id = {entry.pk: entry for entry in entries}
    draft_meetings, best_meetings = _collect_meetings(lineup), _collect_meetings(best)
    return {
        "prices": prices,
        "only_here": tuple(_build_pairings(lineup, entries_by_id, excluded=best_meetings)),
        "proposal_only": tuple(_build_pairings(best, entries_by_id, excluded=draft_meetings)),
    }


def _compare_prices(
    snapshot: EventSnapshot, round_row: Round, draw_input: DrawInput, lineup: Lineup, alternative: Lineup
) -> tuple[PriceRow, ...] | None:
    if round_row.draft is None:
        return None
    return _build_price_rows(compare_lineups(snapshot, draw_input, lineup, alternative))


def _build_price_rows(prices: ComparedPrices | None) -> tuple[PriceRow, ...] | None:
    """Return a row for each criterion that costs anything in either draw."""
    if prices is None:
        return None
    return tuple(
        PriceRow(criterion=name, now=current, then=alternative)
        for name, (current, alternative) in convert_costs(prices.current, prices.previous).items()
        if current or alternative
    )


def _find_first_difference(prices: Iterable[PriceRow]) -> PriceRow | None:
    return next((row for row in prices if row.now != row.then), None)


def _is_more_expensive(prices: Iterable[PriceRow]) -> bool:
    first = _find_first_difference(prices)
    return first is not None and first.is_worse


def _map_entries_checked(entrants: Iterable[Entry], *numbers: int) -> dict[int, Entry]:
    """Return all entrants by number, after checking these. Refuses: no_entry_of_number."""
    entries = {entry.number: entry for entry in entrants}
    for number in numbers:
        if number not in entries:
            raise Refusal("no_entry_of_number", field="other", entry=number)
    return entries


def _list_holders(lineup: Lineup) -> list[set[EntryId]]:
    return [{*table.a, *table.b} for table in lineup.tables] + [{bye.entry} for bye in lineup.byes]


def _collect_meetings(lineup: Lineup) -> set[frozenset[EntryId]]:
    return {frozenset(entries) for entries in _list_holders(lineup)}


def _build_pairings(
    lineup: Lineup, entries: Mapping[int, Entry], excluded: Iterable[frozenset[EntryId]] = ()
) -> list[dict[str, Any]]:
    """Return the tables with the names of both sides and their reasons; without a number, byes."""
    format_entry = build_full_entry_formatter(entries.values())

    def join_partners(partners: Iterable[EntryId]) -> str:
        return ", ".join(format_entry(entries[entry]) for entry in partners)

    def describe_reasons(reasons: Iterable[Reason], seated_count: int) -> tuple[ReasonJson, ...]:
        reason_rows = reasons_to_json(reasons)
        return tuple(
            add_entry_names(reason, entries, format_entry, seated_count=seated_count) for reason in reason_rows
        )

    excluded_pairings = set(excluded)
    pairings = [
        {
            "table": table.number,
            "sides": (join_partners(table.a), join_partners(table.b)),
            "reasons": describe_reasons(table.reasons, len(table.a) + len(table.b)),
        }
        for table in lineup.tables
        if frozenset((*table.a, *table.b)) not in excluded_pairings
    ]
    return pairings + [
        {"table": None, "sides": (join_partners((bye.entry,)),), "reasons": describe_reasons(bye.reasons, 2)}
        for bye in lineup.byes
        if frozenset((bye.entry,)) not in excluded_pairings
    ]
