"""The board on the wall of the hall: who sits where, the round's clock, the standings, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from engine.charts import MatchPlace
from scoring.clock import Clock
from tournaments.events.presenters.names import entries_named_in, named_in
from tournaments.lifecycle import OPEN, EventState
from tournaments.models import Event, Round
from tournaments.money.queries.door_prizes import DoorPrize, door_prize_of
from tournaments.rounds.clock import clock_of
from tournaments.rounds.presenters.rounds import RoundView, bracket_places, round_view
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.standings.presenters import StandingsSnapshot, kept_publicly
from tournaments.standings.queries.lateness import watched_revision
from tournaments.standings.queries.standings import standings_computed_at

from .layout import BoardPage, board_pages
from .ranks import metrics_in_columns, rank_rows
from .rows import BoardRow
from .seats import seat_rows

MOST_RANKED = 60
"""Further down, nobody waits for their rank to come round on the wall: it is on the public page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """What the board shows, one page after the other. ``metrics`` are the columns of the standings,
    ``places`` where the tables of the round stand."""

    round: Round | None
    is_open: bool
    clock: Clock | None
    changed_at: datetime | None
    metrics: tuple[str, ...]
    prize: DoorPrize | None
    prize_winner: str
    places: Sequence[MatchPlace | None]
    pages: tuple[BoardPage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShare:
    """The share of one screen among several that divide the seats of a large hall, from 1."""

    number: int = 1
    of: int = 1

    def of_all(self, pages: Sequence[BoardPage]) -> Sequence[BoardPage]:
        first, end = ((part * len(pages)) // self.of for part in (self.number - 1, self.number))
        return pages[first:end]


WHOLE = BoardShare()


def board_revision(event: Event, *, now: datetime) -> str:
    """What the board shows: every change of the event but single hands, names, the minute, and the standings.

    While a round is open the standings wait for the minute: results come by the dozen in a large hall, and
    everybody looks for their table. Four queries at most.
    """
    last = event.actions.values_list("pk", flat=True).first()
    is_open = event.rounds.filter(state__in=OPEN).exists()
    computed_at = None if is_open else standings_computed_at(event)
    counted = "" if computed_at is None else f"{computed_at.timestamp():.3f}"
    return f"{last}.{watched_revision(event, event.club.topic)}.{counted}.{int(now.timestamp() // 60)}"


def board_view(event: Event, *, now: datetime, by_name: bool = False, part: BoardShare = WHOLE) -> BoardView:
    """While a round is open its seats, then the standings; after it, the standings. A name
    that was drawn comes first. Twelve queries at most."""
    prize = door_prize_of(event)
    last = rounds_of(event).last()
    is_open = last is not None and last.state in OPEN and event.state != EventState.ENDED
    named = named_in(event)
    seen = event.visible
    pages = [] if prize is None else [BoardPage(kind="prize", columns=())]
    places: Sequence[MatchPlace | None] = ()
    if last is not None and is_open and seen.draw:
        if by_name:
            pages += part.of_all(board_pages("names", seat_rows(last, named)))
            places = bracket_places(last)
        else:
            view = round_view(last, is_public=True)
            places = view.places
            pages += part.of_all(board_pages("tables", _table_rows(view)))
    shows_ranks = part.of == 1 or not is_open
    kept = kept_publicly(event) if shows_ranks else StandingsSnapshot()
    ranked = rank_rows(event, kept, partial(entries_named_in, event), most=MOST_RANKED)
    pages += board_pages("standings", ranked)
    return BoardView(
        round=last,
        is_open=is_open,
        clock=clock_of(last, event.terms.match_format) if is_open else None,
        changed_at=_changed_at(event),
        metrics=metrics_in_columns(event, kept),
        prize=prize,
        prize_winner="" if prize is None else named(prize.person),
        places=places,
        pages=tuple(pages) or (BoardPage(kind="nothing", columns=()),),
    )


def _table_rows(view: RoundView) -> list[BoardRow]:
    """Each table with its place only where the title of the page does not say it of all."""
    tables = view.tables if view.has_places else (replace(table, place=None) for table in view.tables)
    return [*tables, *view.byes]


def _changed_at(event: Event) -> datetime | None:
    """When the event or its standings last changed. Two queries."""
    action = event.actions.values_list("created_at", flat=True).first()
    return max(filter(None, (action, standings_computed_at(event))), default=None)
