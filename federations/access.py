"""What the public addresses of a federation name; Http404 where nothing is there."""

import datetime
from collections.abc import Sequence
from typing import TypeVar

from django.http import Http404
from django.shortcuts import get_object_or_404

from federations.models import Federation

Line = TypeVar("Line")


def federation_for_everybody(slug: str, pk: int) -> Federation:
    """The federation of that key, which the club keeps. One query."""
    return get_object_or_404(Federation.objects.select_related("club"), club__slug=slug, pk=pk)


def only_line(lines: Sequence[Line]) -> Line:
    """The line that was asked for by its key."""
    if len(lines) != 1:
        raise Http404
    return lines[0]


def first_of_month(year: int, month: int) -> datetime.date:
    """The first day of that month."""
    try:
        return datetime.date(year, month, 1)
    except ValueError:
        raise Http404 from None
