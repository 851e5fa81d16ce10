"""The two ways to open a match: by the card on the table, or as staff from the desk."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, wraps
from urllib.parse import urlencode
from zlib import adler32

from django.conf import settings
from django.core import signing
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

from clubs.access import may, require_permission, to_sign_in
from clubs.models import Account
from clubs.phone_owner import owner_in, remember_owner
from clubs.policy import Audience, Permission, opens_to
from clubs.queries import role_in
from clubs.services import rate_limit
from errors import Refusal
from live.conditional_pages import asks_for_part
from live.revisions import revision_of
from web.client_address import client_address
from web.forms import digits_in
from web.signed_cookies import remember_value, signed_value

from . import queries
from .card_secrets import SQUARE, are_letters_of, is_secret_of
from .desk_messages import mark_of
from .log_digests import LogAsSaid, log_as_said
from .models import AT_DESK, Match, TableCard
from .moves import Move, find_move
from .parsing import phone_report
from .qr import card_address
from .scorekeeper import Scorekeeper, ScorekeeperView, scorekeeper_seen_by
from .services import hear_phone

SHEET = "sheet"
"""Query parameter with a round: opens the page where its paper sheet is typed."""

PHONE = "Charlemagne-Phone"
"""Header in which a phone reports what it has of its table: ``parsing.phone_report``."""

DRAWS = "Charlemagne-Draws"
"""Header of a phone that draws its table by itself, and needs only the data."""

DEVICE = "device"
BOUND = "."
"""Separator of device and card binding in the cookie; without it, the binding is the first one."""
DEVICE_KEPT = 60 * 60 * 24 * 30

STAYS = "stay"
"""Query parameter, then cookie of the table: the match at which this phone stays, though its owner plays
elsewhere."""
STAY_KEPT = timedelta(days=1)

OWN_PAGE = "/mine"
"""Path below an event's public page: one's own page, and the end of the event."""
AT_TABLE = "at"
"""Query parameter, signed: the match from which a player comes; its players read names in full."""
SEAL_KEPT = timedelta(days=1)

LETTERS = "letters"
"""Query parameter: the card's letters, typed beside its code or in QR codes of older cards."""
CODE_LENGTH = 6
CODES, CODES_TOGETHER = "codes", "codes of all"
RISK, RISK_TOGETHER = 1_000, 10_000
"""Wrong codes in ten minutes times open tables: the more tables a guess may hit, the fewer are allowed."""


@dataclass(frozen=True, kw_only=True)
class TableSession:
    """Access to a match by card or desk. ``url`` is its screen's address, ``account`` the person at the desk.

    A director there rules. A helper records what the table could mark itself, and ``device`` names the
    helper. ``people`` is the revision of the club's people, whose names the screen shows. ``owner`` is the id
    of the person whose phone it is, if known; it ``stays`` at the match with that id, wherever they play.
    """

    match: Match
    url: str
    people: int
    device: str
    owner: int | None = None
    stays: str = ""
    account: Account | None = None
    director: Account | None = None

    @property
    def pencil(self) -> ScorekeeperView:
        """The scorekeeper, as this device sees it. The desk needs no such role, and a closed round has
        none."""
        is_free = self.account is not None or self.match.closed_at is not None
        return scorekeeper_seen_by(
            Scorekeeper() if is_free else self.match.scorekeeper.at(timezone.now()), self.device
        )

    @cached_property
    def move(self) -> Move | None:
        """New seat of the phone's people, to which it is led instead of marking here."""
        if self.account is not None or self.stays == str(self.match.pk):
            return None
        return find_move(self.match, person=self.owner, device=self.device)

    @property
    def since(self) -> str:
        """Text that changes when the server asks phones for all that they have saved: at its start, and once
        it has found the log damaged."""
        return settings.STARTED_AT + (self.match.log_digest if self.match.is_damaged else "")

    @cached_property
    def log(self) -> LogAsSaid:
        """The log as sent to phones: tells whether a page is current, and what it has."""
        return log_as_said(self.match)

    @cached_property  # used twice: to compare with the page's tag, and to send the new one
    def revision(self) -> str:
        """Revision of the pages of this match: changes with all that they show or contain.

        The scorekeeper can change without an action, when a request is not answered; a message of the desk
        can expire. The digest tells a log from another with as many changes, after the server was restored to
        an older state; and phones need to learn that the server was restarted.
        """
        match, clock = self.match, self.match.card.clock_data
        of_clock = "" if clock is None else f".{adler32(repr(sorted(clock.items())).encode()):x}"
        of_pencil = ".e" * self.pencil.is_elsewhere
        of_move = "" if self.move is None else f".m{adler32(repr(self.move).encode()):x}"
        of_messages = mark_of(match.card.messages(timezone.now(), match.round_number))
        known = (match.pk, match.revision, self.people, self.log.digests[-1], self.since)
        return ".".join(map(str, known)) + of_clock + of_pencil + of_move + of_messages

    @property
    def own_page(self) -> str:
        """Address of a player's own page; "" if the evening has no public page."""
        page = self.match.card.public_page
        seal = signing.dumps(self.match.pk, salt=AT_TABLE)
        return f"{page}{OWN_PAGE}?{urlencode({AT_TABLE: seal})}" if page and self.account is None else ""


View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableVisitor:
    """Someone who comes with a code, from an ``address``, with ``letters`` or the ``secret`` of a card, if
    any.

    ``device`` is the one known at this table, with the card's ``binding`` of that time. With ``brings_kept``
    it may send saved entries even after the evening.
    """

    address: str = ""
    letters: str = ""
    secret: str = ""
    device: str | None = None
    binding: int = 0
    brings_kept: bool = False

    def device_at(self, card: TableCard) -> str | None:
        """Return the device, if it is still bound to this table."""
        return self.device if self.binding == card.binding else None

    def has_card(self, card: TableCard) -> bool:
        """Check whether the visitor has scanned the card that is on the table now."""
        return is_secret_of(self.secret, card.pk, card.digits)


def visitor_of_page(request: HttpRequest, code: str) -> TableVisitor:
    """Return the visitor of a page: letters as they were typed, the secret from the QR code."""
    device, _, binding = (_device(request, reverse("scoring:table", args=[code])) or "").partition(BOUND)
    return TableVisitor(
        address=client_address(request),
        letters=request.POST.get(LETTERS, "") or request.GET.get(LETTERS, ""),
        secret=request.GET.get(SQUARE, ""),
        device=device or None,
        binding=int(binding or 0),
    )


def visitor_of_program(request: HttpRequest) -> TableVisitor:
    """Return the visitor for an API client, which has no device, only what its address says."""
    return TableVisitor(
        address=client_address(request),
        letters=request.GET.get(LETTERS, ""),
        secret=request.GET.get(SQUARE, ""),
    )


def match_sealed(seal: str) -> int | None:
    """Return the id of the match from which a player's own page was opened.

    None if the seal is invalid or expired. No query.
    """
    try:
        match_id: int = signing.loads(seal, salt=AT_TABLE, max_age=SEAL_KEPT)
    except BadSignature:
        return None
    return match_id


def card_behind(code: str, visitor: TableVisitor) -> TableCard:
    """Return tonight's card with this code.

    A known device, the secret of the card and its letters are always accepted; a code alone, only after few
    wrong ones. Beyond that, right and wrong codes get the same answer.

    Refuses: unknown_code, evening_over, too_many_guesses, letters_are_others, phone_turned_away,
    card_replaced.
    """
    card = queries.card_with_code(code)
    is_known = card is not None and (visitor.device_at(card) is not None or visitor.has_card(card))
    if not is_known and not are_letters_of(visitor.letters, code) and _are_guessed(visitor.address):
        seconds = rate_limit.seconds_until_forgotten(*_guesses_of(visitor.address))
        raise Refusal(
            "letters_are_others" if visitor.letters else "too_many_guesses", field=LETTERS, seconds=seconds
        )
    if card is None:
        rate_limit.count_miss(CODES, visitor.address)
        rate_limit.count_miss(CODES_TOGETHER, "")
        raise Refusal("unknown_code", field="code")
    if card.closed_at is not None and not (visitor.brings_kept and visitor.device_at(card)):
        raise Refusal("evening_over", field="code", page=card.public_page)
    if visitor.device_at(card) in card.turned_away:
        raise Refusal("phone_turned_away", field="code")
    if not is_known and code != card.digits:
        raise Refusal("card_replaced", field="code")
    return card


def _are_guessed(address: str) -> bool:
    """Check whether this address, or all together, tried too many wrong codes. One query, or two."""
    alone, together = rate_limit.misses_of(*_guesses_of(address))
    if not alone and not together:  # each window of ten minutes ends by itself
        return False
    tables = max(1, queries.count_open_cards())
    return alone >= min(rate_limit.ALLOWED, max(1, RISK // tables)) or together >= min(
        rate_limit.ALLOWED_TOGETHER, max(1, RISK_TOGETHER // tables)
    )


def _guesses_of(address: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the counters of wrong codes: of the address, and of all together."""
    return (CODES, address), (CODES_TOGETHER, "")


def match_behind(code: str, visitor: TableVisitor) -> Match:
    """Return the match now played at the table of this code. Refuses: those of ``card_behind``, and
    no_match_yet."""
    return _match_at(card_behind(code, visitor))


def _match_at(card: TableCard) -> Match:
    match = queries.match_at(card)
    if match is None:
        raise Refusal("no_match_yet", field="code", page=card.public_page)
    return match


def by_card(view: View, *, takes_kept: bool = False) -> View:
    """Open the match now played at the table of that code. No account; guessing codes is slowed down.

    A view that ``takes_kept`` also answers a known phone that sends saved entries after the evening: the desk
    can still read them.
    """

    @opens_to(Audience.TABLE)
    @wraps(view)
    def open_table(request: HttpRequest, code: str, **rest: object) -> HttpResponse:
        url = reverse("scoring:table", args=[code])
        who = replace(visitor_of_page(request, code), brings_kept=takes_kept and request.method == "POST")
        try:
            card = card_behind(code, who)
            if code != card.code:
                return redirect(card_address(card, request.GET.dict()))
            match = _match_at(card)
        except Refusal as refusal:
            return _no_table(request, code, refusal)
        known = who.device_at(card)
        if known is not None and card.closed_at is None:
            hear_phone(card_id=card.pk, device=known, said=phone_report(request.headers.get(PHONE, "")))
        device = known or secrets.token_urlsafe(9)
        people = revision_of(match.card.club.topic)
        owner = owner_in(request, card.topic)
        asked = request.GET.get(STAYS, "")
        session = TableSession(
            match=match,
            url=url,
            people=people,
            device=device,
            owner=None if owner is None else owner.person,
            stays=asked or signed_value(request, STAYS, salt=url) or "",
        )
        response = view(request, session, **rest)
        if known is None:
            bound = f"{device}{BOUND}{card.binding}" if card.binding else device
            response.set_signed_cookie(
                DEVICE, bound, salt=url, max_age=DEVICE_KEPT, path=url, httponly=True, samesite="Lax"
            )
        if asked == str(match.pk):
            remember_value(request, response, STAYS, asked, salt=url, path=url, lasts=STAY_KEPT)
        if owner is not None and not owner.has_card:
            remember_owner(request, response, card.topic, replace(owner, has_card=True))
        return response

    return open_table


def _no_table(request: HttpRequest, code: str, refusal: Refusal) -> HttpResponse:
    """Explain why there is no table to mark at.

    After a public event, forward at once to its last page; not by a redirect, which service workers cannot
    attribute: the phone would keep the table's page.
    """
    page = refusal.details.get("page", "")
    leads_on = refusal.code == "evening_over" and page and request.method in ("GET", "HEAD")
    if leads_on and asks_for_part(request):
        return HttpResponseClientRedirect(f"{page}{OWN_PAGE}")
    headers = {"Refresh": f"0; url={page}{OWN_PAGE}"} if leads_on else {}
    context = {"refusal": refusal, "code": code}
    return TemplateResponse(request, "scoring/no_table.html", context, headers=headers)


def way_in(request: HttpRequest, code: str) -> str:
    """Return where to go on after typing this code.

    It is the table, which itself says that its event is over, that nobody plays there yet, or asks for the
    letters; only there, a device is known.

    Refuses: code_has_six_digits, unknown_code, letters_are_others.
    """
    if not (len(code) == CODE_LENGTH and code.isascii() and code.isdigit()):
        raise Refusal("code_has_six_digits", field="code")
    who = visitor_of_page(request, code)
    try:
        card_behind(code, who)
    except Refusal as refusal:
        if refusal.code not in ("evening_over", "too_many_guesses", "card_replaced"):
            raise
    address = reverse("scoring:table", args=[code])
    return f"{address}?{urlencode({LETTERS: who.letters})}" if who.letters else address


def sheets_to_the_desk(view: View) -> View:
    """Lead staff who scan the QR code of a paper sheet to its typing page.

    The code has the sheet's round. If the match is over, they see what was marked. Everybody else gets the
    table.
    """

    @wraps(view)
    def open_table(request: HttpRequest, code: str, **rest: object) -> HttpResponse:
        number = digits_in(request.GET.get(SHEET, ""), most=4)
        if request.method in ("GET", "HEAD") and number is not None and isinstance(request.user, Account):
            match = queries.match_of_sheet(request.user, code, number)
            if match is not None:
                return redirect("scoring:ruled" if match.is_over else "scoring:sheet", match_id=match.pk)
        return view(request, code, **rest)

    return open_table


def by_desk(view: View) -> View:
    """Open a match of a club that the signed-in account has a role in; others get a 404."""

    @opens_to(Permission.HELP)
    @wraps(view)
    def open_table(request: HttpRequest, match_id: int, **rest: object) -> HttpResponse:
        account = request.user
        if not isinstance(account, Account):
            return to_sign_in(request)
        match = queries.match_at_desk(account, match_id)
        role = None if match is None else role_in(account, match.card.club_id)
        if match is None or role is None:
            raise Http404
        require_permission(request, role, Permission.HELP)
        rules = may(request, Permission.DIRECT)
        session = TableSession(
            match=match,
            people=revision_of(match.card.club.topic),
            url=reverse("scoring:ruled", args=[match_id]),
            device="" if rules else f"{AT_DESK}{account.name}",
            account=account,
            director=account if rules else None,
        )
        return view(request, session, **rest)

    return open_table


def _device(request: HttpRequest, url: str) -> str | None:
    """Return the device that opened this card before: its cookie is bound to the card's address."""
    return signed_value(request, DEVICE, salt=url)
