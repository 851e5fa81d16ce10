"""Values that become the sentences of a press text."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, time

People = tuple[str, ...]
"""Public names of people who played together, or of one person."""

MAX_RANK = 3
"""How many ranks are named."""
MAX_CHARLEMAGNES = 6
"""With more Charlemagnes, only their number is given."""
MAX_TIED = 4
"""With more tied entries, only their number is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRank:
    """A rank and all who have it, in the order of the standings; ``figure`` is theirs, None if not shown."""

    rank: int
    who: tuple[People, ...]
    figure: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningHand:
    """The winners' turning hand: of all the matches that they won, the one that raised their chance most.

    ``who`` sat on their side; ``is_made`` if they made a contract, otherwise the others failed one.
    ``chances`` are theirs before and after it, in percent.
    """

    who: People
    round: int
    table: int
    hand: int
    contract: str
    is_made: bool
    chances: tuple[int, int]

    @property
    def swing(self) -> int:
        """By how much it raised the chance, in points of percent."""
        return self.chances[1] - self.chances[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Podium:
    """The first ranks of a section, or of all (""). ``metric`` is what the figures count; ``decided_by`` the
    tiebreak between the first two, "" if none was needed; ``turning`` belongs to a single winner."""

    section: str = ""
    metric: str = ""
    ranks: tuple[PressRank, ...] = ()
    decided_by: str = ""
    turning: TurningHand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HighScore:
    """The most points of a side in a match, and all who made them, each once."""

    points: int
    who: tuple[People, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComebackStory:
    """A match won from the lowest chance, in percent, after a hand."""

    who: People
    round: int
    hand: int
    chance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Charlemagne:
    """A Charlemagne: its ``contract``, its round, and its time by the club's clock. The time is None where
    somebody typed the hand in afterwards."""

    contract: str
    who: People
    round: int
    at: time | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The final of a bracket, with its score from the winner's side."""

    winner: People
    loser: People
    score: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextNight:
    """The club's next night or event; ``at`` is None where the time is unknown."""

    name: str
    day: date
    at: time | None
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Progress of a round. ``rounds`` is how many there are, None if unknown; ``results`` how many of its
    ``tables`` have a result, None while that is hidden."""

    round: int
    rounds: int | None
    is_playing: bool
    tables: int
    results: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestResult:
    """A match that is over, its winner first. ``at`` is when its last hand was recorded, by the club's clock.
    A Charlemagne wins at any ``score``, so an equal score does not mean a draw."""

    round: int
    table: int
    sides: tuple[People, People]
    score: tuple[int, int]
    is_drawn: bool
    at: time
    stage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveReport:
    """Progress of a running event, and its latest results, newest first."""

    progress: Progress | None = None
    latest: tuple[LatestResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PressReport:
    """A press report. ``people`` is the number of players, 0 if it is not public; ``pairs`` the number of pairs, 0
    if everyone played alone. ``is_over`` is true once further play cannot change the winner; ``is_outdated`` if
    something changed since the final standings were published. ``clubs`` are the clubs in first place of an
    interclub event. Of more than ``MAX_CHARLEMAGNES``, only the last are listed."""

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
    comeback: ComebackStory | None = None
    high_score: HighScore | None = None
    charlemagnes: tuple[Charlemagne, ...] = ()
    charlemagne_count: int = 0
    next: NextNight | None = None

    @property
    def turning_hands(self) -> tuple[TurningHand, ...]:
        """Turning hands of all sections that have one."""
        return tuple(podium_entry.turning for podium_entry in self.podiums if podium_entry.turning is not None)


def podium(section: str, metric: str, rows: Iterable[tuple[int, People, int | None]]) -> Podium:
    """Build a podium from rows of standings, best first: rank, names and figure.

    >>> rows = [(1, ("A",), 5), (1, ("B",), 5), (3, ("C",), 4), (4, ("D",), 0)]
    >>> [(one.rank, len(one.who)) for one in podium("", "points_for", rows).ranks]
    [(1, 2), (3, 1)]
    """
    rows_by_rank: dict[int, list[tuple[People, int | None]]] = {}
    for rank, entry_names, figure in rows:
        if rank <= MAX_RANK:
            rows_by_rank.setdefault(rank, []).append((entry_names, figure))
    return Podium(
        section=section,
        metric=metric,
        ranks=tuple(
            PressRank(rank=rank, who=tuple(entry_names for entry_names, _ in tied_rows), figure=tied_rows[0][1])
            for rank, tied_rows in rows_by_rank.items()
        ),
    )


def find_high_score(scores: Iterable[tuple[int, People]]) -> HighScore | None:
    """Return the highest score and all who made it; None if nobody made points.

    >>> find_high_score([(32, ("A",)), (40, ("B",)), (40, ("C",)), (40, ("B",))])
    HighScore(points=40, who=(('B',), ('C',)))
    """
    score_list = list(scores)
    points = max((score for score, _ in score_list), default=0)
    if points <= 0:
        return None
    return HighScore(
        points=points, who=tuple(dict.fromkeys(player_names for score, player_names in score_list if score == points))
    )
