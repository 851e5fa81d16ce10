"""Effects of a recorded night on a club, before anything of it is written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from clubs.models import Club, Person
from clubs.name_matching import Likeness
from engine.draws import Entrant, EntryId
from engine.draws.stages import stage_plan
from engine.ladders import (
    Ladder,
    LadderRow,
    PersonId,
    Showing,
    figures_of_row,
    ladder_standings,
    ladders_from_json,
)
from engine.ladders import LadderNight as SeasonNight
from engine.ladders import LadderPerson as KnownPerson
from engine.ranking import ranking_rules_from_json
from engine.results import EventRules, EventSnapshot, PlayedTable
from engine.standings import PlainStandings, count_key, standings_to_json
from rules import Seat, fold, read_record
from scoring.fold import summary_of
from tournaments.imports.recorded_nights import NightTable, RecordedNight
from tournaments.models import Event, Season
from tournaments.models.events import usual_ranking, usual_stages
from tournaments.seasons.queries import nights_of, people_of_season

from .events import NamedInFile, people_in_file

NOT_YET = 0
"""Key of an event that does not exist yet."""
NEW = 1 << 62
"""Added to the place in the list of new people: between equals they come after people of the club."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedLine:
    """A line of season standings that would change: names, and rank and total before and after. Before, they
    are None and 0 for a new line."""

    names: tuple[str, ...]
    rank: tuple[int | None, int | None]
    total: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedLadder:
    """Season standings, with the lines that would change, best first."""

    season: Season
    name: str
    lines: tuple[MovedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPreview:
    """Preview of a night. ``people`` are in the order of the entries; ``first`` are names and matches won of
    the entries that would come first; ``same_day`` the club's other events of that day; ``closed`` the
    seasons that stay as they are."""

    night: RecordedNight
    held_on: date
    people: tuple[NamedInFile, ...]
    first: tuple[tuple[tuple[str, ...], int], ...]
    same_day: tuple[Event, ...]
    ladders: tuple[MovedLadder, ...]
    closed: tuple[Season, ...]


def night_preview(club: Club | None, night: RecordedNight, held_on: date) -> NightPreview:
    """Build the preview, reading only. People in doubt count as new; so does everybody, if there is no club
    yet."""
    people = tuple(people_in_file(club, night.players))
    standings = _standings(night)
    rows = standings["rows"]
    seasons = Season.objects.filter(club=club, is_shared=False, starts__lte=held_on, ends__gte=held_on)
    showing = _night(night, held_on, people, standings)
    return NightPreview(
        night=night,
        held_on=held_on,
        people=people,
        first=tuple(
            (night.entries[row["entry"]], row["match_wins"])
            for row in rows
            if row["rank"] == 1 and row["match_wins"]
        ),
        same_day=tuple(
            Event.objects.filter(club=club, held_on=held_on, is_arriving=False, is_put_away=False)
        ),
        ladders=tuple(
            moved
            for season in seasons
            if season.closed_at is None
            for moved in _moved_ladders(season, showing, people)
        ),
        closed=tuple(season for season in seasons if season.closed_at is not None),
    )


def _standings(night: RecordedNight) -> PlainStandings:
    """Return the standings that the night would have; entries have the numbers of its files."""
    known = EventSnapshot(
        basis=EventRules(
            plan=stage_plan(usual_stages()),
            rules=ranking_rules_from_json(usual_ranking()),
            games_to_win=night.match_format.games_to_win or 0,
        ),
        entrants=tuple(Entrant(id=EntryId(number), number=number) for number in sorted(night.entries)),
        sat=tuple(_sat(night)),
    )
    return standings_to_json(known, (), by_hand=frozenset())


def _sat(night: RecordedNight) -> Iterator[PlayedTable]:
    for number, tables in enumerate(night.rounds, start=1):
        seated = {entry for table in tables for entry in (table.side_a, table.side_b)}
        for table in tables:
            a, b = (EntryId(table.side_a),), (EntryId(table.side_b),)
            yield PlayedTable(round=number, a=a, b=b, table=table.table, outcome=_outcome(night, table))
        for entry in sorted(night.entries.keys() - seated):
            yield PlayedTable(round=number, a=(EntryId(entry),))


def _outcome(night: RecordedNight, table: NightTable) -> Mapping[str, Any] | None:
    if not table.is_over:
        return None
    records = [read_record(night.ruleset, hand) for hand in table.hands]
    state = fold(
        night.ruleset,
        night.match_format,
        enumerate(records, start=1),
        first_dealer=Seat(table.first_dealer or 0),
    )
    return summary_of(state, next_number=len(records) + 1)


def _night(
    night: RecordedNight, held_on: date, people: Sequence[NamedInFile], standings: PlainStandings
) -> SeasonNight:
    """Return the night as a season counts it."""
    keys = iter(
        [
            PersonId(each.known[0].pk if each.likeness == Likeness.THERE else NEW + each.number)
            for each in people
        ]
    )
    players = {number: tuple(next(keys) for _ in names) for number, names in sorted(night.entries.items())}
    return SeasonNight(
        event=NOT_YET,
        held_on=held_on,
        showings=tuple(
            Showing(
                entry=row["entry"],
                players=players[row["entry"]],
                rank=row["rank"],
                figures=figures_of_row(row, standings["counted"][count_key(row["entry"])]["rounds"]),
            )
            for row in standings["rows"]
        )
        if night.rounds
        else (),
    )


def _moved_ladders(
    season: Season, night: SeasonNight, people: Sequence[NamedInFile]
) -> Iterator[MovedLadder]:
    nights, known = nights_of(season), people_of_season(season)
    for ladder in ladders_from_json(season.ladders):
        before = _by_players(ladder, nights, known)
        after = _by_players(ladder, [*nights, night], known)
        moved = [
            (before.get(players), row)
            for players, row in after.items()
            if players not in before or _place(before[players]) != _place(row)
        ]
        names = _names([row for _, row in moved], people)
        yield MovedLadder(
            season=season,
            name=ladder.name,
            lines=tuple(
                MovedLine(
                    names=tuple(names[person] for person in row.players),
                    rank=(None if was is None else was.rank, row.rank),
                    total=(0 if was is None else was.total, row.total),
                )
                for was, row in moved
            ),
        )


def _by_players(
    ladder: Ladder, nights: Sequence[SeasonNight], known: Mapping[PersonId, KnownPerson]
) -> dict[tuple[PersonId, ...], LadderRow]:
    return {row.players: row for row in ladder_standings(ladder, nights, known)}


def _place(row: LadderRow) -> tuple[int | None, int]:
    return row.rank, row.total


def _names(rows: Sequence[LadderRow], people: Sequence[NamedInFile]) -> Mapping[int, str]:
    """Return the names of these people, new ones included. One query."""
    keys = {person for row in rows for person in row.players if person < NEW}
    known = dict(Person.objects.filter(pk__in=keys).values_list("pk", "name"))
    return known | {NEW + each.number: each.name for each in people}
