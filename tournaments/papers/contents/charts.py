"""Brackets and cross tables of an event, with full names."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from clubs.wording import join_names
from engine.charts import ChartSide, CrossTable, CrossTableCell, StageChart, named_stage
from engine.charts.serialization import chart_from_json
from engine.draws import EntryId
from errors import Refusal
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.models import Event
from tournaments.papers.orders import Order
from tournaments.papers.typesetting import Document, Values
from tournaments.papers.typesetting.brackets import BracketColumn, PrintedMatch, bracket_pages
from tournaments.standings.presenters import latest_snapshot
from wording.labels.charts import (
    chart_round_name,
    meeting_letter,
    part_name,
    score_of_row,
    source_name,
    state_name,
)
from wording.labels.places import stage_title
from wording.labels.tournaments import format_name

from .parts import document, event_and_day, printed_at, so_far

COLUMNS = 14
"""Columns of a cross table side by side on a page."""

LEGEND = gettext_lazy(
    "W: won, D: drawn, L: lost, f: forfeit; score below. Number: round; without a letter, unplayed."
)

GOES_ON = gettext_lazy("✓: qualifies so far.")


def charts_document(event: Event, order: Order) -> Document:
    """Build the document of the charts, the latest stage first. Refuses: nothing_to_print."""
    entries = entries_of(event)
    named = entries_named_in_full(entries)
    names = defaultdict(str, {EntryId(one.pk): named(one) for one in entries})
    kept = latest_snapshot(event, charts=True)
    stages = [named_stage(chart_from_json(chart), names) for chart in reversed(kept.charts)]
    items = [page for stage in stages for page in _pages(stage, stage_title(event.plan, stage.stage))]
    if not items:
        raise Refusal("nothing_to_print")
    tells_who_goes_on = any(table.tells_who_goes_on for stage in stages for table in stage.tables)
    legend = f"{LEGEND} {GOES_ON}" if tells_who_goes_on else str(LEGEND)
    words = {"page": _("page"), "legend": legend, "byes": _("Byes")}
    title = _("Brackets and cross tables")
    return document(
        event,
        order,
        "charts",
        title=title,
        items=items,
        words=words,
        heading=title,
        about=" · ".join(filter(None, (event_and_day(event), so_far(event)))),
        foot=printed_at(),
    )


def _pages(stage: StageChart, name: str) -> Iterator[Values]:
    """Yield the pages of a stage, headed by its name, if it has one."""

    def heading_of(title: str) -> str:
        return " · ".join(filter(None, (name, title)))

    if stage.bracket is not None:
        for part in stage.bracket.parts:
            for page in bracket_pages(part):
                columns = [_column(one) for one in page]
                yield {"kind": "bracket", "title": heading_of(part_name(part)), "columns": columns}
    for table in stage.tables:
        title = _("Pool %(name)s") % {"name": table.pool} if table.pool else str(format_name(stage.format))
        for first in range(0, len(table.rows), COLUMNS):
            yield _cross(table, range(first, min(first + COLUMNS, len(table.rows))), heading_of(title))


def _column(column: BracketColumn) -> Values:
    return {"name": chart_round_name(column.round), "matches": [_match(one) for one in column.matches]}


def _match(placed: PrintedMatch) -> Values:
    slot = placed.slot
    said: list[str] = []
    if slot.number is not None:
        said.append(_("Match %(number)s") % {"number": slot.number})
    if slot.table:
        said.append(_("table %(number)s") % {"number": slot.table})
    said.append(state_name(slot))
    sides = (slot.who_stays,) if slot.number is None else slot.sides
    return {
        "middle": placed.middle,
        "height": placed.height,
        "caption": " · ".join(filter(None, said)),
        "sides": [
            {
                "name": _side(side),
                "won": side.has_won,
                "seed": str(side.seed or ""),
                "score": "" if side.score is None else str(side.score),
            }
            for side in sides
        ],
    }


def _side(side: ChartSide) -> str:
    if side.entry is not None:
        return side.name
    return source_name(side) if side.source else _("bye")


def _cross(table: CrossTable, columns: Sequence[int], title: str) -> Values:
    return {
        "kind": "cross",
        "title": title,
        "columns": [str(place + 1) for place in columns],
        "has-byes": table.has_byes,
        "rows": [
            {
                "number": str(number),
                "name": f"{row.name} ✓" if row.goes_on else row.name,
                "cells": [_cell(row.cells[place]) for place in columns],
                "byes": join_names([str(one) for one in row.byes]),
            }
            for number, row in enumerate(table.rows, start=1)
        ],
    }


def _cell(cell: CrossTableCell) -> str | None:
    """Return the text of a cell, ``W3`` above ``32–12`` for each meeting; None for the entry itself."""
    if cell.is_own:
        return None
    forfeit = pgettext("by forfeit, as one letter", "f")
    return "\n".join(
        line
        for one in cell.meetings
        for line in (
            f"{meeting_letter(one)}{forfeit if one.is_forfeit else ''}{one.round or '…'}",
            score_of_row(one),
        )
        if line
    )
