"""Scores between clubs at the tables of one round."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.ranking import ClubMeeting, ClubResult, Outcome, club_scores


class SideResult(Protocol):
    """Result of a table for one side."""

    @property
    def has_won(self) -> bool: ...

    @property
    def points(self) -> int | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundMeeting:
    """A meeting of two clubs in one round, from the side of the leader ``club``, or the first by name."""

    club: str
    score: ClubMeeting


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedTable:
    """A finished table: the clubs and the results of both sides. A house player has no club."""

    clubs: Sequence[str]
    sides: Sequence[SideResult]
    is_forfeit: bool


def round_meetings(tables: Iterable[FinishedTable]) -> tuple[RoundMeeting, ...]:
    """Return the meetings of clubs at these finished tables."""
    scores = club_scores(result for table in tables if all(table.clubs) for result in _results(table))
    meetings = [
        RoundMeeting(club=club, score=meeting)
        for club, score in scores.items()
        for meeting in score.meetings
        if (-meeting.game_points, club) < (-meeting.game_points_against, meeting.opponent)
    ]
    return tuple(sorted(meetings, key=lambda meeting: meeting.club))


def _results(table: FinishedTable) -> Iterator[ClubResult]:
    undecided = Outcome.LOST if table.is_forfeit else Outcome.DRAWN
    for own, other in ((0, 1), (1, 0)):
        lost = Outcome.LOST if table.sides[other].has_won else undecided
        yield ClubResult(
            club=table.clubs[own],
            opponent=table.clubs[other],
            outcome=Outcome.WON if table.sides[own].has_won else lost,
            points_for=table.sides[own].points or 0,
            points_against=table.sides[other].points or 0,
        )
