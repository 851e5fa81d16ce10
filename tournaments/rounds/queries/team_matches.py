"""Team matches: line-ups, and matches postponed to another day."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.charts import MatchPlace
from engine.draws import EntryId
from engine.draws.team_lineups import TeamMatch, list_team_matches
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round
from web.names import get_group_key, unify_spellings

from .rounds import lineup_of, list_undecided_numbers


def map_teams(event: Event) -> Mapping[EntryId, str]:
    """Return the team of each entry, as draws name it: "" for the club that holds the event. One query."""
    teams = dict(event.entries.filter(is_waiting=False).order_by("number").values_list("pk", "team"))
    names = unify_spellings(teams.values())
    return {EntryId(entry): names[get_group_key(team)] for entry, team in teams.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class PostponedMatch:
    """A postponed match: its round, its teams as ``place``, its ``tables`` without a result, and the day, if known."""

    round: int
    place: MatchPlace
    tables: tuple[int, ...]
    day: datetime.date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostponementRequest:
    """A captain's request to postpone the match of a ``team``, called ``name``, at these ``tables``. ``note`` and
    ``answer`` are as typed; the latter is "" until the desk declines."""

    team: str
    name: str
    day: datetime.date
    note: str
    answer: str
    round: Round
    tables: tuple[int, ...]

    @property
    def is_open(self) -> bool:
        return not self.answer


def find_table_match(event: Event, round_row: Round, table: int) -> TeamMatch | None:
    """Return the team match of a table; None if it is of none. Three queries."""
    matches = list_team_matches(lineup_of(round_row), map_teams(event))
    return next((match for match in matches if table in {board.number for board in match.tables}), None)


def list_postponed_matches(event: Event, rounds: Iterable[Round]) -> list[PostponedMatch]:
    """Return the postponed matches of these published rounds that have no result yet. No query without any."""
    postponed_rounds = [round_row for round_row in rounds if round_row.postponed]
    teams = map_teams(event) if postponed_rounds else {}
    found = []
    for round_row in postponed_rounds:
        open_numbers = {number for number in list_undecided_numbers(round_row) if str(number) in round_row.postponed}
        for match in list_team_matches(lineup_of(round_row), teams):
            tables = tuple(board.number for board in match.tables if board.number in open_numbers)
            if tables:
                place = MatchPlace(
                    clubs=tuple(team or event.club.name for team in match.teams), has_home=event.has_home_teams
                )
                day = parse_day(round_row.postponed[str(tables[0])])
                found.append(PostponedMatch(round=round_row.number, place=place, tables=tables, day=day))
    return found


def list_open_requests(event: Event, round_row: Round | None) -> list[PostponementRequest]:
    """Return the requests of captains in a round that the desk has not answered. No query without any; two at most."""
    if round_row is None or not round_row.postponement_requests or round_row.state == RoundState.CLOSED:
        return []
    requests = (
        find_postponement_request(event, round_row, match)
        for match in list_team_matches(lineup_of(round_row), map_teams(event))
    )
    return [request for request in requests if request is not None and request.is_open]


def find_postponement_request(event: Event, round_row: Round, match: TeamMatch) -> PostponementRequest | None:
    """Return the request of either captain to postpone their match, answered or not. No query."""
    for team in match.teams:
        if stored := round_row.postponement_requests.get(team):
            return PostponementRequest(
                team=team,
                name=team or event.club.name,
                day=datetime.date.fromisoformat(stored["day"]),
                note=stored["note"],
                answer=stored["answer"],
                round=round_row,
                tables=tuple(board.number for board in match.tables),
            )
    return None


def parse_day(text: str | None) -> datetime.date | None:
    """Return the day of a postponed table; None if it is not known."""
    return datetime.date.fromisoformat(text) if text else None
