"""Pages of a club: who may open them, who acts, and what happens when their forms are refused."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRefresh

from clubs.audit.log import Actor
from errors import Refusal
from live.conditional_pages import is_partial_request
from web.client_address import get_client_address
from web.forms import read_reason
from web.names import clean_text
from web.not_found import get_or_404

from .models import ORIGIN_LENGTH, Account, Role
from .policy import ROLE_PERMISSIONS, Access, Audience, Permission, get_access, grant_access
from .policy import View as AnyView
from .queries import find_club_membership, is_club_owner

View = Callable[..., HttpResponseBase]
Page = Callable[..., HttpResponse]


def open_to(access: Access) -> Callable[[AnyView], AnyView]:
    """Declare who may open a page, which accepts GET, HEAD and POST unless another decorator accepts less."""

    def decorate(view: AnyView) -> AnyView:
        return grant_access(access)(require_http_methods(["GET", "HEAD", "POST"])(view))

    return decorate


def require_in_club(permission: Permission) -> Callable[[View], View]:
    """Pass the club of the URL's slug to the view if the account has this permission there.

    Refuses: director_only, owner_only.
    """

    def decorate(view: View) -> View:
        @open_to(permission)
        @wraps(view)
        def open_page(request: HttpRequest, slug: str, **rest: object) -> HttpResponseBase:
            if not isinstance(request.user, Account):
                return redirect_to_sign_in(request)
            place = get_or_404(find_club_membership(request.user, slug))
            require_permission(request, place.role, permission)
            vars(request)["has_other_clubs"] = place.has_other_clubs
            return view(request, place.club, **rest)

        return open_page

    return decorate


public_page = open_to(Audience.PUBLIC)
link_page = open_to(Audience.LINK)
members_only = require_in_club(Permission.HELP)
directors_only = require_in_club(Permission.DIRECT)
owners_only = require_in_club(Permission.OWN)


def accounts_only(view: View) -> View:
    """Require a signed-in account; its roles do not matter."""

    @open_to(Audience.ACCOUNT)
    @wraps(view)
    def open_page(request: HttpRequest, **rest: object) -> HttpResponseBase:
        return view(request, **rest) if isinstance(request.user, Account) else redirect_to_sign_in(request)

    return open_page


def club_owners_only(view: View) -> View:
    """Require an account that owns a club of this installation. Refuses: owner_only."""

    @open_to(Permission.OWN)
    @wraps(view)
    def open_page(request: HttpRequest, **rest: object) -> HttpResponseBase:
        if not isinstance(request.user, Account):
            return redirect_to_sign_in(request)
        if not is_club_owner(request.user):
            raise Refusal("owner_only")
        return view(request, **rest)

    return open_page


def require_permission(request: HttpRequest, role: Role, permission: Permission) -> None:
    """Check that the role has this permission, and note the role's permissions on the request.

    Refuses: director_only, owner_only.
    """
    permissions = ROLE_PERMISSIONS[role]
    if permission not in permissions:
        raise Refusal("owner_only" if permission is Permission.OWN else "director_only")
    vars(request)["permissions"] = permissions


def has_permission(request: HttpRequest, permission: Permission) -> bool:
    """Return whether the user has this permission, too; templates ask ``"direct" in request.permissions``."""
    return permission in vars(request).get("permissions", ())


def redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page and back. For htmx, reload the whole page, which then redirects."""
    if is_partial_request(request):
        return HttpResponseClientRefresh()
    return redirect_to_login(request.get_full_path())


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


def show_refusals_on(render_page: Callable[..., HttpResponse]) -> Callable[[Page], Page]:
    """Render a page with the refusal of what a form posted. It takes arguments of the view, by their names."""

    def decorate(view: Page) -> Page:
        arguments, names = signature(view), signature(render_page).parameters

        @wraps(view)
        def show(request: HttpRequest, *place: object, **address: object) -> HttpResponse:
            try:
                return view(request, *place, **address)
            except Refusal as refusal:
                if request.method != "POST":
                    raise
                note_refusal(request, refusal)
                values = arguments.bind(request, *place, **address).arguments
                return render_page(**{name: value for name, value in values.items() if name in names})

        return show

    return decorate


def show_refusals(view: Page) -> Page:
    """Open the page again, with the refusal of what its form posted."""
    return show_refusals_on(view)(view)


def note_refusal(request: HttpRequest, refusal: Refusal) -> None:
    """Note the ``refusal`` that the page shows, and that gives its HTTP status (``server.middleware``)."""
    vars(request)["refusal"] = refusal


def get_refusal(request: HttpRequest) -> Refusal | None:
    """Return the refusal that the page shows; None for none."""
    return vars(request).get("refusal")


def add_refusal(request: HttpRequest) -> dict[str, Refusal | None]:
    """Give every template the refusal of its page."""
    return {"refusal": get_refusal(request)}


def is_submitted(request: HttpRequest) -> bool:
    """Check whether the request has a form that was not refused yet."""
    return request.method == "POST" and get_refusal(request) is None


def require_post_from(page: str, *names: str) -> Callable[[View], View]:
    """Accept only POST. Reloading after a refusal redirects to the page with the button, which takes those
    ``names`` of the URL."""

    def decorate(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def answer(request: HttpRequest, **address: object) -> HttpResponseBase:
            if request.method != "POST":
                return redirect(reverse(page, kwargs={name: address[name] for name in names}))
            return view(request, **address)

        return answer

    return decorate
