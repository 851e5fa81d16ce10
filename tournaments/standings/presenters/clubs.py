"""Standings by club."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

from engine.ladders import LadderFigure, LadderNight, NightResult, sum_by_club
from engine.ladders.clubs import MERIT
from engine.ranking import (
    ClubMatch,
    ClubResult,
    ClubScore,
    DivisionMove,
    Outcome,
    OutcomeKind,
    compute_club_scores,
    find_division_moves,
)
from engine.standings import CountJson, StandingsRowJson, build_count_key
from engine.visibility import Ranks
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import EntryFormatter, build_public_entry_formatter, get_entry_club
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, Seating
from tournaments.rounds.queries.rounds import get_published_rounds
from web.names import get_group_key, unify_spellings

from .snapshots import StandingsSnapshot, get_latest_snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubEntry:
    """Figures of an entry for its club, with public names."""

    entry: int
    entry_id: int
    names: str
    wins: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubRow:
    """A club in the standings by club. It is ranked by the ``score`` of its meetings if clubs meet as teams, in its
    ``section`` if teams play in divisions; otherwise by the sums of its entries, matches won before points. Its
    ``move`` leads to the ``next_section``."""

    name: str
    rank: int
    wins: int
    points: int
    entries: tuple[ClubEntry, ...]
    score: ClubScore | None = None
    section: str = ""
    move: DivisionMove = DivisionMove.STAYS
    next_section: str = ""


MERIT_FIGURES = tuple(counts.value for counts in MERIT)


def build_club_rows(event: Event, snapshot: StandingsSnapshot, entrants: Iterable[Entry]) -> tuple[ClubRow, ...]:
    """Return the clubs of an event, best first, with the figures of their entries; empty if only one club
    plays. A house player plays for no club: its tables are in no meeting. One query for team matches."""
    entries = {entry.number: entry for entry in entrants if not (entry.is_waiting or entry.is_house)}
    names = unify_spellings(get_entry_club(event, entry) for entry in entries.values())
    if len(names) < 2:
        return ()
    clubs = {number: names[get_group_key(get_entry_club(event, entry))] for number, entry in entries.items()}
    club_rows = _sum_by_club(event, snapshot.rows, entries, clubs)
    if not event.is_interclub:
        return club_rows
    scores = compute_club_scores(
        _list_club_results(snapshot.counts, clubs, has_team_matches=event.has_team_matches),
        set(_list_undecided_matches(event, snapshot, clubs)),
    )
    scored_rows = [replace(club_row, score=scores.get(club_row.name, ClubScore())) for club_row in club_rows]
    if not (event.has_team_matches and event.sections):
        return _rank_by_score(scored_rows)
    sections = {clubs[number]: entry.section for number, entry in reversed(entries.items())}
    section_names = [section["name"] for section in event.sections]
    divisions = [
        _rank_by_score(replace(row, section=name) for row in scored_rows if sections[row.name] == name)
        for name in dict.fromkeys([*section_names, *sections.values()])
    ]
    return tuple(row for division in _add_moves(divisions, section_names, event.division_moves) for row in division)


def has_division_moves(event: Event) -> bool:
    """Check whether an event has ended and promotes and relegates teams."""
    return bool(event.division_moves) and event.state == EventState.ENDED


def list_moving_teams(event: Event) -> list[ClubRow]:
    """Return the teams that the standings of an ended event promote or relegate. No query without divisions."""
    if not has_division_moves(event):
        return []
    return [row for row in build_club_rows(event, get_latest_snapshot(event), get_entries(event)) if row.move]


def _rank_by_score(club_rows: Iterable[ClubRow]) -> tuple[ClubRow, ...]:
    rows = list(club_rows)
    merits = {club_row.name: club_row.score.merit for club_row in rows if club_row.score is not None}
    ranked_rows = (
        replace(club_row, rank=1 + sum(other_merit > merits[club_row.name] for other_merit in merits.values()))
        for club_row in rows
    )
    return tuple(sorted(ranked_rows, key=lambda line: line.rank))


def _add_moves(divisions: Iterable[Sequence[ClubRow]], names: Sequence[str], places: int) -> Iterator[list[ClubRow]]:
    """Yield the divisions with the moves of their teams; those without a section of the event stay."""
    divisions = list(divisions)
    ranks = [[row.rank for row in division] for division in divisions[: len(names)]]
    moves = find_division_moves(ranks, places)
    steps = {DivisionMove.STAYS: 0, DivisionMove.PROMOTED: -1, DivisionMove.RELEGATED: 1}
    for place, division in enumerate(divisions):
        division_moves = moves[place] if place < len(moves) else [DivisionMove.STAYS] * len(division)
        yield [
            replace(row, move=move, next_section=names[place + steps[move]] if move else row.section)
            for row, move in zip(division, division_moves, strict=True)
        ]


def _list_club_results(
    counts: Mapping[str, CountJson], clubs: Mapping[int, str], *, has_team_matches: bool
) -> Iterator[ClubResult]:
    """Yield every table between two clubs that counts, from both sides, round by round. In team matches, a board
    won without play counts against the team that its own one meets in that round."""
    counted_rounds = [
        (counted_round["round"], clubs[number], counted_round)
        for number in clubs
        if (count := counts.get(build_count_key(number)))
        for counted_round in count.get("rounds", ())
    ]
    counted_rounds.sort(key=lambda each: each[:2])
    opponents_met = {
        (number, club): clubs[opponent]
        for number, club, counted_round in counted_rounds
        for opponent in counted_round.get("opponents", ())
        if clubs.get(opponent, club) != club
    }
    for number, club, counted_round in counted_rounds:
        match = number if has_team_matches else 0
        for opponent in counted_round.get("opponents", ()):
            points = counted_round.get("points", (0, 0))
            yield ClubResult(
                club=club,
                opponent=clubs.get(opponent, club),
                outcome=Outcome(counted_round["outcome"]),
                match=match,
                points_for=points[0],
                points_against=points[1],
            )
        is_unopposed = counted_round.get("kind") == OutcomeKind.FORFEIT and "opponents" not in counted_round
        if is_unopposed and (met := opponents_met.get((number, club))):
            yield ClubResult(club=club, opponent=met, outcome=Outcome.WON, match=match)
            yield ClubResult(club=met, opponent=club, outcome=Outcome.LOST, match=match)


def _list_undecided_matches(event: Event, snapshot: StandingsSnapshot, clubs: Mapping[int, str]) -> Iterator[ClubMatch]:
    """Yield the team matches with a board that these standings do not count; none once they are final. One query."""
    if not (event.has_team_matches and snapshot.rows) or snapshot.ranks is Ranks.FINAL:
        return
    counted = {
        (counted_round["round"], number)
        for number in clubs
        if (count := snapshot.counts.get(build_count_key(number)))
        for counted_round in count.get("rounds", ())
    }
    seatings = Seating.objects.filter(round__in=get_published_rounds(event), table__isnull=False).order_by("table")
    rows = seatings.values_list("round__number", "table", "entry__number")
    for (round_number, _), seats in groupby(rows, key=itemgetter(0, 1)):
        numbers = [number for *_, number in seats]
        if not counted.issuperset((round_number, number) for number in numbers if number in clubs):
            yield round_number, frozenset(clubs.get(number, "") for number in numbers)


def _sum_by_club(
    event: Event, rows: Sequence[StandingsRowJson], entries: Mapping[int, Entry], clubs: Mapping[int, str]
) -> tuple[ClubRow, ...]:
    """Return the clubs by the sums of their entries, best first."""
    names = list(dict.fromkeys(clubs.values()))
    showings = [
        NightResult(
            entry=row["entry"],
            players=(),
            rank=row["rank"],
            figures={name: row[name] for name in MERIT_FIGURES},
            club=names.index(clubs[row["entry"]]),
        )
        for row in rows
        if row["entry"] in entries
    ]
    night = LadderNight(event=event.pk, held_on=event.held_on, results=tuple(showings))
    format_entry = build_public_entry_formatter(event, entries.values())
    return tuple(
        _build_club_row(club_showing, names, showings, entries, format_entry)
        for club_showing in sum_by_club(night).results
    )


def _build_club_row(
    club_showing: NightResult,
    names: Sequence[str],
    showings: Sequence[NightResult],
    entries: Mapping[int, Entry],
    format_entry: EntryFormatter,
) -> ClubRow:
    (club,) = club_showing.players
    return ClubRow(
        name=names[club],
        rank=club_showing.rank,
        wins=club_showing.figures[LadderFigure.MATCH_WINS],
        points=club_showing.figures[LadderFigure.POINTS_FOR],
        entries=tuple(
            ClubEntry(
                entry=entry_showing.entry,
                entry_id=entries[entry_showing.entry].pk,
                names=format_entry(entries[entry_showing.entry]),
                wins=entry_showing.figures[LadderFigure.MATCH_WINS],
                points=entry_showing.figures[LadderFigure.POINTS_FOR],
            )
            for entry_showing in showings
            if entry_showing.club == club
        ),
    )
