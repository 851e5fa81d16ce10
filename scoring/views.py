"""The table screen. Each view parses, calls one service, and renders, both for the card and for the desk.

A refusal is rendered on the form that caused it, with what was typed; its HTTP status comes from
``server.refusals``.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import replace_url

from clubs.post_only import posted_from
from errors import Refusal
from live.conditional_pages import asks_for_part, conditional_page, page_or_part, part_tag
from rules import is_read_aloud, read_record
from web.device_access import with_camera
from web.forms import posted_reason
from web.qr import origin_for_phones, square

from . import queries, services
from .clock import Clock
from .desk_messages import standing_messages
from .fold import log_of, with_hand
from .log_digests import is_of_a_marked_log, log_as_said
from .models import Dispute, Match
from .parsing import (
    PostedMark,
    posted_dealer,
    posted_key,
    posted_mark,
    posted_side,
    posted_wait,
    whole_number,
)
from .phone import as_json, codes_of_round, match_for_phone, table_program
from .presenters import TableScreen, agreements_undone, line_view, marks_history, table_screen
from .qr import square_of
from .table_access import DRAWS, STAYS, TableSession, by_card, by_desk, sheets_to_the_desk

View = Callable[[HttpRequest, TableSession], HttpResponse]

PROGRAM_KEPT = 60 * 60 * 24 * 365
OF_THE_SERVER = frozenset({"asked", "refusal"})
"""Context names of a screen that only the server knows, even if a phone draws the screen."""


def on_the_screen(view: View) -> View:
    """Render what this view refuses on the current screen."""

    @wraps(view)
    def answer(request: HttpRequest, session: TableSession) -> HttpResponse:
        try:
            return view(request, session)
        except Refusal as refusal:
            return _render_refusal(request, session, refusal)

    return answer


def match_page(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Show the screen of the match; a POST marks a hand."""
    return mark(request, session) if request.method == "POST" else show(request, session)


def show(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Show the page, or for htmx the part of it that changes; 304 if nothing has."""
    if session.account is not None:
        session = _open_call(session)
    is_next = request.GET.get("game") == str(session.match.summary["next"])
    response = conditional_page(
        request,
        session.revision,
        lambda: _screen(request, session, table_screen(session.match), goes_on=is_next),
    )
    patch_vary_headers(response, [DRAWS])
    return response


def _open_call(session: TableSession) -> TableSession:
    """Return the session at the desk, after marking an unopened call as opened."""
    call = queries.latest_call(session.match)
    if call is None or not call.is_open or call.is_opened:
        return session
    services.open_call(match_id=session.match.pk)
    return _fresh(session)


def hands_page(request: HttpRequest, session: TableSession) -> HttpResponse:
    """List all the hands of the match, each to be opened; for the desk, with the history of every mark."""
    screen = table_screen(session.match)
    context: dict[str, Any] = {"session": session, "screen": screen}
    if session.account is not None:
        calls = queries.calls_of(session.match)
        context |= {"history": marks_history(session.match, screen), "calls": calls}
    return TemplateResponse(request, "scoring/hands.html", context)


def hand_page(request: HttpRequest, session: TableSession, number: int) -> HttpResponse:
    """Correct one hand."""
    screen = table_screen(session.match, correcting=number)
    if screen.correcting is None:
        raise Refusal("no_such_mark", field="number")
    return _screen(request, session, screen)


@on_the_screen
def mark(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Record a hand, a correction or an undo; a hand to be read aloud is asked about once."""
    posted = posted_mark(request.POST)
    match = _find_match(request, session, posted.match_id)
    if _asks_first(session, match, posted):
        return _ask(request, replace(session, match=match), posted)
    written = services.record_hand_of_phone(
        match_id=match.pk,
        **posted.record,
        device=session.device,
        waited=posted.waited if session.account is None else 0,
        account=session.director,
        reason=posted.reason,
    )
    return _back_to_screen(request, session, written.match)


@on_the_screen
def agree(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Agree to a game ("D'accord"), as its page shows it."""
    side = posted_side(request.POST)
    services.agree(
        match_id=_find_match(request, session, whole_number(request.POST, "match")).pk,
        side=side,
        game=whole_number(request.POST, "game"),
        seen=request.POST.get("seen", ""),
        device=session.device,
        waited=posted_wait(request.POST) if session.account is None else 0,
    )
    return _back_to_screen(request, session)


@on_the_screen
def dispute(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Call the desk from the table."""
    services.dispute(
        match_id=_meant_if_said(request, session).pk,
        note=request.POST.get("note", ""),
        device=session.device,
        entry_key=posted_key(request.POST, "entry_key"),
    )
    return _back_to_screen(request, session)


@on_the_screen
def withdraw_dispute(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Withdraw the table's call to the desk."""
    services.withdraw_dispute(
        match_id=_meant_if_said(request, session).pk, call=posted_key(request.POST, "call")
    )
    return _back_to_screen(request, session)


@on_the_screen
def say_first_dealer(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Name the first dealer."""
    seat, seen = posted_dealer(request.POST)
    services.name_first_dealer(match_id=_meant_if_said(request, session).pk, seat=seat, seen=seen)
    return _back_to_screen(request, session)


@on_the_screen
def pass_pencil(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Ask to become scorekeeper, or answer such a request."""
    match_id, act = (
        _find_match(request, session, whole_number(request.POST, "match")).pk,
        request.POST.get("act"),
    )
    if act == "ask":
        services.request_scorekeeping(match_id=match_id, device=session.device)
    else:
        services.answer_scorekeeping_request(match_id=match_id, device=session.device, gives=act == "give")
    return _back_to_screen(request, session)


@on_the_screen
def settle_dispute(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Answer the table's call at the desk."""
    assert session.account is not None
    services.settle_call(
        match_id=session.match.pk,
        account=session.account,
        ruling=posted_reason(request.POST, "ruling"),
        call=posted_key(request.POST, "call"),
    )
    return _back_to_screen(request, session)


def show_codes(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Show the match as QR codes, for a phone of the table that has no network."""
    texts = codes_of_round(session, table_screen(session.match), call=queries.latest_call(session.match))
    return TemplateResponse(
        request,
        "scoring/codes_of_round.html",
        {"session": session, "codes": [square(text) for text in texts]},
    )


def _find_match(request: HttpRequest, session: TableSession, match_id: int) -> Match:
    """Return the match that a page was about: the current one, or from an old page an earlier one.

    Refuses: no_such_match; log_is_behind, where a phone says by its digest that it has heard more of it than
    is here.
    """
    is_here = match_id == session.match.pk
    match = session.match if is_here else queries.match_of_card(session.match.card, match_id)
    heard = request.POST.get("heard", "")
    if match is None:
        raise Refusal("log_is_behind" if heard and is_of_a_marked_log(heard) else "no_such_match")
    log = session.log if is_here else log_as_said(match)
    if heard and heard not in log.digests:
        raise Refusal("log_is_behind")
    return match


def _meant_if_said(request: HttpRequest, session: TableSession) -> Match:
    """Return the match named in the form, or else the current one. Refuses: as ``_find_match``, and
    not_a_number."""
    is_said = "match" in request.POST
    return _find_match(request, session, whole_number(request.POST, "match")) if is_said else session.match


def _asks_first(session: TableSession, match: Match, posted: PostedMark) -> bool:
    """Check whether to ask first. Hands that end a game or move much are read aloud; a director gives a
    reason."""
    if session.director is not None and not posted.reason.strip():
        return True
    if posted.confirmed or posted.hand.get("kind") == "undone":
        return False
    record = read_record(match.ruleset, posted.hand)
    return is_read_aloud(*with_hand(match, log_of(match), posted.number, record))


def _ask(request: HttpRequest, session: TableSession, posted: PostedMark) -> HttpResponse:
    ruleset = session.match.ruleset
    record = read_record(ruleset, posted.hand)
    log = log_of(session.match)
    _, after = with_hand(session.match, log, posted.number, record)
    correcting = posted.number if posted.number in log.standing else None
    screen = table_screen(session.match, correcting=correcting)
    asked = replace(line_view(posted.number, record, screen.sides, ruleset), line=after.lines[-1])
    undone = agreements_undone(session.match, log, posted.number, record) if session.director else []
    more: dict[str, Any] = {"asked": posted, "asked_line": asked, "after": after, "agreements_undone": undone}
    is_reason_missing = session.director is not None and "reason" in request.POST
    return _screen(request, session, screen, **more, is_reason_missing=is_reason_missing)


def _render_refusal(request: HttpRequest, session: TableSession, refusal: Refusal) -> HttpResponse:
    """Show the current screen with the refusal on top, and what was typed in its fields."""
    fresh = _fresh(session)
    return _screen(request, fresh, table_screen(fresh.match), refusal=refusal, typed=request.POST)


def _back_to_screen(request: HttpRequest, session: TableSession, left: Match | None = None) -> HttpResponse:
    """Return to the screen: for htmx at once, otherwise by a redirect, so that reloading repeats nothing.

    The match that a service ``left``, with its marks, is not read again.
    """
    if not asks_for_part(request):
        return redirect(session.url)
    fresh = _fresh(session) if left is None or left != session.match else _left_by_service(session, left)
    return replace_url(_screen(request, fresh, table_screen(fresh.match), is_done=True), session.url)


def _fresh(session: TableSession) -> TableSession:
    """Return the session with the match as it is now."""
    return replace(
        session, match=queries.match_of_card(session.match.card, session.match.pk) or session.match
    )


def _left_by_service(session: TableSession, match: Match) -> TableSession:
    """Return the session with the match that a service left, and with its own club, whose revision it has."""
    match.card.club = session.match.card.club
    return replace(session, match=queries.with_who_sits_there(match))


@require_safe
def show_program(request: HttpRequest, language: str, digest: str) -> HttpResponse:
    """Serve the screens of a table as data, for phones that draw them.

    Each address always has the same content; if the program has changed since, the new one is sent, and is
    not cached.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404
    found = table_program(language)
    response = HttpResponse(found.text, content_type="application/json")
    if digest == found.digest:
        patch_cache_control(response, public=True, max_age=PROGRAM_KEPT, immutable=True)
    else:
        patch_cache_control(response, no_store=True)
    return response


def _screen(
    request: HttpRequest, session: TableSession, screen: TableScreen, **more: Any
) -> TemplateResponse:
    """Render the page or its part.

    A phone that draws by itself gets the data of the table, and from here only what it cannot know: a
    question, a refusal.
    """
    call = queries.latest_call(session.match)
    context: dict[str, Any] = {
        "move": session.move,
        "stays": session.stays == request.GET.get(STAYS),
        "etag": part_tag(request, session.revision),
    }
    if session.account is None:
        context |= _for_the_phone(session, screen, call, context)
        if DRAWS in request.headers and asks_for_part(request) and not more.keys() & OF_THE_SERVER:
            return TemplateResponse(request, "scoring/known.html", context | more)
    now = timezone.now()
    answers = standing_messages(call.answers if call else (), now=now)
    context |= {
        "session": session,
        "screen": screen,
        "dispute": call if call and call.is_open else None,
        "clock": _shown_clock(session),
        "messages": [*session.match.card.messages(now, session.match.round_number), *answers],
        "now": now,
        "refusal": None,
        "details": session.match.terms.details,
        "entry_key": uuid4(),
        "pencil": session.pencil,
        "card_square": _card_square(request, session),
    }
    return TemplateResponse(request, page_or_part(request, "scoring/table.html#screen"), context | more)


def _for_the_phone(
    session: TableSession, screen: TableScreen, call: Dispute | None, context: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the match as a phone keeps it, and the address of the program that draws it."""
    language = get_language() or settings.LANGUAGE_CODE
    known = match_for_phone(session, screen, call=call, etag=context["etag"])
    address = reverse("scoring:program", args=[language, table_program(language).digest])
    return {"known": as_json(known), "program_url": address}


def _shown_clock(session: TableSession) -> Clock | None:
    """Return the clock of the round, if it shows more than when the round started."""
    clock = session.match.card.clock
    return clock if clock is not None and (clock.counts_down or clock.is_last_hand) else None


def _card_square(request: HttpRequest, session: TableSession) -> str:
    """Return the QR code that leads a phone to this table; at the desk, while the card opens."""
    card = session.match.card
    if session.account is None or card.closed_at is not None or session.match.closed_at is not None:
        return ""
    return square_of(origin_for_phones(request), card)


posted_on_the_card = posted_from("scoring:table", "code")
posted_at_the_desk = posted_from("scoring:ruled", "match_id")

table_by_card = with_camera(
    sheets_to_the_desk(by_card(require_http_methods(["GET", "HEAD", "POST"])(match_page), takes_kept=True))
)
hands_by_card = by_card(require_safe(hands_page))
hand_by_card = by_card(require_safe(hand_page))
agree_by_card = posted_on_the_card(by_card(agree, takes_kept=True))
dispute_by_card = posted_on_the_card(by_card(dispute))
pencil_by_card = posted_on_the_card(by_card(pass_pencil))
withdraw_by_card = posted_on_the_card(by_card(withdraw_dispute))
first_dealer_by_card = posted_on_the_card(by_card(say_first_dealer))

table_by_desk = by_desk(require_http_methods(["GET", "HEAD", "POST"])(match_page))
hands_by_desk = by_desk(require_safe(hands_page))
hand_by_desk = by_desk(require_safe(hand_page))
agree_by_desk = posted_at_the_desk(by_desk(agree))
dispute_by_desk = posted_at_the_desk(by_desk(dispute))
first_dealer_by_desk = posted_at_the_desk(by_desk(say_first_dealer))
settle_by_desk = posted_at_the_desk(by_desk(settle_dispute))
codes_by_desk = by_desk(require_safe(show_codes))
