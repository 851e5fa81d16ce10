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

from clubs.pages import require_post_from
from errors import Refusal
from live.conditional_pages import conditional_page, get_part_etag, get_template_or_part, is_partial_request
from rules import is_read_aloud, read_record
from web.device_access import allow_camera
from web.forms import read_reason
from web.qr import get_phone_origin, render_qr_code

from . import queries
from .clock import Clock
from .desk_messages import filter_current_messages
from .fold import fold_with_hand, load_log
from .log_digests import build_sent_log, is_marked_log_digest
from .models import Dispute, Match
from .parsing import PostedMark, parse_first_dealer, parse_key, parse_mark, parse_side, parse_wait, parse_whole_number
from .phone import build_phone_match, build_round_codes, compile_table_program, render_json
from .presenters.games import list_undone_agreements
from .presenters.lines import build_line
from .presenters.table import TableScreen, build_marks_history, table_screen
from .qr import render_card_qr_code
from .services import agreement, late_marks, matches, scorekeeper
from .table_access import DRAWS_HEADER, STAY_PARAM, TableSession, open_by_card, open_by_desk, redirect_sheets_to_desk

View = Callable[[HttpRequest, TableSession], HttpResponse]

PROGRAM_MAX_AGE = 60 * 60 * 24 * 365
SERVER_CONTEXT = frozenset({"pending_mark", "refusal"})
"""Context names of a screen that only the server knows, even if a phone draws the screen."""


def render_refusals_on_screen(view: View) -> View:
    """Render what this view refuses on the current screen."""

    @wraps(view)
    def answer(request: HttpRequest, session: TableSession) -> HttpResponse:
        try:
            return view(request, session)
        except Refusal as refusal:
            return _render_refusal(request, session, refusal)

    return answer


def show_or_mark(request: HttpRequest, session: TableSession) -> HttpResponse:
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
        lambda: _render_screen(request, session, table_screen(session.match), goes_on=is_next),
    )
    patch_vary_headers(response, [DRAWS_HEADER])
    return response


def _open_call(session: TableSession) -> TableSession:
    """Return the session at the desk, after marking an unopened call as opened."""
    call = queries.find_latest_call(session.match)
    if call is None or not call.is_open or call.is_opened:
        return session
    agreement.open_call(match_id=session.match.pk)
    return _refresh_session(session)


def show_hands(request: HttpRequest, session: TableSession) -> HttpResponse:
    """List all the hands of the match, each to be opened; for the desk, with the history of every mark."""
    screen = table_screen(session.match)
    context: dict[str, Any] = {"session": session, "screen": screen}
    if session.account is not None:
        calls = queries.list_calls(session.match)
        context |= {"history": build_marks_history(session.match, screen), "calls": calls}
    return TemplateResponse(request, "scoring/hands.html", context)


def show_hand(request: HttpRequest, session: TableSession, number: int) -> HttpResponse:
    """Correct one hand."""
    screen = table_screen(session.match, corrected_number=number)
    if screen.corrected_line is None:
        raise Refusal("no_such_mark", field="number")
    return _render_screen(request, session, screen)


@render_refusals_on_screen
def mark(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Record a hand, a correction or an undo; a hand to be read aloud is asked about once."""
    parsed_mark = parse_mark(request.POST)
    match = _find_match(request, session, parsed_mark.match_id)
    if _needs_confirmation(session, match, parsed_mark):
        return _ask_confirmation(request, replace(session, match=match), parsed_mark)
    posted = parsed_mark if session.account is None else replace(parsed_mark, waited=0)
    recorded_mark = late_marks.record_phone_hand(
        match_id=match.pk, posted=posted, device=session.device, account=session.director
    )
    return _return_to_screen(request, session, recorded_mark.match)


@render_refusals_on_screen
def confirm_result(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Agree to a game ("D'accord"), as its page shows it."""
    side = parse_side(request.POST)
    agreement.record_agreement(
        match_id=_find_match(request, session, parse_whole_number(request.POST, "match")).pk,
        side=side,
        game=parse_whole_number(request.POST, "game"),
        expected=request.POST.get("seen", ""),
        device=session.device,
        wait_seconds=parse_wait(request.POST) if session.account is None else 0,
    )
    return _return_to_screen(request, session)


@render_refusals_on_screen
def call_desk(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Call the desk from the table."""
    agreement.call_desk(
        match_id=_find_named_match(request, session).pk,
        note=request.POST.get("note", ""),
        device=session.device,
        entry_key=parse_key(request.POST, "entry_key"),
    )
    return _return_to_screen(request, session)


@render_refusals_on_screen
def withdraw_call(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Withdraw the table's call to the desk."""
    agreement.withdraw_call(match_id=_find_named_match(request, session).pk, call=parse_key(request.POST, "call"))
    return _return_to_screen(request, session)


@render_refusals_on_screen
def name_first_dealer(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Name the first dealer."""
    seat, expected = parse_first_dealer(request.POST)
    matches.name_first_dealer(match_id=_find_named_match(request, session).pk, seat=seat, expected=expected)
    return _return_to_screen(request, session)


@render_refusals_on_screen
def pass_scorekeeping(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Ask to become scorekeeper, or answer such a request."""
    match_id, action = (
        _find_match(request, session, parse_whole_number(request.POST, "match")).pk,
        request.POST.get("act"),
    )
    if action == "ask":
        scorekeeper.request_scorekeeper_role(match_id=match_id, device=session.device)
    else:
        scorekeeper.answer_scorekeeper_request(match_id=match_id, device=session.device, gives=action == "give")
    return _return_to_screen(request, session)


@render_refusals_on_screen
def settle_call(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Answer the table's call at the desk."""
    assert session.account is not None
    agreement.settle_call(
        match_id=session.match.pk,
        account=session.account,
        ruling=read_reason(request.POST, "ruling"),
        call=parse_key(request.POST, "call"),
    )
    return _return_to_screen(request, session)


def show_codes(request: HttpRequest, session: TableSession) -> HttpResponse:
    """Show the match as QR codes, for a phone of the table that has no network."""
    texts = build_round_codes(session, table_screen(session.match), call=queries.find_latest_call(session.match))
    return TemplateResponse(
        request,
        "scoring/round_codes.html",
        {"session": session, "codes": [render_qr_code(text) for text in texts]},
    )


def _find_match(request: HttpRequest, session: TableSession, match_id: int) -> Match:
    """Return the match that a page was about: the current one, or from an old page an earlier one.

    Refuses: no_such_match; log_is_behind, where a phone says by its digest that it has heard more of it than
    is here.
    """
    is_current = match_id == session.match.pk
    match = session.match if is_current else queries.find_card_match(session.match.card, match_id)
    known_digest = request.POST.get("heard", "")
    if match is None:
        raise Refusal("log_is_behind" if known_digest and is_marked_log_digest(known_digest) else "no_such_match")
    log = session.log if is_current else build_sent_log(match)
    if known_digest and known_digest not in log.digests:
        raise Refusal("log_is_behind")
    return match


def _find_named_match(request: HttpRequest, session: TableSession) -> Match:
    """Return the match named in the form, or else the current one. Refuses: as ``_find_match``, and
    not_a_number."""
    is_named = "match" in request.POST
    return _find_match(request, session, parse_whole_number(request.POST, "match")) if is_named else session.match


def _needs_confirmation(session: TableSession, match: Match, parsed_mark: PostedMark) -> bool:
    """Check whether to ask first. Hands that end a game or move much are read aloud; a director gives a
    reason."""
    if session.director is not None and not parsed_mark.reason.strip():
        return True
    if parsed_mark.confirmed or parsed_mark.hand.get("kind") == "undone":
        return False
    record = read_record(match.ruleset, parsed_mark.hand)
    return is_read_aloud(*fold_with_hand(match, load_log(match), parsed_mark.number, record))


def _ask_confirmation(request: HttpRequest, session: TableSession, parsed_mark: PostedMark) -> HttpResponse:
    ruleset = session.match.ruleset
    record = read_record(ruleset, parsed_mark.hand)
    log = load_log(session.match)
    _, state_after = fold_with_hand(session.match, log, parsed_mark.number, record)
    corrected_number = parsed_mark.number if parsed_mark.number in log.active else None
    screen = table_screen(session.match, corrected_number=corrected_number)
    line = replace(build_line(parsed_mark.number, record, screen.sides, ruleset), line=state_after.lines[-1])
    undone_agreements = (
        list_undone_agreements(session.match, log, parsed_mark.number, record) if session.director else []
    )
    context: dict[str, Any] = {
        "pending_mark": parsed_mark,
        "pending_line": line,
        "after": state_after,
        "agreements_undone": undone_agreements,
    }
    is_reason_missing = session.director is not None and "reason" in request.POST
    return _render_screen(request, session, screen, **context, is_reason_missing=is_reason_missing)


def _render_refusal(request: HttpRequest, session: TableSession, refusal: Refusal) -> HttpResponse:
    """Show the current screen with the refusal on top, and what was typed in its fields."""
    current_session = _refresh_session(session)
    return _render_screen(
        request, current_session, table_screen(current_session.match), refusal=refusal, typed=request.POST
    )


def _return_to_screen(request: HttpRequest, session: TableSession, changed_match: Match | None = None) -> HttpResponse:
    """Return to the screen: for htmx at once, otherwise by a redirect, so that reloading repeats nothing.

    ``changed_match``, which a service returned with its marks, is not read again.
    """
    if not is_partial_request(request):
        return redirect(session.url)
    current_session = (
        _refresh_session(session)
        if changed_match is None or changed_match != session.match
        else _load_changed_match(session, changed_match)
    )
    return replace_url(
        _render_screen(request, current_session, table_screen(current_session.match), is_done=True), session.url
    )


def _refresh_session(session: TableSession) -> TableSession:
    """Return the session with the match as it is now."""
    return replace(session, match=queries.find_card_match(session.match.card, session.match.pk) or session.match)


def _load_changed_match(session: TableSession, match: Match) -> TableSession:
    """Return the session with the match that a service left, and with its own club, whose revision it has."""
    match.card.club = session.match.card.club
    return replace(session, match=queries.load_match_details(match))


@require_safe
def show_program(request: HttpRequest, language: str, digest: str) -> HttpResponse:
    """Serve the screens of a table as data, for phones that draw them.

    Each address always has the same content; if the program has changed since, the new one is sent, and is
    not cached.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404
    program = compile_table_program(language)
    response = HttpResponse(program.text, content_type="application/json")
    if digest == program.digest:
        patch_cache_control(response, public=True, max_age=PROGRAM_MAX_AGE, immutable=True)
    else:
        patch_cache_control(response, no_store=True)
    return response


def _render_screen(request: HttpRequest, session: TableSession, screen: TableScreen, **extra: Any) -> TemplateResponse:
    """Render the page or its part.

    A phone that draws by itself gets the data of the table, and from here only what it cannot know: a
    question, a refusal.
    """
    call = queries.find_latest_call(session.match)
    context: dict[str, Any] = {
        "move": session.move,
        "stays": session.stay_match == request.GET.get(STAY_PARAM),
        "etag": get_part_etag(request, session.revision),
    }
    if session.account is None:
        context |= _build_phone_context(session, screen, call, context)
        if DRAWS_HEADER in request.headers and is_partial_request(request) and not extra.keys() & SERVER_CONTEXT:
            return TemplateResponse(request, "scoring/known_records.html", context | extra)
    now = timezone.now()
    answers = filter_current_messages(call.answers if call else (), now=now)
    context |= {
        "session": session,
        "screen": screen,
        "dispute": call if call and call.is_open else None,
        "clock": _get_shown_clock(session),
        "messages": [*session.match.card.list_messages(now, session.match.round_number), *answers],
        "now": now,
        "refusal": None,
        "details": session.match.terms.details,
        "entry_key": uuid4(),
        "scorekeeper": session.scorekeeper,
        "card_qr_code": _render_card_qr(request, session),
    }
    return TemplateResponse(request, get_template_or_part(request, "scoring/table.html#screen"), context | extra)


def _build_phone_context(
    session: TableSession, screen: TableScreen, call: Dispute | None, context: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the match as a phone keeps it, and the address of the program that draws it."""
    language = get_language() or settings.LANGUAGE_CODE
    phone_match = build_phone_match(session, screen, call=call, etag=context["etag"])
    address = reverse("scoring:program", args=[language, compile_table_program(language).digest])
    return {"known": render_json(phone_match), "program_url": address}


def _get_shown_clock(session: TableSession) -> Clock | None:
    """Return the clock of the round, if it shows more than when the round started."""
    clock = session.match.card.clock
    return clock if clock is not None and (clock.is_countdown or clock.is_last_hand) else None


def _render_card_qr(request: HttpRequest, session: TableSession) -> str:
    """Return the QR code that leads a phone to this table; at the desk, while the card opens."""
    card = session.match.card
    if session.account is None or card.closed_at is not None or session.match.closed_at is not None:
        return ""
    return render_card_qr_code(get_phone_origin(request), card)


require_card_post = require_post_from("scoring:table", "code")
require_desk_post = require_post_from("scoring:ruled", "match_id")

card_table_view = allow_camera(
    redirect_sheets_to_desk(
        open_by_card(require_http_methods(["GET", "HEAD", "POST"])(show_or_mark), accepts_saved_entries=True)
    )
)
card_hands_view = open_by_card(require_safe(show_hands))
card_hand_view = open_by_card(require_safe(show_hand))
card_agree_view = require_card_post(open_by_card(confirm_result, accepts_saved_entries=True))
card_call_view = require_card_post(open_by_card(call_desk))
card_scorekeeper_view = require_card_post(open_by_card(pass_scorekeeping))
card_withdraw_view = require_card_post(open_by_card(withdraw_call))
card_first_dealer_view = require_card_post(open_by_card(name_first_dealer))

desk_table_view = open_by_desk(require_http_methods(["GET", "HEAD", "POST"])(show_or_mark))
desk_hands_view = open_by_desk(require_safe(show_hands))
desk_hand_view = open_by_desk(require_safe(show_hand))
desk_agree_view = require_desk_post(open_by_desk(confirm_result))
desk_call_view = require_desk_post(open_by_desk(call_desk))
desk_first_dealer_view = require_desk_post(open_by_desk(name_first_dealer))
desk_settle_view = require_desk_post(open_by_desk(settle_call))
desk_codes_view = open_by_desk(require_safe(show_codes))
