"""Team matches: line-ups of captains, and matches postponed to another day."""

import datetime
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.draws import FORMATS
from engine.draws.team_lineups import TeamMatch, seat_team_lineups
from errors import Refusal, get_or_refuse
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import lock_round
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round
from tournaments.rounds.queries.rounds import lineup_of, list_undecided_numbers
from tournaments.rounds.queries.team_matches import (
    find_table_match,
    map_teams,
)

from .results import check_results


def check_team_sections(event: Event) -> None:
    """Check that each team plays in one section where these are drawn apart: its line-ups, its link and the standings
    know it by its name alone. Refuses: team_in_two_sections."""
    if not any(stage.separates_sections and FORMATS[stage.format].has_team_matches for stage in event.plan):
        return
    sections = dict(event.entries.values_list("pk", "section"))
    section_by_team: dict[str, str] = {}
    for entry, team in map_teams(event).items():
        if section_by_team.setdefault(team, sections[entry]) != sections[entry]:
            raise Refusal("team_in_two_sections", team=team or event.club.name)


def seat_given_lineups(draft: Round, by: Actor) -> None:
    """Seat the line-ups that were given before a draft was drawn again, as a change of its own: the draw stays
    as drawn."""
    if not draft.team_lineups:
        return
    change = Change(draft.event_id, "seat_team_lineups", replace(by, key=None, precondition=None))
    lineup = lineup_of(draft)
    seated = seat_team_lineups(lineup, map_teams(change.event), draft.team_lineups)
    if seated != lineup:
        change.seat(draft, seated)
        change.record(round=draft.number)


@transaction.atomic
def postpone_match(
    *, event_id: int, number: int, table: int, day: datetime.date | None = None, by: Actor = NOBODY
) -> Round:
    """Postpone the team match of a table to another day, or to one not known yet. Its round can be closed and the next
    ones played; its results count once they are entered. The event cannot end before. Grants the request of a
    captain. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (a draft), no_team_match, match_is_played.
    """
    change = Change(event_id, "postpone_match", by)
    round_row, match = _find_match(change, number, table)
    open_tables = {board.number for board in match.tables} & set(list_undecided_numbers(round_row))
    if not open_tables:
        raise Refusal("match_is_played", field="day")
    text = "" if day is None else day.isoformat()
    postponed = round_row.postponed | {str(each): text for each in sorted(open_tables)}
    requests = list_other_requests(round_row, match)
    columns = {"postponed": postponed, "postponement_requests": requests}
    return _save(change, round_row, match, columns, table=table, day=text)


@transaction.atomic
def reinstate_match(*, event_id: int, number: int, table: int, by: Actor = NOBODY) -> Round:
    """Play a postponed team match in its round after all. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (a draft), no_team_match, tables_missing (the round is closed).
    """
    change = Change(event_id, "reinstate_match", by)
    round_row, match = _find_match(change, number, table)
    tables = {board.number for board in match.tables}
    postponed = {each: day for each, day in round_row.postponed.items() if int(each) not in tables}
    return _save(change, round_row, match, {"postponed": postponed}, table=table)


def _find_match(change: Change, number: int, table: int) -> tuple[Round, TeamMatch]:
    """Return a published round and the match of the table."""
    round_row = lock_round(change.event, number)
    if round_row.state == RoundState.DRAFT:
        raise Refusal("step_not_allowed", state=round_row.state, step="rule")
    return round_row, get_or_refuse(find_table_match(change.event, round_row, table), "no_team_match", table=table)


def list_other_requests(round_row: Round, match: TeamMatch) -> dict[str, Any]:
    """Return the stored requests of the other matches."""
    return {team: request for team, request in round_row.postponement_requests.items() if team not in match.teams}


def _save(change: Change, round_row: Round, match: TeamMatch, columns: Mapping[str, Any], **details: Any) -> Round:
    if not change.is_repeat:
        change.update(round_row, **columns)
    if change.rows:
        if round_row.state == RoundState.CLOSED:
            check_results(change.event, round_row)
        teams = " – ".join(team or change.event.club.name for team in match.teams)
        change.record(round=round_row.number, teams=teams, **details)
    return round_row
