"""Line-ups and postponements as captains ask for them, and the answer of the desk."""

import datetime
from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.draws import EntryId
from engine.draws.team_lineups import seat_team_lineups
from errors import Refusal
from scoring.services.marks import clean_reason
from tournaments.history.services.changes import Change
from tournaments.interclub.queries import list_movable_tables, read_team_round
from tournaments.models import Round
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.queries.team_matches import find_postponement_request, map_teams
from tournaments.rounds.services.team_matches import list_other_requests


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
    change.update(round_row, postponement_requests=list_other_requests(round_row, match) | {team: request})
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
