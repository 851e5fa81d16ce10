"""Pages of a wall screen: seats, the clock of the round, and the standings."""

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
from tournaments.models import Event, Round
from tournaments.money.queries.door_prizes import DoorPrize, door_prize_of
from tournaments.rounds.clock import clock_of
from tournaments.rounds.presenters.rounds import RoundView, bracket_places, round_view
from tournaments.rounds.presenters.seats import seat_rows
from tournaments.rounds.queries.messages import messages_for, messages_mark
from tournaments.rounds.queries.phases import round_length
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.standings.presenters import (
    StandingsSnapshot,
    StandingsStatus,
    public_snapshot,
    rounds_counted,
    standings_status,
)
from tournaments.standings.presenters.publication import changes_since_final
from tournaments.standings.presenters.short_list import metrics_in_columns, rank_rows
from tournaments.standings.queries.delays import watched_revision
from tournaments.standings.queries.standings import standings_seen_at

from .layout import BoardPage, board_pages
from .rows import BoardRow

MOST_RANKED = 60
"""Maximum number of ranks. Lower ones would take too long to appear, and are on the public page."""


KINDS: dict[Scene, tuple[str, ...]] = {
    Scene.TURNING: ("tables", "standings"),
    Scene.BY_NAME: ("names", "standings"),
    Scene.TABLES: ("tables",),
    Scene.NAMES: ("names",),
    Scene.STANDINGS: ("standings",),
    Scene.CLOCK: ("clock",),
}
"""Kinds of pages of each view."""

LINES = 2
"""Lines at the bottom for messages of the desk, so that seats keep their room."""

LIVE = 15
"""Maximum delay of scores in a round in progress, in seconds: a large hall sends dozens of hands at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """Contents of a wall screen, page by page. ``metrics`` are the columns of the standings, which are those
    ``after_round`` and have a ``status``; final ones ``is_outdated`` if they would be different now.
    ``places`` are the places of the round's tables in the event, such as a semifinal. If it ``is_live``,
    tables have their scores; if it ``has_chances``, some have chances of winning."""

    board: Board
    round: Round | None
    is_open: bool
    is_live: bool
    has_chances: bool
    clock: Clock | None
    messages: tuple[DeskMessage, ...]
    changed_at: datetime | None
    metrics: tuple[str, ...]
    status: StandingsStatus
    is_outdated: bool
    after_round: int
    prize: DoorPrize | None
    prize_winner: str
    places: Sequence[MatchPlace | None]
    pages: tuple[BoardPage, ...]

    @property
    def called_tables(self) -> list[int]:
        """Tables called to the desk."""
        return sorted(each.table for each in self.messages if each.is_call and each.table is not None)

    @property
    def newest_messages(self) -> list[DeskMessage]:
        """Newest messages, in as many lines as calls leave."""
        said = [each for each in self.messages if not each.is_call]
        return said[-(LINES - bool(self.called_tables)) :]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShare:
    """Share of one screen among several that divide the seats of a large hall, from 1."""

    number: int = 1
    of: int = 1

    def of_all(self, pages: Sequence[BoardPage]) -> Sequence[BoardPage]:
        first, end = ((part * len(pages)) // self.of for part in (self.number - 1, self.number))
        return pages[first:end]


WHOLE = BoardShare()


def board_revision(event: Event, *, now: datetime) -> str:
    """Return the revision of a wall screen. It changes with every public change of the event except single
    hands, with names, with the minute, and with the standings.

    During an open round, standings wait for the minute, as many results come at once while people look for
    their table. Once play has started, hands and standings wait for ``LIVE``. Four queries at most.
    """
    last = actions_seen(event).values_list("pk", flat=True).first()
    states = set(event.rounds.filter(state__in=OPEN).values_list("state", flat=True))
    computed_at = None if states else standings_seen_at(event)
    counted = "" if computed_at is None else f"{computed_at.timestamp():.3f}"
    moment = int(now.timestamp() // (LIVE if RoundState.PLAYING in states else 60))
    mark = messages_mark(event, now=now)
    return f"{last}.{watched_revision(event, event.club.topic)}.{counted}.{moment}{mark}"


def board_view(event: Event, *, board: Board, part: BoardShare = WHOLE) -> BoardView:
    """Present the open round; afterwards the standings instead of seats. A door prize just drawn comes first.
    Fourteen queries at most."""
    prize = door_prize_of(event)
    rounds = list(rounds_of(event))
    last = rounds[-1] if rounds else None
    is_open = last is not None and last.state in OPEN and event.state != EventState.ENDED
    named = public_naming(event)
    kinds = KINDS[board.scene]
    is_live = has_chances = False
    pages = [] if prize is None else [BoardPage(kind="prize", columns=())]
    places: Sequence[MatchPlace | None] = ()
    if last is not None and is_open and event.visible.draw:
        if "names" in kinds:
            pages += part.of_all(board_pages("names", seat_rows(last, named)))
            places = bracket_places(last)
        elif "tables" in kinds:
            view = round_view(last, is_public=True)
            places, is_live = view.places, last.state == RoundState.PLAYING and not view.is_kept_back
            has_chances = is_live and view.has_chances
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
        has_chances=has_chances,
        clock=clock_of(last, round_length(event, last)) if is_open else None,
        messages=messages_for(event, last_round=last.number if last else 0, now=timezone.now()),
        changed_at=_changed_at(event),
        metrics=metrics_in_columns(event, kept),
        status=standings_status(event, kept),
        is_outdated=changes_since_final(event, kept) is not None,
        after_round=counted.after_round,
        prize=prize,
        prize_winner="" if prize is None else named(prize.person),
        places=places,
        pages=tuple(pages) or (BoardPage(kind="nothing", columns=()),),
    )


def _table_rows(view: RoundView, board: Board) -> list[BoardRow]:
    """List the tables of the room, and the byes, which are on every screen. A table has its place in the
    event only if the page title does not give it for all."""
    here = [table for table in view.tables if board.has_table(table.number)]
    tables = here if view.has_places else [replace(table, place=None) for table in here]
    return [*tables, *view.byes]


def _changed_at(event: Event) -> datetime | None:
    """Return the time of the last public change of the event or its standings. Two queries."""
    action = actions_seen(event).values_list("created_at", flat=True).first()
    return max(filter(None, (action, standings_seen_at(event))), default=None)
