"""What the results of a round must be for it to be closed."""

from collections.abc import Collection

from engine.draws.stages import is_bracket_slot
from rules import Refusal
from tournaments.models import Event, Round, Ruling, Table
from tournaments.rounds.queries.rounds import drawn_tables, missing_tables, undecided_tables


def check_results(event: Event, played: Round, *, undecided: Collection[int] = ()) -> None:
    """Whether every table has a result, but for those of these numbers, and in a bracket somebody goes on
    from it.

    Refuses: tables_missing, nobody_goes_on; each with the numbers of the tables.
    """
    missing = [table for table in missing_tables(played) if table not in undecided]
    if missing:
        raise Refusal("tables_missing", tables=missing)
    level = [
        table.number
        for table in (drawn_tables(played) if event.has_bracket else ())
        if is_in_bracket(event, table)
    ]
    if level:
        raise Refusal("nobody_goes_on", tables=level)


def check_decided(event: Event) -> None:
    """Whether no table of a closed round has lost its result since: the next draw and the last standings
    would count without it.

    Refuses: tables_undecided, with the first such round.
    """
    undecided = undecided_tables(event)
    if undecided:
        first, _ = undecided[0]
        raise Refusal(
            "tables_undecided", round=first, tables=[table for number, table in undecided if number == first]
        )


def check_somebody_goes_on(event: Event, table: Table, ruling: Ruling | None) -> None:
    """Whether a bracket knows who goes on: after a double forfeit nobody does. Refuses: somebody_goes_on."""
    is_drawn = ruling is not None and ruling["winner"] is None and ruling["kind"] != "forfeit"
    if is_drawn and is_in_bracket(event, table):
        raise Refusal("somebody_goes_on", field="points")


def is_in_bracket(event: Event, table: Table) -> bool:
    """Whether a later table of a bracket waits for who wins at this one."""
    return is_bracket_slot(event.plan, table.slot)
