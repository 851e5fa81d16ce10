"""The table screen. Each view parses, calls one service, and renders, both for the card and for the desk.

A refusal is rendered on the form that caused it, with what was typed; its HTTP status comes from
``config.refusals``.
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
from live.conditional_pages import asks_for_part, conditional_page, page_or_part, part_tag
from rules import Refusal, is_read_aloud, read_record
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
    def answer(request: HttpRequest, door: TableSession) -> HttpResponse:
        try:
            return view(request, door)
        except Refusal as refusal:
            return _render_refusal(request, door, refusal)

    return answer


def match_page(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Show the screen of the match; a POST marks a hand."""
    return mark(request, door) if request.method == "POST" else show(request, door)


def show(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Show the page, or for htmx the part of it that changes; 304 if nothing has."""
    if door.account is not None:
        door = _open_call(door)
    is_next = request.GET.get("game") == str(door.match.summary["next"])
    response = conditional_page(
        request,
        door.revision,
        lambda: _screen(request, door, table_screen(door.match), goes_on=is_next),
    )
    patch_vary_headers(response, [DRAWS])
    return response


def _open_call(door: TableSession) -> TableSession:
    """Return the session at the desk, after marking an unopened call as opened."""
    call = queries.latest_call(door.match)
    if call is None or not call.is_open or call.is_opened:
        return door
    services.open_call(match_id=door.match.pk)
    return _fresh(door)


def hands_page(request: HttpRequest, door: TableSession) -> HttpResponse:
    """List all the hands of the match, each to be opened; for the desk, with the history of every mark."""
    screen = table_screen(door.match)
    context: dict[str, Any] = {"door": door, "screen": screen}
    if door.account is not None:
        calls = queries.calls_of(door.match)
        context |= {"history": marks_history(door.match, screen), "calls": calls}
    return TemplateResponse(request, "scoring/hands.html", context)


def hand_page(request: HttpRequest, door: TableSession, number: int) -> HttpResponse:
    """Correct one hand."""
    screen = table_screen(door.match, correcting=number)
    if screen.correcting is None:
        raise Refusal("no_such_mark", field="number")
    return _screen(request, door, screen)


@on_the_screen
def mark(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Record a hand, a correction or an undo; a hand to be read aloud is asked about once."""
    posted = posted_mark(request.POST)
    match = _find_match(request, door, posted.match_id)
    if _asks_first(door, match, posted):
        return _ask(request, replace(door, match=match), posted)
    written = services.record_hand_of_phone(
        match_id=match.pk,
        **posted.record,
        device=door.device,
        waited=posted.waited if door.account is None else 0,
        account=door.director,
        reason=posted.reason,
    )
    return _back_to_screen(request, door, written.match)


@on_the_screen
def agree(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Agree to a game ("D'accord"), as its page shows it."""
    side = posted_side(request.POST)
    services.agree(
        match_id=_find_match(request, door, whole_number(request.POST, "match")).pk,
        side=side,
        game=whole_number(request.POST, "game"),
        seen=request.POST.get("seen", ""),
        device=door.device,
        waited=posted_wait(request.POST) if door.account is None else 0,
    )
    return _back_to_screen(request, door)


@on_the_screen
def dispute(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Call the desk from the table."""
    services.dispute(
        match_id=_meant_if_said(request, door).pk,
        note=request.POST.get("note", ""),
        device=door.device,
        entry_key=posted_key(request.POST, "entry_key"),
    )
    return _back_to_screen(request, door)


@on_the_screen
def withdraw_dispute(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Withdraw the table's call to the desk."""
    services.withdraw_dispute(
        match_id=_meant_if_said(request, door).pk, call=posted_key(request.POST, "call")
    )
    return _back_to_screen(request, door)


@on_the_screen
def say_first_dealer(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Name the first dealer."""
    seat, seen = posted_dealer(request.POST)
    services.name_first_dealer(match_id=_meant_if_said(request, door).pk, seat=seat, seen=seen)
    return _back_to_screen(request, door)


@on_the_screen
def pass_pencil(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Ask to become scorekeeper, or answer such a request."""
    match_id, act = (
        _find_match(request, door, whole_number(request.POST, "match")).pk,
        request.POST.get("act"),
    )
    if act == "ask":
        services.ask_for_pencil(match_id=match_id, device=door.device)
    else:
        services.answer_for_pencil(match_id=match_id, device=door.device, gives=act == "give")
    return _back_to_screen(request, door)


@on_the_screen
def settle_dispute(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Answer the table's call at the desk."""
    assert door.account is not None
    services.settle_call(
        match_id=door.match.pk,
        account=door.account,
        ruling=posted_reason(request.POST, "ruling"),
        call=posted_key(request.POST, "call"),
    )
    return _back_to_screen(request, door)


def show_codes(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Show the match as QR codes, for a phone of the table that has no network."""
    texts = codes_of_round(door, table_screen(door.match), call=queries.latest_call(door.match))
    return TemplateResponse(
        request, "scoring/codes_of_round.html", {"door": door, "codes": [square(text) for text in texts]}
    )


def _find_match(request: HttpRequest, door: TableSession, match_id: int) -> Match:
    """Return the match that a page was about: the current one, or from an old page an earlier one.

    Refuses: no_such_match; log_is_behind, where a phone says by its digest that it has heard more of it than
    is here.
    """
    is_here = match_id == door.match.pk
    match = door.match if is_here else queries.match_of_card(door.match.card, match_id)
    heard = request.POST.get("heard", "")
    if match is None:
        raise Refusal("log_is_behind" if heard and is_of_a_marked_log(heard) else "no_such_match")
    log = door.log if is_here else log_as_said(match)
    if heard and heard not in log.digests:
        raise Refusal("log_is_behind")
    return match


def _meant_if_said(request: HttpRequest, door: TableSession) -> Match:
    """Return the match named in the form, or else the current one. Refuses: as ``_find_match``, and
    not_a_number."""
    is_said = "match" in request.POST
    return _find_match(request, door, whole_number(request.POST, "match")) if is_said else door.match


def _asks_first(door: TableSession, match: Match, posted: PostedMark) -> bool:
    """Check whether to ask first. Hands that end a game or move much are read aloud; a director gives a
    reason."""
    if door.director is not None and not posted.reason.strip():
        return True
    if posted.confirmed or posted.hand.get("kind") == "undone":
        return False
    record = read_record(match.terms.ruleset, posted.hand)
    return is_read_aloud(*with_hand(match, log_of(match), posted.number, record))


def _ask(request: HttpRequest, door: TableSession, posted: PostedMark) -> HttpResponse:
    ruleset = door.match.terms.ruleset
    record = read_record(ruleset, posted.hand)
    log = log_of(door.match)
    _, after = with_hand(door.match, log, posted.number, record)
    correcting = posted.number if posted.number in log.standing else None
    screen = table_screen(door.match, correcting=correcting)
    asked = replace(line_view(posted.number, record, screen.sides, ruleset), line=after.lines[-1])
    undone = agreements_undone(door.match, log, posted.number, record) if door.director else []
    more: dict[str, Any] = {"asked": posted, "asked_line": asked, "after": after, "agreements_undone": undone}
    is_reason_missing = door.director is not None and "reason" in request.POST
    return _screen(request, door, screen, **more, is_reason_missing=is_reason_missing)


def _render_refusal(request: HttpRequest, door: TableSession, refusal: Refusal) -> HttpResponse:
    """Show the current screen with the refusal on top, and what was typed in its fields."""
    fresh = _fresh(door)
    return _screen(request, fresh, table_screen(fresh.match), refusal=refusal, typed=request.POST)


def _back_to_screen(request: HttpRequest, door: TableSession, left: Match | None = None) -> HttpResponse:
    """Return to the screen: for htmx at once, otherwise by a redirect, so that reloading repeats nothing.

    The match that a service ``left``, with its marks, is not read again.
    """
    if not asks_for_part(request):
        return redirect(door.url)
    fresh = _fresh(door) if left is None or left != door.match else _left_by_service(door, left)
    return replace_url(_screen(request, fresh, table_screen(fresh.match), is_done=True), door.url)


def _fresh(door: TableSession) -> TableSession:
    """Return the session with the match as it is now."""
    return replace(door, match=queries.match_of_card(door.match.card, door.match.pk) or door.match)


def _left_by_service(door: TableSession, match: Match) -> TableSession:
    """Return the session with the match that a service left, and with its own club, whose revision it has."""
    match.card.club = door.match.card.club
    return replace(door, match=queries.with_who_sits_there(match))


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


def _screen(request: HttpRequest, door: TableSession, screen: TableScreen, **more: Any) -> TemplateResponse:
    """Render the page or its part.

    A phone that draws by itself gets the data of the table, and from here only what it cannot know: a
    question, a refusal.
    """
    call = queries.latest_call(door.match)
    context: dict[str, Any] = {
        "move": door.move,
        "stays": door.stays == request.GET.get(STAYS),
        "etag": part_tag(request, door.revision),
    }
    if door.account is None:
        context |= _for_the_phone(door, screen, call, context)
        if DRAWS in request.headers and asks_for_part(request) and not more.keys() & OF_THE_SERVER:
            return TemplateResponse(request, "scoring/known.html", context | more)
    now = timezone.now()
    answers = standing_messages(call.answers if call else (), now=now)
    context |= {
        "door": door,
        "screen": screen,
        "dispute": call if call and call.is_open else None,
        "clock": _shown_clock(door),
        "messages": [*door.match.card.messages(now, door.match.round_number), *answers],
        "now": now,
        "refusal": None,
        "details": door.match.terms.details,
        "entry_key": uuid4(),
        "pencil": door.pencil,
        "card_square": _card_square(request, door),
    }
    return TemplateResponse(request, page_or_part(request, "scoring/table.html#screen"), context | more)


def _for_the_phone(
    door: TableSession, screen: TableScreen, call: Dispute | None, context: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the match as a phone keeps it, and the address of the program that draws it."""
    language = get_language() or settings.LANGUAGE_CODE
    known = match_for_phone(door, screen, call=call, etag=context["etag"])
    address = reverse("scoring:program", args=[language, table_program(language).digest])
    return {"known": as_json(known), "program_url": address}


def _shown_clock(door: TableSession) -> Clock | None:
    """Return the clock of the round, if it shows more than when the round started."""
    clock = door.match.card.clock
    return clock if clock is not None and (clock.counts_down or clock.is_last_hand) else None


def _card_square(request: HttpRequest, door: TableSession) -> str:
    """Return the QR code that leads a phone to this table; at the desk, while the card opens."""
    card = door.match.card
    if door.account is None or card.closed_at is not None or door.match.closed_at is not None:
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
