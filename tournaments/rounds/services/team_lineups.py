"""Line-ups of captains: stored at once, seated in the draft when both captains of a match have given theirs."""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from engine.draws import FORMATS, EntryId
from engine.draws.team_lineups import seat_team_lineups
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.models import Event, Round
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.queries.team_lineups import map_teams, read_team_round


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
