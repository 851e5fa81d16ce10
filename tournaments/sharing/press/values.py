"""The values of which sentences are made."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, time

People = tuple[str, ...]
"""The public names of those who played together, or of one person."""

PLACES = 3
"""So many ranks are told."""
MOST_CHARLEMAGNES = 6
"""Of more, it is told how many they are."""
MOST_LEVEL = 4
"""Of more who are level, it is told how many they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRank:
    """A rank, and all who have it, in the order of the standings; ``figure`` is theirs, where it is told."""

    rank: int
    who: tuple[People, ...]
    figure: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningHand:
    """Of those who came first: in the last match that they won at once, by a contract, or from behind, the
    hand that did so, or after which they led until the end.

    ``who`` sat on their side; ``is_made`` where they made a contract: else the others failed one. ``points``
    are those of the game after it, theirs first, None where the contract itself won it; ``game`` is its
    number, 0 where a match has but one.
    """

    who: People
    round: int
    table: int
    hand: int
    contract: str
    is_made: bool
    points: tuple[int, int] | None
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Podium:
    """The first ranks of a section, or of all (""). ``metric`` is what the figures count; ``decided_by`` the
    tiebreak that parted the first two, "" where none was asked; ``turning`` is of who came first alone."""

    section: str = ""
    metric: str = ""
    placed: tuple[PressRank, ...] = ()
    decided_by: str = ""
    turning: TurningHand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HighScore:
    """The most points of a side in a match, and who made them, each once."""

    points: int
    who: tuple[People, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Charlemagne:
    """One that was made: the ``contract`` that it was, in which round, and when by the club's clock; None
    where somebody typed it afterwards."""

    contract: str
    who: People
    round: int
    at: time | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The last match of a bracket, and its score, from the side of the winner."""

    winner: People
    loser: People
    score: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextNight:
    """What is next on the club's agenda; ``at`` None where nobody has said the hour."""

    name: str
    day: date
    at: time | None
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a round is, of so many ``rounds``, None where nobody knows: its ``tables``, and of how many the
    result is there, None where that is kept back."""

    round: int
    rounds: int | None
    is_playing: bool
    tables: int
    results: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestResult:
    """A match that is over, its winner first, and when its last hand was marked, by the club's clock. A
    Charlemagne wins at any ``score``, so that an equal one need not be of a drawn match."""

    round: int
    table: int
    sides: tuple[People, People]
    score: tuple[int, int]
    is_drawn: bool
    at: time


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveReport:
    """What is known in the course of an event, the latest results first."""

    progress: Progress | None = None
    latest: tuple[LatestResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PressReport:
    """``people`` is how many took part, 0 where that is not known to everybody; ``pairs`` how many pairs
    they were, 0 where each played for themselves. ``is_over`` once nobody can win by playing on;
    ``is_outdated`` where something changed since the ranks were published as final. ``clubs``
    are those that stand first, where clubs meet as such. Of more than ``MOST_CHARLEMAGNES`` that were made,
    the last ones alone are there.
    """

    club: str
    event: str
    days: tuple[date, date]
    place: str = ""
    people: int = 0
    pairs: int = 0
    is_over: bool = True
    is_outdated: bool = False
    podiums: tuple[Podium, ...] = ()
    final: Final | None = None
    clubs: tuple[str, ...] = ()
    high: HighScore | None = None
    charlemagnes: tuple[Charlemagne, ...] = ()
    charlemagnes_made: int = 0
    next: NextNight | None = None

    @property
    def turns(self) -> tuple[TurningHand, ...]:
        """The turning hands, of each section that has one."""
        return tuple(one.turning for one in self.podiums if one.turning is not None)


def podium(section: str, metric: str, rows: Iterable[tuple[int, People, int | None]]) -> Podium:
    """Of rows of a standing, best first: rank, who, and the figure.

    >>> rows = [(1, ("A",), 5), (1, ("B",), 5), (3, ("C",), 4), (4, ("D",), 0)]
    >>> [(one.rank, len(one.who)) for one in podium("", "points_for", rows).placed]
    [(1, 2), (3, 1)]
    """
    by_rank: dict[int, list[tuple[People, int | None]]] = {}
    for rank, who, figure in rows:
        if rank <= PLACES:
            by_rank.setdefault(rank, []).append((who, figure))
    return Podium(
        section=section,
        metric=metric,
        placed=tuple(
            PressRank(rank=rank, who=tuple(who for who, _ in level), figure=level[0][1])
            for rank, level in by_rank.items()
        ),
    )


def high_score(scores: Iterable[tuple[int, People]]) -> HighScore | None:
    """The highest of the points that were made, and by whom; None where nobody made any.

    >>> high_score([(32, ("A",)), (40, ("B",)), (40, ("C",)), (40, ("B",))])
    HighScore(points=40, who=(('B',), ('C',)))
    """
    made = list(scores)
    points = max((each for each, _ in made), default=0)
    if points <= 0:
        return None
    return HighScore(points=points, who=tuple(dict.fromkeys(who for each, who in made if each == points)))
