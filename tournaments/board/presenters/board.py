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
from tournaments.events.presenters.names import build_public_entry_formatter, build_public_person_formatter
from tournaments.history.queries import actions_seen
from tournaments.lifecycle import OPEN_STATES, EventState, RoundState
from tournaments.models import Event, Round
from tournaments.money.queries.door_prizes import DoorPrize, find_door_prize
from tournaments.rounds.clock import build_clock
from tournaments.rounds.presenters.rounds import RoundView, build_round_view, list_bracket_places
from tournaments.rounds.presenters.seats import list_seat_rows
from tournaments.rounds.queries.messages import compute_messages_mark, list_messages_for_tables
from tournaments.rounds.queries.phases import get_round_length
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.standings.presenters import (
    StandingsSnapshot,
    StandingsStatus,
    get_counted_rounds,
    get_public_snapshot,
    get_standings_status,
)
from tournaments.standings.presenters.publication import find_changes_since_final
from tournaments.standings.presenters.short_list import build_rank_rows, list_shown_metrics
from tournaments.standings.queries.delays import get_watched_revision
from tournaments.standings.queries.standings import get_publicly_changed_at

from .layout import BoardPage, BoardRow, build_board_pages

MAX_RANKS = 60
"""Maximum number of ranks. Lower ones would take too long to appear, and are on the public page."""


PAGE_KINDS: dict[Scene, tuple[str, ...]] = {
    Scene.ROTATING: ("tables", "standings"),
    Scene.BY_NAME: ("names", "standings"),
    Scene.TABLES: ("tables",),
    Scene.NAMES: ("names",),
    Scene.STANDINGS: ("standings",),
    Scene.CLOCK: ("clock",),
}
"""Kinds of pages of each view."""

MESSAGE_LINES = 2
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
        return sorted(message.table for message in self.messages if message.is_call and message.table is not None)

    @property
    def newest_messages(self) -> list[DeskMessage]:
        """Newest messages, in as many lines as calls leave."""
        messages = [message for message in self.messages if not message.is_call]
        return messages[-(MESSAGE_LINES - bool(self.called_tables)) :]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShare:
    """Share of one screen among several that divide the seats of a large hall, from 1."""

    number: int = 1
    of: int = 1

    def slice_pages(self, pages: Sequence[BoardPage]) -> Sequence[BoardPage]:
        first, end = ((part * len(pages)) // self.of for part in (self.number - 1, self.number))
        return pages[first:end]


WHOLE_SCREEN = BoardShare()


def get_board_revision(event: Event, *, now: datetime) -> str:
    """Return the revision of a wall screen. It changes with every public change of the event except single
    hands, with names, with the minute, and with the standings.

    During an open round, standings wait for the minute, as many results come at once while people look for
    their table. Once play has started, hands and standings wait for ``LIVE``. Four queries at most.
    """
    last_action = actions_seen(event).values_list("pk", flat=True).first()
    states = set(event.rounds.filter(state__in=OPEN_STATES).values_list("state", flat=True))
    computed_at = None if states else get_publicly_changed_at(event)
    standings_mark = "" if computed_at is None else f"{computed_at.timestamp():.3f}"
    period = int(now.timestamp() // (LIVE if RoundState.PLAYING in states else 60))
    mark = compute_messages_mark(event, now=now)
    return f"{last_action}.{get_watched_revision(event, event.club.topic)}.{standings_mark}.{period}{mark}"


def build_board_view(event: Event, *, board: Board, part: BoardShare = WHOLE_SCREEN) -> BoardView:
    """Present the open round; afterwards the standings instead of seats. A door prize just drawn comes first.
    Fourteen queries at most."""
    prize = find_door_prize(event)
    rounds = list(get_published_rounds(event))
    last_round = rounds[-1] if rounds else None
    is_open = last_round is not None and last_round.state in OPEN_STATES and event.state != EventState.ENDED
    format_person = build_public_person_formatter(event)
    kinds = PAGE_KINDS[board.scene]
    is_live = has_chances = False
    pages = [] if prize is None else [BoardPage(kind="prize", columns=())]
    places: Sequence[MatchPlace | None] = ()
    if last_round is not None and is_open and event.visible.draw:
        if "names" in kinds:
            pages += part.slice_pages(build_board_pages("names", list_seat_rows(last_round, format_person)))
            places = list_bracket_places(last_round)
        elif "tables" in kinds:
            view = build_round_view(last_round, is_public=True)
            places, is_live = view.places, last_round.state == RoundState.PLAYING and not view.is_kept_back
            has_chances = is_live and view.has_chances
            layout = "live" if is_live else "tables"
            pages += part.slice_pages(build_board_pages("tables", _list_table_rows(view, board), layout))
    if "clock" in kinds:
        pages.append(BoardPage(kind="clock", columns=()))
    shows_ranks = "standings" in kinds if is_open else "clock" not in kinds
    is_first = part.of == 1 or not is_open
    standings = get_public_snapshot(event) if shows_ranks and is_first else StandingsSnapshot()
    counts = get_counted_rounds(event, standings, rounds)
    format_entry = partial(build_public_entry_formatter, event)
    ranks = build_rank_rows(event, standings, format_entry, next_round=counts.next_round, max_rows=MAX_RANKS)
    pages += build_board_pages("standings", ranks)
    return BoardView(
        board=board,
        round=last_round,
        is_open=is_open,
        is_live=is_live,
        has_chances=has_chances,
        clock=build_clock(last_round, get_round_length(event, last_round)) if is_open else None,
        messages=list_messages_for_tables(event, last_round=last_round.number if last_round else 0, now=timezone.now()),
        changed_at=_get_changed_at(event),
        metrics=list_shown_metrics(event, standings),
        status=get_standings_status(event, standings),
        is_outdated=find_changes_since_final(event, standings) is not None,
        after_round=counts.after_round,
        prize=prize,
        prize_winner="" if prize is None else format_person(prize.person),
        places=places,
        pages=tuple(pages) or (BoardPage(kind="nothing", columns=()),),
    )


def _list_table_rows(view: RoundView, board: Board) -> list[BoardRow]:
    """List the tables of the room, and the byes, which are on every screen. A table has its place in the
    event only if the page title does not give it for all."""
    tables_here = [table for table in view.tables if board.has_table(table.number)]
    tables = tables_here if view.has_places else [replace(table, place=None) for table in tables_here]
    return [*tables, *view.byes]


def _get_changed_at(event: Event) -> datetime | None:
    """Return the time of the last public change of the event or its standings. Two queries."""
    action = actions_seen(event).values_list("created_at", flat=True).first()
    return max(filter(None, (action, get_publicly_changed_at(event))), default=None)
