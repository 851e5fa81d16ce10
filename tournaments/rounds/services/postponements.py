"""Postponement of a team match: the rounds go on without it, and its results count once they are entered."""

import datetime
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import lock_round
from tournaments.lifecycle import RoundState
from tournaments.models import Round
from tournaments.rounds.queries.postponed_matches import find_table_match
from tournaments.rounds.queries.rounds import list_undecided_numbers

from .results import check_results


@transaction.atomic
def postpone_match(
    *, event_id: int, number: int, table: int, day: datetime.date | None = None, by: Actor = NOBODY
) -> Round:
    """Postpone the team match of a table to another day, or to one not known yet. Its round can be closed and the next
    ones played; its results count once they are entered. The event cannot end before. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (a draft), no_team_match, match_is_played.
    """
    change = Change(event_id, "postpone_match", by)
    round_row, tables, teams = _find_match(change, number, table)
    open_tables = set(tables) & set(list_undecided_numbers(round_row))
    if not open_tables:
        raise Refusal("match_is_played", field="day")
    text = "" if day is None else day.isoformat()
    postponed = round_row.postponed | {str(each): text for each in sorted(open_tables)}
    return _save(change, round_row, postponed, table=table, teams=teams, day=text)


@transaction.atomic
def reinstate_match(*, event_id: int, number: int, table: int, by: Actor = NOBODY) -> Round:
    """Play a postponed team match in its round after all. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (a draft), no_team_match, tables_missing (the round is closed).
    """
    change = Change(event_id, "reinstate_match", by)
    round_row, tables, teams = _find_match(change, number, table)
    postponed = {each: day for each, day in round_row.postponed.items() if int(each) not in tables}
    return _save(change, round_row, postponed, table=table, teams=teams)


def _find_match(change: Change, number: int, table: int) -> tuple[Round, tuple[int, ...], str]:
    """Return the round, the tables of the match and its teams in words."""
    round_row = lock_round(change.event, number)
    if round_row.state == RoundState.DRAFT:
        raise Refusal("step_not_allowed", state=round_row.state, step="rule")
    match = find_table_match(change.event, round_row, table)
    if match is None:
        raise Refusal("no_team_match", table=table)
    teams = " – ".join(team or change.event.club.name for team in match.teams)
    return round_row, tuple(board.number for board in match.tables), teams


def _save(change: Change, round_row: Round, postponed: dict[str, str], **details: Any) -> Round:
    if not change.is_repeat and postponed != round_row.postponed:
        change.update(round_row, postponed=postponed)
        if round_row.state == RoundState.CLOSED:
            check_results(change.event, round_row)
        change.record(round=round_row.number, **details)
    return round_row
