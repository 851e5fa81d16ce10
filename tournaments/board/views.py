"""Pages of wall screens, which rotate and update themselves, and the desk pages on which a director sets
their views."""

import re
from dataclasses import asdict, replace
from functools import partial
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.pages import get_actor, is_submitted, show_refusals
from live.conditional_pages import conditional_page, get_part_etag, get_template_or_part, read_snapshot
from tournaments.events.views.access import event_directors_only, public_event_required
from tournaments.history.views.shown_values import ShownValues, build_form_version, get_form_actor
from tournaments.models import Event
from web.forms import CheckboxField, ChoiceField, Form, NumberField, TextField, parse_digits
from web.qr import get_phone_origin, render_qr_code

from .boards import Board, Scene, boards_from_json
from .presenters.board import WHOLE_SCREEN, BoardShare, build_board_view, get_board_revision
from .services import add_board, change_board, remove_board, show_on_board

MAX_SCREENS = 99


class BoardForm(Form):
    """The form of a wall screen."""

    name = TextField(
        _("Name"), help_text=_("For example, “Large hall” or “Above the bar”."), required="board_name_required"
    )
    first_table = NumberField(_("First table"))
    last_table = NumberField(_("Last table"))
    is_dark = CheckboxField(_("Dark background"))


class SceneForm(Form):
    """The buttons of a wall screen."""

    scene = ChoiceField(values=[option.value for option in Scene])


@require_safe
@read_snapshot()
@public_event_required
def board(request: HttpRequest, event: Event) -> HttpResponse:
    """Show seats, the clock and the standings on the wall. Use ``?by=name`` instead of by table,
    ``?part=2/4`` for the second of four screens."""
    by_name = request.GET.get("by") == "name"
    settings = Board(scene=Scene.BY_NAME if by_name else Scene.ROTATING)
    return _render_board(request, event, settings, _parse_share(request.GET.get("part", "")))


@require_safe
@read_snapshot()
@public_event_required
def numbered_board(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the wall screen of a room, with the view that a director chose."""
    return _render_board(request, event, _find_board(event, number), WHOLE_SCREEN)


@event_directors_only
@show_refusals
def boards_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose the view of each wall screen; add another screen."""
    form = BoardForm.from_request(request)
    if is_submitted(request):
        if "scene" in request.POST:
            _show_scene(request, event)
        else:
            add_board(event_id=event.pk, details=Board(**form.read()), by=get_actor(request))
        return redirect("boards", short=event.short)
    context = {"event": event, "boards": boards_from_json(event.boards), "form": form}
    return TemplateResponse(request, "tournaments/board/boards.html", context)


@event_directors_only
@show_refusals
def board_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Change or remove a wall screen; show its address with a QR code."""
    current = _find_board(event, number)
    form = BoardForm.from_request(request, stored=current)
    if is_submitted(request):
        if "remove" in request.POST:
            remove_board(event_id=event.pk, number=number, by=get_actor(request))
        else:
            by = get_form_actor(request, _get_shown_values(event, number))
            change_board(event_id=event.pk, number=number, details=Board(**form.read()), by=by)
        return redirect("boards", short=event.short)
    address = get_phone_origin(request).rstrip("/") + reverse("numbered-board", args=[event.short, number])
    context = {
        "event": event,
        "board": current,
        "form": form,
        "form_version": build_form_version(request, _get_shown_values(event, number)),
        "address": address,
        "qr_code": render_qr_code(address),
    }
    return TemplateResponse(request, "tournaments/board/board_page.html", context)


def _get_shown_values(event: Event, number: int) -> ShownValues:
    """Return what the form of a wall screen shows: not its view, nor other screens."""

    def read_board(row: Event) -> object:
        return [
            asdict(replace(each, scene=Scene.ROTATING))
            for each in boards_from_json(row.boards)
            if each.number == number
        ]

    return ShownValues(event=event, row=event, columns=("boards",), reads=read_board)


def _render_board(request: HttpRequest, event: Event, settings: Board, share: BoardShare) -> HttpResponse:
    base_revision = get_board_revision(event, now=timezone.now())
    revision = f"board.{event.pk}.{base_revision}.{settings.number}.{settings.scene}.{share.number}.{share.of}"
    page = partial(_render_page, request, event, revision, settings=settings, share=share)
    return conditional_page(request, revision, page)


def _render_page(
    request: HttpRequest, event: Event, revision: str, *, settings: Board, share: BoardShare
) -> HttpResponse:
    return TemplateResponse(
        request,
        get_template_or_part(request, "tournaments/board/board.html#live"),
        {
            "event": event,
            "board": build_board_view(event, board=settings, part=share),
            "counts_games": event.counts_games,
            "now": timezone.now(),
            "address": urlsplit(get_phone_origin(request)).netloc + event.get_absolute_url(),
            "etag": get_part_etag(request, revision),
        },
    )


def _find_board(event: Event, number: int) -> Board:
    for candidate in boards_from_json(event.boards):
        if candidate.number == number:
            return candidate
    raise Http404


def _parse_share(text: str) -> BoardShare:
    """Parse ``2/4``; return the whole for anything else."""
    match = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})", text)
    if match and 1 <= int(match[1]) <= int(match[2]) <= MAX_SCREENS:
        return BoardShare(number=int(match[1]), of=int(match[2]))
    return WHOLE_SCREEN


def _show_scene(request: HttpRequest, event: Event) -> None:
    """Set the view chosen in the form. Refuses: form_refused, no_such_board."""
    scene = SceneForm(request.POST).read()["scene"]
    number = parse_digits(request.POST.get("number", ""), max_digits=3) or 0
    show_on_board(event_id=event.pk, number=number, scene=Scene(scene), by=get_actor(request))
