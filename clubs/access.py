"""Access to a club's pages by role. An account without a role in the club gets a 404."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django_htmx.http import HttpResponseClientRefresh

from errors import Refusal
from live.conditional_pages import asks_for_part

from .models import Account, Role
from .policy import MAY, Audience, Permission, opens_to
from .queries import owns_a_club, place_in

View = Callable[..., HttpResponseBase]


def in_the_club(permission: Permission) -> Callable[[View], View]:
    """Pass the club of the URL's slug to the view if the account has this permission there.

    Refuses: director_only, owner_only.
    """

    def decorate(view: View) -> View:
        @opens_to(permission)
        @wraps(view)
        def open_page(request: HttpRequest, slug: str, **rest: object) -> HttpResponseBase:
            if not isinstance(request.user, Account):
                return to_sign_in(request)
            place = place_in(request.user, slug)
            if place is None:
                raise Http404
            require_permission(request, place.role, permission)
            vars(request)["has_other_clubs"] = place.has_other_clubs
            return view(request, place.club, **rest)

        return open_page

    return decorate


for_everybody = opens_to(Audience.PUBLIC)
for_its_link = opens_to(Audience.LINK)
for_members = in_the_club(Permission.HELP)
for_directors_of_the_club = in_the_club(Permission.DIRECT)
for_owners = in_the_club(Permission.OWN)


def for_accounts(view: View) -> View:
    """Require a signed-in account; its roles do not matter."""

    @opens_to(Audience.ACCOUNT)
    @wraps(view)
    def open_page(request: HttpRequest, **rest: object) -> HttpResponseBase:
        return view(request, **rest) if isinstance(request.user, Account) else to_sign_in(request)

    return open_page


def for_owners_of_a_club(view: View) -> View:
    """Require an account that owns a club of this installation. Refuses: owner_only."""

    @opens_to(Permission.OWN)
    @wraps(view)
    def open_page(request: HttpRequest, **rest: object) -> HttpResponseBase:
        if not isinstance(request.user, Account):
            return to_sign_in(request)
        if not owns_a_club(request.user):
            raise Refusal("owner_only")
        return view(request, **rest)

    return open_page


def require_permission(request: HttpRequest, role: Role, permission: Permission) -> None:
    """Check that the role has this permission, and note the role's permissions on the request.

    Refuses: director_only, owner_only.
    """
    permissions = MAY[role]
    if permission not in permissions:
        raise Refusal("owner_only" if permission is Permission.OWN else "director_only")
    vars(request)["permissions"] = permissions


def may(request: HttpRequest, permission: Permission) -> bool:
    """Return whether the user has this permission, too; templates ask ``"direct" in request.permissions``."""
    return permission in vars(request).get("permissions", ())


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in page and back. For htmx, reload the whole page, which then redirects."""
    if asks_for_part(request):
        return HttpResponseClientRefresh()
    return redirect_to_login(request.get_full_path())
