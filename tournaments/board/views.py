"""Pages of wall screens, which rotate and update themselves, and the desk pages on which a director sets
their views."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from clubs.actor import actor_from
from errors import Refusal
from live.conditional_pages import conditional_page, page_or_part, part_tag
from tournaments.events.views.access import for_directors, for_watchers
from tournaments.models import Event
from web.forms import FormReader, digits_in
from web.qr import origin_for_phones, square

from .boards import Board, Scene, boards_from_json
from .presenters import WHOLE, BoardShare, board_revision, board_view
from .services import BoardDetails, add_board, change_board, remove_board, show_on_board

MOST_SCREENS = 99


@require_safe
@for_watchers
def board(request: HttpRequest, event: Event) -> HttpResponse:
    """Show seats, the clock and the standings on the wall. Use ``?by=name`` instead of by table,
    ``?part=2/4`` for the second of four screens."""
    by_name = request.GET.get("by") == "name"
    shown = Board(scene=Scene.BY_NAME if by_name else Scene.TURNING)
    return _render_board(request, event, shown, _part(request.GET.get("part", "")))


@require_safe
@for_watchers
def numbered_board(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the wall screen of a room, with the view that a director chose."""
    return _render_board(request, event, _find_board(event, number), WHOLE)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def boards_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose the view of each wall screen; add another screen."""
    refusal = None
    if request.method == "POST":
        try:
            if "scene" in request.POST:
                _show(request, event)
            else:
                add_board(event_id=event.pk, details=_details(request), by=actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("boards", short=event.short)
    context = {
        "event": event,
        "boards": boards_from_json(event.boards),
        "typed": request.POST,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/board/boards.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def board_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Change or remove a wall screen; show its address with a QR code."""
    found, refusal = _find_board(event, number), None
    typed: Mapping[str, Any] = {
        "name": found.name,
        "first_table": found.first_table,
        "last_table": found.last_table,
        "is_dark": found.is_dark,
    }
    if request.method == "POST":
        try:
            if "remove" in request.POST:
                remove_board(event_id=event.pk, number=number, by=actor_from(request))
            else:
                change_board(
                    event_id=event.pk, number=number, details=_details(request), by=actor_from(request)
                )
        except Refusal as refused:
            typed, refusal = request.POST.dict(), refused
        else:
            return redirect("boards", short=event.short)
    address = origin_for_phones(request).rstrip("/") + reverse("numbered-board", args=[event.short, number])
    context = {
        "event": event,
        "board": found,
        "typed": typed,
        "refusal": refusal,
        "address": address,
        "square": square(address),
    }
    return TemplateResponse(request, "tournaments/board/board_page.html", context)


def _render_board(request: HttpRequest, event: Event, shown: Board, shared: BoardShare) -> HttpResponse:
    kept = board_revision(event, now=timezone.now())
    revision = f"board.{event.pk}.{kept}.{shown.number}.{shown.scene}.{shared.number}.{shared.of}"
    page = partial(_board, request, event, revision, shown=shown, shared=shared)
    return conditional_page(request, revision, page)


def _board(
    request: HttpRequest, event: Event, revision: str, *, shown: Board, shared: BoardShare
) -> HttpResponse:
    return TemplateResponse(
        request,
        page_or_part(request, "tournaments/board/board.html#live"),
        {
            "event": event,
            "board": board_view(event, board=shown, part=shared),
            "counts_games": event.counts_games,
            "now": timezone.now(),
            "address": urlsplit(origin_for_phones(request)).netloc + event.get_absolute_url(),
            "etag": part_tag(request, revision),
        },
    )


def _find_board(event: Event, number: int) -> Board:
    for known in boards_from_json(event.boards):
        if known.number == number:
            return known
    raise Http404


def _part(asked: str) -> BoardShare:
    """Parse ``2/4``; return the whole for anything else."""
    found = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})", asked)
    if found and 1 <= int(found[1]) <= int(found[2]) <= MOST_SCREENS:
        return BoardShare(number=int(found[1]), of=int(found[2]))
    return WHOLE


def _show(request: HttpRequest, event: Event) -> None:
    """Set the view chosen in the form. Refuses: form_refused, no_such_board."""
    form = FormReader(request.POST.dict())
    scene = form.choice("scene", [each.value for each in Scene])
    form.finish()
    number = digits_in(request.POST.get("number", ""), most=3) or 0
    show_on_board(event_id=event.pk, number=number, scene=Scene(scene), by=actor_from(request))


def _details(request: HttpRequest) -> BoardDetails:
    """Read the details from the form. Refuses: form_refused."""
    form = FormReader(request.POST.dict())
    name = form.text("name", required="board_name_required")
    first, last = form.number("first_table"), form.number("last_table")
    form.finish()
    return BoardDetails(name=name, first_table=first, last_table=last, is_dark="is_dark" in request.POST)
