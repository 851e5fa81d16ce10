"""The two ways to a match: the card, for whoever sits at the table, and the desk, for whoever directs."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse

from clubs import guesses
from clubs.models import Account
from clubs.selectors import may_direct
from rules import Refusal

from . import selectors
from .models import Match, TableCard

DEVICE = "device"
DEVICE_KEPT = 60 * 60 * 24 * 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """How somebody came to a match. ``url`` is its screen's address; ``account`` rules, ``device`` marks."""

    match: Match
    url: str
    device: str
    account: Account | None


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

    @wraps(view)
    def opened(request: HttpRequest, code: str, **rest: object) -> HttpResponse:
        url = reverse("scoring:table", args=[code])
        known_device = _device(request, url)
        try:
            match = match_behind(code, guesser=None if known_device else request.META.get("REMOTE_ADDR", ""))
        except Refusal as refusal:
            return TemplateResponse(request, "scoring/no_table.html", {"refusal": refusal, "code": code})
        device = known_device or secrets.token_urlsafe(9)
        response = view(request, Door(match=match, url=url, device=device, account=None), **rest)
        if known_device is None:
            response.set_signed_cookie(
                DEVICE, device, salt=url, max_age=DEVICE_KEPT, path=url, httponly=True, samesite="Lax"
            )
        return response

    return opened


def by_desk(view: View) -> View:
    """A match of a club that the signed-in account directs; for anybody else there is no such page."""

    @wraps(view)
    def opened(request: HttpRequest, match_id: int, **rest: object) -> HttpResponse:
        account = request.user
        if not isinstance(account, Account):
            raise Http404
        match = selectors.ruled_match(account, match_id)
        if match is None or not may_direct(account, match.card.club_id):
            raise Http404
        url = reverse("scoring:ruled", args=[match_id])
        return view(request, Door(match=match, url=url, device="", account=account), **rest)

    return opened


def _device(request: HttpRequest, url: str) -> str | None:
    """The device that opened this very card before: its cookie is bound to the card's address."""
    try:
        return request.get_signed_cookie(DEVICE, default=None, salt=url)
    except BadSignature:
        return None
