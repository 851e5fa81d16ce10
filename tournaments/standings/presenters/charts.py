"""Brackets, pools and cross tables of an event, with public names."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.charts import StageChart, named_stage
from engine.charts.serialization import chart_from_json
from engine.draws import EntryId
from engine.draws.stages import blocks
from tournaments.events.presenters.names import entries_named_in
from tournaments.models import Entry, Event

WHO_MET_WHOM = frozenset({"swiss"})
"""Formats whose chart only shows matches already drawn: it has its own page, apart from the rounds."""


def stage_charts(
    event: Event,
    plain: Sequence[Mapping[str, Any]],
    entrants: Sequence[Entry],
    *,
    without: Collection[str] = (),
) -> tuple[StageChart, ...]:
    """Return the stored charts, latest stage first and those side by side in order, without those of some
    formats. No query."""
    block_of = {stage: block.start for block in blocks(event.plan) for stage in block}
    wanted = [chart for chart in plain if chart["format"] not in without]
    wanted.sort(key=lambda chart: (-block_of.get(chart["stage"], 0), chart["stage"]))
    if not wanted:
        return ()
    named = entries_named_in(event, entrants)
    names = defaultdict(str, {EntryId(entry.pk): named(entry) for entry in entrants})
    numbers = {EntryId(entry.pk): entry.number for entry in entrants}
    return tuple(named_stage(chart_from_json(chart), names, numbers) for chart in wanted)
