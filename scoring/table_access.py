"""The two ways to a match: the card, for whoever sits at the table, and the desk, for whoever works there."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from urllib.parse import urlencode

from django.core import signing
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from clubs.access import may, require_permission, to_sign_in
from clubs.models import Account
from clubs.policy import Audience, Permission, opens_to
from clubs.queries import role_in
from clubs.services import rate_limit
from live.revisions import revision_of
from rules import Refusal
from web.forms import digits_in

from . import queries
from .card_letters import are_letters_of
from .models import AT_DESK, Match, TableCard

SHEET = "sheet"
"""Asks for the page where the paper sheet of that round is typed."""

DEVICE = "device"
DEVICE_KEPT = 60 * 60 * 24 * 30

AT_TABLE = "at"
"""Says, in an address and sealed, from which match somebody comes: who sits there reads names in full."""
SEAL_KEPT = timedelta(days=1)

LETTERS = "letters"
"""Of a card, in the address that its square leads to."""
CODE_LENGTH = 6
CODES, CODES_TOGETHER = "codes", "codes of all"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSession:
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

    @property
    def own_page(self) -> str:
        """Where a player of the table has a page of their own; "" where the evening has no public page."""
        page = self.match.card.public_page
        seal = signing.dumps(self.match.pk, salt=AT_TABLE)
        return f"{page}/mine?{urlencode({AT_TABLE: seal})}" if page and self.account is None else ""


View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comer:
    """Who comes with a code: from which ``address``, with which ``letters`` of the card, if any; and the
    ``device``, if it is known at this very table."""

    address: str = ""
    letters: str = ""
    device: str | None = None


def comer(request: HttpRequest, code: str) -> Comer:
    """Letters as they stand in the square of a card, or as they were typed."""
    return Comer(
        address=request.META.get("REMOTE_ADDR", ""),
        letters=request.POST.get(LETTERS, "") or request.GET.get(LETTERS, ""),
        device=_device(request, reverse("scoring:table", args=[code])),
    )


def match_sealed(seal: str) -> int | None:
    """The id of the match that a player's own page was asked for from; None where the seal is not ours, or
    old. No query."""
    try:
        match_id: int = signing.loads(seal, salt=AT_TABLE, max_age=SEAL_KEPT)
    except BadSignature:
        return None
    return match_id


def card_behind(code: str, comer: Comer) -> TableCard:
    """The card of this code, tonight. A device that was here before, and the letters of the card, always
    pass; a code alone, while few wrong ones were tried. It is not told apart then whether it is a right one.

    Refuses: unknown_code, evening_over, too_many_guesses, letters_are_others.
    """
    if comer.device is None and not are_letters_of(comer.letters, code) and _are_guessed(comer.address):
        raise Refusal("letters_are_others" if comer.letters else "too_many_guesses", field=LETTERS)
    card = queries.card_with_code(code)
    if card is None:
        rate_limit.count_miss(CODES, comer.address)
        rate_limit.count_miss(CODES_TOGETHER, "")
        raise Refusal("unknown_code", field="code")
    if card.closed_at is not None:
        raise Refusal("evening_over", field="code", page=card.public_page)
    return card


def _are_guessed(address: str) -> bool:
    """Whether so many wrong codes have come from this address, or from all together. Two queries at most."""
    return rate_limit.has_missed_too_often(CODES, address) or rate_limit.has_missed_too_often(
        CODES_TOGETHER, "", allowed=rate_limit.ALLOWED_TOGETHER
    )


def match_behind(code: str, comer: Comer) -> Match:
    """The match now played at the table of this code. Refuses: those of ``card_behind``, and no_match_yet."""
    card = card_behind(code, comer)
    match = queries.match_at(card)
    if match is None:
        raise Refusal("no_match_yet", field="code", page=card.public_page)
    return match


def by_card(view: View) -> View:
    """The match now played at the table of that code. No account; guessing codes is slowed down."""

    @opens_to(Audience.TABLE)
    @wraps(view)
    def opened(request: HttpRequest, code: str, **rest: object) -> HttpResponse:
        url = reverse("scoring:table", args=[code])
        who = comer(request, code)
        try:
            match = match_behind(code, who)
        except Refusal as refusal:
            return TemplateResponse(request, "scoring/no_table.html", {"refusal": refusal, "code": code})
        device = who.device or secrets.token_urlsafe(9)
        people = revision_of(match.card.club.topic)
        response = view(request, TableSession(match=match, url=url, people=people, device=device), **rest)
        if who.device is None:
            response.set_signed_cookie(
                DEVICE, device, salt=url, max_age=DEVICE_KEPT, path=url, httponly=True, samesite="Lax"
            )
        return response

    return opened


def way_in(request: HttpRequest, code: str) -> str:
    """Where whoever typed this code goes on: to the table, which itself says that its event is over, that
    nobody plays there yet, or that it asks for the letters; only there, a device is known.

    Refuses: code_has_six_digits, unknown_code, letters_are_others.
    """
    if not (len(code) == CODE_LENGTH and code.isascii() and code.isdigit()):
        raise Refusal("code_has_six_digits", field="code")
    who = comer(request, code)
    try:
        card_behind(code, who)
    except Refusal as refusal:
        if refusal.code not in ("evening_over", "too_many_guesses"):
            raise
    address = reverse("scoring:table", args=[code])
    return f"{address}?{urlencode({LETTERS: who.letters})}" if who.letters else address


def sheets_to_the_desk(view: View) -> View:
    """The square of a paper sheet says its round: it leads whoever stands at the desk to where that sheet is
    typed, or to what was marked. Anybody else has the table."""

    @wraps(view)
    def opened(request: HttpRequest, code: str, **rest: object) -> HttpResponse:
        number = digits_in(request.GET.get(SHEET, ""), most=4)
        if request.method in ("GET", "HEAD") and number is not None and isinstance(request.user, Account):
            match = queries.match_of_sheet(request.user, code, number)
            if match is not None:
                return redirect("scoring:ruled" if match.is_over else "scoring:sheet", match_id=match.pk)
        return view(request, code, **rest)

    return opened


def by_desk(view: View) -> View:
    """A match of a club that the signed-in account has a role in; for anybody else there is no such page."""

    @opens_to(Permission.HELP)
    @wraps(view)
    def opened(request: HttpRequest, match_id: int, **rest: object) -> HttpResponse:
        account = request.user
        if not isinstance(account, Account):
            return to_sign_in(request)
        match = queries.match_at_desk(account, match_id)
        role = None if match is None else role_in(account, match.card.club_id)
        if match is None or role is None:
            raise Http404
        require_permission(request, role, Permission.HELP)
        rules = may(request, Permission.DIRECT)
        door = TableSession(
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
