"""A club's public home page, with public names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from clubs.calendar import get_club_today
from clubs.models import Club
from live.revisions import get_public_revision
from tournaments.agenda.queries import AgendaLine, merge_repeated_nights
from tournaments.events.presenters.names import build_public_entry_formatter
from tournaments.lifecycle import EventState
from tournaments.models import Event, Season
from tournaments.public.queries.club_home import PodiumPlace, filter_events_in_progress, get_podiums
from tournaments.seasons.presenters import LadderLineView, LadderView, build_ladder_view

MAX_RESULTS = 5
"""How many of the last evenings are shown."""
MAX_LEADERS = 5
"""How many lines of a season's standings are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PodiumEntry:
    rank: int
    names: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """An evening that has ended, and its best entries."""

    event: Event
    best: tuple[PodiumEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonLeaders:
    """The top of a season's first standings."""

    season: Season
    view: LadderView

    @property
    def lines(self) -> tuple[LadderLineView, ...]:
        return self.view.lines[:MAX_LEADERS]


def get_club_home_revision(club: Club, events: Iterable[Event], seasons: Iterable[Season] = ()) -> str:
    """Return a revision of the events and seasons shown, and of all that is shown of them. The sum of
    revisions alone could stay the same when another event takes the place of a hidden one. One query."""
    shown_rows: tuple[list[Event] | list[Season], ...] = (list(events), list(seasons))
    topics = {club.topic, club.calendar_topic, *(row.topic for rows in shown_rows for row in rows)}
    ids = "-".join(".".join(str(row.pk) for row in rows) for rows in shown_rows)
    return f"{club.pk}.{get_public_revision(*topics)}.{ids}"


def build_club_home(
    club: Club, events: Sequence[Event], upcoming: Sequence[AgendaLine], seasons: Iterable[Season]
) -> dict[str, Any]:
    """Build a club's home page from its latest ``events``, the ``upcoming`` ones, and the ``seasons`` whose leaders
    are shown. At most three queries, and two or three for each season."""
    in_progress = filter_events_in_progress(events, get_club_today(club))
    shown_ids = {event.pk for event in in_progress}
    own_events = [line.event for line in upcoming if line.event is not None and line.event.club_id == club.pk]
    upcoming_ids = {event.pk for event in own_events}
    started = [event for event in events if event.state != EventState.PREPARING]
    latest = [event for event in started if event.pk not in shown_ids | upcoming_ids][:MAX_RESULTS]
    podiums = get_podiums(latest)
    return {
        "running": tuple(in_progress),
        "events_open_for_sign_up": tuple(event for event in own_events if event.is_sign_up_open),
        "lines": merge_repeated_nights(
            line for line in upcoming if line.event is None or line.event.pk not in shown_ids
        ),
        "results": tuple(
            ResultView(
                event=event,
                best=build_podium(event, podiums[event.pk]),
            )
            for event in latest
        ),
        "season_leaders": tuple(SeasonLeaders(season=season, view=build_ladder_view(season, 0)) for season in seasons),
    }


def build_podium(event: Event, podium: Sequence[PodiumPlace]) -> tuple[PodiumEntry, ...]:
    """Return the best entries of an event, with public names. No query."""
    format_entry = build_public_entry_formatter(event, [placed.entry for placed in podium])
    return tuple(PodiumEntry(rank=placed.rank, names=format_entry(placed.entry)) for placed in podium)
