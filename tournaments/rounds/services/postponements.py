"""Postponement of a team match: the rounds go on without it, and its results count once they are entered.

A captain asks for it by a call to the desk, which the director answers by postponing the match, or with a reason.
"""

import datetime
from typing import Any

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.audit.log import NOBODY, Actor
from errors import Refusal, get_or_refuse
from scoring.models import CAPTAIN_DEVICE
from scoring.queries import find_open_call
from scoring.services.agreement import call_desk, settle_call
from scoring.services.match_changes import lock_match
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import lock_round
from tournaments.lifecycle import OPEN_STATES, RoundState
from tournaments.models import REASON_LENGTH, Round
from tournaments.rounds.queries.postponed_matches import find_table_match, list_postponement_requests
from tournaments.rounds.queries.rounds import list_missing_tables, list_undecided_numbers
from tournaments.rounds.queries.team_lineups import map_teams, read_team_round
from web.names import clean_text

from .results import check_results


@transaction.atomic
def postpone_match(
    *, event_id: int, number: int, table: int, day: datetime.date | None = None, by: Actor = NOBODY
) -> Round:
    """Postpone the team match of a table to another day, or to one not known yet. Its round can be closed and the next
    ones played; its results count once they are entered. The event cannot end before. Answers the request of a
    captain. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (a draft), no_team_match, match_is_played.
    """
    change = Change(event_id, "postpone_match", by)
    round_row, tables, teams = _find_match(change, number, table)
    open_tables = set(tables) & set(list_undecided_numbers(round_row))
    if not open_tables:
        raise Refusal("match_is_played", field="day")
    text = "" if day is None else day.isoformat()
    postponed = round_row.postponed | {str(each): text for each in sorted(open_tables)}
    _save(change, round_row, postponed, table=table, teams=teams, day=text)
    answer = _("Postponed.") if day is None else _("Postponed to %(day)s.") % {"day": date_format(day)}
    for call in list_postponement_requests(round_row, tables).filter(settled_at=None):
        settle_call(match_id=call.match_id, account=by.account, ruling=answer, call=call.entry_key)
    return round_row


@transaction.atomic
def reinstate_match(*, event_id: int, number: int, table: int, by: Actor = NOBODY) -> Round:
    """Play a postponed team match in its round after all. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (a draft), no_team_match, tables_missing (the round is closed).
    """
    change = Change(event_id, "reinstate_match", by)
    round_row, tables, teams = _find_match(change, number, table)
    postponed = {each: day for each, day in round_row.postponed.items() if int(each) not in tables}
    return _save(change, round_row, postponed, table=table, teams=teams)


@transaction.atomic
def request_postponement(*, event_id: int, team: str, day: datetime.date, note: str = "", by: Actor = NOBODY) -> Round:
    """Ask the desk to postpone the match of a team in the current round to another day. Safe to repeat.

    Refuses: no_match_to_postpone, reason_too_long, desk_already_called.
    """
    change = Change(event_id, "request_postponement", by)
    team_round = read_team_round(change.event, map_teams(change.event))
    match = None if team_round is None else team_round.find_match(team)
    if team_round is None or match is None or team_round.round.state not in OPEN_STATES:
        raise Refusal("no_match_to_postpone")
    round_row, name = team_round.round, team or change.event.club.name
    open_tables = {board.number for board in match.tables} & set(list_missing_tables(round_row))
    if change.is_repeat:
        return round_row
    if not open_tables:
        raise Refusal("no_match_to_postpone")
    table = round_row.tables.get(number=min(open_tables))
    request = _("%(team)s asks to postpone the match to %(day)s.") % {"team": name, "day": date_format(day)}
    room, note = REASON_LENGTH - len(request) - 1, clean_text(note)
    if len(note) > room:
        raise Refusal("reason_too_long", field="note", most=room)
    text = f"{request} {note}".strip()
    assert table.match_id is not None, "a published table has a match"
    match_row = lock_match(table.match_id)
    open_call = find_open_call(match_row)
    if open_call is None:
        call_desk(match_id=match_row.pk, note=text, device=CAPTAIN_DEVICE, entry_key=by.key)
        change.record(round=round_row.number, table=table.number, team=name, day=day.isoformat())
    elif open_call.note != text:
        raise Refusal("desk_already_called")
    return round_row


def _find_match(change: Change, number: int, table: int) -> tuple[Round, tuple[int, ...], str]:
    """Return the round, the tables of the match and its teams in words."""
    round_row = lock_round(change.event, number)
    if round_row.state == RoundState.DRAFT:
        raise Refusal("step_not_allowed", state=round_row.state, step="rule")
    match = get_or_refuse(find_table_match(change.event, round_row, table), "no_team_match", table=table)
    teams = " – ".join(team or change.event.club.name for team in match.teams)
    return round_row, tuple(board.number for board in match.tables), teams


def _save(change: Change, round_row: Round, postponed: dict[str, str], **details: Any) -> Round:
    if not change.is_repeat and postponed != round_row.postponed:
        change.update(round_row, postponed=postponed)
        if round_row.state == RoundState.CLOSED:
            check_results(change.event, round_row)
        change.record(round=round_row.number, **details)
    return round_row
