"""The paper sheet of a match, typed at the desk: the two totals of a game, then the next one."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from errors import Refusal
from live.conditional_pages import redirect_or_part
from web.forms import digits_in

from . import queries, services
from .models import Match
from .parsing import posted_mark
from .presenters import table_screen
from .table_access import TableSession, by_desk

WRITTEN = "written"
"""Query parameter of a sheet's address: the match of the previous sheet."""


def sheet(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Type a paper sheet at the desk: the two totals of a game, then the next one."""
    refusal = None
    if request.method == "POST":
        try:
            posted = posted_mark(request.POST)
            match = services.record_sheet(
                match_id=session.match.pk,
                entry_key=posted.entry_key,
                number=posted.number,
                hand=posted.hand,
                goes_on="goes_on" in request.POST,
                device=session.device,
                account=session.director,
                reason=posted.reason,
            )
        except Refusal as refused:
            refusal = refused
        else:
            return redirect_or_part(request, _after_sheet(request, session, match))
    elif session.match.is_over or session.match.has_rivals:
        return redirect(session.url)
    before = digits_in(request.GET.get(WRITTEN, ""), most=15)
    written = None if before is None else queries.match_beside(session.match, before)
    return TemplateResponse(
        request,
        "scoring/sheet.html",
        {
            "session": session,
            "screen": table_screen(session.match),
            "entry_key": uuid4(),
            "typed": request.POST,
            "refusal": refusal,
            "next": queries.next_sheet(session.match),
            "written": None if written is None else table_screen(written),
        },
    )


def _after_sheet(request: HttpRequest, session: TableSession, match: Match) -> str:
    """Return the next page: the sheet of the next game, the next table if asked for, or the desk.

    If two people have typed different totals, it is the match, which asks for the right ones.
    """
    if match.has_rivals:
        return session.url
    following = queries.next_sheet(match) if "next" in request.POST else None
    if not match.is_over and "goes_on" not in request.POST:
        return f"{session.url}/sheet"
    if following is None:
        return match.card.desk_page
    return f"{reverse('scoring:sheet', args=[following.pk])}?{WRITTEN}={match.pk}"


sheet_by_desk = by_desk(require_http_methods(["GET", "HEAD", "POST"])(sheet))
