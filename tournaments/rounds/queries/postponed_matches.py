"""Team matches that were postponed and have no result yet."""

import datetime
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from engine.charts import MatchPlace
from engine.draws.team_lineups import TeamMatch, list_team_matches
from scoring.models import CAPTAIN_DEVICE, Dispute
from scoring.queries import open_disputes
from tournaments.models import Event, Round

from .rounds import list_undecided_numbers
from .seatings import lineup_of
from .team_lineups import map_teams


@dataclass(frozen=True, slots=True, kw_only=True)
class PostponedMatch:
    """A postponed match: its round, its teams as ``place``, its ``tables`` without a result, and the day, if known."""

    round: int
    place: MatchPlace
    tables: tuple[int, ...]
    day: datetime.date | None


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


def list_postponement_requests(round_row: Round, tables: Collection[int]) -> QuerySet[Dispute]:
    """Return the requests of captains to postpone the match at these tables, the latest first. One query."""
    at_tables = Dispute.objects.filter(match__table__round=round_row, match__table__number__in=tables)
    return at_tables.filter(device=CAPTAIN_DEVICE).select_related("settled_by", "match__card").order_by("-pk")


def list_open_requests(event: Event) -> QuerySet[Dispute]:
    """Return the requests of captains that the desk has not answered, the oldest first. One query."""
    return open_disputes(event.topic).filter(device=CAPTAIN_DEVICE)


def find_requested_day(event: Event, call: Dispute) -> datetime.date | None:
    """Return the day to which a captain asks to postpone a match; None if it is not known. One query."""
    requests = event.actions.filter(kind="request_postponement", details__round=call.match.round_number)
    action = requests.filter(details__table=call.match.card.number).last()
    return None if action is None else parse_day(action.details["day"])


def parse_day(text: str | None) -> datetime.date | None:
    """Return the day of a postponed table; None if it is not known."""
    return datetime.date.fromisoformat(text) if text else None
