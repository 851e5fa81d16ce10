"""The two ways to open a match: by the card on the table, or as staff from the desk."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import wraps
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
from django.utils.functional import cached_property
from django_htmx.http import HttpResponseClientRedirect

from clubs.models import Account, get_club_topic
from clubs.pages import has_permission, redirect_to_sign_in, require_permission
from clubs.phone_owner import find_owner, remember_owner
from clubs.policy import Audience, Permission, grant_access
from clubs.queries import find_account_role
from clubs.services import rate_limit
from errors import Refusal, get_or_refuse
from live.conditional_pages import is_partial_request
from live.revisions import get_revision
from web.client_address import get_client_address
from web.forms import parse_digits
from web.signed_cookies import get_signed_value, set_signed_value

from . import queries
from .card_secrets import CARD_PARAM, check_letters, check_secret
from .desk_messages import build_version_tag
from .log_digests import SentLog, build_sent_log
from .models import DESK_PREFIX, Match, TableCard
from .moves import Move, find_move
from .parsing import parse_phone_report
from .qr import build_card_path
from .scorekeeper import Scorekeeper, ScorekeeperView, build_scorekeeper_view
from .services.phones import record_phone_report

SHEET_PARAM = "sheet"
"""Query parameter with a round: opens the page where its paper sheet is typed."""

PHONE_HEADER = "Charlemagne-Phone"
"""Header in which a phone reports what it has of its table: ``parsing.parse_phone_report``."""

DRAWS_HEADER = "Charlemagne-Draws"
"""Header of a phone that draws its table by itself, and needs only the data."""

DEVICE_COOKIE = "device"
BINDING_SEPARATOR = "."
"""Separator of device and card binding in the cookie; without it, the binding is the first one."""
DEVICE_MAX_AGE = 60 * 60 * 24 * 30

STAY_PARAM = "stay"
"""Query parameter, then cookie of the table: the match at which this phone stays, though its owner plays
elsewhere."""
STAY_MAX_AGE = timedelta(days=1)

OWN_PAGE_PATH = "/mine"
"""Path below an event's public page: one's own page, and the end of the event."""
TABLE_PARAM = "at"
"""Query parameter, signed: the match from which a player comes; its players read names in full."""
SEAL_MAX_AGE = timedelta(days=1)

LETTERS_PARAM = "letters"
"""Query parameter: the card's letters, typed beside its code or in QR codes of older cards."""
CODE_LENGTH = 6
CODES_COUNTER, TOTAL_CODES_COUNTER = "codes", "codes of all"
ADDRESS_RISK, TOTAL_RISK = 1_000, 10_000
"""Wrong codes in ten minutes times open tables: the more tables a guess may hit, the fewer are allowed."""


@dataclass(frozen=True, kw_only=True)
class TableSession:
    """Access to a match by card or desk. ``url`` is its screen's address, ``account`` the person at the desk.

    A director there rules. A helper records what the table could mark itself, and ``device`` names the
    helper. ``people`` is the revision of the club's people, whose names the screen shows. ``owner`` is the id
    of the person whose phone it is, if known. ``stay_match`` is the id of the match at which the phone stays,
    wherever its owner plays.
    """

    match: Match
    url: str
    people: int
    device: str
    owner: int | None = None
    stay_match: str = ""
    account: Account | None = None
    director: Account | None = None

    @property
    def scorekeeper(self) -> ScorekeeperView:
        """The scorekeeper, as this device sees it. The desk needs no such role, and a closed round has
        none."""
        is_free = self.account is not None or self.match.closed_at is not None
        return build_scorekeeper_view(
            Scorekeeper() if is_free else self.match.scorekeeper.apply_timeout(timezone.now()), self.device
        )

    @cached_property
    def move(self) -> Move | None:
        """New seat of the phone's people, to which it is led instead of marking here."""
        if self.account is not None or self.stay_match == str(self.match.pk):
            return None
        return find_move(self.match, person=self.owner, device=self.device)

    @property
    def since(self) -> str:
        """Text that changes when the server asks phones for all that they have saved: at its start, and once
        it has found the log damaged."""
        return settings.STARTED_AT + (self.match.log_digest if self.match.is_damaged else "")

    @cached_property
    def log(self) -> SentLog:
        """The log as sent to phones: tells whether a page is current, and what it has."""
        return build_sent_log(self.match)

    @cached_property  # used twice: to compare with the page's tag, and to send the new one
    def revision(self) -> str:
        """Revision of the pages of this match: changes with all that they show or contain.

        The scorekeeper can change without an action, when a request is not answered; a message of the desk
        can expire. The digest tells a log from another with as many changes, after the server was restored to
        an older state; and phones need to learn that the server was restarted.
        """
        match, clock = self.match, self.match.card.clock_data
        clock_tag = "" if clock is None else f".{adler32(repr(sorted(clock.items())).encode()):x}"
        scorekeeper_tag = ".e" * self.scorekeeper.is_elsewhere
        move_tag = "" if self.move is None else f".m{adler32(repr(self.move).encode()):x}"
        messages_tag = build_version_tag(match.card.list_messages(timezone.now(), match.round_number))
        values = (match.pk, match.revision, self.people, self.log.digests[-1], self.since)
        return ".".join(map(str, values)) + clock_tag + scorekeeper_tag + move_tag + messages_tag

    @property
    def own_page(self) -> str:
        """Address of a player's own page; "" if the evening has no public page."""
        page = self.match.card.public_page
        seal = signing.dumps(self.match.pk, salt=TABLE_PARAM)
        return f"{page}{OWN_PAGE_PATH}?{urlencode({TABLE_PARAM: seal})}" if page and self.account is None else ""


View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableVisitor:
    """Someone who comes with a code, from an ``address``, with ``letters`` or the ``secret`` of a card, if
    any.

    ``device`` is the one known at this table, with the card's ``binding`` of that time. With
    ``sends_saved_entries``, it may send saved entries even after the evening.
    """

    address: str = ""
    letters: str = ""
    secret: str = ""
    device: str | None = None
    binding: int = 0
    sends_saved_entries: bool = False

    def get_device(self, card: TableCard) -> str | None:
        """Return the device, if it is still bound to this table."""
        return self.device if self.binding == card.binding else None

    def has_card(self, card: TableCard) -> bool:
        """Check whether the visitor has scanned the card that is on the table now."""
        return check_secret(self.secret, card.pk, card.digits)


def get_page_visitor(request: HttpRequest, code: str) -> TableVisitor:
    """Return the visitor of a page: letters as they were typed, the secret from the QR code."""
    device, _, binding = (_get_cookie_device(request, reverse("scoring:table", args=[code])) or "").partition(
        BINDING_SEPARATOR
    )
    return TableVisitor(
        address=get_client_address(request),
        letters=request.POST.get(LETTERS_PARAM, "") or request.GET.get(LETTERS_PARAM, ""),
        secret=request.GET.get(CARD_PARAM, ""),
        device=device or None,
        binding=int(binding or 0),
    )


def get_api_visitor(request: HttpRequest) -> TableVisitor:
    """Return the visitor for an API client, which has no device, only what its address says."""
    return TableVisitor(
        address=get_client_address(request),
        letters=request.GET.get(LETTERS_PARAM, ""),
        secret=request.GET.get(CARD_PARAM, ""),
    )


def read_sealed_match(seal: str) -> int | None:
    """Return the id of the match from which a player's own page was opened.

    None if the seal is invalid or expired. No query.
    """
    try:
        match_id: int = signing.loads(seal, salt=TABLE_PARAM, max_age=SEAL_MAX_AGE)
    except BadSignature:
        return None
    return match_id


def authorize_card(code: str, visitor: TableVisitor) -> TableCard:
    """Return tonight's card with this code.

    A known device, the secret of the card and its letters are always accepted; a code alone, only after few
    wrong ones. Beyond that, right and wrong codes get the same answer.

    Refuses: unknown_code, evening_over, too_many_guesses, letters_are_others, phone_turned_away,
    card_replaced.
    """
    card = queries.card_with_code(code)
    is_known = card is not None and (visitor.get_device(card) is not None or visitor.has_card(card))
    if not is_known and not check_letters(visitor.letters, code) and _is_guessing(visitor.address):
        seconds = rate_limit.compute_reset_seconds(*_get_miss_counters(visitor.address))
        raise Refusal(
            "letters_are_others" if visitor.letters else "too_many_guesses", field=LETTERS_PARAM, seconds=seconds
        )
    if card is None:
        rate_limit.record_miss(CODES_COUNTER, visitor.address)
        rate_limit.record_miss(TOTAL_CODES_COUNTER, "")
        raise Refusal("unknown_code", field="code")
    if card.closed_at is not None and not (visitor.sends_saved_entries and visitor.get_device(card)):
        raise Refusal("evening_over", field="code", page=card.public_page)
    if visitor.get_device(card) in card.turned_away:
        raise Refusal("phone_turned_away", field="code")
    if not is_known and code != card.digits:
        raise Refusal("card_replaced", field="code")
    return card


def _is_guessing(address: str) -> bool:
    """Check whether this address, or all together, tried too many wrong codes. One query, or two."""
    own_misses, all_misses = rate_limit.get_miss_counts(*_get_miss_counters(address))
    if not own_misses and not all_misses:  # each window of ten minutes ends by itself
        return False
    tables = max(1, queries.count_open_cards())
    return own_misses >= min(rate_limit.MAX_MISSES, max(1, ADDRESS_RISK // tables)) or all_misses >= min(
        rate_limit.ALLOWED_TOGETHER, max(1, TOTAL_RISK // tables)
    )


def _get_miss_counters(address: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the counters of wrong codes: of the address, and of all together."""
    return (CODES_COUNTER, address), (TOTAL_CODES_COUNTER, "")


def authorize_match(code: str, visitor: TableVisitor) -> Match:
    """Return the match now played at the table of this code. Refuses: what ``authorize_card``
    refuses, and no_match_yet."""
    return _get_current_match(authorize_card(code, visitor))


def _get_current_match(card: TableCard) -> Match:
    return get_or_refuse(queries.find_current_match(card), "no_match_yet", field="code", page=card.public_page)


def open_by_card(view: View, *, accepts_saved_entries: bool = False) -> View:
    """Open the match now played at the table of that code. No account; guessing codes is slowed down.

    With ``accepts_saved_entries``, the view also answers a known phone that sends saved entries after the
    evening: the desk can still read them.
    """

    @grant_access(Audience.TABLE)
    @wraps(view)
    def open_table(request: HttpRequest, code: str, **view_kwargs: object) -> HttpResponse:
        url = reverse("scoring:table", args=[code])
        visitor = replace(
            get_page_visitor(request, code), sends_saved_entries=accepts_saved_entries and request.method == "POST"
        )
        try:
            card = authorize_card(code, visitor)
            if code != card.code:
                return redirect(build_card_path(card, request.GET.dict()))
            people = get_revision(get_club_topic(card.club_id))  # before the players, who are then not older
            match = _get_current_match(card)
        except Refusal as refusal:
            return _render_no_table(request, code, refusal)
        known_device = visitor.get_device(card)
        if known_device is not None and card.closed_at is None:
            record_phone_report(
                card_id=card.pk, device=known_device, report=parse_phone_report(request.headers.get(PHONE_HEADER, ""))
            )
        device = known_device or secrets.token_urlsafe(9)
        owner = find_owner(request, card.topic)
        requested_stay = request.GET.get(STAY_PARAM, "")
        session = TableSession(
            match=match,
            url=url,
            people=people,
            device=device,
            owner=None if owner is None else owner.person,
            stay_match=requested_stay or get_signed_value(request, STAY_PARAM, salt=url) or "",
        )
        response = view(request, session, **view_kwargs)
        if known_device is None:
            cookie_value = f"{device}{BINDING_SEPARATOR}{card.binding}" if card.binding else device
            response.set_signed_cookie(
                DEVICE_COOKIE, cookie_value, salt=url, max_age=DEVICE_MAX_AGE, path=url, httponly=True, samesite="Lax"
            )
        if requested_stay == str(match.pk):
            set_signed_value(request, response, STAY_PARAM, requested_stay, salt=url, path=url, max_age=STAY_MAX_AGE)
        if owner is not None and not owner.has_card:
            remember_owner(request, response, card.topic, replace(owner, has_card=True))
        return response

    return open_table


def _render_no_table(request: HttpRequest, code: str, refusal: Refusal) -> HttpResponse:
    """Explain why there is no table to mark at.

    After a public event, forward at once to its last page; not by a redirect, which service workers cannot
    attribute: the phone would keep the table's page.
    """
    page = refusal.details.get("page", "")
    is_forwarded = refusal.code == "evening_over" and page and request.method in ("GET", "HEAD")
    if is_forwarded and is_partial_request(request):
        return HttpResponseClientRedirect(f"{page}{OWN_PAGE_PATH}")
    headers = {"Refresh": f"0; url={page}{OWN_PAGE_PATH}"} if is_forwarded else {}
    context = {"refusal": refusal, "code": code}
    return TemplateResponse(request, "scoring/no_table.html", context, headers=headers)


def find_table_url(request: HttpRequest, code: str) -> str:
    """Return where to go on after typing this code.

    It is the table, which itself says that its event is over, that nobody plays there yet, or asks for the
    letters; only there, a device is known.

    Refuses: code_has_six_digits, unknown_code, letters_are_others.
    """
    if not (len(code) == CODE_LENGTH and code.isascii() and code.isdigit()):
        raise Refusal("code_has_six_digits", field="code")
    visitor = get_page_visitor(request, code)
    try:
        authorize_card(code, visitor)
    except Refusal as refusal:
        if refusal.code not in ("evening_over", "too_many_guesses", "card_replaced"):
            raise
    address = reverse("scoring:table", args=[code])
    return f"{address}?{urlencode({LETTERS_PARAM: visitor.letters})}" if visitor.letters else address


def redirect_sheets_to_desk(view: View) -> View:
    """Lead staff who scan the QR code of a paper sheet to its typing page.

    The code has the sheet's round. If the match is over, they see what was marked. Everybody else gets the
    table.
    """

    @wraps(view)
    def open_table(request: HttpRequest, code: str, **view_kwargs: object) -> HttpResponse:
        number = parse_digits(request.GET.get(SHEET_PARAM, ""), max_digits=4)
        if request.method in ("GET", "HEAD") and number is not None and isinstance(request.user, Account):
            match = queries.find_sheet_match(request.user, code, number)
            if match is not None:
                return redirect("scoring:ruled" if match.is_over else "scoring:sheet", match_id=match.pk)
        return view(request, code, **view_kwargs)

    return open_table


def open_by_desk(view: View) -> View:
    """Open a match of a club that the signed-in account has a role in; others get a 404."""

    @grant_access(Permission.HELP)
    @wraps(view)
    def open_table(request: HttpRequest, match_id: int, **view_kwargs: object) -> HttpResponse:
        account = request.user
        if not isinstance(account, Account):
            return redirect_to_sign_in(request)
        match = queries.find_desk_match(account, match_id)
        role = None if match is None else find_account_role(account, match.card.club_id)
        if match is None or role is None:
            raise Http404
        require_permission(request, role, Permission.HELP)
        is_director = has_permission(request, Permission.DIRECT)
        session = TableSession(
            match=match,
            people=get_revision(match.card.club.topic),
            url=reverse("scoring:ruled", args=[match_id]),
            device="" if is_director else f"{DESK_PREFIX}{account.name}",
            account=account,
            director=account if is_director else None,
        )
        return view(request, session, **view_kwargs)

    return open_table


def _get_cookie_device(request: HttpRequest, url: str) -> str | None:
    """Return the device that opened this card before: its cookie is bound to the card's address."""
    return get_signed_value(request, DEVICE_COOKIE, salt=url)
