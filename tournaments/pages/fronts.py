"""A club's first page, by public names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clubs.calendar import Line
from clubs.models import Club
from tournaments.lifecycle import EventState
from tournaments.models import Event, Season
from tournaments.selectors.fronts import podiums_of

from .names import entries_named_publicly
from .seasons import LadderView, LineView, ladder_view

RESULTS = 5
"""So many of the last evenings are told."""
LEADERS = 5
"""So many lines of a ladder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    rank: int
    names: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """An evening that has ended, and who came first."""

    event: Event
    best: tuple[Won, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leading:
    """Who leads the first ladder of a season."""

    season: Season
    view: LadderView

    @property
    def lines(self) -> tuple[LineView, ...]:
        return self.view.lines[:LEADERS]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontView:
    running: tuple[Event, ...]
    signing_up: tuple[Event, ...]
    lines: Sequence[Line]
    results: tuple[ResultView, ...]
    leading: tuple[Leading, ...]


def front_view(
    club: Club, events: Sequence[Event], lines: Sequence[Line], seasons: Iterable[Season]
) -> FrontView:
    """Of a club the last ``events``, the next days of its calendar, and the ``seasons`` whose leaders are
    shown. Two queries, and two or three for each season."""
    preparing, running, ended = ([event for event in events if event.state == state] for state in EventState)
    last = ended[:RESULTS]
    named = entries_named_publicly(club)
    podiums = podiums_of(last)
    return FrontView(
        running=tuple(running),
        signing_up=tuple(event for event in preparing if event.signs_up),
        lines=lines,
        results=tuple(
            ResultView(
                event=event,
                best=tuple(Won(rank=placed.rank, names=named(placed.entry)) for placed in podiums[event.pk]),
            )
            for event in last
        ),
        leading=tuple(Leading(season=season, view=ladder_view(season, 0)) for season in seasons),
    )
