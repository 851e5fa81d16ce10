"""The table screen. Each view parses, calls one service, and renders; the same screen serves both doors.

A refusal is rendered where it arose, with what was typed; its HTTP status comes from ``config.refusals``.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any
from uuid import uuid4
from zlib import adler32

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from clubs.post_only import posted_from
from live.conditional_pages import asks_for_part, conditional_page, page_or_part, part_tag, redirect_or_part
from rules import Refusal, Side, is_read_aloud, read_record
from web.forms import digits_in
from web.qr import origin_for_phones

from . import queries, services
from .clock import Clock
from .fold import log_of, with_hand
from .models import Match
from .parsing import PostedMark, posted_mark, whole_number
from .presenters import TableScreen, history_of, line_view, table_screen
from .qr import square_of
from .table_access import TableSession, by_card, by_desk, sheets_to_the_desk

View = Callable[[HttpRequest, TableSession], HttpResponse]

WRITTEN = "written"
"""Says, in the address of a sheet, which match the sheet before it was of."""


def on_the_screen(view: View) -> View:
    """What this view refuses is said on the screen, as it is now."""

    @wraps(view)
    def answered(request: HttpRequest, door: TableSession) -> HttpResponse:
        try:
            return view(request, door)
        except Refusal as refusal:
            return _refused(request, door, refusal)

    return answered


def table(request: HttpRequest, door: TableSession) -> HttpResponse:
    """The screen of the match; a POST marks a hand."""
    return mark(request, door) if request.method == "POST" else show(request, door)


def show(request: HttpRequest, door: TableSession) -> HttpResponse:
    """The page, or for htmx the part of it that changes; 304 where nothing has."""
    is_next = request.GET.get("game") == str(door.match.summary["next"])
    return conditional_page(
        request,
        _revision(door),
        lambda: _screen(request, door, table_screen(door.match), goes_on=is_next),
    )


def hands(request: HttpRequest, door: TableSession) -> HttpResponse:
    """All the hands of the match, each to be opened; for the desk, with the history of every mark."""
    screen = table_screen(door.match)
    context: dict[str, Any] = {"door": door, "screen": screen}
    if door.account is not None:
        calls = queries.calls_of(door.match)
        context |= {"history": history_of(door.match, screen), "calls": calls}
    return TemplateResponse(request, "scoring/hands.html", context)


def hand(request: HttpRequest, door: TableSession, number: int) -> HttpResponse:
    """One hand, to be corrected."""
    screen = table_screen(door.match, correcting=number)
    if screen.correcting is None:
        raise Refusal("no_such_mark", field="number")
    return _screen(request, door, screen)


@on_the_screen
def mark(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Records a hand, a correction or an undo; what is to be read aloud first is asked once."""
    posted = posted_mark(request.POST)
    match = _meant(door, posted.match_id)
    if _asks_first(door, match, posted):
        return _ask(request, replace(door, match=match), posted)
    services.record_hand(
        match_id=match.pk,
        entry_key=posted.entry_key,
        number=posted.number,
        hand=posted.hand,
        supersedes=posted.supersedes,
        device=door.device,
        account=door.director,
        reason=posted.reason,
    )
    return _done(request, door)


@on_the_screen
def agree(request: HttpRequest, door: TableSession) -> HttpResponse:
    """A side says D'accord to a game, as its page shows it."""
    side = Side.__members__.get(request.POST.get("side", ""))
    if side is None:
        raise Refusal("no_such_side", field="side", value=request.POST.get("side", ""))
    services.agree(
        match_id=_meant(door, whole_number(request.POST, "match")).pk,
        side=side,
        game=whole_number(request.POST, "game"),
        seen=request.POST.get("seen", ""),
        device=door.device,
    )
    return _done(request, door)


@on_the_screen
def dispute(request: HttpRequest, door: TableSession) -> HttpResponse:
    """The table calls the desk."""
    services.dispute(match_id=door.match.pk, note=request.POST.get("note", ""), device=door.device)
    return _done(request, door)


@on_the_screen
def withdraw(request: HttpRequest, door: TableSession) -> HttpResponse:
    """The table takes its call to the desk back."""
    services.withdraw_dispute(match_id=door.match.pk)
    return _done(request, door)


@on_the_screen
def first_dealer(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Says who dealt first."""
    services.name_first_dealer(match_id=door.match.pk, seat=whole_number(request.POST, "seat"))
    return _done(request, door)


@on_the_screen
def settle(request: HttpRequest, door: TableSession) -> HttpResponse:
    """The desk answers the table's call."""
    assert door.account is not None
    services.settle(match_id=door.match.pk, account=door.account, ruling=request.POST.get("ruling", ""))
    return _done(request, door)


def sheet(request: HttpRequest, door: TableSession) -> HttpResponse:
    """A paper sheet typed at the desk: the two totals of a game; then the next one."""
    refusal = None
    if request.method == "POST":
        try:
            posted = posted_mark(request.POST)
            match = services.record_sheet(
                match_id=door.match.pk,
                entry_key=posted.entry_key,
                number=posted.number,
                hand=posted.hand,
                goes_on="goes_on" in request.POST,
                device=door.device,
                account=door.director,
                reason=posted.reason,
            )
        except Refusal as refused:
            refusal = refused
        else:
            return redirect_or_part(request, _after_sheet(request, door, match))
    elif door.match.is_over or door.match.has_rivals:
        return redirect(door.url)
    before = digits_in(request.GET.get(WRITTEN, ""), most=15)
    written = None if before is None else queries.match_beside(door.match, before)
    return TemplateResponse(
        request,
        "scoring/sheet.html",
        {
            "door": door,
            "screen": table_screen(door.match),
            "entry_key": uuid4(),
            "typed": request.POST,
            "refusal": refusal,
            "next": queries.next_sheet(door.match),
            "written": None if written is None else table_screen(written),
        },
    )


def _after_sheet(request: HttpRequest, door: TableSession, match: Match) -> str:
    """The sheet of this match's next game, or of the next table, where that was asked; or else the desk.
    Where two have typed different totals, the match, which asks which ones are right."""
    if match.has_rivals:
        return door.url
    following = queries.next_sheet(match) if "next" in request.POST else None
    if not match.is_over and "goes_on" not in request.POST:
        return f"{door.url}/sheet"
    if following is None:
        return match.card.desk_page
    return f"{reverse('scoring:sheet', args=[following.pk])}?{WRITTEN}={match.pk}"


def _meant(door: TableSession, match_id: int) -> Match:
    """The match that a page was about: the door's, or an earlier one at this table, where a page is old.

    Refuses: no_such_match.
    """
    if match_id == door.match.pk:
        return door.match
    match = queries.match_of_card(door.match.card, match_id)
    if match is None:
        raise Refusal("no_such_match")
    return match


def _asks_first(door: TableSession, match: Match, posted: PostedMark) -> bool:
    """A hand that ends a game or moves much is read aloud; a director's change asks for its reason."""
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
    return _screen(request, door, screen, asked=posted, asked_line=asked, after=after)


def _refused(request: HttpRequest, door: TableSession, refusal: Refusal) -> HttpResponse:
    """The screen as it is now, with the refusal on top, and whatever was typed in a field of its own."""
    fresh = _fresh(door)
    return _screen(request, fresh, table_screen(fresh.match), refusal=refusal, typed=request.POST)


def _done(request: HttpRequest, door: TableSession) -> HttpResponse:
    """Back to the screen: for htmx at once, otherwise by a redirect, so that reloading repeats nothing."""
    if not asks_for_part(request):
        return redirect(door.url)
    fresh = _fresh(door)
    response = _screen(request, fresh, table_screen(fresh.match))
    response.headers["HX-Replace-Url"] = door.url
    return response


def _fresh(door: TableSession) -> TableSession:
    """The door with the match as it is now."""
    return replace(door, match=queries.match_of_card(door.match.card, door.match.pk) or door.match)


def _screen(request: HttpRequest, door: TableSession, screen: TableScreen, **more: Any) -> TemplateResponse:
    is_start = not screen.lines and door.account is None and door.match.round_number > 1
    return TemplateResponse(
        request,
        page_or_part(request, "scoring/table.html#screen"),
        {
            "door": door,
            "screen": screen,
            "clock": _shown_clock(door),
            "now": timezone.now(),
            "dispute": queries.open_dispute(door.match),
            "seats_after": queries.seats_after(door.match, door.device) if is_start else {},
            "details": door.match.terms.details,
            "entry_key": uuid4(),
            "card_square": _card_square(request, door),
            "etag": part_tag(request, _revision(door)),
        }
        | more,
    )


def _shown_clock(door: TableSession) -> Clock | None:
    """The clock of the round, where it tells a table something: not only since when it is played."""
    clock = door.match.card.clock
    return clock if clock is not None and (clock.counts_down or clock.is_last_hand) else None


def _card_square(request: HttpRequest, door: TableSession) -> str:
    """At the desk, while the card opens: the square that leads a phone to this table."""
    card = door.match.card
    if door.account is None or card.closed_at is not None or door.match.closed_at is not None:
        return ""
    return square_of(origin_for_phones(request), card.code)


def _revision(door: TableSession) -> str:
    clock = door.match.card.clock_data
    of_clock = "" if clock is None else f".{adler32(repr(sorted(clock.items())).encode()):x}"
    return f"{door.match.pk}.{door.match.revision}.{door.people}{of_clock}"


posted_on_the_card = posted_from("scoring:table", "code")
posted_at_the_desk = posted_from("scoring:ruled", "match_id")

table_by_card = sheets_to_the_desk(by_card(require_http_methods(["GET", "HEAD", "POST"])(table)))
hands_by_card = by_card(require_safe(hands))
hand_by_card = by_card(require_safe(hand))
agree_by_card = posted_on_the_card(by_card(agree))
dispute_by_card = posted_on_the_card(by_card(dispute))
withdraw_by_card = posted_on_the_card(by_card(withdraw))
first_dealer_by_card = posted_on_the_card(by_card(first_dealer))

table_by_desk = by_desk(require_http_methods(["GET", "HEAD", "POST"])(table))
hands_by_desk = by_desk(require_safe(hands))
hand_by_desk = by_desk(require_safe(hand))
agree_by_desk = posted_at_the_desk(by_desk(agree))
dispute_by_desk = posted_at_the_desk(by_desk(dispute))
first_dealer_by_desk = posted_at_the_desk(by_desk(first_dealer))
settle_by_desk = posted_at_the_desk(by_desk(settle))
sheet_by_desk = by_desk(require_http_methods(["GET", "HEAD", "POST"])(sheet))
