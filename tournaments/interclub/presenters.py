"""Presenters of interclub events: where the people of one club sit, and the line-ups of teams."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from clubs.models import Club, Person
from clubs.name_formats import join_names
from engine.charts import MatchPlace
from engine.draws import EntryId
from engine.draws.team_lineups import TeamMatch
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import EntryFormatter, build_public_entry_formatter
from tournaments.interclub.queries import TeamRound
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, InvitedClub

from .queries import RoundSeat, get_last_round_seats, get_visitors, list_guest_entries


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestEntry:
    """An entry of the viewing club: full names for its own people, public names for opponents."""

    entry: Entry
    players: tuple[Person, ...]
    place: RoundSeat | None
    format_entry: EntryFormatter

    @property
    def names(self) -> str:
        return join_names([person.name for person in self.players])

    @property
    def against(self) -> str:
        return "" if self.place is None else join_names([self.format_entry(entry) for entry in self.place.against])


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestView:
    """An event of another club, as a guest club sees it. ``round`` is the last published one, or 0."""

    event: Event
    entries: tuple[GuestEntry, ...]
    round: int

    @property
    def may_enter(self) -> bool:
        return self.event.state == EventState.PREPARING


def build_guest_view(invitation: InvitedClub, club: Club) -> GuestView:
    """Return the event with the guest club's entries, and their seats if the draw is public. Six queries at
    most."""
    event = invitation.event
    assert event is not None
    visitors = get_visitors(event, club)
    entries = list_guest_entries(event, visitors)
    number, places = get_last_round_seats(event, entries) if entries and event.visible.draw else (0, {})
    format_entry = build_public_entry_formatter(event, get_entries(event))
    return GuestView(
        event=event,
        entries=tuple(
            GuestEntry(
                entry=entry,
                players=tuple(visitors[person.pk] for person in entry.players),
                place=places.get(entry.pk),
                format_entry=format_entry,
            )
            for entry in entries
        ),
        round=number,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSideView:
    """A team in a match: its players by board and its substitutes, once both line-ups may be seen."""

    name: str
    is_given: bool
    players: tuple[str, ...] = ()
    substitutes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchView:
    """A team match, home team first, with the numbers of its tables; a board beyond them is won without play."""

    teams: tuple[TeamSideView, TeamSideView]
    place: MatchPlace
    tables: tuple[int, ...]
    is_shown: bool

    @property
    def boards(self) -> list[tuple[int, int | None, str, str]]:
        """The boards with their table and the players of both teams, "" for nobody."""
        one, other = (team.players for team in self.teams)
        rows = zip_longest(self.tables, zip_longest(one, other, fillvalue=""))
        return [(board, table, *players) for board, (table, players) in enumerate(rows, start=1)]


def list_team_match_views(event: Event, team_round: TeamRound) -> list[TeamMatchView]:
    """Return the team matches of a round. In a draft, players are shown once both line-ups are given. Queries:
    those of the entries."""
    entries = {entry.pk: entry for entry in get_entries(event)}
    format_entry = build_public_entry_formatter(event, entries.values())

    def format_entries(ids: Iterable[EntryId]) -> tuple[str, ...]:
        return tuple(format_entry(entries[entry]) for entry in ids)

    def build_side(match: TeamMatch, team: str, *, is_shown: bool) -> TeamSideView:
        players = match.players[team] if is_shown else ()
        substitutes = [entry for entry in match.available[team] if entry not in players] if is_shown else ()
        return TeamSideView(
            name=team or event.club.name,
            is_given=match.is_given(team, team_round.given),
            players=format_entries(players),
            substitutes=format_entries(substitutes),
        )

    views = []
    for match in team_round.matches:
        is_shown = not team_round.is_draft or match.is_complete(team_round.given)
        one, other = (build_side(match, team, is_shown=is_shown) for team in match.teams)
        tables = tuple(table.number for table in match.tables)
        place = MatchPlace(clubs=(one.name, other.name), has_home=event.has_home_teams and bool(tables))
        views.append(TeamMatchView(teams=(one, other), place=place, tables=tables, is_shown=is_shown))
    return views


def list_board_choices(
    match: TeamMatch, team: str, team_round: TeamRound, entries: Iterable[Entry]
) -> list[tuple[Entry, int]]:
    """Return the entries that a captain can choose, each with its board, as given or else as drawn: substitutes
    last, with 0."""
    is_given = match.is_given(team, team_round.given)
    players = team_round.given[team] if is_given else match.players[team]
    boards = {int(entry): board for board, entry in enumerate(players, start=1)}
    available = [(entry, boards.get(entry.pk, 0)) for entry in entries if entry.pk in match.available[team]]
    return sorted(available, key=lambda choice: choice[1] or len(available))
