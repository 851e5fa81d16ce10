"""Lists of an event: a round by table and by name, check-in, and the standings."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from errors import Refusal
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import format_full_names
from tournaments.models import Entry, Event
from tournaments.money.labels import format_prize, get_category_title
from tournaments.money.presenters.awards import get_final_awards
from tournaments.money.queries.fees import get_dues_by_person, list_fees
from tournaments.papers import presenters as printing
from tournaments.papers.orders import Order
from tournaments.papers.typesetting.documents import Document, Values
from tournaments.rounds.bye_labels import bye_in_list, bye_words
from tournaments.rounds.place_labels import meeting_score, place_name
from tournaments.rounds.presenters.rounds import RoundView
from tournaments.standings.labels import METRIC_SHORT, departure_in_words, format_halves, format_signed, metric_value
from tournaments.standings.presenters import get_latest_snapshot
from tournaments.standings.presenters.clubs import ClubRow, build_club_rows
from tournaments.standings.presenters.table import StandingsRow
from web.money import Charge, combine_charges
from web.money_words import format_amount

from .parts import (
    build_signature,
    format_progress,
    format_round,
    format_standings_title,
    get_ordered_round,
    get_section,
    get_surname_key,
    list_entries,
    make_list,
)

NORMAL_SPACING, TIGHT_SPACING = 1.7, 1.0
"""Space above and below the text of a line, in mm."""

NORMAL_TABLE_COUNT, MAX_TABLE_COUNT = 12, 13
"""Tables on a page with the usual room, and with less, if that leaves no single line on a page."""


def build_table_list(event: Event, order: Order) -> Document:
    """Build the list of a round by table. Refuses: nothing_to_print, not_table_numbers."""
    round_row = get_ordered_round(event, order)
    view = printing.list_by_table(round_row)
    chosen = printing.parse_table_numbers(order.tables)
    items: list[Values] = [
        {
            "cells": [
                str(table.number),
                *(side.names for side in table.sides),
                *([place_name(table.place)] if view.has_places else ()),
            ]
        }
        for table in view.tables
        if chosen is None or table.number in chosen
    ]
    items += [
        {
            "cells": [
                None,
                bye.names,
                bye_words(bye.kind),
                *([None] if view.has_places else ()),
            ]
        }
        for bye in view.byes
        if chosen is None
    ]
    columns: list[Values] = [
        {"title": _("Table"), "kind": "tile", "mm": 18},
        {"title": _("blue side"), "side": 0, "share": 1},
        {"title": _("orange side"), "side": 1, "share": 1},
        *([{"title": _("Match"), **_get_place_width(view)}] if view.has_places else ()),
    ]
    return make_list(
        event,
        order,
        title=format_round(round_row, view.places),
        columns=columns,
        items=items,
        text=15,
        room=NORMAL_SPACING
        if _count_pages(items, NORMAL_TABLE_COUNT) == _count_pages(items, MAX_TABLE_COUNT)
        else TIGHT_SPACING,
        note=_format_meetings(view),
    )


def _count_pages(items: Sequence[Values], per_page: int) -> int:
    return -(-len(items) // per_page)


def _get_place_width(view: RoundView) -> Values:
    """Return the width of the column of places. Two clubs take as much room as a pair."""
    has_clubs = any(place is not None and place.clubs for place in view.places)
    return {"share": 0.9} if has_clubs else {"mm": 34}


def build_name_list(event: Event, order: Order) -> Document:
    """Build the list of a round by name. Refuses: nothing_to_print."""
    round_row = get_ordered_round(event, order)
    rows = [row for page in printing.list_by_name(round_row) for column in page for row in column]
    items = [{"cells": [row.label, bye_in_list(row.bye) if row.bye else str(row.table)]} for row in rows]
    columns: list[Values] = [{"title": _("Name"), "share": 1}, {"title": _("Table"), "kind": "strong"}]
    title = format_round(round_row, printing.list_by_table(round_row).places)
    return make_list(event, order, title=title, columns=columns, items=items, room=1.1, columns_of_page=2)


def build_standings(event: Event, order: Order) -> Document:
    """Build the standings as last computed, of all entries or of a section."""
    section = get_section(event, order)
    metrics, rows = printing.build_standings_list(event, section)
    columns: list[Values] = [
        {"title": _("Rank"), "kind": "strong", "mm": 16},
        {"title": _("Pair") if event.entry_size == 2 else _("Name"), "share": 1},
        *({"title": str(METRIC_SHORT[metric]), "kind": "number"} for metric in metrics),
    ]
    items = [
        {
            "cells": [
                str(row.rank),
                _format_ranked_name(row),
                *(metric_value(key, value) for key, value in row.figures),
            ]
        }
        for row in rows
    ]
    return make_list(
        event,
        order,
        title=format_standings_title(event),
        subtitle=_join_parts(section, format_progress(event)),
        columns=columns,
        items=items,
        note=_format_prizes(event) if not section else "",
        **build_signature(event, order),
    )


def _format_ranked_name(row: StandingsRow) -> str:
    """Return the names in the standings, with a note if the entry has left."""
    return _join_parts(row.names, departure_in_words(row))


def _format_prizes(event: Event) -> str:
    """Return the winners of the public prize categories, one line each, while the standings are final."""
    lines = []
    for awards in get_final_awards(event, get_entries(event)):
        winners = [
            format_prize(winner.name, winner.award.amount if awards.category.shows_amount else 0)
            for winner in awards.winners
        ]
        if winners:
            title = _join_parts(get_category_title(awards.category, awards.group), awards.category.prize)
            lines.append(_("%(prize)s: %(winners)s") % {"prize": title, "winners": " · ".join(winners)})
    return "\n".join(lines)


def _join_parts(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def build_club_standings(event: Event, order: Order) -> Document:
    """Build the standings by club or team, with the meetings behind them if clubs meet as teams. Refuses:
    nothing_to_print."""
    lines = build_club_rows(event, get_latest_snapshot(event), get_entries(event))
    if not lines:
        raise Refusal("nothing_to_print")
    title, name = _("Standings by club"), _("Club")
    if event.has_team_matches:
        title, name = _("Standings by team"), pgettext("a column of a file", "Team")
    columns: list[Values] = [
        *([{"title": _("Section"), "mm": 32}] if lines[0].section else ()),
        {"title": _("Rank"), "kind": "strong", "mm": 16},
        {"title": name, "share": 2},
        *([{"title": _("Meetings"), "share": 3}] if event.is_interclub else ()),
        *({"title": title, "kind": "number"} for title in _get_figure_titles(event)),
    ]
    items = [
        {"cells": [*_build_division_cells(line), str(line.rank), line.name, *_build_club_cells(line)]} for line in lines
    ]
    return make_list(event, order, title=title, subtitle=format_progress(event), columns=columns, items=items)


def _get_figure_titles(event: Event) -> tuple[str, ...]:
    if event.is_interclub:
        return pgettext("clubs", "M. pts"), _("G. pts"), str(METRIC_SHORT["difference"])
    return str(METRIC_SHORT["match_wins"]), str(METRIC_SHORT["points_for"])


def _build_division_cells(line: ClubRow) -> list[str]:
    """Return the division of a team, and that to which it moves: ``Division 2 → Division 1``."""
    return [" → ".join(dict.fromkeys((line.section, line.next_section)))] if line.section else []


def _build_club_cells(line: ClubRow) -> list[str]:
    if line.score is None:
        return [str(line.wins), str(line.points)]
    opponents = (f"{meeting.opponent}\u00a0{meeting_score(meeting)}" for meeting in line.score.decided_meetings)
    score = line.score
    figures = [str(score.match_points), format_halves(score.game_points), format_signed(score.difference)]
    return ["\u00a0· ".join(opponents), *figures]


def _format_meetings(view: RoundView) -> str:
    """Return the meetings of a round that have a result: ``Rimouski 3–1 Matane``."""
    results = (f"{meeting.club} {meeting_score(meeting.score)} {meeting.score.opponent}" for meeting in view.meetings)
    return " · ".join(results)


def build_check_in_list(event: Event, order: Order) -> Document:
    """Build the check-in list: expected entries with a box to tick, and the amount due if there is a fee."""
    dues = {} if event.rates.is_free else get_dues_by_person(list_fees(event))
    columns: list[Values] = [
        {"title": _("Present"), "kind": "box", "mm": 17},
        {"title": _("No."), "kind": "number", "mm": 14},
        {"title": _("Pair") if event.entry_size == 2 else _("Name"), "share": 1},
        *([{"title": _("Section")}] if event.sections else []),
        *([{"title": _("To pay"), "mm": 26}] if dues else []),
        *([{"title": _("Paid"), "kind": "box", "mm": 17}] if dues else []),
    ]
    items = [
        {
            "cells": [
                "yes" if entry.present_at is not None else "",
                str(entry.number),
                format_full_names(entry),
                *([entry.section] if event.sections else []),
                *(_format_due(entry, dues) if dues else []),
            ]
        }
        for entry in sorted(list_entries(event, order), key=lambda entry: get_surname_key(entry.player_1))
    ]
    entry_count = ngettext("%(number)s entry", "%(number)s entries", len(items)) % {"number": len(items)}
    subtitle = " · ".join(filter(None, (get_section(event, order), entry_count)))
    return make_list(event, order, title=_("Check-in list"), subtitle=subtitle, columns=columns, items=items)


def _format_due(entry: Entry, dues: Mapping[int, Charge]) -> list[str]:
    """Return the amount that an entry still owes, and a tick if it has paid in full."""
    due = combine_charges(dues.get(person.pk, Charge(amount=0, paid=0)) for person in entry.players)
    return [format_amount(due.owed), "yes" if due.amount and not due.owed else ""]
