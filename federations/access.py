"""Lookups for the public pages of a federation. They raise Http404 if nothing is found."""

import datetime
from collections.abc import Sequence
from typing import TypeVar

from django.http import Http404
from django.shortcuts import get_object_or_404

from federations.models import Federation

Line = TypeVar("Line")


def get_federation(slug: str, pk: int) -> Federation:
    """Return the federation with this key, run by the club. One query."""
    return get_object_or_404(Federation.objects.select_related("club"), club__slug=slug, pk=pk)


def get_only_line(lines: Sequence[Line]) -> Line:
    """Return the only line in the list."""
    if len(lines) != 1:
        raise Http404
    return lines[0]


def get_first_of_month(year: int, month: int) -> datetime.date:
    """Return the first day of the month."""
    try:
        return datetime.date(year, month, 1)
    except ValueError:
        raise Http404 from None
