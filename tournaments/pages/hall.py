"""The board on the wall of the hall: who sits where, the round's clock, the standings, page by page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from textwrap import wrap

from clubs.models import Person
from clubs.names import folded, surname
from clubs.wording import numbered_name
from scoring.clock import Clock
from tournaments import selectors
from tournaments.charts import MatchPlace
from tournaments.clock import clock_of
from tournaments.lifecycle import OPEN, EventState, RoundState
from tournaments.models import Entry, Event, Round
from tournaments.selectors.door_prizes import DoorPrize, door_prize_of
from tournaments.selectors.lateness import watched_revision
from tournaments.standings import within

from .names import EntryNamed, Named, entries_named_in, named_in, tell_apart
from .rounds import ByeView, RoundView, TableView, bracket_places, round_view
from .standings import Kept, figures_shown, has_bracket_places, kept_publicly, tells_a_result

MOST_RANKED = 60
"""Further down, nobody waits for their rank to come round on the wall: it is on the public page."""

NOT_IN_COLUMNS = {"head_to_head", "lots", "stage"}
"""What parts those who are level elsewhere, and the stage that they are in: no figures to read from afar."""

MOST_COLUMNS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """Somebody, and the number of the table; None for a bye. ``partner`` where another has the same name, and
    the ``number`` of the entry where another has such a partner, too, or there is none."""

    name: str
    table: int | None
    partner: str = ""
    number: int | None = None

    @property
    def told(self) -> str:
        """``Jean R.``; ``Jean R. / Marcel D.`` where there are two of them, ``Jean R. / Marcel D. (no. 7)``
        where that is not enough."""
        named = f"{self.name} / {self.partner}" if self.partner else self.name
        return named if self.number is None else numbered_name(named, self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """A line of the standings by the entry's name as this reader may see it, and its figures by metric."""

    rank: int
    entry: int
    entry_id: int
    names: str
    figures: tuple[tuple[str, int | None], ...]


BoardRow = TableView | ByeView | SeatRow | RankRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How rows of a kind share a page: in hundredths of its height, and in letters to a line.

    A row is ``least`` high, or ``line`` for each line of its names and ``around`` beside.
    """

    columns: int
    room: float
    letters: int
    least: float
    line: float
    around: float

    def height(self, row: BoardRow) -> float:
        return max(self.least, self.line * self._lines(row) + self.around)

    def _lines(self, row: BoardRow) -> int:
        texts = [side.names for side in row.sides] if isinstance(row, TableView) else [_told(row)]
        if isinstance(row, ByeView) or (isinstance(row, TableView) and row.place):
            texts.append("")  # the line that says so, or where the match stands
        return sum(max(1, len(wrap(text, self.letters))) for text in texts)

    def filled(self, rows: Sequence[BoardRow]) -> list[tuple[tuple[BoardRow, ...], ...]]:
        """The rows in their order, page by page and column by column, none higher than there is room; on as
        few pages as can be, of which each column has its share: no row is left alone on the last one."""
        heights = [self.height(row) for row in rows]
        ends = self._ends(heights)
        needed = [0] * (len(rows) + 1)
        for place in reversed(range(len(rows))):
            needed[place] = 1 + needed[ends[place]]
        columns: list[tuple[BoardRow, ...]] = []
        start, left = 0, sum(heights)
        for to_fill in range(-(-needed[0] // self.columns) * self.columns, 0, -1):
            if start == len(rows):
                break
            end, height, share = start + 1, heights[start], left / to_fill + ROUNDING
            while end < ends[start] and (height + heights[end] / 2 <= share or needed[end] >= to_fill):
                height += heights[end]
                end += 1
            columns.append(tuple(rows[start:end]))
            start, left = end, left - height
        return [
            tuple(columns[first : first + self.columns]) for first in range(0, len(columns), self.columns)
        ]

    def _ends(self, heights: Sequence[float]) -> list[int]:
        """For each row, the first for which a column that begins with it has no room."""
        ends: list[int] = []
        end, height = 0, 0.0
        for place, own in enumerate(heights):
            while end < len(heights) and (end == place or height + heights[end] <= self.room):
                height += heights[end]
                end += 1
            ends.append(end)
            height -= own
        return ends


ROUNDING = 1e-9
"""What adding up heights may lose."""

LAYOUTS = {
    "tables": Layout(columns=2, room=76.5, letters=28, least=15.2, line=5.3, around=4),
    "names": Layout(columns=3, room=75, letters=18, least=6.2, line=5, around=1.2),
    "standings": Layout(columns=1, room=70.9, letters=34, least=5.9, line=4.8, around=1.1),
    "prize": Layout(columns=1, room=0, letters=1, least=0, line=0, around=0),
    "nothing": Layout(columns=1, room=0, letters=1, least=0, line=0, around=0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPage:
    """One page of the board: ``number`` of ``of`` of its kind, which is a key of ``LAYOUTS``."""

    kind: str
    columns: tuple[tuple[BoardRow, ...], ...]
    number: int = 1
    of: int = 1

    @property
    def span(self) -> tuple[str, str]:
        """How the first name on it begins, and the last one."""
        rows = [row for column in self.columns for row in column]
        names = (row.name if isinstance(row, SeatRow) else _told(row) for row in (rows[0], rows[-1]))
        first, last = (surname(name)[:1].upper() for name in names)
        return first, last


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
class Part:
    """The share of one screen among several that divide the seats of a large hall, from 1."""

    number: int = 1
    of: int = 1

    def of_all(self, pages: Sequence[BoardPage]) -> Sequence[BoardPage]:
        first, end = ((part * len(pages)) // self.of for part in (self.number - 1, self.number))
        return pages[first:end]


WHOLE = Part()


def board_revision(event: Event, *, now: datetime) -> str:
    """What the board shows: every change of the event but single hands, names, the minute, and the standings.

    While a round is open the standings wait for the minute: results come by the dozen in a large hall, and
    everybody looks for their table. Four queries at most.
    """
    last = event.actions.values_list("pk", flat=True).first()
    is_open = event.rounds.filter(state__in=OPEN).exists()
    computed_at = None if is_open else selectors.standings_computed_at(event)
    counted = "" if computed_at is None else f"{computed_at.timestamp():.3f}"
    return f"{last}.{watched_revision(event, event.club.topic)}.{counted}.{int(now.timestamp() // 60)}"


def board_view(event: Event, *, now: datetime, by_name: bool = False, part: Part = WHOLE) -> BoardView:
    """While a round is open its seats, then the standings; after it, the standings. A name
    that was drawn comes first. Twelve queries at most."""
    prize = door_prize_of(event)
    last = selectors.rounds_of(event).last()
    is_open = last is not None and last.state in OPEN and event.state != EventState.ENDED
    named = named_in(event)
    seen = event.visible
    pages = [] if prize is None else [BoardPage(kind="prize", columns=())]
    places: Sequence[MatchPlace | None] = ()
    if last is not None and is_open and seen.draw:
        if by_name:
            pages += part.of_all(_pages("names", seat_rows(last, named)))
            places = bracket_places(last)
        else:
            view = round_view(last, is_public=True)
            places = view.places
            pages += part.of_all(_pages("tables", _table_rows(view)))
    shows_ranks = part.of == 1 or not is_open
    kept = kept_publicly(event) if shows_ranks else Kept()
    ranked = rank_rows(event, kept, partial(entries_named_in, event), most=MOST_RANKED)
    pages += _pages("standings", ranked)
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


def seat_rows(drawn: Round, named: Named) -> list[SeatRow]:
    """Everybody in a round, by surname as far as it is shown. Who share a name are told apart by their
    partners, whom everybody sees beside them, else by a number, and not by more of a name than was agreed to.
    Two queries for a
    draft, five for others."""
    lineup = selectors.lineup_of(drawn)
    entries = selectors.entries_in(lineup)
    played = {} if drawn.state == RoundState.DRAFT else selectors.played_tables(drawn)
    numbers = {person.pk: entry.number for entry in entries.values() for person in entry.players}
    rows: list[SeatRow] = []
    for table in lineup.tables:
        match = played[table.number].match if table.number in played else None
        sides = [
            [person for entry in partners for person in entries[entry].players]
            for partners in (table.a, table.b)
        ]
        if match is not None:
            people = [player.person for player in match.players.all()]
            sides = [people[0::2], people[1::2]]
        rows += [row for side in sides for row in _seated(side, table.number, named, numbers)]
    for bye in lineup.byes:
        rows += _seated(entries[bye.entry].players, None, named, numbers)
    return sorted(_told_apart(rows), key=_by_surname)


def _by_surname(row: SeatRow) -> tuple[str, str, str, int]:
    return folded(surname(row.name)), folded(row.name), folded(row.partner), row.number or 0


def _told_apart(rows: Sequence[SeatRow]) -> list[SeatRow]:
    """Each with no more beside the name than tells it from the others."""
    forms = [
        (replace(row, partner="", number=None), replace(row, number=None) if row.partner else row, row)
        for row in rows
    ]
    shown = tell_apart({place: [form.told for form in those] for place, those in enumerate(forms)})
    return [next(form for form in those if form.told == shown[place]) for place, those in enumerate(forms)]


def _seated(
    side: Sequence[Person], table: int | None, named: Named, numbers: Mapping[int, int]
) -> list[SeatRow]:
    """Those of one side, each with the other; ``numbers`` are those of their entries."""
    names = [named(person) for person in side]
    partners = names[::-1] if len(names) == 2 else [""] * len(names)
    return [
        SeatRow(name=name, table=table, partner=partner, number=numbers.get(person.pk))
        for person, name, partner in zip(side, names, partners, strict=True)
    ]


def rank_rows(
    event: Event,
    kept: Kept,
    named_among: Callable[[Iterable[Entry]], EntryNamed],
    *,
    most: int | None = None,
    section: str = "",
) -> list[RankRow]:
    """The standings as kept, or so many rows of them from the top, but for who is no longer in the list; of a
    section, as it ranks by itself; none as long as everybody has nothing, and only the lot ranks. One query,
    or none."""
    kept_rows = kept.rows[: None if section else most]
    entries = event.entries.select_related("player_1", "player_2").filter(
        number__in=[row["entry"] for row in kept_rows]
    )
    named = named_among(entries)
    found = {entry.number: entry for entry in entries}
    kept_rows = [row for row in kept_rows if row["entry"] in found]
    if section:
        section_of = {entry.number: entry.section for entry in entries}
        kept_rows = within(kept_rows, section_of, event.ranking_rules.order).get(section, [])[:most]
    figures = figures_shown(kept.rows, metrics_in_columns(event, kept))
    rows = [
        RankRow(
            rank=row["rank"],
            entry=row["entry"],
            entry_id=found[row["entry"]].pk,
            names=named(found[row["entry"]]),
            figures=figures(row),
        )
        for row in kept_rows
    ]
    return rows if any(tells_a_result(row.figures) for row in rows) else []


def metrics_in_columns(event: Event, kept: Kept) -> tuple[str, ...]:
    """What ranks, as far as it has a column; games won only where a match has several of them."""
    left_out = NOT_IN_COLUMNS | ({"games_won"} if event.terms.match_format.games_to_win == 1 else set())
    left_out |= set() if has_bracket_places(kept.rows) else {"bracket"}
    order = (metric for metric in event.ranking_rules.order if metric not in left_out)
    return tuple(order)[:MOST_COLUMNS]


def _table_rows(view: RoundView) -> list[BoardRow]:
    """Each table with its place only where the title of the page does not say it of all."""
    tables = view.tables if view.has_places else (replace(table, place=None) for table in view.tables)
    return [*tables, *view.byes]


def _pages(kind: str, rows: Sequence[BoardRow]) -> list[BoardPage]:
    pages = LAYOUTS[kind].filled(rows)
    return [
        BoardPage(kind=kind, columns=columns, number=number, of=len(pages))
        for number, columns in enumerate(pages, start=1)
    ]


def _told(row: BoardRow) -> str:
    return row.told if isinstance(row, SeatRow) else "" if isinstance(row, TableView) else row.names


def _changed_at(event: Event) -> datetime | None:
    """When the event or its standings last changed. Two queries."""
    action = event.actions.values_list("created_at", flat=True).first()
    return max(filter(None, (action, selectors.standings_computed_at(event))), default=None)
