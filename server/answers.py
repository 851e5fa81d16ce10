"""Headers that identify the answers of this installation.

Others may answer a phone too, such as a hall's Wi-Fi login page, or a proxy with any status. Every answer of
this installation is marked. An answer to a hand also reports the outcome for its ``entry_key``; without it,
the phone keeps the hand and sends it again. The reader is ``static/js/receipts.js``; the reasons are in
``docs/decisions/0018-keep-hands-on-the-phone-until-acknowledged.md``.
"""

import json
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.crypto import salted_hmac
from django.utils.deprecation import MiddlewareMixin

from clubs.pages import get_refusal
from clubs.policy import Audience, Permission, get_access
from errors import Refusal
from scoring.queries import is_recorded
from wording.sentences import get_sentence

SALT = "server.answers"
"""Salt of the installation's id, which phones know: never change it, even if the module is renamed."""

MARK_HEADER, ENTRY_HEADER, REASON_HEADER = "Charlemagne", "Charlemagne-Entry", "Charlemagne-Reason"

FORM_HEADER, ADDRESS_HEADER = "Charlemagne-Form", "Charlemagne-Address"


class HandOutcome(StrEnum):
    """Outcome of a hand that was sent."""

    RECORDED = "recorded"
    CONFIRMATION_NEEDED = "asked"
    """The hand is to be confirmed first; the answer is the question."""
    SERVER_BEHIND = "behind"
    """The server lacks hands that this phone knows of: the phone restores them, and sends this one again."""
    REFUSED = "refused"
    """The hand was refused. ``Charlemagne-Reason`` has a sentence in the reader's language, in
    percent-encoded UTF-8."""


SENDER_REFUSALS = frozenset({"too_many_guesses", "letters_are_others", "card_replaced", "phone_turned_away"})
"""Refusals of the sender, at this moment, that say nothing about the hand."""
# Statuses by which a program's request is refused before its body is read.
UNREAD_STATUSES = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS})
KEY_REUSED = "entry_key_reused"
LOG_BEHIND = "log_is_behind"

UNREADABLE_ERRORS = (
    *(SuspiciousOperation, UnreadablePostError, MultiPartParserError),
    *(ValueError, RecursionError, LookupError, TypeError),
)
"""Exceptions for a body that is too large, incomplete or unreadable, and for values in it."""


def installation_id() -> str:
    """Return an id of this installation, to tell it from another at the same address. Public; derived from
    its key."""
    return _derive_id(settings.SECRET_KEY)


@cache
def _derive_id(secret: str) -> str:
    return salted_hmac(SALT, "installation", secret=secret).hexdigest()[:16]


class MarkMiddleware(MiddlewareMixin):
    """Middleware that marks every answer, whichever layer gave it. It is the outermost one."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response.headers[MARK_HEADER] = installation_id()
        return response


class AddressMiddleware(MiddlewareMixin):
    """Middleware that tells a script where the answer to its form leads, instead of redirecting.

    The browser would follow a redirect without telling the script. See ``static/js/desk_forms.js``.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if FORM_HEADER in request.headers and "Location" in response.headers:
            response.headers[ADDRESS_HEADER] = response.headers["Location"]
            del response.headers["Location"], response.headers["Content-Length"]
            response.status_code = HTTPStatus.NO_CONTENT
            response.content = b""
        return response


class ReceiptMiddleware:
    """Middleware that reports the outcome of a posted hand, from a table or the desk, as form or JSON."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return self.get_response(request)
        is_json = request.content_type == "application/json"
        json_body = _read_body(request) if is_json else None  # before the view consumes it
        response = self.get_response(request)
        is_unread = is_json and response.status_code in UNREAD_STATUSES
        if is_unread or not _may_concern_hand(request, response):
            return response
        key = _read_entry_key(request, json_body)
        if key is None:
            return response
        refusal = _find_refusal(request, response)
        outcome = _get_outcome(key, response, refusal)
        if outcome is not None:
            response.headers[ENTRY_HEADER] = f"{key} {outcome}"
        if outcome is HandOutcome.REFUSED and refusal is not None:
            response.headers[REASON_HEADER] = quote(get_sentence(refusal))
        return response


def _get_outcome(key: UUID, response: HttpResponse, refusal: Refusal | None) -> HandOutcome | None:
    """Return the outcome of the hand; None if the answer is about something else, such as who is signed in.

    A hand in the log is recorded, whatever the answer is now.
    """
    if refusal is not None and refusal.code == KEY_REUSED:
        return HandOutcome.REFUSED
    if _get_response_value(response, "is_done") or is_recorded(key):
        return HandOutcome.RECORDED
    if refusal is not None and refusal.code == LOG_BEHIND:
        return HandOutcome.SERVER_BEHIND
    if refusal is not None:
        return None if refusal.code in SENDER_REFUSALS else HandOutcome.REFUSED
    return HandOutcome.CONFIRMATION_NEEDED if _get_response_value(response, "pending_mark") else None


def _find_refusal(request: HttpRequest, response: HttpResponse) -> Refusal | None:
    """Return the refusal shown on its page or in JSON.

    A refusal with a page of its own is about the sender, and does not count.
    """
    refusal = get_refusal(request) or _get_response_value(response, "refusal")
    return refusal if isinstance(refusal, Refusal) else None


def _get_response_value(response: HttpResponse, name: str) -> Any:
    """Return a value from the context of the page, or from the attributes of a JSON answer."""
    return (vars(response).get("context_data") or vars(response)).get(name)


def _may_concern_hand(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the view takes hands, and its sender was admitted: only then is the body parsed."""
    if vars(response).get("is_unread") or response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return False
    access = None if request.resolver_match is None else get_access(request.resolver_match.func)
    return access is Audience.TABLE or isinstance(access, Permission)


def _read_body(request: HttpRequest) -> bytes:
    """Return the body; empty if it is too large, or incomplete."""
    try:
        return request.body
    except (SuspiciousOperation, UnreadablePostError):
        return b""


def _read_entry_key(request: HttpRequest, json_body: bytes | None) -> UUID | None:
    """Return the entry key of the JSON, else of the form; None without one, or if it cannot be read."""
    try:
        data = request.POST if json_body is None else json.loads(json_body)
        return UUID(str(data["entry_key"]))
    except UNREADABLE_ERRORS:
        return None
