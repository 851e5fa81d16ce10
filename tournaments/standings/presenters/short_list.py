"""Standings to be read from afar: a line for each entry, few figures."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engine.standings import within
from tournaments.events.presenters.names import EntryNamed
from tournaments.models import Entry, Event

from .figures import figures_shown, has_bracket_places, in_columns, tells_a_result
from .snapshots import StandingsSnapshot
from .table import who_left

NOT_IN_COLUMNS = {"head_to_head", "lots", "stage"}
"""Metrics without a column: head to head, lots and the stage mean nothing from afar."""

MOST_COLUMNS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """A line of the standings: the entry's name as this reader may see it, and its figures by metric.
    ``left_after`` is the round after which it withdrew or was disqualified (``is_disqualified``), if it
    did."""

    rank: int
    entry: int
    entry_id: int
    names: str
    left_after: int | None = None
    is_disqualified: bool = False
    figures: tuple[tuple[str, int | None], ...]


def rank_rows(
    event: Event,
    kept: StandingsSnapshot,
    named_among: Callable[[Iterable[Entry]], EntryNamed],
    *,
    coming: int,
    most: int | None = None,
    section: str = "",
) -> list[RankRow]:
    """Return the stored standings, or the top ``most`` rows, without entries no longer in the event.

    A section is ranked by itself. Empty while no entry has a result and only lots rank them. Includes entries
    that have left before the ``coming`` round. One query, or none.
    """
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
    left = who_left(entries, coming)
    figures = figures_shown(metrics_in_columns(event, kept), left=left)
    rows = [
        RankRow(
            rank=row["rank"],
            entry=row["entry"],
            entry_id=found[row["entry"]].pk,
            names=named(found[row["entry"]]),
            figures=figures(row),
            left_after=left.get(row["entry"]),
            is_disqualified=bool(found[row["entry"]].disqualification),
        )
        for row in kept_rows
    ]
    return rows if any(tells_a_result(row.figures) for row in rows) else []


def metrics_in_columns(event: Event, kept: StandingsSnapshot) -> tuple[str, ...]:
    """Return the ranking metrics that have a column; games won only if a match has several games."""
    left_out = NOT_IN_COLUMNS | (set() if event.counts_games else {"games_won"})
    left_out |= set() if has_bracket_places(kept.rows) else {"bracket"}
    order = (metric for metric in in_columns(event.ranking_rules.order) if metric not in left_out)
    return tuple(order)[:MOST_COLUMNS]
