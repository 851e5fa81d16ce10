"""Standings to be read from afar: a line for each entry, few figures."""

from collections.abc import Callable, Iterable, Sequence

from engine.ranking import LEFT_POOL, has_result
from engine.standings import list_row_metrics, rank_by_section
from tournaments.events.presenters.names import EntryFormatter
from tournaments.models import Entry, Event

from .figures import BRACKET, PLAY_OFF, has_places, list_column_metrics
from .snapshots import StandingsSnapshot
from .table import StandingsRow, build_standings_rows

HIDDEN_METRICS = {"head_to_head", "lots", "stage", LEFT_POOL}
"""Metrics without a column: head to head, lots, the stage and departures mean nothing from afar."""

MAX_COLUMNS = 4


def build_rank_rows(
    event: Event,
    snapshot: StandingsSnapshot,
    get_entry_formatter: Callable[[Iterable[Entry]], EntryFormatter],
    *,
    next_round: int,
    max_rows: int | None = None,
    section: str = "",
) -> Sequence[StandingsRow]:
    """Return the stored standings, or the top ``max_rows`` rows, without entries no longer in the event.

    A section is ranked by itself. Empty while no entry has a result and only lots rank them. Includes entries
    that left before the ``next_round``. At most one query.
    """
    selected_rows = snapshot.rows[: None if section else max_rows]
    entries = event.entries.select_related("player_1", "player_2").filter(
        number__in=[row["entry"] for row in selected_rows]
    )
    format_entry = get_entry_formatter(entries)
    entries_by_number = {entry.number: entry for entry in entries}
    selected_rows = [row for row in selected_rows if row["entry"] in entries_by_number]
    if section:
        sections_by_number = {entry.number: entry.section for entry in entries}
        selected_rows = rank_by_section(selected_rows, sections_by_number, event.ranking_rules.order).get(section, [])[
            :max_rows
        ]
    rows = build_standings_rows(
        snapshot,
        selected_rows,
        range(len(selected_rows)),
        entries_by_number,
        event.ranking_rules.order,
        list_shown_metrics(event, snapshot, section),
        format_entry=format_entry,
        next_round=next_round,
    )
    return rows if any(has_result(row.figures) for row in rows) else ()


def list_shown_metrics(event: Event, snapshot: StandingsSnapshot, section: str = "") -> tuple[str, ...]:
    """Return the metrics of all rows, or of a section, that have a column; games won only if a match has
    several games."""
    rows = [row.get("in_section", row) for row in snapshot.rows] if section else snapshot.rows
    metrics = list_row_metrics(rows, event.ranking_rules.order)
    hidden_metrics = HIDDEN_METRICS | (set() if event.counts_games else {"games_won"})
    hidden_metrics |= {key for key in (BRACKET, PLAY_OFF) if not has_places(snapshot.rows, key)}
    order = (metric for metric in list_column_metrics(metrics) if metric not in hidden_metrics)
    return tuple(order)[:MAX_COLUMNS]
