"""The values of which sentences are made."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, time

People = tuple[str, ...]
"""The public names of those who played together, or of one person."""

PLACES = 3
"""So many ranks are told."""
MOST_LEVEL = 4
"""Of more who are level, it is told how many they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRank:
    """A rank, and all who have it, in the order of the standings; ``figure`` is theirs, where it is told."""

    rank: int
    who: tuple[People, ...]
    figure: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Podium:
    """The first ranks of a section, or of all (""). ``metric`` is what the figures count."""

    section: str = ""
    metric: str = ""
    placed: tuple[PressRank, ...] = ()


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
    """The next one in the club's calendar."""

    name: str
    day: date
    at: time
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressReport:
    """``people`` is how many took part, 0 where that is not known to everybody; ``pairs`` how many pairs
    they were, 0 where each played for themselves. ``is_over`` once nobody can win by playing on. ``clubs``
    are those that stand first, where clubs meet as such.
    """

    club: str
    event: str
    day: date
    place: str = ""
    people: int = 0
    pairs: int = 0
    is_over: bool = True
    podiums: tuple[Podium, ...] = ()
    final: Final | None = None
    clubs: tuple[str, ...] = ()
    high: HighScore | None = None
    charlemagnes: tuple[Charlemagne, ...] = ()
    next: NextNight | None = None


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
