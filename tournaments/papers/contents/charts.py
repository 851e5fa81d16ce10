"""Brackets and cross tables of an event, with full names."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from clubs.name_formats import join_names
from engine.charts import ChartSide, CrossTable, CrossTableCell, StageChart, add_stage_names
from engine.charts.serialization import chart_from_json
from engine.draws import EntryId
from errors import Refusal
from tournaments.entries.queries.entries import get_entries
from tournaments.events.labels import format_name
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.models import Event
from tournaments.papers.orders import Order
from tournaments.papers.typesetting.brackets import BracketColumn, PrintedMatch, iter_bracket_pages
from tournaments.papers.typesetting.documents import Document, Values
from tournaments.rounds.chart_labels import (
    get_chart_round_name,
    meeting_letter,
    part_name,
    score_of_row,
    source_name,
    state_name,
)
from tournaments.rounds.place_labels import stage_title
from tournaments.standings.presenters import get_latest_snapshot
from tournaments.standings.presenters.charts import sort_charts

from .parts import format_event, format_print_time, format_progress, make_document

MAX_COLUMNS = 14
"""Columns of a cross table side by side on a page."""

LEGEND = gettext_lazy("W: won, D: drawn, L: lost, f: forfeit; score below. Number: round; without a letter, unplayed.")

QUALIFIED_NOTE = gettext_lazy("✓: in a qualifying place.")


def build_charts(event: Event, order: Order) -> Document:
    """Build the document of the charts, in the order of the page. Refuses: nothing_to_print."""
    entries = get_entries(event)
    format_entry = build_full_entry_formatter(entries)
    names = defaultdict(str, {EntryId(entry.pk): format_entry(entry) for entry in entries})
    snapshot = get_latest_snapshot(event, charts=True)
    stages = [add_stage_names(chart_from_json(chart), names) for chart in sort_charts(event, snapshot.charts)]
    items = [page for stage in stages for page in _iter_pages(stage, stage_title(event.plan, stage.stage))]
    if not items:
        raise Refusal("nothing_to_print")
    shows_qualifiers = any(table.has_qualifiers for stage in stages for table in stage.tables)
    legend = f"{LEGEND} {QUALIFIED_NOTE}" if shows_qualifiers else str(LEGEND)
    labels = {"page": _("page"), "legend": legend, "byes": _("Byes")}
    title = _("Brackets and cross tables")
    return make_document(
        event,
        order,
        "charts",
        title=title,
        items=items,
        labels=labels,
        heading=title,
        about=" · ".join(filter(None, (format_event(event), format_progress(event)))),
        foot=format_print_time(),
    )


def _iter_pages(stage: StageChart, name: str) -> Iterator[Values]:
    """Yield the pages of a stage, headed by its name, if it has one."""

    def build_heading(title: str) -> str:
        return " · ".join(filter(None, (name, title)))

    if stage.bracket is not None:
        for part in stage.bracket.parts:
            sides = (side for column in part.rounds for slot in column.slots for side in slot.sides)
            longest_name = max((len(_format_side(side)) for side in sides), default=0)
            for page in iter_bracket_pages(part, longest_name=longest_name):
                columns = [_build_column(column) for column in page]
                yield {"kind": "bracket", "title": build_heading(part_name(part)), "columns": columns}
    for table in stage.tables:
        title = _("Pool %(name)s") % {"name": table.pool} if table.pool else str(format_name(stage.format))
        for first in range(0, len(table.rows), MAX_COLUMNS):
            yield _build_cross_table(
                table, range(first, min(first + MAX_COLUMNS, len(table.rows))), build_heading(title)
            )


def _build_column(column: BracketColumn) -> Values:
    return {"name": get_chart_round_name(column.round), "matches": [_build_match(match) for match in column.matches]}


def _build_match(printed: PrintedMatch) -> Values:
    slot = printed.slot
    captions: list[str] = []
    if slot.number is not None:
        captions.append(_("Match %(number)s") % {"number": slot.number})
    if slot.table:
        captions.append(_("table %(number)s") % {"number": slot.table})
    captions.append(state_name(slot))
    sides = (slot.advancing_side,) if slot.number is None else slot.sides
    return {
        "middle": printed.middle,
        "height": printed.height,
        "caption": " · ".join(filter(None, captions)),
        "sides": [
            {
                "name": _format_side(side),
                "won": side.has_won,
                "seed": str(side.seed or ""),
                "score": "" if side.score is None else str(side.score),
            }
            for side in sides
        ],
    }


def _format_side(side: ChartSide) -> str:
    if side.entry is not None:
        return side.name
    return source_name(side) if side.source else _("bye")


def _build_cross_table(table: CrossTable, columns: Sequence[int], title: str) -> Values:
    return {
        "kind": "cross",
        "title": title,
        "columns": [str(place + 1) for place in columns],
        "has-byes": table.has_byes,
        "rows": [
            {
                "number": str(number),
                "name": f"{row.name} ✓" if row.goes_on else row.name,
                "cells": [_format_cell(row.cells[place]) for place in columns],
                "byes": join_names([str(round_number) for round_number in row.byes]),
            }
            for number, row in enumerate(table.rows, start=1)
        ],
    }


def _format_cell(cell: CrossTableCell) -> str | None:
    """Return the text of a cell, ``W3`` above ``32–12`` for each meeting; None for the entry itself."""
    if cell.is_own:
        return None
    forfeit = pgettext("by forfeit, as one letter", "f")
    return "\n".join(
        line
        for meeting in cell.meetings
        for line in (
            f"{meeting_letter(meeting)}{forfeit if meeting.is_forfeit else ''}{meeting.round or '…'}",
            score_of_row(meeting),
        )
        if line
    )
