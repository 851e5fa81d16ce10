"""Checks of the results of a round before it is closed."""

from collections.abc import Collection

from engine.draws.stages import is_bracket_slot
from errors import Refusal
from rules import MatchFormat
from tournaments.models import Event, Round, Ruling, Table
from tournaments.rounds.queries.rounds import (
    list_missing_tables,
    list_postponed_tables,
    list_tied_tables,
    list_undecided_tables,
)


def check_results(event: Event, round_row: Round, *, allowed_tables: Collection[int] = ()) -> None:
    """Check that every table has a result, and a winner in a bracket. Tables in ``allowed_tables`` need none.

    Refuses: tables_missing, nobody_goes_on; each with the numbers of the tables.
    """
    missing = [table for table in list_missing_tables(round_row) if table not in allowed_tables]
    if missing:
        raise Refusal("tables_missing", tables=missing)
    level = [
        table.number
        for table in (list_tied_tables(round_row) if event.has_bracket else ())
        if is_in_bracket(event, table)
    ]
    if level:
        raise Refusal("nobody_goes_on", tables=level)


def check_decided(event: Event) -> None:
    """Check that no table of a closed round has lost its result. The next draw and the final standings need
    it.

    Refuses: tables_undecided, with the first such round.
    """
    undecided_rows = list_undecided_tables(event)
    if undecided_rows:
        first_round, _ = undecided_rows[0]
        raise Refusal(
            "tables_undecided",
            round=first_round,
            tables=[table for number, table in undecided_rows if number == first_round],
        )


def check_played(event: Event) -> None:
    """Check that all tables of closed rounds have a result, postponed ones too. Refuses: tables_undecided;
    matches_postponed, with the first such round."""
    check_decided(event)
    postponed_rows = list_postponed_tables(event) if event.has_team_matches else []
    if postponed_rows:
        first_round, _ = postponed_rows[0]
        tables = [table for number, table in postponed_rows if number == first_round]
        raise Refusal("matches_postponed", round=first_round, tables=tables)


def check_bracket_winner(event: Event, table: Table, ruling: Ruling | None) -> None:
    """Check that a ruling in a bracket has a winner, unless it is a double forfeit. Refuses:
    somebody_goes_on."""
    is_drawn = ruling is not None and ruling["winner"] is None and ruling["kind"] != "forfeit"
    if is_drawn and is_in_bracket(event, table):
        raise Refusal("somebody_goes_on", field="points")


def check_games(match_format: MatchFormat, ruling: Ruling | None) -> None:
    """Check that a match of this length can end with the games of a score set by the director. Refuses:
    too_many_games."""
    games = (0, 0) if ruling is None else ruling.get("games_won", (0, 0))
    most_of_one, most_in_all = match_format.most_games
    if most_of_one is not None and most_in_all is not None and (max(games) > most_of_one or sum(games) > most_in_all):
        raise Refusal("too_many_games", field="games", one=most_of_one, both=most_in_all)


def is_in_bracket(event: Event, table: Table) -> bool:
    """Check whether the winner at this table goes on in a bracket."""
    return is_bracket_slot(event.plan, table.slot)
