"""A draft for its director, with its price."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from engine.charts import MatchPlace
from engine.draws import FORMATS, EntryId, ReasonCode
from engine.draws.bonds import BOND_REASONS, list_bond_kinds
from engine.draws.pairing_cost.comparison import PRICED_FORMATS
from engine.draws.stages import get_slot_stage
from engine.ranking import UNPLAYED_KINDS, Bye
from engine.results import LOT_FIRST_ROUND_FORMATS, WON
from tournaments.entries.bonds import apart_groups_from_json, collect_apart_bonds
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import NamedSide, format_full_names, shorten_side_names
from tournaments.models import Entry, Event, Round
from tournaments.rounds.labels import NOTES
from tournaments.rounds.queries.rounds import count_byes, lineup_of
from tournaments.standings.queries.standings import map_wins
from tournaments.standings.queries.validity import find_changes
from web.names import unify_spellings

from .changes import ChangesView, build_changes_view
from .cuts import find_tied_cuts
from .rounds import RoundView, TableSide, TableView, build_round_view

WIN_COSTS = {"scores": WON**2, "bye_score": WON}
"""Cost of a difference of one win by criterion: between opponents it is squared."""

COMPARISON_CRITERIA = ("clubs", "distance", "sides")
"""Criteria with a cost in every draw: figures for comparison that mean nothing alone."""

UNUSUAL_REASONS = frozenset(NOTES)
"""Reasons shown on the line of a table; the others appear when it is opened."""

RESULT_BASED_FORMATS = LOT_FIRST_ROUND_FORMATS | {"swiss"}
"""Formats whose first round has no results to go by and uses the starting list or the lot."""

COSTLY_REASONS = (UNUSUAL_REASONS - {"by_hand"}) | {"repeats_unavoidable", "instead_of", "bye_instead_of"}
"""Reasons that say which wish could not be met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSide:
    """A side of a table in a draft, with the details of its entries that a director looks for. Its name is as
    short as possible; ``won`` are wins in hundredths of a percent, empty before round 2, and ``byes`` those in turn."""

    colour: str
    name: str
    clubs: tuple[str, ...]
    ratings: tuple[int, ...]
    won: tuple[int, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTable:
    """A line of a draft, which opens into its ``table``. The ``reasons`` include the entries to keep apart by the
    event's current settings, also at tables set by hand."""

    table: TableView
    sides: tuple[DraftSide, ...]
    reasons: tuple[Mapping[str, Any], ...]

    @property
    def place(self) -> MatchPlace | None:
        return self.table.place

    @property
    def notes(self) -> list[Mapping[str, Any]]:
        """The unusual reasons."""
        return [reason for reason in self.reasons if reason["code"] in UNUSUAL_REASONS]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftView:
    """A draft with its price and its tables.

    If ``is_complete`` is true, entries at a table have never met unless its reasons have an earlier meeting.
    ``halves_averages`` is true if the draw counts half a win where the standings count an average.
    ``made_by`` is the order behind a first round by results. ``lacks_head_start`` is true if the round should be
    accelerated but the list gives no strengths. ``changed`` has the changes since the draw; reasons that may
    no longer be true are left out. ``cuts`` are ties at the cut to a stage that begins; ``idle_house_players`` are
    the house players whom this round does not need.
    """

    round: RoundView
    tables: tuple[DraftTable, ...]
    price: tuple[tuple[str, int], ...]
    is_priced: bool
    compares_scores: bool
    halves_averages: bool
    is_complete: bool
    made_by: str
    lacks_head_start: bool
    changed: ChangesView | None
    cuts: Sequence[Mapping[str, Any]]
    idle_house_players: tuple[str, ...]

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


def build_draft_view(event: Event, round_row: Round) -> DraftView:
    """Build the draft. Eight queries at most. More after a later action: five; where a stage begins: two, or
    three if from pools; where there is a bracket: four."""
    entries = get_entries(event)
    view = build_round_view(round_row, is_public=False)
    changes = find_changes(round_row)
    tables = _build_draft_tables(event, view, entries)
    has_true_reasons = changes is None or not changes.concerns_reasons
    compares_scores = any(name.endswith("scores") for name in round_row.price)
    return DraftView(
        round=view,
        tables=tables if has_true_reasons else tuple(replace(table, reasons=()) for table in tables),
        price=tuple(
            (name, value)
            for name, (value,) in convert_costs(round_row.price).items()
            if value and not name.endswith(COMPARISON_CRITERIA)
        ),
        is_priced=round_row.draw_format in PRICED_FORMATS,
        compares_scores=compares_scores,
        halves_averages=compares_scores
        and Bye.AVERAGE in {event.ranking_rules.get_bye_value(kind) for kind in UNPLAYED_KINDS},
        made_by=_get_order_source(event, round_row, entries),
        lacks_head_start=round_row.number <= count_rounds_lacking_start(event),
        is_complete=has_true_reasons and _is_complete(round_row),
        changed=build_changes_view(changes, entries),
        cuts=tuple(find_tied_cuts(event, round_row, entries)),
        idle_house_players=tuple(
            format_full_names(entry)
            for entry in entries
            if entry.is_house and entry.plays_in(round_row.number) and entry.pk not in lineup_of(round_row).entries
        ),
    )


def convert_costs(*prices: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Return the costs of these draws by criterion, with score differences in wins. If any is not a whole
    number of wins, they are in half wins (``half_scores``)."""
    costs = {}
    for name in prices[0]:
        values, win = tuple(price[name] for price in prices), WIN_COSTS.get(name, 1)
        if any(value % win for value in values):
            costs[f"half_{name}"] = values
        else:
            costs[name] = tuple(value // win for value in values)
    return costs


def _build_draft_tables(event: Event, view: RoundView, entries: Sequence[Entry]) -> tuple[DraftTable, ...]:
    """Build the tables of a draft. Two queries."""
    entries_by_number = {entry.number: entry for entry in entries}
    wins: Mapping[int, int] = map_wins(event) if view.number > 1 else {}
    byes = count_byes(event)
    names = shorten_side_names(
        event,
        entries,
        {
            (table.number, side.colour): NamedSide(names=[person.name for person in side.people], numbers=side.entries)
            for table in view.tables
            for side in table.sides
        },
    )

    def build_draft_side(table: TableView, side: TableSide) -> DraftSide:
        side_entries = [entries_by_number[number] for number in side.entries]
        return DraftSide(
            colour=side.colour,
            name=names[table.number, side.colour],
            clubs=tuple(unify_spellings(entry.team for entry in side_entries if entry.team).values()),
            ratings=tuple(entry.rating for entry in side_entries if entry.rating is not None),
            won=tuple(wins[entry.number] for entry in side_entries if entry.number in wins),
            byes=tuple(byes[entry.pk] for entry in side_entries),
        )

    bonds = collect_apart_bonds(apart_groups_from_json(event.kept_apart))

    def list_reasons(table: TableView) -> Iterable[Mapping[str, Any]]:
        yield from table.reasons
        entry_bonds = [bonds.get(EntryId(entry), set()) for side in table.sides for entry in side.entry_ids]
        common_bonds = [
            b for first, second in combinations(entry_bonds, 2) for b in first & second if b.is_active(view.number)
        ]
        if common_bonds and not BOND_REASONS & {reason["code"] for reason in table.reasons}:
            yield {"code": ReasonCode.BOND_SHARED.value, "kinds": list_bond_kinds(common_bonds)}

    return tuple(
        DraftTable(
            table=table,
            sides=tuple(build_draft_side(table, side) for side in table.sides),
            reasons=tuple(list_reasons(table)),
        )
        for table in view.tables
    )


def _is_complete(round_row: Round) -> bool:
    """Check that the reasons name every earlier meeting: in draws by price within the first stage."""
    stages = {get_slot_stage(table.slot) for table in lineup_of(round_row).tables}
    return round_row.number > 1 and round_row.draw_format in PRICED_FORMATS and stages <= {0}


def _get_order_source(event: Event, round_row: Round, entries: Sequence[Entry]) -> str:
    """Return the order of the starting list behind a bracket or a first round by results, or whether lots
    gave the byes of a play-off; "" for other draws."""
    if event.plan[-1].is_play_off and not event.is_seeded and lineup_of(round_row).byes:
        return "waits_by_lot"
    is_bracket = round_row.draw_format in FORMATS and FORMATS[round_row.draw_format].is_bracket
    if round_row.number > 1 or not (is_bracket or round_row.draw_format in RESULT_BASED_FORMATS):
        return ""
    ratings = [entry.rating for entry in entries if not entry.is_waiting]
    has_ratings = any(rating is not None for rating in ratings)
    if not (is_bracket or event.is_seeded):
        return "lot_despite_ratings" if has_ratings else "lot"
    sorted_ratings = sorted(ratings, key=lambda rating: (rating is None, -(rating or 0)))
    return "rating" if has_ratings and ratings == sorted_ratings else "list"


def count_rounds_lacking_start(event: Event) -> int:
    """Return how many rounds should be accelerated but are not, because the starting list gives no
    strengths."""
    return 0 if event.is_seeded else int(event.plan[0].settings.get("accelerated_rounds") or 0)
