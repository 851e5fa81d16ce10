"""The line-ups of captains: which entry of a team plays at which board of a team match.

A line-up counts once both captains of a match have given theirs. Entries left out are substitutes.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from errors import Refusal

from .formats.team_matches import build_substitute_bye, build_unopposed_bye
from .lineups import Lineup
from .values import DrawnBye, DrawnTable, EntryId, Reason, ReasonCode

_NOT_AVAILABLE = frozenset({ReasonCode.BYE_REQUESTED, ReasonCode.OPPONENT_MISSING, ReasonCode.SCHEDULED})
_CHOSEN = Reason(code=ReasonCode.TEAM_LINEUP)

TeamLineups = Mapping[str, Sequence[EntryId]]
"""The entries of teams in the order of their boards, by team."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatch:
    """A match of two ``teams``, home team first, in a drawn round. ``tables`` are those of boards 1, 2…, none if one
    team forfeits; ``players`` the entries that each team seats, by board; ``available`` all that its captain can
    choose from."""

    teams: tuple[str, str]
    tables: tuple[DrawnTable, ...]
    players: Mapping[str, tuple[EntryId, ...]]
    available: Mapping[str, tuple[EntryId, ...]]

    def get_opponent(self, team: str) -> str:
        return self.teams[1 - self.teams.index(team)]

    def check_team_lineup(self, team: str, entries: Sequence[EntryId]) -> None:
        """Check the entries that a captain has chosen. Refuses: boards_empty, chosen_twice, not_of_the_team."""
        if len(entries) != len(self.players[team]):
            raise Refusal("boards_empty", field="board", boards=len(self.players[team]))
        if len(set(entries)) < len(entries):
            raise Refusal("chosen_twice", field="board")
        if not set(entries) <= set(self.available[team]):
            raise Refusal("not_of_the_team", field="board", team=team)

    def is_given(self, team: str, given: TeamLineups) -> bool:
        """Return whether this captain's line-up was given and can still be played."""
        try:
            self.check_team_lineup(team, given.get(team, ()))
        except Refusal:
            return False
        return True

    def is_complete(self, given: TeamLineups) -> bool:
        return all(self.is_given(team, given) for team in self.teams)


def list_team_matches(lineup: Lineup, teams: Mapping[EntryId, str]) -> tuple[TeamMatch, ...]:
    """Return the team matches of a round, by the ``teams`` of its entries; none that the director mixed with
    others."""
    tables_by_match: dict[tuple[str, str], dict[int, DrawnTable]] = defaultdict(dict)
    for table in lineup.tables:
        for reason in table.reasons:
            if "board" in reason.details:
                one, other = reason.details["clubs"]
                tables_by_match[one, other][reason.details["board"]] = table
    seated_teams = {team for match_teams in tables_by_match for team in match_teams}
    for bye in lineup.byes:
        for reason in _list_unopposed_reasons(bye):
            match_teams = (teams.get(bye.entry, ""), reason.details["club"])
            if "entry" in reason.details and seated_teams.isdisjoint(match_teams):
                tables_by_match.setdefault(match_teams, {})
    matches = []
    for match_teams, tables_by_board in tables_by_match.items():
        tables = [tables_by_board[board] for board in sorted(tables_by_board)]
        if (present_teams := _find_present_teams(match_teams, tables, teams)) is not None:
            matches.append(_build_team_match(present_teams, tables, lineup, teams))
    return tuple(matches)


def put_home_team_first(reasons: Iterable[Mapping[str, Any]], teams: Sequence[str]) -> Sequence[str]:
    """Return the teams of the two sides of a board with the home team first, by the details of its reasons. A name
    may have changed since the draw, or be that of the club."""
    home, away = next((reason["clubs"] for reason in reasons if "board" in reason), ("", ""))
    return teams[::-1] if home != away and (home == teams[-1] or away == teams[0]) else teams


def seat_team_lineups(lineup: Lineup, teams: Mapping[EntryId, str], given: TeamLineups) -> Lineup:
    """Return the round with the line-ups of all matches in which both captains gave theirs."""
    for match in list_team_matches(lineup, teams):
        if match.is_complete(given):
            lineup = _seat_match(lineup, match, teams, given)
    return lineup


def _find_present_teams(
    drawn_teams: tuple[str, str], tables: Sequence[DrawnTable], teams: Mapping[EntryId, str]
) -> tuple[str, str] | None:
    """Return the two teams at the tables of a match under the names that they have now, in the order of the draw;
    None if there are others, too."""
    sides = [(teams.get(table.a[0], ""), teams.get(table.b[0], "")) for table in tables]
    found = {frozenset(pair) for pair in sides}
    if not found or found == {frozenset(drawn_teams)}:
        return drawn_teams
    one, other = sides[0]
    if len(found) > 1 or one == other:
        return None
    return (other, one) if drawn_teams[0] == other or drawn_teams[1] == one else (one, other)


def _build_team_match(
    match_teams: tuple[str, str], tables: Sequence[DrawnTable], lineup: Lineup, teams: Mapping[EntryId, str]
) -> TeamMatch:
    seated = [entry for table in tables for entry in (*table.a, *table.b)]
    byes = [bye for bye in lineup.byes if _NOT_AVAILABLE.isdisjoint(reason.code for reason in bye.reasons)]
    unopposed = sorted((reason.details["board"], bye.entry) for bye in byes for reason in _list_unopposed_reasons(bye))
    players = [*seated, *(entry for _, entry in unopposed)]
    available = [*players, *(bye.entry for bye in byes if bye.entry not in players)]

    def filter_team(entries: Iterable[EntryId], team: str) -> tuple[EntryId, ...]:
        return tuple(entry for entry in entries if teams.get(entry) == team)

    return TeamMatch(
        teams=match_teams,
        tables=tuple(tables),
        players={team: filter_team(players, team) for team in match_teams},
        available={team: filter_team(available, team) for team in match_teams},
    )


def _list_unopposed_reasons(bye: DrawnBye) -> list[Reason]:
    return [reason for reason in bye.reasons if reason.code is ReasonCode.UNOPPOSED]


def _seat_match(lineup: Lineup, match: TeamMatch, teams: Mapping[EntryId, str], given: TeamLineups) -> Lineup:
    new_tables = {table.number: _seat_board(table, board, teams, given) for board, table in enumerate(match.tables)}
    seated = {entry for table in new_tables.values() for entry in (*table.a, *table.b)}
    away = {
        reason.details["board"]: reason.details.get("entry")
        for bye in lineup.byes
        if bye.entry in match.available[match.teams[0]]
        for reason in _list_unopposed_reasons(bye)
    }
    byes = [
        build_unopposed_bye(entry, board, match.get_opponent(team), away.get(board))
        for team in match.teams
        for board, entry in enumerate(given.get(team, ()), start=1)
        if entry not in seated
    ]
    placed = seated.union(bye.entry for bye in byes)
    members = {entry for team in match.teams for entry in match.available[team]}
    byes += [build_substitute_bye(entry) for entry in sorted(members - placed)]
    return Lineup(
        tables=tuple(new_tables.get(table.number, table) for table in lineup.tables),
        byes=(
            *(bye for bye in lineup.byes if bye.entry not in members),
            *(replace(bye, reasons=(*bye.reasons, _CHOSEN)) for bye in byes),
        ),
    )


def _seat_board(table: DrawnTable, board: int, teams: Mapping[EntryId, str], given: TeamLineups) -> DrawnTable:
    a, b = ((given[teams[side[0]]][board],) for side in (table.a, table.b))
    reasons = [reason for reason in table.reasons if reason.code is not ReasonCode.TEAM_LINEUP]
    return replace(table, a=a, b=b, reasons=(*reasons, _CHOSEN))
