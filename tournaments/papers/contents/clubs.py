"""Lists of a club: its people, and their attendance."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.day_words import day_written
from clubs.models import Club, Person
from clubs.people import GROUPS
from tournaments.attendance.presenters import Period, attendance_lines
from tournaments.papers.orders import Order
from tournaments.papers.presenters import surname_first
from tournaments.papers.typesetting import Document

from .parts import list_of, surname_key

NARROWEST, WIDEST = 10, 44
"""Smallest and largest width of a column, in characters of its texts."""


def members_document(club: Club, order: Order) -> Document:
    """Build the list of people of a group, by name, with their contact and family."""
    groups: Mapping[str, Q] = GROUPS
    wanted = groups.get(order.group, groups["members"])
    people = Person.objects.filter(wanted, club=club, anonymized_at=None).select_related("family")
    items = [
        {"cells": [surname_first(person.name), person.contact, person.family.name if person.family else ""]}
        for person in sorted(people, key=surname_key)
    ]
    columns = _as_wide_as_their_texts(
        [
            {"title": _("Name"), "kind": "strong"},
            {"title": _("Phone or e-mail")},
            {"title": _("Family")},
        ],
        [item["cells"] for item in items],
    )
    about = ngettext("%(number)s person", "%(number)s people", len(items)) % {"number": len(items)}
    return list_of(club, order, title=_("List of people"), about=about, columns=columns, items=items)


def attendance_document(club: Club, order: Order) -> Document:
    """Build the list of how often each person came between two days."""
    period = Period(
        starts=datetime.date.fromisoformat(order.starts), ends=datetime.date.fromisoformat(order.ends)
    )
    lines, of = attendance_lines(club, period)
    columns = [
        {"title": _("Name"), "kind": "strong", "share": 5},
        {"title": _("Nights"), "kind": "number", "mm": 22},
        {"title": _("Last attended"), "share": 3},
    ]
    items = [
        {
            "cells": [
                surname_first(line.person.name),
                f"{len(line.nights)} / {of}",
                day_written(line.nights[0].held_on),
            ]
        }
        for line in sorted(lines, key=lambda line: surname_key(line.person))
    ]
    about = f"{day_written(period.starts)} – {day_written(period.ends)}"
    return list_of(club, order, title=_("Attendance"), about=about, columns=columns, items=items)


def _as_wide_as_their_texts(
    columns: Sequence[Mapping[str, str]], rows: Sequence[Sequence[str]]
) -> list[dict[str, Any]]:
    """Give each column a share of the page by its longest text. Long names then wrap only for lack of
    room."""
    longest = (
        max(len(text) for text in texts)
        for texts in zip((column["title"] for column in columns), *rows, strict=True)
    )
    return [
        {**column, "share": min(max(letters, NARROWEST), WIDEST)}
        for column, letters in zip(columns, longest, strict=True)
    ]
