"""Lists of an event: a round by table and by name, the standings."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from clubs.money import Due, together
from clubs.money_words import amount_in_words
from config.place_wording import halves_name, meeting_score, place_name
from config.standings_wording import metric_value
from config.templatetags.words import metric_short
from rules import Refusal
from tournaments import selectors
from tournaments.models import Entry, Event
from tournaments.pages import printing
from tournaments.pages.clubs import ClubLine, club_lines
from tournaments.pages.names import full_names
from tournaments.pages.rounds import RoundView
from tournaments.pages.standings import kept_standings
from tournaments.paper import Document, Values
from tournaments.paper.orders import Order
from tournaments.selectors.fees import dues_by_person, fee_lines

from .parts import by_surname, entries_of, list_of, round_name, round_of, section_of, so_far


def round_by_table(event: Event, order: Order) -> Document:
    """Refuses: nothing_to_print, not_table_numbers."""
    drawn = round_of(event, order)
    view = printing.list_by_table(drawn)
    chosen = printing.chosen_tables(order.tables)
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
                _("waits for the next match") if bye.waits else _("bye"),
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
        *([{"title": _("Match"), "mm": 34}] if view.has_places else ()),
    ]
    return list_of(
        event,
        order,
        title=round_name(drawn, view.places),
        columns=columns,
        items=items,
        text=15,
        note=_meetings(view),
    )


def round_by_name(event: Event, order: Order) -> Document:
    """Refuses: nothing_to_print."""
    drawn = round_of(event, order)
    rows = [row for page in printing.list_by_name(drawn) for column in page for row in column]
    items = [{"cells": [row.told, _("bye") if row.table is None else str(row.table)]} for row in rows]
    columns = [{"title": _("Name"), "share": 1}, {"title": _("Table"), "kind": "strong", "mm": 26}]
    title = round_name(drawn, printing.list_by_table(drawn).places)
    return list_of(event, order, title=title, columns=columns, items=items, room=1.1, columns_of_page=2)


def standings(event: Event, order: Order) -> Document:
    """As last computed, of all or of a section."""
    section = section_of(event, order)
    metrics, rows = printing.standings_list(event, section)
    columns: list[Values] = [
        {"title": _("Rank"), "kind": "strong", "mm": 16},
        {"title": _("Pair") if event.entry_size == 2 else _("Name"), "share": 1},
        *({"title": metric_short(metric), "kind": "number"} for metric in metrics),
    ]
    items = [
        {"cells": [str(row.rank), row.names, *(metric_value(key, value) for key, value in row.figures)]}
        for row in rows
    ]
    return list_of(
        event,
        order,
        title=_("Standings"),
        about=_together(section, so_far(event)),
        columns=columns,
        items=items,
    )


def _together(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def clubs(event: Event, order: Order) -> Document:
    """How the clubs stand, and where clubs meet as such, by which meetings. Refuses: nothing_to_print."""
    lines = club_lines(event, kept_standings(event), selectors.entries_of(event))
    if not lines:
        raise Refusal("nothing_to_print")
    columns: list[Values] = [
        {"title": _("Rank"), "kind": "strong", "mm": 16},
        {"title": _("Club"), "share": 2},
        *([{"title": _("Meetings"), "share": 3}] if event.is_interclub else ()),
        *({"title": title, "kind": "number"} for title in _club_figures(event)),
    ]
    items = [{"cells": [str(line.rank), line.name, *_of_club(line)]} for line in lines]
    return list_of(
        event, order, title=_("Standings by club"), about=so_far(event), columns=columns, items=items
    )


def _club_figures(event: Event) -> tuple[str, ...]:
    if event.is_interclub:
        return pgettext("clubs", "M. pts"), _("G. pts"), metric_short("points_for")
    return metric_short("match_wins"), metric_short("points_for")


def _of_club(line: ClubLine) -> list[str]:
    if line.score is None:
        return [str(line.wins), str(line.points)]
    met = (f"{meeting.opponent} {meeting_score(meeting)}" for meeting in line.score.meetings)
    figures = [str(line.score.match_points), halves_name(line.score.game_points), str(line.score.points)]
    return [" · ".join(met), *figures]


def _meetings(view: RoundView) -> str:
    """``Rimouski 3–1 Matane``, of the meetings of a round that have a result."""
    said = (f"{one.club} {meeting_score(one.score)} {one.score.opponent}" for one in view.meetings)
    return " · ".join(said)


def check_in(event: Event, order: Order) -> Document:
    """Who is expected, with a box to tick for each, and what they still pay where a fee is asked."""
    dues = {} if event.rates.is_free else dues_by_person(fee_lines(event))
    columns: list[Values] = [
        {"title": _("Here"), "kind": "box", "mm": 17},
        {"title": _("No."), "kind": "number", "mm": 14},
        {"title": _("Pair") if event.entry_size == 2 else _("Name"), "share": 1},
        *([{"title": _("Section"), "mm": 34}] if event.sections else []),
        *([{"title": _("To pay"), "mm": 26}] if dues else []),
        *([{"title": _("Paid"), "kind": "box", "mm": 17}] if dues else []),
    ]
    items = [
        {
            "cells": [
                "yes" if entry.present_at is not None else "",
                str(entry.number),
                full_names(entry),
                *([entry.section] if event.sections else []),
                *(_to_pay(entry, dues) if dues else []),
            ]
        }
        for entry in sorted(entries_of(event, order), key=lambda entry: by_surname(entry.player_1))
    ]
    how_many = ngettext("%(number)s entry", "%(number)s entries", len(items)) % {"number": len(items)}
    about = " · ".join(filter(None, (section_of(event, order), how_many)))
    return list_of(event, order, title=_("Check-in list"), about=about, columns=columns, items=items)


def _to_pay(entry: Entry, dues: Mapping[int, Due]) -> list[str]:
    """What the two still owe, and a tick where they have paid all of it."""
    theirs = together(dues.get(person.pk, Due(asked=0, paid=0)) for person in entry.players)
    return [amount_in_words(theirs.owed), "yes" if theirs.asked and not theirs.owed else ""]
