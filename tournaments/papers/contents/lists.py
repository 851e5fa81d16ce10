"""Lists of an event: a round by table and by name, check-in, and the standings."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from clubs.money_words import amount_in_words
from errors import Refusal
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full, full_names
from tournaments.models import Entry, Event
from tournaments.money.presenters.awards import awards_now
from tournaments.money.queries.fees import dues_by_person, fee_lines
from tournaments.papers import presenters as printing
from tournaments.papers.orders import Order
from tournaments.papers.typesetting import Document, Values
from tournaments.rounds.presenters.rounds import RoundView
from tournaments.standings.presenters import latest_snapshot
from tournaments.standings.presenters.clubs import ClubStanding, club_standings
from tournaments.standings.presenters.short_list import RankRow
from web.money import Due, together
from wording.labels.byes import bye_in_list, bye_words
from wording.labels.money import category_title, prize_in_words
from wording.labels.places import halves_name, meeting_score, place_name
from wording.labels.standings import departure_in_words, metric_value
from wording.templatetags.words import metric_short, with_sign

from .parts import (
    entries_on,
    list_of,
    round_name,
    round_of_order,
    section_of,
    signature_on,
    so_far,
    surname_key,
)

USUAL_ROOM, LESS_ROOM = 1.7, 1.0
"""Space above and below the text of a line, in mm."""

TABLES_ON_A_PAGE, TABLES_AT_MOST = 12, 13
"""Tables on a page with the usual room, and with less, if that leaves no single line on a page."""


def tables_document(event: Event, order: Order) -> Document:
    """Build the list of a round by table. Refuses: nothing_to_print, not_table_numbers."""
    drawn = round_of_order(event, order)
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
        *([{"title": _("Match"), **_width_of_places(view)}] if view.has_places else ()),
    ]
    return list_of(
        event,
        order,
        title=round_name(drawn, view.places),
        columns=columns,
        items=items,
        text=15,
        room=USUAL_ROOM if _pages(items, TABLES_ON_A_PAGE) == _pages(items, TABLES_AT_MOST) else LESS_ROOM,
        note=_meetings(view),
    )


def _pages(items: Sequence[Values], on_a_page: int) -> int:
    return -(-len(items) // on_a_page)


def _width_of_places(view: RoundView) -> Values:
    """Return the width of the column of places. Two clubs take as much room as a pair."""
    has_clubs = any(place is not None and place.clubs for place in view.places)
    return {"share": 0.9} if has_clubs else {"mm": 34}


def names_document(event: Event, order: Order) -> Document:
    """Build the list of a round by name. Refuses: nothing_to_print."""
    drawn = round_of_order(event, order)
    rows = [row for page in printing.list_by_name(drawn) for column in page for row in column]
    items = [{"cells": [row.label, bye_in_list(row.bye) if row.bye else str(row.table)]} for row in rows]
    columns = [{"title": _("Name"), "share": 1}, {"title": _("Table"), "kind": "strong", "mm": 26}]
    title = round_name(drawn, printing.list_by_table(drawn).places)
    return list_of(event, order, title=title, columns=columns, items=items, room=1.1, columns_of_page=2)


def standings_document(event: Event, order: Order) -> Document:
    """Build the standings as last computed, of all entries or of a section."""
    section = section_of(event, order)
    metrics, rows = printing.standings_list(event, section)
    columns: list[Values] = [
        {"title": _("Rank"), "kind": "strong", "mm": 16},
        {"title": _("Pair") if event.entry_size == 2 else _("Name"), "share": 1},
        *({"title": metric_short(metric), "kind": "number"} for metric in metrics),
    ]
    items = [
        {
            "cells": [
                str(row.rank),
                _name_in_standings(row),
                *(metric_value(key, value) for key, value in row.figures),
            ]
        }
        for row in rows
    ]
    return list_of(
        event,
        order,
        title=_("Standings"),
        about=_together(section, so_far(event)),
        columns=columns,
        items=items,
        note=_prizes(event) if not section else "",
        **signature_on(event, order),
    )


def _name_in_standings(row: RankRow) -> str:
    """Return the names in the standings, with a note if the entry has left."""
    return _together(row.names, departure_in_words(row))


def _prizes(event: Event) -> str:
    """Return the winners of the public prize categories, one line each, once the standings are final."""
    if event.final is None:
        return ""
    entries = entries_of(event)
    lines = []
    for found in awards_now(event, entries, entries_named_in_full(entries)):
        said = [
            prize_in_words(winner.name, winner.award.amount if found.category.shows_amount else 0)
            for winner in found.winners
        ]
        if said and found.category.is_public:
            title = _together(category_title(found.category, found.group), found.category.prize)
            lines.append(_("%(prize)s: %(winners)s") % {"prize": title, "winners": " · ".join(said)})
    return "\n".join(lines)


def _together(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def club_standings_document(event: Event, order: Order) -> Document:
    """Build the standings by club, with the meetings behind them if clubs meet as teams. Refuses:
    nothing_to_print."""
    lines = club_standings(event, latest_snapshot(event), entries_of(event))
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
        return pgettext("clubs", "M. pts"), _("G. pts"), metric_short("difference")
    return metric_short("match_wins"), metric_short("points_for")


def _of_club(line: ClubStanding) -> list[str]:
    if line.score is None:
        return [str(line.wins), str(line.points)]
    met = (f"{meeting.opponent} {meeting_score(meeting)}" for meeting in line.score.meetings)
    score = line.score
    figures = [str(score.match_points), halves_name(score.game_points), with_sign(score.difference)]
    return [" · ".join(met), *figures]


def _meetings(view: RoundView) -> str:
    """Return the meetings of a round that have a result: ``Rimouski 3–1 Matane``."""
    said = (f"{one.club} {meeting_score(one.score)} {one.score.opponent}" for one in view.meetings)
    return " · ".join(said)


def check_in_document(event: Event, order: Order) -> Document:
    """Build the check-in list: expected entries with a box to tick, and the amount due if there is a fee."""
    dues = {} if event.rates.is_free else dues_by_person(fee_lines(event))
    columns: list[Values] = [
        {"title": _("Present"), "kind": "box", "mm": 17},
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
        for entry in sorted(entries_on(event, order), key=lambda entry: surname_key(entry.player_1))
    ]
    how_many = ngettext("%(number)s entry", "%(number)s entries", len(items)) % {"number": len(items)}
    about = " · ".join(filter(None, (section_of(event, order), how_many)))
    return list_of(event, order, title=_("Check-in list"), about=about, columns=columns, items=items)


def _to_pay(entry: Entry, dues: Mapping[int, Due]) -> list[str]:
    """Return the amount that an entry still owes, and a tick if it has paid in full."""
    theirs = together(dues.get(person.pk, Due(asked=0, paid=0)) for person in entry.players)
    return [amount_in_words(theirs.owed), "yes" if theirs.asked and not theirs.owed else ""]
