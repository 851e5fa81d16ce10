"""Scores between clubs at the tables of one round."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.draws import ReasonCode
from engine.draws.lineups import ReasonJson
from engine.ranking import ClubMeeting, ClubResult, Outcome, compute_club_scores
from tournaments.events.presenters.names import get_entry_club
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubMeetingView:
    """A meeting of two clubs in one round, from the side of the leader ``club``, or the first by name."""

    club: str
    score: ClubMeeting


def list_club_meetings(results: Iterable[ClubResult]) -> tuple[ClubMeetingView, ...]:
    """Return the meetings of clubs with these results of finished tables."""
    meetings = [
        ClubMeetingView(club=club, score=club_meeting)
        for club, score in compute_club_scores(results).items()
        for club_meeting in score.meetings
        if (-club_meeting.game_points, club) < (-club_meeting.game_points_against, club_meeting.opponent)
    ]
    return tuple(sorted(meetings, key=lambda meeting: meeting.club))


def iterate_table_results(
    clubs: Sequence[str],
    *,
    has_won: Sequence[bool],
    points: Sequence[int | None] = (None, None),
    is_forfeit: bool = False,
) -> Iterator[ClubResult]:
    """Yield the result of a finished table for the club of each side; none with a house player, who has no club."""
    tied_outcome = Outcome.LOST if is_forfeit else Outcome.DRAWN
    for own, other in ((0, 1), (1, 0)) if all(clubs) else ():
        loser_outcome = Outcome.LOST if has_won[other] else tied_outcome
        yield ClubResult(
            club=clubs[own],
            opponent=clubs[other],
            outcome=Outcome.WON if has_won[own] else loser_outcome,
            points_for=points[own] or 0,
            points_against=points[other] or 0,
        )


def iterate_unopposed_results(event: Event, byes: Iterable[tuple[Entry, Iterable[ReasonJson]]]) -> Iterator[ClubResult]:
    """Yield the results of the boards of team matches that only one team could fill, from the byes with their
    reasons."""
    for entry, reasons in byes:
        for reason in reasons:
            if reason["code"] == ReasonCode.UNOPPOSED:
                clubs = (get_entry_club(event, entry), reason["club"] or event.club.name)
                yield from iterate_table_results(clubs, has_won=(True, False), is_forfeit=True)
