"""Team matches of a round, for which captains choose who plays."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.draws import EntryId
from engine.draws.team_lineups import TeamLineups, TeamMatch, list_team_matches
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round
from web.names import get_group_key, unify_spellings

from .seatings import lineup_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRound:
    """The last round of an event, its team matches, and the line-ups ``given`` for them."""

    round: Round
    matches: tuple[TeamMatch, ...]
    given: TeamLineups

    @property
    def is_draft(self) -> bool:
        return self.round.state == RoundState.DRAFT

    def find_match(self, team: str) -> TeamMatch | None:
        return next((match for match in self.matches if team in match.teams), None)


def map_teams(event: Event) -> Mapping[EntryId, str]:
    """Return the team of each entry, as draws name it: "" for the club that holds the event. One query."""
    teams = dict(event.entries.filter(is_waiting=False).order_by("number").values_list("pk", "team"))
    names = unify_spellings(teams.values())
    return {EntryId(entry): names[get_group_key(team)] for entry, team in teams.items()}


def read_team_round(event: Event, teams: Mapping[EntryId, str]) -> TeamRound | None:
    """Return the last round, draft or published; None before the first. One query, two if it is published."""
    round_row = event.rounds.order_by("-number").first()
    if round_row is None:
        return None
    matches = list_team_matches(lineup_of(round_row), teams)
    return TeamRound(round=round_row, matches=matches, given=round_row.team_lineups or {})
