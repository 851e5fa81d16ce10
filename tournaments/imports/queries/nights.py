"""Effects of a recorded night on a club, before anything of it is written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from clubs.models import Club, Person
from clubs.name_matching import MatchKind
from engine.draws import Entrant, EntryId
from engine.draws.stages import parse_stage_plan
from engine.ladders import (
    Ladder,
    LadderRow,
    NightResult,
    PersonId,
    compute_ladder_standings,
    get_row_figures,
    ladders_from_json,
)
from engine.ladders import LadderNight as SeasonNight
from engine.ladders import LadderPerson as KnownPerson
from engine.ranking import ranking_rules_from_json
from engine.results import EventRules, EventSnapshot, PlayedTable
from engine.standings import StandingsJson, build_count_key, standings_to_json
from rules import Seat, fold, read_record
from scoring.fold import build_summary
from tournaments.imports.recorded_nights.parser import NightTable, RecordedNight
from tournaments.models import Event, Season
from tournaments.models.events import usual_ranking, usual_stages
from tournaments.seasons.queries import get_season_people, list_season_nights

from .events import ImportedPerson, match_people

NEW_EVENT_ID = 0
"""Key of an event that does not exist yet."""
NEW_PERSON_OFFSET = 1 << 62
"""Added to the place in the list of new people: between equals they come after people of the club."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChange:
    """A line of season standings that would change: names, and rank and total before and after. Before, they
    are None and 0 for a new line."""

    names: tuple[str, ...]
    rank: tuple[int | None, int | None]
    total: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderChange:
    """Season standings, with the lines that would change, best first."""

    season: Season
    name: str
    lines: tuple[LineChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPreview:
    """Preview of a night. ``people`` are in the order of the entries; ``first`` are names and matches won of
    the entries that would come first; ``same_day_events`` are the club's other events of that day;
    ``closed_seasons`` are the seasons that do not change."""

    night: RecordedNight
    held_on: date
    people: tuple[ImportedPerson, ...]
    first: tuple[tuple[tuple[str, ...], int], ...]
    same_day_events: tuple[Event, ...]
    ladders: tuple[LadderChange, ...]
    closed_seasons: tuple[Season, ...]


def build_night_preview(club: Club | None, night: RecordedNight, held_on: date) -> NightPreview:
    """Build the preview, reading only. People in doubt count as new; so does everybody, if there is no club
    yet."""
    people = tuple(match_people(club, night.players))
    standings = _compute_standings(night)
    rows = standings["rows"]
    seasons = Season.objects.filter(club=club, is_shared=False, starts__lte=held_on, ends__gte=held_on)
    season_night = _build_season_night(night, held_on, people, standings)
    return NightPreview(
        night=night,
        held_on=held_on,
        people=people,
        first=tuple(
            (night.entries[row["entry"]], row["match_wins"]) for row in rows if row["rank"] == 1 and row["match_wins"]
        ),
        same_day_events=tuple(Event.objects.filter(club=club, held_on=held_on, is_arriving=False, is_put_away=False)),
        ladders=tuple(
            ladder_change
            for season in seasons
            if season.closed_at is None
            for ladder_change in _iter_ladder_changes(season, season_night, people)
        ),
        closed_seasons=tuple(season for season in seasons if season.closed_at is not None),
    )


def _compute_standings(night: RecordedNight) -> StandingsJson:
    """Return the standings that the night would have; entries have the numbers of its files."""
    snapshot = EventSnapshot(
        basis=EventRules(
            plan=parse_stage_plan(usual_stages()),
            rules=ranking_rules_from_json(usual_ranking()),
            games_to_win=night.match_format.games_to_win or 0,
        ),
        entrants=tuple(Entrant(id=EntryId(number), number=number) for number in sorted(night.entries)),
        tables=tuple(_iter_played_tables(night)),
    )
    return standings_to_json(snapshot, (), manual_slots=frozenset())


def _iter_played_tables(night: RecordedNight) -> Iterator[PlayedTable]:
    for number, tables in enumerate(night.rounds, start=1):
        seated_entries = {entry for table in tables for entry in (table.side_a, table.side_b)}
        for table in tables:
            a, b = (EntryId(table.side_a),), (EntryId(table.side_b),)
            yield PlayedTable(round=number, a=a, b=b, table=table.table, outcome=_compute_outcome(night, table))
        for entry in sorted(night.entries.keys() - seated_entries):
            yield PlayedTable(round=number, a=(EntryId(entry),))


def _compute_outcome(night: RecordedNight, table: NightTable) -> Mapping[str, Any] | None:
    if not table.is_over:
        return None
    records = [read_record(night.ruleset, hand) for hand in table.hands]
    state = fold(
        night.ruleset,
        night.match_format,
        enumerate(records, start=1),
        first_dealer=Seat(table.first_dealer or 0),
    )
    return build_summary(state, next_number=len(records) + 1)


def _build_season_night(
    night: RecordedNight, held_on: date, people: Sequence[ImportedPerson], standings: StandingsJson
) -> SeasonNight:
    """Return the night as a season counts it."""
    keys = iter(
        [
            PersonId(person.matches[0].pk if person.likeness == MatchKind.KNOWN else NEW_PERSON_OFFSET + person.number)
            for person in people
        ]
    )
    players = {number: tuple(next(keys) for _ in names) for number, names in sorted(night.entries.items())}
    return SeasonNight(
        event=NEW_EVENT_ID,
        held_on=held_on,
        results=tuple(
            NightResult(
                entry=row["entry"],
                players=players[row["entry"]],
                rank=row["rank"],
                figures=get_row_figures(row, standings["counted"][build_count_key(row["entry"])]),
            )
            for row in standings["rows"]
        )
        if night.rounds
        else (),
    )


def _iter_ladder_changes(
    season: Season, night: SeasonNight, people: Sequence[ImportedPerson]
) -> Iterator[LadderChange]:
    nights, members = list_season_nights(season), get_season_people(season)
    for ladder in ladders_from_json(season.ladders):
        rows_before = _get_rows_by_players(ladder, nights, members)
        rows_after = _get_rows_by_players(ladder, [*nights, night], members)
        changed_rows = [
            (rows_before.get(players), row)
            for players, row in rows_after.items()
            if players not in rows_before or _get_rank_and_total(rows_before[players]) != _get_rank_and_total(row)
        ]
        names = _get_names([row for _, row in changed_rows], people)
        yield LadderChange(
            season=season,
            name=ladder.name,
            lines=tuple(
                LineChange(
                    names=tuple(names[person] for person in row.players),
                    rank=(None if row_before is None else row_before.rank, row.rank),
                    total=(0 if row_before is None else row_before.total, row.total),
                )
                for row_before, row in changed_rows
            ),
        )


def _get_rows_by_players(
    ladder: Ladder, nights: Sequence[SeasonNight], members: Mapping[PersonId, KnownPerson]
) -> dict[tuple[PersonId, ...], LadderRow]:
    return {row.players: row for row in compute_ladder_standings(ladder, nights, members)}


def _get_rank_and_total(row: LadderRow) -> tuple[int | None, int]:
    return row.rank, row.total


def _get_names(rows: Sequence[LadderRow], people: Sequence[ImportedPerson]) -> Mapping[int, str]:
    """Return the names of these people, new ones included. One query."""
    keys = {person for row in rows for person in row.players if person < NEW_PERSON_OFFSET}
    names_by_id = dict(Person.objects.filter(pk__in=keys).values_list("pk", "name"))
    return names_by_id | {NEW_PERSON_OFFSET + person_in_file.number: person_in_file.name for person_in_file in people}
