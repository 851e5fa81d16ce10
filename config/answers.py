"""What an answer says of itself, for phones that are answered by others too: by a hall's Wi-Fi with a page of
its own, by boxes between with any status.

Every answer of this installation bears its mark. An answer to a hand that was sent says of its ``entry_key``
what became of it; where it says nothing, the phone keeps the hand and sends it again. What reads this is
``static/js/answers.js``; why so: ``docs/decisions/0018-keep-hands-on-the-phone-until-acknowledged.md``.
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
from django.utils.crypto import salted_hmac

from rules import Refusal
from scoring.queries import is_recorded
from wording.sentences import sentence

SALT = "config.answers"
"""Phones know the installation by it: the salt is data, and no name of a module."""

MARK, ENTRY, REASON = "Charlemagne", "Charlemagne-Entry", "Charlemagne-Reason"

FORM, ADDRESS = "Charlemagne-Form", "Charlemagne-Address"

Answer = Callable[[HttpRequest], HttpResponse]


class HandOutcome(StrEnum):
    """What became of a hand."""

    RECORDED = "recorded"
    ASKED = "asked"
    """It is to be confirmed first; the answer is the question."""
    BEHIND = "behind"
    """The server lacks hands that this phone has heard of: it brings them back, and sends this one again."""
    REFUSED = "refused"
    """``Charlemagne-Reason`` says why: a sentence in the reader's language, in percent-encoded UTF-8."""


SAYS_NOTHING_OF_THE_HAND = frozenset(
    {"too_many_guesses", "letters_are_others", "card_replaced", "phone_turned_away"}
)
"""Refusals of whoever sends it, now."""
KEY_IS_ANOTHERS = "entry_key_reused"
LOG_IS_BEHIND = "log_is_behind"


def installation_id() -> str:
    """Names this installation, to tell it from another at the same address. Public; follows from its key."""
    return _id_from(settings.SECRET_KEY)


@cache
def _id_from(secret: str) -> str:
    return salted_hmac(SALT, "installation", secret=secret).hexdigest()[:16]


class MarkMiddleware:
    """The outermost: marks every answer, whoever gave it."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers[MARK] = installation_id()
        return response


class AddressMiddleware:
    """A script that has sent a form is told where its answer leads, and goes there itself: a redirect, which
    the browser would follow, does not say so. See ``static/js/desk_forms.js``."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if FORM in request.headers and "Location" in response.headers:
            response.headers[ADDRESS] = response.headers["Location"]
            del response.headers["Location"], response.headers["Content-Length"]
            response.status_code = HTTPStatus.NO_CONTENT
            response.content = b""
        return response


class ReceiptMiddleware:
    """Says of a hand that was posted what became of it: at a table or the desk, as a form or as JSON."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return self.get_response(request)
        if request.content_type == "application/json":
            # Read before a view does, which may leave nothing of it.
            sent = _json_in(request)
            response = self.get_response(request)
        else:
            response = self.get_response(request)
            sent = _form_in(request)
        key = _key_in(sent)
        if key is None or response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return response
        refusal = _refusal_in(response)
        outcome = _outcome(key, response, refusal)
        if outcome is not None:
            response.headers[ENTRY] = f"{key} {outcome}"
        if outcome is HandOutcome.REFUSED and refusal is not None:
            response.headers[REASON] = quote(sentence(refusal))
        return response


def _outcome(key: UUID, response: HttpResponse, refusal: Refusal | None) -> HandOutcome | None:
    """None: the answer is of something else, such as who is signed in. What the log has is recorded, whatever
    was answered now."""
    if refusal is not None and refusal.code == KEY_IS_ANOTHERS:
        return HandOutcome.REFUSED
    if _said_by(response, "is_done") or is_recorded(key):
        return HandOutcome.RECORDED
    if refusal is not None and refusal.code == LOG_IS_BEHIND:
        return HandOutcome.BEHIND
    if refusal is not None:
        return None if refusal.code in SAYS_NOTHING_OF_THE_HAND else HandOutcome.REFUSED
    return HandOutcome.ASKED if _said_by(response, "asked") else None


def _refusal_in(response: HttpResponse) -> Refusal | None:
    """The one that was answered at its place, on a page or in JSON; not one that has a page of its own, which
    is about whoever asked."""
    found = _said_by(response, "refusal")
    return found if isinstance(found, Refusal) else None


def _said_by(response: HttpResponse, name: str) -> Any:
    """A value that its page was made with, or that an answer in JSON bears."""
    return (vars(response).get("context_data") or vars(response)).get(name)


def _json_in(request: HttpRequest) -> Any:
    """The body; None where it is none, or was not sent to its end."""
    try:
        return json.loads(request.body)
    except (ValueError, RecursionError, SuspiciousOperation, UnreadablePostError):
        return None


def _form_in(request: HttpRequest) -> Any:
    """The fields; None where they are too many, or were not sent to their end."""
    try:
        return request.POST
    except (SuspiciousOperation, UnreadablePostError):
        return None


def _key_in(data: Any) -> UUID | None:
    try:
        return UUID(str(data["entry_key"]))
    except (ValueError, LookupError, TypeError):
        return None
