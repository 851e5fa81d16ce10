"""Standings by club."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.ladders import Counts, LadderNight, Showing, by_club
from engine.ladders.clubs import MERIT
from engine.ranking import ClubResult, ClubScore, Outcome, club_scores
from engine.standings import PlainCount, PlainRow, count_key
from tournaments.events.presenters.names import EntryNamed, club_played_for, entries_named_in
from tournaments.models import Entry, Event
from web.names import group_key, one_spelling

from .snapshots import StandingsSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubEntry:
    """Figures of an entry for its club, with public names."""

    entry: int
    entry_id: int
    names: str
    wins: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStanding:
    """A club in the standings by club. It is ranked by the ``score`` of its meetings if clubs meet as teams;
    otherwise by the sums of its entries, matches won before points."""

    name: str
    rank: int
    wins: int
    points: int
    entries: tuple[ClubEntry, ...]
    score: ClubScore | None = None


FIGURES = tuple(counts.value for counts in MERIT)


def club_standings(
    event: Event, kept: StandingsSnapshot, entrants: Iterable[Entry]
) -> tuple[ClubStanding, ...]:
    """Return the clubs of an event, best first, with the figures of their entries; empty if only one club
    plays. A house player plays for no club: its tables are in no meeting. No query."""
    entries = {entry.number: entry for entry in entrants if not (entry.is_waiting or entry.is_house)}
    names = one_spelling(club_played_for(event, entry) for entry in entries.values())
    if len(names) < 2:
        return ()
    clubs = {number: names[group_key(club_played_for(event, entry))] for number, entry in entries.items()}
    lines = _added_up(event, kept.rows, entries, clubs)
    if not event.is_interclub:
        return lines
    scores = club_scores(_results_of(kept.counts, clubs))
    scored = [replace(line, score=scores.get(line.name, ClubScore())) for line in lines]
    merits = [line.score.merit for line in scored if line.score is not None]
    ranked = (
        replace(line, rank=1 + sum(other > line.score.merit for other in merits))
        for line in scored
        if line.score is not None
    )
    return tuple(sorted(ranked, key=lambda line: line.rank))


def _results_of(counts: Mapping[str, PlainCount], clubs: Mapping[int, str]) -> Iterator[ClubResult]:
    """Yield every table between two clubs that counts, from both sides, round by round."""
    counted = [
        (one["round"], clubs[number], one)
        for number in clubs
        if (count := counts.get(count_key(number)))
        for one in count.get("rounds", ())
    ]
    for _, club, one in sorted(counted, key=lambda each: each[:2]):
        for opponent in one.get("opponents", ()):
            points = one.get("points", (0, 0))
            yield ClubResult(
                club=club,
                opponent=clubs.get(opponent, club),
                outcome=Outcome(one["outcome"]),
                points_for=points[0],
                points_against=points[1],
            )


def _added_up(
    event: Event, rows: Sequence[PlainRow], entries: Mapping[int, Entry], clubs: Mapping[int, str]
) -> tuple[ClubStanding, ...]:
    """Return the clubs by the sums of their entries, best first."""
    names = list(dict.fromkeys(clubs.values()))
    showings = [
        Showing(
            entry=row["entry"],
            players=(),
            rank=row["rank"],
            figures={name: row[name] for name in FIGURES},
            club=names.index(clubs[row["entry"]]),
        )
        for row in rows
        if row["entry"] in entries
    ]
    night = LadderNight(event=event.pk, held_on=event.held_on, showings=tuple(showings))
    named = entries_named_in(event, entries.values())
    return tuple(_line(of_club, names, showings, entries, named) for of_club in by_club(night).showings)


def _line(
    of_club: Showing,
    names: Sequence[str],
    showings: Sequence[Showing],
    entries: Mapping[int, Entry],
    named: EntryNamed,
) -> ClubStanding:
    (club,) = of_club.players
    return ClubStanding(
        name=names[club],
        rank=of_club.rank,
        wins=of_club.figures[Counts.MATCH_WINS],
        points=of_club.figures[Counts.POINTS_FOR],
        entries=tuple(
            ClubEntry(
                entry=showing.entry,
                entry_id=entries[showing.entry].pk,
                names=named(entries[showing.entry]),
                wins=showing.figures[Counts.MATCH_WINS],
                points=showing.figures[Counts.POINTS_FOR],
            )
            for showing in showings
            if showing.club == club
        ),
    )
