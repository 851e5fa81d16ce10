"""A draft for its director, with its price."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from clubs.wording import numbered_name
from engine.charts import MatchPlace
from engine.draws import FORMATS, EntryId, ReasonCode
from engine.draws.bonds import SAYS_SO, kinds_of
from engine.draws.pairing_cost.comparison import PRICED
from engine.draws.stages import stage_of_slot
from engine.results import FIRST_BY_LOT, WON
from tournaments.entries.bonds import apart_from_json, bonds_named
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import full_names, sides_by_surname
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
"""Cost of a difference of one win by criterion: between opponents it is squared."""

FINE = ("clubs", "distance", "sides")
"""Criteria with a cost in every draw: figures for comparison that mean nothing alone."""

UNUSUAL = frozenset(
    {
        "met_before",
        "partnered_before",
        "floated",
        "forbidden_unavoidable",
        "bond_unavoidable",
        "bond_shared",
        "own_club_unavoidable",
        "two_left",
        "opponent_missing",
        "no_opponent_left",
        "by_hand",
    }
)
"""Reasons shown on the line of a table; the others appear when it is opened."""

BY_RESULTS = FIRST_BY_LOT | {"swiss"}
"""Formats whose first round has no results to go by and uses the starting list or the lot."""

COSTLY = (UNUSUAL - {"by_hand"}) | {"repeats_unavoidable", "instead_of", "bye_instead_of"}
"""Reasons that say which wish could not be met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSide:
    """A side of a table in a draft, with the details of its entries that a director looks for. Its name is as
    short as possible; ``won`` are half wins, empty before round 2, and ``byes`` those in turn."""

    colour: str
    name: str
    clubs: tuple[str, ...]
    ratings: tuple[int, ...]
    won: tuple[int, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTable:
    """A line of a draft, which opens into its ``table``. Its ``reasons`` include who is to be kept apart by
    the event's current settings, also at tables set by hand."""

    table: TableView
    sides: tuple[DraftSide, ...]
    reasons: tuple[Mapping[str, Any], ...]

    @property
    def place(self) -> MatchPlace | None:
        return self.table.place

    @property
    def notes(self) -> list[Mapping[str, Any]]:
        """The unusual reasons."""
        return [reason for reason in self.reasons if reason["code"] in UNUSUAL]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftView:
    """A draft with its price and its tables.

    If it ``is_complete``, two at a table without an earlier meeting among its reasons have never met.
    ``made_by`` is the order behind a first round by results. ``lacks_head_start``: the round should be
    accelerated, but the list gives no strengths. ``changed`` has the changes since the draw; reasons that may
    no longer be true are left out. ``cuts`` are ties at the cut to a stage that begins, ``idle_house`` the
    house players whom this round does not need.
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
    idle_house: tuple[str, ...]

    @property
    def has_true_reasons(self) -> bool:
        return self.changed is None or not self.changed.changes.concerns_reasons

    @property
    def away(self) -> tuple[str, ...]:
        """Entries drawn that no longer play the round."""
        return () if self.changed is None else self.changed.away

    @property
    def left_out(self) -> tuple[str, ...]:
        """Entries that now play the round but are not drawn."""
        return () if self.changed is None else self.changed.left_out


def draft_view(event: Event, drawn: Round) -> DraftView:
    """Build the draft. Eight queries at most. More after a later action: five; where a stage begins: two, or
    three if from pools; where there is a bracket: four."""
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
        idle_house=tuple(
            full_names(entry)
            for entry in entries
            if entry.is_house and entry.plays_in(drawn.number) and entry.pk not in lineup_of(drawn).entries
        ),
    )


def in_own_unit(*prices: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Return the costs of these draws by criterion, with score differences in wins. If any is not a whole
    number of wins, they are in half wins (``half_scores``)."""
    found = {}
    for name in prices[0]:
        values, win = tuple(price[name] for price in prices), WINS.get(name, 1)
        if any(value % win for value in values):
            found[f"half_{name}"] = values
        else:
            found[name] = tuple(value // win for value in values)
    return found


def _draft_tables(event: Event, view: RoundView, entries: Sequence[Entry]) -> tuple[DraftTable, ...]:
    """Build the tables of a draft. Two queries."""
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
    """Check that the reasons name every earlier meeting: in draws by price within the first stage."""
    stages = {stage_of_slot(table.slot) for table in lineup_of(drawn).tables}
    return drawn.number > 1 and drawn.draw_format in PRICED and stages <= {0}


def _made_by(event: Event, drawn: Round, entries: Sequence[Entry]) -> str:
    """Return the order of the starting list behind a bracket or a first round by results; "" for other
    draws."""
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
    """Return how many rounds should be accelerated but are not, because the starting list gives no
    strengths."""
    return 0 if event.is_seeded else int(event.plan[0].settings.get("accelerated_rounds") or 0)
