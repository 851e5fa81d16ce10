"""The board: a page for the wall of the hall, which turns and brings itself up to date."""

import re
from functools import partial
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from live.conditional_pages import conditional_page, page_or_part, part_tag
from tournaments.events.views.access import for_watchers
from tournaments.models import Event
from web.qr import origin_for_phones

from .presenters import WHOLE, BoardShare, board_revision, board_view

MOST_SCREENS = 99


@require_safe
@for_watchers
def board(request: HttpRequest, event: Event) -> HttpResponse:
    """Where everybody sits, the clock and the standings; ``?by=name`` instead of by table, ``?part=2/4``
    on the second of four screens."""
    by_name = request.GET.get("by") == "name"
    shared = _part(request.GET.get("part", ""))
    kept = board_revision(event, now=timezone.now())
    revision = f"board.{event.pk}.{kept}.{by_name:d}.{shared.number}.{shared.of}"
    page = partial(_board, request, event, revision, by_name=by_name, shared=shared)
    return conditional_page(request, revision, page)


def _board(
    request: HttpRequest, event: Event, revision: str, *, by_name: bool, shared: BoardShare
) -> HttpResponse:
    now = timezone.now()
    return TemplateResponse(
        request,
        page_or_part(request, "tournaments/board/board.html#live"),
        {
            "event": event,
            "board": board_view(event, now=now, by_name=by_name, part=shared),
            "now": now,
            "address": urlsplit(origin_for_phones(request)).netloc + event.get_absolute_url(),
            "etag": part_tag(request, revision),
        },
    )


def _part(asked: str) -> BoardShare:
    """``2/4``; the whole for anything that is no part."""
    found = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})", asked)
    if found and 1 <= int(found[1]) <= int(found[2]) <= MOST_SCREENS:
        return BoardShare(number=int(found[1]), of=int(found[2]))
    return WHOLE
