"""Access to a club's pages by role. An account without a role in the club gets a 404."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRefresh

from errors import Refusal
from live.conditional_pages import is_partial_request
from web.not_found import get_or_404

from .models import Account, Role
from .policy import ROLE_PERMISSIONS, Access, Audience, Permission, grant_access
from .policy import View as AnyView
from .queries import find_club_membership, is_club_owner

View = Callable[..., HttpResponseBase]


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
