"""Lists of a club: its people, and their attendance."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.date_formats import format_date
from clubs.models import Club, Person
from clubs.people import GROUPS
from tournaments.attendance.presenters import Period, list_attendance
from tournaments.papers.orders import Order
from tournaments.papers.presenters import put_surname_first
from tournaments.papers.typesetting.documents import Document

from .parts import get_surname_key, make_list

MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH = 10, 44
"""Smallest and largest width of a column, in characters of its texts."""


def build_member_list(club: Club, order: Order) -> Document:
    """Build the list of people of a group, by name, with their contact and family."""
    groups: Mapping[str, Q] = GROUPS
    group_filter = groups.get(order.group, groups["members"])
    people = Person.objects.filter(group_filter, club=club, anonymized_at=None).select_related("family")
    items = [
        {"cells": [put_surname_first(person.name), person.contact, person.family.name if person.family else ""]}
        for person in sorted(people, key=get_surname_key)
    ]
    columns = _size_columns(
        [
            {"title": _("Name"), "kind": "strong"},
            {"title": _("Phone or e-mail")},
            {"title": _("Family")},
        ],
        [item["cells"] for item in items],
    )
    subtitle = ngettext("%(number)s person", "%(number)s people", len(items)) % {"number": len(items)}
    return make_list(club, order, title=_("List of people"), subtitle=subtitle, columns=columns, items=items)


def build_attendance_list(club: Club, order: Order) -> Document:
    """Build the list of how often each person came between two days."""
    period = Period(starts=datetime.date.fromisoformat(order.starts), ends=datetime.date.fromisoformat(order.ends))
    lines, night_count = list_attendance(club, period)
    columns = [
        {"title": _("Name"), "kind": "strong", "share": 5},
        {"title": _("Nights"), "kind": "number", "mm": 22},
        {"title": _("Last attended"), "share": 3},
    ]
    items = [
        {
            "cells": [
                put_surname_first(line.person.name),
                f"{len(line.nights)} / {night_count}",
                format_date(line.nights[0].held_on),
            ]
        }
        for line in sorted(lines, key=lambda line: get_surname_key(line.person))
    ]
    subtitle = f"{format_date(period.starts)} – {format_date(period.ends)}"
    return make_list(club, order, title=_("Attendance"), subtitle=subtitle, columns=columns, items=items)


def _size_columns(columns: Sequence[Mapping[str, str]], rows: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Give each column a share of the page by its longest text. Long names then wrap only for lack of
    room."""
    longest = (
        max(len(text) for text in texts) for texts in zip((column["title"] for column in columns), *rows, strict=True)
    )
    return [
        {**column, "share": min(max(letters, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH)}
        for column, letters in zip(columns, longest, strict=True)
    ]
