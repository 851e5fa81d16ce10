"""A draw as its director looks at it, and what it costs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from clubs.wording import numbered_name
from engine.charts import MatchPlace
from engine.draws import FORMATS, EntryId, ReasonCode
from engine.draws.apart import SAYS_SO, kinds_of
from engine.draws.pairing_cost.comparing import PRICED
from engine.draws.stages import stage_of_slot
from engine.results import FIRST_BY_LOT, WON
from tournaments.entries.keeping_apart import apart_from_json, bonds_named
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import sides_by_surname
from tournaments.models import Entry, Event, Round
from tournaments.rounds.queries.rounds import byes_had
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.standings.queries.standings import half_wins_of
from tournaments.standings.queries.validity import changes_since
from web.names import one_spelling, tell_apart

from .changes import ChangesView, changes_view
from .cuts import Cut, cuts_among_equals
from .rounds import RoundView, TableSide, TableView, round_view

WINS = {"scores": WON**2, "bye_score": WON}
"""What a difference of one win counts by these criteria: it is squared among opponents."""

FINE = ("distance", "sides")
"""Criteria that every draw costs something by: figures to compare by, that tell nothing alone."""

UNUSUAL = frozenset(
    {
        "met_before",
        "partnered_before",
        "floated",
        "forbidden_unavoidable",
        "bond_unavoidable",
        "bond_shared",
        "two_left",
        "opponent_missing",
        "no_opponent_left",
        "by_hand",
    }
)
"""Reasons that the line of a table says; the others are there when it is opened."""

BY_RESULTS = FIRST_BY_LOT | {"swiss"}
"""Formats whose first round, in which there are no results, goes by the starting list or by lot."""

COSTLY = (UNUSUAL - {"by_hand"}) | {"repeats_unavoidable", "instead_of", "bye_instead_of"}
"""Reasons that say what could not be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSide:
    """A side of a table in a draft: its name as short as tells it apart, and of each of its entries what one
    looks for: the club, the rating, the half wins by which it is drawn (none before round 2), how often it
    sat out when it was its turn."""

    colour: str
    name: str
    clubs: tuple[str, ...]
    ratings: tuple[int, ...]
    won: tuple[int, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTable:
    """A line of a draft, which opens into its ``table``. Its ``reasons`` tell also who is to be kept apart as
    the event has it now, whoever placed them."""

    table: TableView
    sides: tuple[DraftSide, ...]
    reasons: tuple[Mapping[str, Any], ...]

    @property
    def place(self) -> MatchPlace | None:
        return self.table.place

    @property
    def notes(self) -> list[Mapping[str, Any]]:
        """The reasons that are unusual, each once."""
        return [reason for reason in self.reasons if reason["code"] in UNUSUAL]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftView:
    """A draft with its price, table by table.

    Where it is ``is_complete``, a drawn table that names no earlier meeting had none: its two have never met.
    ``made_by`` is how a first round by results came about; ``lacks_head_start`` where the round was to be
    accelerated, and the list tells no strength. ``changed`` is what has changed since it was drawn; reasons
    that may be false by that are left out. ``cuts`` are where nothing played says who goes on to a stage that
    begins.
    """

    round: RoundView
    tables: tuple[DraftTable, ...]
    price: tuple[tuple[str, int], ...]
    is_priced: bool
    compares_scores: bool
    is_complete: bool
    made_by: str
    lacks_head_start: bool
    changed: ChangesView | None
    cuts: tuple[Cut, ...]

    @property
    def has_true_reasons(self) -> bool:
        return self.changed is None or not self.changed.changes.concerns_reasons

    @property
    def away(self) -> tuple[str, ...]:
        """Who is drawn and no longer plays the round."""
        return () if self.changed is None else self.changed.away

    @property
    def left_out(self) -> tuple[str, ...]:
        """Who plays it by now and is not drawn."""
        return () if self.changed is None else self.changed.left_out


def draft_view(event: Event, drawn: Round) -> DraftView:
    """Eight queries at most. More after a later action: five; where a stage begins: two, or three if from
    pools; where there is a bracket: four."""
    entries = entries_of(event)
    view = round_view(drawn, is_public=False)
    changes = changes_since(drawn)
    tables = _draft_tables(event, view, entries)
    has_true_reasons = changes is None or not changes.concerns_reasons
    return DraftView(
        round=view,
        tables=tables if has_true_reasons else tuple(replace(table, reasons=()) for table in tables),
        price=tuple(
            (name, value)
            for name, (value,) in in_own_unit(drawn.price).items()
            if value and not name.endswith(FINE)
        ),
        is_priced=drawn.draw_format in PRICED,
        compares_scores=any(name.endswith("scores") for name in drawn.price),
        made_by=_made_by(event, drawn, entries),
        lacks_head_start=drawn.number <= rounds_without_head_start(event),
        is_complete=has_true_reasons and _is_complete(drawn),
        changed=changes_view(changes, entries),
        cuts=tuple(cuts_among_equals(event, drawn, entries)),
    )


def in_own_unit(*prices: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """By criterion what each of these draws costs: differences of scores in wins, but in half wins
    (``half_scores``) where any of them is no whole number of wins."""
    found = {}
    for name in prices[0]:
        values, win = tuple(price[name] for price in prices), WINS.get(name, 1)
        if any(value % win for value in values):
            found[f"half_{name}"] = values
        else:
            found[name] = tuple(value // win for value in values)
    return found


def _draft_tables(event: Event, view: RoundView, entries: Sequence[Entry]) -> tuple[DraftTable, ...]:
    """Two queries."""
    by_number = {entry.number: entry for entry in entries}
    won: Mapping[int, int] = {}
    if view.number > 1:
        won = half_wins_of(event)
    byes = byes_had(event)
    sides = [side for table in view.tables for side in table.sides]
    named = sides_by_surname(event, [person.name for side in sides for person in side.people])
    names = tell_apart(
        {
            (table.number, side.colour): (
                named([person.name for person in side.people]),
                side.names,
                numbered_name(side.names, side.entries[0]),
            )
            for table in view.tables
            for side in table.sides
        }
    )

    def draft_side(table: TableView, side: TableSide) -> DraftSide:
        those = [by_number[number] for number in side.entries]
        return DraftSide(
            colour=side.colour,
            name=names[table.number, side.colour],
            clubs=tuple(one_spelling(entry.team for entry in those if entry.team).values()),
            ratings=tuple(entry.rating for entry in those if entry.rating is not None),
            won=tuple(won[entry.number] for entry in those if entry.number in won),
            byes=tuple(byes[entry.pk] for entry in those),
        )

    bonds = bonds_named(apart_from_json(event.kept_apart))

    def reasons(table: TableView) -> Iterable[Mapping[str, Any]]:
        yield from table.reasons
        here = [bonds.get(EntryId(entry), set()) for side in table.sides for entry in side.entry_ids]
        shared = [b for one, two in combinations(here, 2) for b in one & two if b.holds_in(view.number)]
        if shared and not SAYS_SO & {reason["code"] for reason in table.reasons}:
            yield {"code": ReasonCode.BOND_SHARED.value, "kinds": kinds_of(shared)}

    return tuple(
        DraftTable(
            table=table,
            sides=tuple(draft_side(table, side) for side in table.sides),
            reasons=tuple(reasons(table)),
        )
        for table in view.tables
    )


def _is_complete(drawn: Round) -> bool:
    """Whether the reasons name every earlier meeting: by price, where no earlier stage may be left out."""
    stages = {stage_of_slot(table.slot) for table in lineup_of(drawn).tables}
    return drawn.number > 1 and drawn.draw_format in PRICED and stages <= {0}


def _made_by(event: Event, drawn: Round, entries: Sequence[Entry]) -> str:
    """By which order of the starting list a first round by results, or of a bracket, was made; "" of
    others."""
    is_bracket = drawn.draw_format in FORMATS and FORMATS[drawn.draw_format].is_bracket
    if drawn.number > 1 or not (is_bracket or drawn.draw_format in BY_RESULTS):
        return ""
    ratings = [entry.rating for entry in entries if not entry.is_waiting]
    has_ratings = any(rating is not None for rating in ratings)
    if not (is_bracket or event.is_seeded):
        return "lot_despite_ratings" if has_ratings else "lot"
    by_rating = sorted(ratings, key=lambda rating: (rating is None, -(rating or 0)))
    return "rating" if has_ratings and ratings == by_rating else "list"


def rounds_without_head_start(event: Event) -> int:
    """So many rounds are to be accelerated, and are not, since the starting list tells no strength."""
    return 0 if event.is_seeded else int(event.plan[0].settings.get("accelerated_rounds") or 0)
