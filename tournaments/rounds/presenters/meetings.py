"""Scores between clubs at the tables of one round."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.draws import ReasonCode
from engine.draws.lineups import ReasonJson
from engine.ranking import ClubMeeting, ClubResult, Outcome, compute_club_scores
from tournaments.events.presenters.names import get_entry_club
from tournaments.models import Entry, Event


class SideResult(Protocol):
    """Result of a table for one side."""

    @property
    def has_won(self) -> bool: ...

    @property
    def points(self) -> int | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubMeetingView:
    """A meeting of two clubs in one round, from the side of the leader ``club``, or the first by name."""

    club: str
    score: ClubMeeting


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedTable:
    """A finished table: the clubs and the results of both sides. A house player has no club."""

    clubs: Sequence[str]
    sides: Sequence[SideResult]
    is_forfeit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnplayedSide:
    """Side of a board that was won without play."""

    has_won: bool
    points: None = None


def list_unopposed_boards(event: Event, byes: Iterable[tuple[Entry, Iterable[ReasonJson]]]) -> Iterator[FinishedTable]:
    """Yield the boards of team matches that only one team could fill, from the byes with their reasons."""
    sides = (UnplayedSide(has_won=True), UnplayedSide(has_won=False))
    for entry, reasons in byes:
        for reason in reasons:
            if reason["code"] == ReasonCode.UNOPPOSED:
                clubs = (get_entry_club(event, entry), reason["club"] or event.club.name)
                yield FinishedTable(clubs=clubs, sides=sides, is_forfeit=True)


def list_club_meetings(tables: Iterable[FinishedTable]) -> tuple[ClubMeetingView, ...]:
    """Return the meetings of clubs at these finished tables."""
    scores = compute_club_scores(result for table in tables if all(table.clubs) for result in _list_club_results(table))
    meetings = [
        ClubMeetingView(club=club, score=club_meeting)
        for club, score in scores.items()
        for club_meeting in score.meetings
        if (-club_meeting.game_points, club) < (-club_meeting.game_points_against, club_meeting.opponent)
    ]
    return tuple(sorted(meetings, key=lambda meeting: meeting.club))


def _list_club_results(table: FinishedTable) -> Iterator[ClubResult]:
    tied_outcome = Outcome.LOST if table.is_forfeit else Outcome.DRAWN
    for own_index, other_index in ((0, 1), (1, 0)):
        loser_outcome = Outcome.LOST if table.sides[other_index].has_won else tied_outcome
        yield ClubResult(
            club=table.clubs[own_index],
            opponent=table.clubs[other_index],
            outcome=Outcome.WON if table.sides[own_index].has_won else loser_outcome,
            points_for=table.sides[own_index].points or 0,
            points_against=table.sides[other_index].points or 0,
        )
