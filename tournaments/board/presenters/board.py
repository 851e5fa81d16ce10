"""The board on the wall of the hall: who sits where, the round's clock, the standings, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from django.utils import timezone

from engine.charts import MatchPlace
from scoring.clock import Clock
from scoring.desk_messages import DeskMessage
from tournaments.board.boards import Board, Scene
from tournaments.events.presenters.names import entries_named_in, public_naming
from tournaments.history.queries import actions_seen
from tournaments.lifecycle import OPEN, EventState, RoundState
from tournaments.messages.queries import messages_for, messages_mark
from tournaments.models import Event, Round
from tournaments.money.queries.door_prizes import DoorPrize, door_prize_of
from tournaments.rounds.clock import clock_of
from tournaments.rounds.presenters.rounds import RoundView, bracket_places, round_view
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.standings.presenters import (
    StandingsSnapshot,
    StandingsStatus,
    public_snapshot,
    rounds_counted,
    standings_status,
)
from tournaments.standings.queries.lateness import watched_revision
from tournaments.standings.queries.standings import standings_seen_at

from .layout import BoardPage, board_pages
from .ranks import metrics_in_columns, rank_rows
from .rows import BoardRow
from .seats import seat_rows

MOST_RANKED = 60
"""Further down, nobody waits for their rank to come round on the wall: it is on the public page."""


KINDS: dict[Scene, tuple[str, ...]] = {
    Scene.TURNING: ("tables", "standings"),
    Scene.BY_NAME: ("names", "standings"),
    Scene.TABLES: ("tables",),
    Scene.NAMES: ("names",),
    Scene.STANDINGS: ("standings",),
    Scene.CLOCK: ("clock",),
}
"""The kinds of pages of each scene."""

LINES = 2
"""Lines at the foot for what the desk says: the seats above keep their room."""

LIVE = 15
"""Seconds that the scores of a round under way wait at most: hands come by the dozen in a large hall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """What a board shows, one page after the other. ``metrics`` are the columns of the standings, which are
    those ``after_round`` and to be relied on as far as their ``status`` says; ``places`` where the tables of
    the round stand; where it ``is_live``, tables have their scores."""

    board: Board
    round: Round | None
    is_open: bool
    is_live: bool
    clock: Clock | None
    messages: tuple[DeskMessage, ...]
    changed_at: datetime | None
    metrics: tuple[str, ...]
    status: StandingsStatus
    after_round: int
    prize: DoorPrize | None
    prize_winner: str
    places: Sequence[MatchPlace | None]
    pages: tuple[BoardPage, ...]

    @property
    def called_tables(self) -> list[int]:
        """The tables that are called to the desk."""
        return sorted(each.table for each in self.messages if each.is_call and each.table is not None)

    @property
    def newest_messages(self) -> list[DeskMessage]:
        """The newest messages, in as many lines as calls leave."""
        said = [each for each in self.messages if not each.is_call]
        return said[-(LINES - bool(self.called_tables)) :]


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
    """What the board shows: every change of the event that everybody may notice, but single hands; names, the
    minute, and the standings.

    While a round is open the standings wait for the minute: results come by the dozen in a large hall, and
    everybody looks for their table. Once it is played, hands and standings wait for ``LIVE``. Four queries at
    most.
    """
    last = actions_seen(event).values_list("pk", flat=True).first()
    states = set(event.rounds.filter(state__in=OPEN).values_list("state", flat=True))
    computed_at = None if states else standings_seen_at(event)
    counted = "" if computed_at is None else f"{computed_at.timestamp():.3f}"
    moment = int(now.timestamp() // (LIVE if RoundState.PLAYING in states else 60))
    mark = messages_mark(event, now=now)
    return f"{last}.{watched_revision(event, event.club.topic)}.{counted}.{moment}{mark}"


def board_view(event: Event, *, board: Board, part: BoardShare = WHOLE) -> BoardView:
    """What the board shows of the round that is open; after it, the standings instead of seats. A name that
    was drawn comes first. Twelve queries at most."""
    prize = door_prize_of(event)
    rounds = list(rounds_of(event))
    last = rounds[-1] if rounds else None
    is_open = last is not None and last.state in OPEN and event.state != EventState.ENDED
    named = public_naming(event)
    kinds = KINDS[board.scene]
    is_live = False
    pages = [] if prize is None else [BoardPage(kind="prize", columns=())]
    places: Sequence[MatchPlace | None] = ()
    if last is not None and is_open and event.visible.draw:
        if "names" in kinds:
            pages += part.of_all(board_pages("names", seat_rows(last, named)))
            places = bracket_places(last)
        elif "tables" in kinds:
            view = round_view(last, is_public=True)
            places, is_live = view.places, last.state == RoundState.PLAYING and not view.is_kept_back
            layout = "live" if is_live else "tables"
            pages += part.of_all(board_pages("tables", _table_rows(view, board), layout))
    if "clock" in kinds:
        pages.append(BoardPage(kind="clock", columns=()))
    shows_ranks = "standings" in kinds if is_open else "clock" not in kinds
    is_first = part.of == 1 or not is_open
    kept = public_snapshot(event) if shows_ranks and is_first else StandingsSnapshot()
    counted = rounds_counted(event, kept, rounds)
    entry_named = partial(entries_named_in, event)
    ranked = rank_rows(event, kept, entry_named, coming=counted.coming, most=MOST_RANKED)
    pages += board_pages("standings", ranked)
    return BoardView(
        board=board,
        round=last,
        is_open=is_open,
        is_live=is_live,
        clock=clock_of(last, event.terms.match_format) if is_open else None,
        messages=messages_for(event, last_round=last.number if last else 0, now=timezone.now()),
        changed_at=_changed_at(event),
        metrics=metrics_in_columns(event, kept),
        status=standings_status(event, kept),
        after_round=counted.after_round,
        prize=prize,
        prize_winner="" if prize is None else named(prize.person),
        places=places,
        pages=tuple(pages) or (BoardPage(kind="nothing", columns=()),),
    )


def _table_rows(view: RoundView, board: Board) -> list[BoardRow]:
    """Each table of the room with its place only where the title of the page does not say it of all; who sits
    out is on every board."""
    here = [table for table in view.tables if board.has_table(table.number)]
    tables = here if view.has_places else [replace(table, place=None) for table in here]
    return [*tables, *view.byes]


def _changed_at(event: Event) -> datetime | None:
    """When the event or its standings last changed, as far as everybody may notice. Two queries."""
    action = actions_seen(event).values_list("created_at", flat=True).first()
    return max(filter(None, (action, standings_seen_at(event))), default=None)
