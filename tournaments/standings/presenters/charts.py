"""Brackets, pools and cross tables of an event, with public names."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from engine.charts import StageChart, add_stage_names
from engine.charts.serialization import chart_from_json
from engine.draws import EntryId
from engine.draws.stages import list_blocks
from tournaments.events.presenters.names import build_public_entry_formatter
from tournaments.models import Entry, Event

CROSS_TABLE_FORMATS = frozenset({"swiss"})
"""Formats whose chart only shows matches already drawn: it has its own page, apart from the rounds."""


def sort_charts(event: Event, stored_charts: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the stored charts, latest stage first and those side by side in order."""
    blocks_by_stage = {stage: block.start for block in list_blocks(event.plan) for stage in block}
    return sorted(stored_charts, key=lambda chart: (-blocks_by_stage.get(chart["stage"], 0), chart["stage"]))


def build_stage_charts(
    event: Event,
    stored_charts: Sequence[Mapping[str, Any]],
    entrants: Sequence[Entry],
    *,
    excluded_formats: Collection[str] = (),
) -> tuple[StageChart, ...]:
    """Return the stored charts in the order of ``sort_charts``, without those of some formats. No query."""
    selected = [chart for chart in sort_charts(event, stored_charts) if chart["format"] not in excluded_formats]
    if not selected:
        return ()
    format_entry = build_public_entry_formatter(event, entrants)
    names = defaultdict(str, {EntryId(entry.pk): format_entry(entry) for entry in entrants})
    numbers = {EntryId(entry.pk): entry.number for entry in entrants}
    return tuple(add_stage_names(chart_from_json(chart), names, numbers) for chart in selected)
