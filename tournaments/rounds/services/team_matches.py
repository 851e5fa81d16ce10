"""Team matches: line-ups of captains, and matches postponed to another day."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.draws import FORMATS, EntryId
from engine.draws.team_lineups import TeamMatch, seat_team_lineups
from errors import Refusal, get_or_refuse
from scoring.services.marks import clean_reason
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import lock_round
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round
from tournaments.rounds.queries.rounds import lineup_of, list_undecided_numbers
from tournaments.rounds.queries.team_matches import (
    find_postponement_request,
    find_table_match,
    list_movable_tables,
    map_teams,
    read_team_round,
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


@transaction.atomic
def give_team_lineup(*, event_id: int, team: str, numbers: Sequence[int], by: Actor = NOBODY) -> Round:
    """Give the line-up of a team for the drawn round: its entries, by number, at boards 1, 2…; the others are
    substitutes. It can be changed until the other captain has given one, too. Safe to repeat.

    Refuses: no_lineup_needed, lineups_complete, boards_empty, chosen_twice, not_of_the_team.
    """
    change = Change(event_id, "give_team_lineup", by)
    teams = map_teams(change.event)
    team_round = read_team_round(change.event, teams)
    match = None if team_round is None else team_round.find_match(team)
    if team_round is None or match is None or not team_round.is_draft:
        raise Refusal("no_lineup_needed")
    ids = dict(change.event.entries.filter(number__in=numbers).values_list("number", "pk"))
    chosen = [EntryId(ids.get(number, 0)) for number in numbers]
    match.check_team_lineup(team, chosen)
    if change.is_repeat or chosen == team_round.given.get(team):
        return team_round.round
    if match.is_complete(team_round.given):
        raise Refusal("lineups_complete")
    given = {**team_round.given, team: chosen}
    change.update(team_round.round, team_lineups=given)
    change.seat(team_round.round, seat_team_lineups(lineup_of(team_round.round), teams, given))
    change.record(round=team_round.round.number, team=team or change.event.club.name)
    return team_round.round


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
    requests = _list_other_requests(round_row, match)
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


@transaction.atomic
def request_postponement(*, event_id: int, team: str, day: datetime.date, note: str = "", by: Actor = NOBODY) -> Round:
    """Ask the desk to postpone the match of a team in the last round, draft or published. Safe to repeat.

    Refuses: reason_too_long, no_match_to_postpone, desk_already_called.
    """
    note = clean_reason(note, is_required=False, field="note")
    change = Change(event_id, "request_postponement", replace(by, reason=note))
    team_round = read_team_round(change.event, map_teams(change.event))
    match = None if team_round is None else team_round.find_match(team)
    if team_round is None or match is None:
        raise Refusal("no_match_to_postpone")
    round_row = team_round.round
    if change.is_repeat:
        return round_row
    if not list_movable_tables(team_round, match):
        raise Refusal("no_match_to_postpone")
    request = {"day": day.isoformat(), "note": note, "answer": ""}
    previous = find_postponement_request(change.event, round_row, match)
    if previous is not None and previous.is_open:
        if round_row.postponement_requests.get(team) == request:
            return round_row
        raise Refusal("desk_already_called")
    change.update(round_row, postponement_requests=_list_other_requests(round_row, match) | {team: request})
    change.record(round=round_row.number, team=team or change.event.club.name, day=request["day"])
    return round_row


@transaction.atomic
def decline_postponement(*, event_id: int, team: str, answer: str, by: Actor = NOBODY) -> Round:
    """Decline the request of a team's captain to postpone a match, with a reason. Safe to repeat.

    Refuses: reason_required, reason_too_long, request_not_open.
    """
    answer = clean_reason(answer, is_required=True, field="answer")
    change = Change(event_id, "decline_postponement", replace(by, reason=answer))
    round_row = change.event.rounds.last()
    request = None if round_row is None else round_row.postponement_requests.get(team)
    if round_row is None or request is None or request["answer"] not in ("", answer):
        raise Refusal("request_not_open")
    if change.is_repeat or request["answer"]:
        return round_row
    declined = {team: {**request, "answer": answer}}
    change.update(round_row, postponement_requests=round_row.postponement_requests | declined)
    change.record(round=round_row.number, team=team or change.event.club.name)
    return round_row


def _find_match(change: Change, number: int, table: int) -> tuple[Round, TeamMatch]:
    """Return a published round and the match of the table."""
    round_row = lock_round(change.event, number)
    if round_row.state == RoundState.DRAFT:
        raise Refusal("step_not_allowed", state=round_row.state, step="rule")
    return round_row, get_or_refuse(find_table_match(change.event, round_row, table), "no_team_match", table=table)


def _list_other_requests(round_row: Round, match: TeamMatch) -> dict[str, Any]:
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
