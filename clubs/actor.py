"""The actor of a change, read from the request: account, origin and reason."""

from uuid import UUID

from django.http import HttpRequest

from clubs.audit.log import Actor
from errors import Refusal
from web.client_address import get_client_address
from web.forms import read_reason
from web.names import clean_text

from .models import ORIGIN_LENGTH, Account
from .policy import Permission, get_access

REASON_LENGTH = 200

DEVICES = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
"""Device names in a browser's ``User-Agent``, the more specific ones first."""


def get_actor(request: HttpRequest) -> Actor:
    """Return the actor of a request, with the form's key, which recognizes a second click. Refuses:
    reason_too_long."""
    reason = clean_text(read_reason(request.POST, "reason"))
    if len(reason) > REASON_LENGTH:
        raise Refusal("reason_too_long", field="reason", most=REASON_LENGTH)
    account = request.user if isinstance(request.user, Account) else None
    return Actor(
        account=account,
        key=get_request_key(request),
        reason=reason,
        origin=get_origin(request),
        permission=get_required_permission(request),
    )


def get_required_permission(request: HttpRequest) -> str:
    """Return the permission that the request's view requires; "" if it requires none."""
    view = request.resolver_match and request.resolver_match.func
    access = view and get_access(view)
    return str(access) if isinstance(access, Permission) else ""


def get_request_key(request: HttpRequest) -> UUID | None:
    """Return the form's key from the tag ``render_form_key``; None if it has none."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return None


def get_device(request: HttpRequest) -> str:
    """Return the device that the browser names (``iPhone``); "" if it names none."""
    agent = request.headers.get("User-Agent", "")
    return next((name for name in DEVICES if name in agent), "")


def get_origin(request: HttpRequest) -> str:
    """Return the address and the device, as far as they are known: ``192.168.1.20, iPhone``."""
    parts = (get_client_address(request), get_device(request))
    return ", ".join(filter(None, parts))[:ORIGIN_LENGTH]
