"""Club against club: the sums of the tables between two clubs, and the scores of the clubs.

A meeting of two clubs that is won brings two match points, a drawn one brings one; a table that is won brings
one game point, a drawn one half. Byes, and tables within a club, bring nothing; nor does a team match until all of
its boards are decided.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .values import Outcome

CLUB_WIN, CLUB_DRAW = 2, 1
"""The match points of a meeting won, and of one drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubResult:
    """A table between two clubs, from the side of one of them. Tables of the same ``match`` are one meeting."""

    club: str
    opponent: str
    outcome: Outcome
    match: int = 0
    points_for: int = 0
    points_against: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubMeeting:
    """All tables that a club had with another one in a match. Game points are in halves: 6 and 2 are 3–1. If both
    forfeited all of them, nobody has won."""

    opponent: str
    game_points: int
    game_points_against: int
    points_for: int
    points_against: int
    is_decided: bool = True

    @property
    def outcome(self) -> Outcome:
        if self.game_points == self.game_points_against:
            return Outcome.DRAWN if self.game_points else Outcome.LOST
        return Outcome.WON if self.game_points > self.game_points_against else Outcome.LOST

    @property
    def match_points(self) -> int:
        return {Outcome.WON: CLUB_WIN, Outcome.DRAWN: CLUB_DRAW, Outcome.LOST: 0}[self.outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubScore:
    """The totals of a club's decided meetings; ``game_points`` in halves."""

    meetings: tuple[ClubMeeting, ...] = ()

    @property
    def decided_meetings(self) -> list[ClubMeeting]:
        return [meeting for meeting in self.meetings if meeting.is_decided]

    @property
    def match_points(self) -> int:
        return sum(meeting.match_points for meeting in self.decided_meetings)

    @property
    def game_points(self) -> int:
        return sum(meeting.game_points for meeting in self.decided_meetings)

    @property
    def points(self) -> int:
        return sum(meeting.points_for for meeting in self.decided_meetings)

    @property
    def difference(self) -> int:
        return self.points - sum(meeting.points_against for meeting in self.decided_meetings)

    @property
    def merit(self) -> tuple[int, int, int, int]:
        """The criteria that rank clubs: match points, game points, difference, points."""
        return self.match_points, self.game_points, self.difference, self.points


ClubMatch = tuple[int, frozenset[str]]
"""A match by its number, and its two clubs."""


def compute_club_scores(
    results: Iterable[ClubResult], undecided_matches: Collection[ClubMatch] = ()
) -> Mapping[str, ClubScore]:
    """Return the clubs that have played, by name; their meetings in the order in which they are given. ``results`` have
    each table from both sides: nobody has won one that both forfeited.

    >>> won = ClubResult(club="Matane", opponent="Amqui", outcome=Outcome.WON, points_for=32)
    >>> compute_club_scores([won])["Matane"].match_points, compute_club_scores([won, won])["Matane"].game_points
    (2, 4)
    """
    results_by_club: dict[str, dict[tuple[str, int], list[ClubResult]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        if result.club != result.opponent:
            results_by_club[result.club][result.opponent, result.match].append(result)
    return {
        club: ClubScore(
            meetings=tuple(
                _build_meeting(
                    meeting,
                    results_by_club.get(opponent, {}).get((club, match), ()),
                    is_decided=(match, frozenset((club, opponent))) not in undecided_matches,
                )
                for (opponent, match), meeting in meetings.items()
            )
        )
        for club, meetings in results_by_club.items()
    }


def _build_meeting(
    results: Sequence[ClubResult], opponent_results: Sequence[ClubResult], *, is_decided: bool
) -> ClubMeeting:
    halves = {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0}
    return ClubMeeting(
        opponent=results[0].opponent,
        game_points=sum(halves[result.outcome] for result in results),
        game_points_against=sum(halves[result.outcome] for result in opponent_results),
        points_for=sum(result.points_for for result in results),
        points_against=sum(result.points_against for result in results),
        is_decided=is_decided,
    )
