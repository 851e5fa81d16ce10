"""The paper sheet of a match, typed at the desk: the two totals of a game, then the next one."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clubs.pages import is_submitted, show_refusals
from live.conditional_pages import redirect_for_htmx
from web.forms import parse_digits

from . import queries
from .models import Match
from .parsing import parse_mark
from .presenters.table import table_screen
from .services import sheets
from .table_access import TableSession, open_by_desk

PREVIOUS_PARAM = "written"
"""Query parameter of a sheet's address: the match of the previous sheet."""


@show_refusals
def enter_sheet(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Type a paper sheet at the desk: the two totals of a game, then the next one."""
    if is_submitted(request):
        parsed_mark = parse_mark(request.POST)
        match = sheets.record_sheet(
            match_id=session.match.pk,
            entry_key=parsed_mark.entry_key,
            number=parsed_mark.number,
            hand=parsed_mark.hand,
            goes_on="goes_on" in request.POST,
            device=session.device,
            account=session.director,
            reason=parsed_mark.reason,
        )
        return redirect_for_htmx(request, _get_next_url(request, session, match))
    if request.method != "POST" and (session.match.is_over or session.match.has_rivals):
        return redirect(session.url)
    previous_id = parse_digits(request.GET.get(PREVIOUS_PARAM, ""), max_digits=15)
    previous_match = None if previous_id is None else queries.find_evening_match(session.match, previous_id)
    return TemplateResponse(
        request,
        "scoring/sheet.html",
        {
            "session": session,
            "screen": table_screen(session.match),
            "entry_key": uuid4(),
            "typed": request.POST,
            "next": queries.find_next_sheet_match(session.match),
            "written": None if previous_match is None else table_screen(previous_match),
        },
    )


def _get_next_url(request: HttpRequest, session: TableSession, match: Match) -> str:
    """Return the next page: the sheet of the next game, the next table if asked for, or the desk.

    If two people have typed different totals, it is the match, which asks for the right ones.
    """
    if match.has_rivals:
        return session.url
    next_match = queries.find_next_sheet_match(match) if "next" in request.POST else None
    if not match.is_over and "goes_on" not in request.POST:
        return f"{session.url}/sheet"
    if next_match is None:
        return match.card.desk_page
    return f"{reverse('scoring:sheet', args=[next_match.pk])}?{PREVIOUS_PARAM}={match.pk}"


desk_sheet_view = open_by_desk(require_http_methods(["GET", "HEAD", "POST"])(enter_sheet))
