"""The two ways to a match: the card, for whoever sits at the table, and the desk, for whoever works there."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from clubs.access import let_in, may, to_sign_in
from clubs.forms import digits_in
from clubs.models import Account
from clubs.policy import Anyone, Deed, opens_to
from clubs.selectors import role_in
from clubs.services import guesses
from live.revisions import revision_of
from rules import Refusal

from . import selectors
from .models import AT_DESK, Match, TableCard

SHEET = "sheet"
"""Asks for the page where the paper sheet of that round is typed."""

DEVICE = "device"
DEVICE_KEPT = 60 * 60 * 24 * 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """How somebody came to a match. ``url`` is its screen's address, ``account`` who stands at the desk.

    A director there rules. A helper writes down what the table could mark itself, and ``device`` says who.
    ``people`` is the revision of the club's people, whose names the screen shows.
    """

    match: Match
    url: str
    people: int
    device: str
    account: Account | None = None
    director: Account | None = None


View = Callable[..., HttpResponse]


def card_behind(code: str, *, guesser: str | None) -> TableCard:
    """The card of this code, tonight. ``guesser`` is the address that is counted on a miss; None for a device
    that has opened this card before.

    Refuses: unknown_code, evening_over, too_many_guesses.
    """
    if guesser is not None and guesses.has_missed_too_often("codes", guesser):
        raise Refusal("too_many_guesses", field="code")
    card = selectors.card_with_code(code)
    if card is None:
        guesses.count_miss("codes", guesser or "")
        raise Refusal("unknown_code", field="code")
    if card.closed_at is not None:
        raise Refusal("evening_over", field="code", page=card.public_page)
    return card


def match_behind(code: str, *, guesser: str | None) -> Match:
    """The match now played at the table of this code. Refuses: those of ``card_behind``, and no_match_yet."""
    card = card_behind(code, guesser=guesser)
    match = selectors.match_at(card)
    if match is None:
        raise Refusal("no_match_yet", field="code", page=card.public_page)
    return match


def by_card(view: View) -> View:
    """The match now played at the table of that code. No account; guessing codes is slowed down."""

    @opens_to(Anyone.TABLE)
    @wraps(view)
    def opened(request: HttpRequest, code: str, **rest: object) -> HttpResponse:
        url = reverse("scoring:table", args=[code])
        known_device = _device(request, url)
        try:
            match = match_behind(code, guesser=None if known_device else request.META.get("REMOTE_ADDR", ""))
        except Refusal as refusal:
            return TemplateResponse(request, "scoring/no_table.html", {"refusal": refusal, "code": code})
        device = known_device or secrets.token_urlsafe(9)
        people = revision_of(match.card.club.topic)
        response = view(request, Door(match=match, url=url, people=people, device=device), **rest)
        if known_device is None:
            response.set_signed_cookie(
                DEVICE, device, salt=url, max_age=DEVICE_KEPT, path=url, httponly=True, samesite="Lax"
            )
        return response

    return opened


def sheets_to_the_desk(view: View) -> View:
    """The square of a paper sheet says its round: it leads whoever stands at the desk to where that sheet is
    typed, or to what was marked. Anybody else has the table."""

    @wraps(view)
    def opened(request: HttpRequest, code: str, **rest: object) -> HttpResponse:
        number = digits_in(request.GET.get(SHEET, ""), most=4)
        if request.method in ("GET", "HEAD") and number is not None and isinstance(request.user, Account):
            match = selectors.match_of_sheet(request.user, code, number)
            if match is not None:
                return redirect("scoring:ruled" if match.is_over else "scoring:sheet", match_id=match.pk)
        return view(request, code, **rest)

    return opened


def by_desk(view: View) -> View:
    """A match of a club that the signed-in account has a role in; for anybody else there is no such page."""

    @opens_to(Deed.HELP)
    @wraps(view)
    def opened(request: HttpRequest, match_id: int, **rest: object) -> HttpResponse:
        account = request.user
        if not isinstance(account, Account):
            return to_sign_in(request)
        match = selectors.match_at_desk(account, match_id)
        role = None if match is None else role_in(account, match.card.club_id)
        if match is None or role is None:
            raise Http404
        let_in(request, role, Deed.HELP)
        rules = may(request, Deed.DIRECT)
        door = Door(
            match=match,
            people=revision_of(match.card.club.topic),
            url=reverse("scoring:ruled", args=[match_id]),
            device="" if rules else f"{AT_DESK}{account.name}",
            account=account,
            director=account if rules else None,
        )
        return view(request, door, **rest)

    return opened


def _device(request: HttpRequest, url: str) -> str | None:
    """The device that opened this very card before: its cookie is bound to the card's address."""
    try:
        return request.get_signed_cookie(DEVICE, default=None, salt=url)
    except BadSignature:
        return None
