"""A club's public home page, with public names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clubs.calendar import today_in
from clubs.models import Club
from live.revisions import public_revision_of
from tournaments.agenda.queries import AgendaLine, fold_nights
from tournaments.events.presenters.names import entries_named_in
from tournaments.lifecycle import EventState
from tournaments.models import Event, Season
from tournaments.public.queries.club_home import PodiumPlace, playing_now, podiums_of
from tournaments.seasons.presenters import LadderLineView, LadderView, ladder_view

RESULTS = 5
"""How many of the last evenings are shown."""
LEADERS = 5
"""How many lines of a season's standings are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    rank: int
    names: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """An evening that has ended, and its best entries."""

    event: Event
    best: tuple[Won, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leading:
    """The top of a season's first standings."""

    season: Season
    view: LadderView

    @property
    def lines(self) -> tuple[LadderLineView, ...]:
        return self.view.lines[:LEADERS]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontView:
    running: tuple[Event, ...]
    signing_up: tuple[Event, ...]
    lines: Sequence[AgendaLine]
    results: tuple[ResultView, ...]
    leading: tuple[Leading, ...]


def front_revision(club: Club, events: Iterable[Event], seasons: Iterable[Season] = ()) -> str:
    """Return a revision of the events and seasons shown, and of all that is shown of them. The sum of
    revisions alone could stay the same when another event takes the place of a hidden one. One query."""
    told: tuple[list[Event] | list[Season], ...] = (list(events), list(seasons))
    topics = {club.topic, club.calendar_topic, *(one.topic for each in told for one in each)}
    which = "-".join(".".join(str(one.pk) for one in each) for each in told)
    return f"{club.pk}.{public_revision_of(*topics)}.{which}"


def front_view(
    club: Club, events: Sequence[Event], ahead: Sequence[AgendaLine], seasons: Iterable[Season]
) -> FrontView:
    """Build a club's home page from its last ``events``, those ``ahead``, and the ``seasons`` whose leaders
    are shown. Three queries at most, and two or three for each season."""
    running = playing_now(events, today_in(club))
    is_told = {event.pk for event in running}
    own = [line.event for line in ahead if line.event is not None and line.event.club_id == club.pk]
    is_ahead = {event.pk for event in own}
    begun = [event for event in events if event.state != EventState.PREPARING]
    last = [event for event in begun if event.pk not in is_told | is_ahead][:RESULTS]
    podiums = podiums_of(last)
    return FrontView(
        running=tuple(running),
        signing_up=tuple(event for event in own if event.takes_sign_ups),
        lines=fold_nights(line for line in ahead if line.event is None or line.event.pk not in is_told),
        results=tuple(
            ResultView(
                event=event,
                best=best_of(event, podiums[event.pk]),
            )
            for event in last
        ),
        leading=tuple(Leading(season=season, view=ladder_view(season, 0)) for season in seasons),
    )


def best_of(event: Event, podium: Sequence[PodiumPlace]) -> tuple[Won, ...]:
    """Return the best entries of an event, with public names. No query."""
    named = entries_named_in(event, [placed.entry for placed in podium])
    return tuple(Won(rank=placed.rank, names=named(placed.entry)) for placed in podium)
