"""Changes by hand of the seats and results of a round, in any state.

A swap in a published round corrects who sat there: hands recorded at the table stay with it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.draws import EntryId
from engine.draws.lineups import Lineup, add_table, swap_places
from engine.results import compute_manual_price
from errors import Refusal
from rules import Side
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event, get_round, lock_round
from tournaments.history.services.optimistic import is_done, write_optimistically
from tournaments.lifecycle import OPEN_STATES, RoundState
from tournaments.models import Entry, Event, Round, Ruling, Table
from tournaments.rounds.queries.event_snapshot import read_event_snapshot, read_history
from tournaments.rounds.queries.phases import check_phase_tables, move_to_free_table
from tournaments.rounds.queries.rounds import lineup_of, list_missing_tables, list_side_numbers, unfinished_tables

from .results import check_bracket_winner, check_games, check_results

MAX_SCORE = 9_999
"""Most games or points given to a side; more must be a typing error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReseatedRound:
    """The line-up of a round after a change by hand; for a draft, with its price by criterion."""

    lineup: Lineup
    price: dict[str, int] | None


def swap_entries(*, event_id: int, number: int, one: int, other: int, by: Actor = NOBODY) -> Round:
    """Swap two entries in a round, at tables or on a bye, by their numbers.

    Computed outside the transaction, so that nobody waits. Refuses: no_such_round, no_entry_of_number, and
    what ``swap_places`` refuses.
    """
    event = get_event(event_id)
    if is_done(event, by):
        return get_round(event, number)

    def compute_lineup(event: Event) -> ReseatedRound:
        round_row = get_round(event, number)
        lineup = lineup_of(round_row)
        first, second = (_get_entry_id(event, each) for each in (one, other))
        history = read_history(event, lineup.list_neighbours(first, second), before_round=number)
        return _compute_reseating(event, round_row, swap_places(lineup, first, second, history, event.plan))

    def write(new: ReseatedRound) -> Round:
        change = Change(event_id, "swap_entries", by)
        round_row = lock_round(change.event, number)
        if not change.is_repeat:
            _save_reseating(change, round_row, new)
            change.record(round=number, one=one, other=other)
        return round_row

    return write_optimistically(event_id, compute_lineup, write)


@transaction.atomic
def hold_table(*, event_id: int, number: int, table: int, is_held: bool, by: Actor = NOBODY) -> Round:
    """Keep a table of a draft when the rest is drawn again, or release it. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (the round is published), no_such_table_now.
    """
    change = Change(event_id, "hold_table" if is_held else "free_table", by)
    round_row = lock_round(change.event, number)
    if round_row.state != RoundState.DRAFT:
        raise Refusal("step_not_allowed", state=round_row.state, step="hold")
    lineup_of(round_row).get_table(table)
    held_tables = set(round_row.held) | {table} if is_held else set(round_row.held) - {table}
    if held_tables != set(round_row.held):
        change.update(round_row, held=sorted(held_tables))
        change.record(round=number, table=table)
    return round_row


def seat_more(
    *, event_id: int, number: int, one: int, other: int, table: int | None = None, by: Actor = NOBODY
) -> Round:
    """Add a table to a round, for two entries that have a bye or came late. By default it gets the first free
    number of its phase.

    Computed outside the transaction, so that nobody waits. Refuses: no_such_round, no_entry_of_number,
    already_at_a_table, table_taken, needs_four (where partners are drawn), same_place, step_not_allowed (the
    round is closed, and nothing is to be marked there), and what ``check_phase_tables`` refuses.
    """
    event = get_event(event_id)
    if is_done(event, by):
        return get_round(event, number)
    if event.draws_partners:
        raise Refusal("needs_four", field="other")
    if one == other:
        raise Refusal("same_place", field="other")

    def compute_lineup(event: Event) -> tuple[int, ReseatedRound]:
        round_row = get_round(event, number)
        lineup = lineup_of(round_row)
        free = lineup.free_number if table is None else table
        a, b = (_get_entry_id(event, each) for each in (one, other))
        history = read_history(event, (a, b), before_round=number)
        new = add_table(lineup, free, (a,), (b,), history)
        if table is None:
            new = move_to_free_table(event, number, new, free)
            free = next(each.number for each in new.tables if each.a == (a,))
        check_phase_tables(event, number, new, [free])
        return free, _compute_reseating(event, round_row, new)

    def write(result: tuple[int, ReseatedRound]) -> Round:
        free, new = result
        change = Change(event_id, "seat_more", by)
        event = change.event
        round_row = lock_round(event, number)
        if change.is_repeat:
            return round_row
        if round_row.state == RoundState.CLOSED:
            raise Refusal("step_not_allowed", state=round_row.state, step="seat")
        _save_reseating(change, round_row, new)
        for late_entry in event.entries.filter(number__in=(one, other), arrives__gt=number):
            change.update(late_entry, arrives=number)
        change.update(event, table_count=max(event.table_count, free))
        change.record(round=number, one=one, other=other, table=free)
        return round_row

    return write_optimistically(event_id, compute_lineup, write)


@transaction.atomic
def forfeit_table(*, event_id: int, number: int, table: int, winner: Side | None, by: Actor = NOBODY) -> Table:
    """Record a forfeit: the winner wins without playing, or both sides lose. Hands recorded there are kept,
    but do not count.

    Safe to repeat. Refuses: no_such_round, no_such_table_now, step_not_allowed (a draft), somebody_goes_on.
    """
    ruling: Ruling = {"kind": "forfeit", "winner": None if winner is None else winner.name}
    return _rule(event_id, number, table, ruling, kind="forfeit_table", by=by)


@transaction.atomic
def adjust_table(
    *,
    event_id: int,
    number: int,
    table: int,
    games: Sequence[int],
    points: Sequence[int],
    by: Actor = NOBODY,
) -> Table:
    """Set a table's result, side A first, whatever was recorded. More games win; then more points; if both
    are equal it is a draw.

    Safe to repeat. Refuses: no_such_round, no_such_table_now, step_not_allowed, number_too_small,
    number_too_large, too_many_games, somebody_goes_on.
    """
    for name, values in (("games", games), ("points", points)):
        if min(values) < 0:
            raise Refusal("number_too_small", field=name, value=min(values), least=0)
        if max(values) > MAX_SCORE:
            raise Refusal("number_too_large", field=name, value=max(values), most=MAX_SCORE)
    a, b = zip(games, points, strict=True)
    winner = None if a == b else Side.A.name if a > b else Side.B.name
    ruling: Ruling = {
        "kind": "adjusted",
        "winner": winner,
        "games_won": list(games),
        "points": list(points),
    }
    return _rule(event_id, number, table, ruling, kind="adjust_table", by=by)


@transaction.atomic
def let_cards_count(
    *, event_id: int, number: int, table: int, may_be_undecided: bool = False, by: Actor = NOBODY
) -> Table:
    """Remove the result set by the director: the recorded hands count again. If the round is closed and the
    match unfinished, the table then has no result; set ``may_be_undecided``. No round is drawn before it has
    one.

    Safe to repeat. Refuses: no_such_round, no_such_table_now, step_not_allowed; tables_missing; and
    nobody_goes_on, if the round is closed and the match was won by nobody in a bracket.
    """
    return _rule(event_id, number, table, None, kind="let_cards_count", may_be_undecided=may_be_undecided, by=by)


@transaction.atomic
def count_unfinished(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Count the unfinished games of a round as they stand, and end their matches: the time is over. Tables
    without any hand, with a call or with two marks for one hand stay open. So do tied tables of a bracket:
    they play an extra hand, which ends the match if that is its tie rule.

    Safe to repeat. Refuses: no_such_round, step_not_allowed (no table can record hands).
    """
    change = Change(event_id, "count_unfinished", by)
    round_row = lock_round(change.event, number)
    if change.is_repeat:
        return round_row
    if round_row.state not in OPEN_STATES:
        raise Refusal("step_not_allowed", state=round_row.state, step="rule")
    found = unfinished_tables(change.event, round_row)
    extra_tables = [each for each in found.tied if each.match is not None and each.match.match_format.tie is not None]
    ended_tables, tied_numbers = (
        change.end_matches([*found.counted, *extra_tables]),
        {table.number for table in extra_tables},
    )
    if ended_tables:
        tables = [table for table in ended_tables if table not in tied_numbers]
        change.record(round=number, tables=tables, count=len(tables))
    return round_row


def _rule(
    event_id: int,
    number: int,
    table: int,
    ruling: Ruling | None,
    *,
    kind: str,
    may_be_undecided: bool = False,
    by: Actor,
) -> Table:
    change = Change(event_id, kind, by)
    round_row = lock_round(change.event, number)
    if round_row.state == RoundState.DRAFT:
        raise Refusal("step_not_allowed", state=round_row.state, step="rule")
    table_row = round_row.tables.select_related("round", "match__terms").filter(number=table).first()
    if table_row is None:
        raise Refusal("no_such_table_now", field="table", table=table)
    if table_row.ruling != ruling:
        check_games((table_row.match or change.event.terms).match_format, ruling)
        check_bracket_winner(change.event, table_row, ruling)
        undecided_numbers = [*list_missing_tables(round_row), *([table] if may_be_undecided else [])]
        change.set_ruling(table_row, ruling)
        _check_closed_results(change.event, round_row, undecided_numbers)
        ruling_details: Mapping[str, Any] = ruling or {}
        change.record(round=number, table=table, sides=list_side_numbers(table_row), **ruling_details)
    return table_row


def _check_closed_results(event: Event, round_row: Round, allowed_tables: Collection[int] = ()) -> None:
    if round_row.state == RoundState.CLOSED:
        check_results(event, round_row, allowed_tables=allowed_tables)


def _compute_reseating(event: Event, round_row: Round, lineup: Lineup) -> ReseatedRound:
    if round_row.state != RoundState.DRAFT:
        return ReseatedRound(lineup=lineup, price=None)
    snapshot = read_event_snapshot(event)
    return ReseatedRound(
        lineup=lineup, price=compute_manual_price(snapshot, lineup, number=round_row.number, seed=round_row.seed)
    )


def _save_reseating(change: Change, round_row: Round, new: ReseatedRound) -> None:
    """Save the line-up; a draft gets its new price and loses its proof."""
    change.seat(round_row, new.lineup)
    if new.price is not None:
        change.update(round_row, price=new.price, certificate=None)


def _get_entry_id(event: Event, number: int) -> EntryId:
    """Return the id of the entry with this number. Refuses: no_entry_of_number."""
    found = Entry.objects.filter(event=event, number=number, is_waiting=False).first()
    if found is None:
        raise Refusal("no_entry_of_number", field="other", entry=number)
    return EntryId(found.pk)
