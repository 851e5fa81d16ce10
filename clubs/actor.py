"""Who asks for a change, from where and why, as a request tells it."""

from uuid import UUID

from django.http import HttpRequest

from clubs.audit.log import Actor
from rules import Refusal
from web.client_address import client_address
from web.forms import posted_reason
from web.names import clean_text

from .models import ORIGIN_LENGTH, Account
from .policy import Permission, opening_of

REASON_LENGTH = 200

DEVICES = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
"""What a browser calls the device that it runs on, the more exact name first."""


def by_of(request: HttpRequest) -> Actor:
    """Who asks for it, and the form's own id, by which a second click is known. Refuses: reason_too_long."""
    reason = clean_text(posted_reason(request.POST, "reason"))
    if len(reason) > REASON_LENGTH:
        raise Refusal("reason_too_long", field="reason", most=REASON_LENGTH)
    account = request.user if isinstance(request.user, Account) else None
    return Actor(
        account=account,
        key=request_key(request),
        reason=reason,
        origin=origin_of(request),
        permission=permission_of(request),
    )


def permission_of(request: HttpRequest) -> str:
    """The permission that its page takes; "" for a page without one."""
    view = request.resolver_match and request.resolver_match.func
    opening = view and opening_of(view)
    return str(opening) if isinstance(opening, Permission) else ""


def request_key(request: HttpRequest) -> UUID | None:
    """The form's own id, as the tag ``form_key`` made it."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return None


def device_of(request: HttpRequest) -> str:
    """``iPhone``; "" where the browser does not say."""
    agent = request.headers.get("User-Agent", "")
    return next((name for name in DEVICES if name in agent), "")


def origin_of(request: HttpRequest) -> str:
    """Address and device, as far as they are known: ``192.168.1.20, iPhone``."""
    parts = (client_address(request), device_of(request))
    return ", ".join(filter(None, parts))[:ORIGIN_LENGTH]
