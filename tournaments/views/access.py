"""Who may see an organizer's page: somebody with a role in the club; for all others it does not exist."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse

from clubs.models import Account
from clubs.selectors import clubs_of
from live.watching import asks_for_part
from tournaments import selectors

View = Callable[..., HttpResponse]


def for_directors(view: View) -> View:
    """Gives the view the event of the address's short name, if it is of a club of the signed-in account."""

    @wraps(view)
    def opened(request: HttpRequest, short: str, **rest: object) -> HttpResponse:
        if not isinstance(request.user, Account):
            return _to_sign_in(request)
        event = selectors.directed_event(request.user, short)
        if event is None:
            raise Http404
        return view(request, event, **rest)

    return opened


def for_members(view: View) -> View:
    """Gives the view the club of the address's slug, if the signed-in account has a role in it."""

    @wraps(view)
    def opened(request: HttpRequest, slug: str, **rest: object) -> HttpResponse:
        if not isinstance(request.user, Account):
            return _to_sign_in(request)
        club = clubs_of(request.user).filter(slug=slug).first()
        if club is None:
            raise Http404
        return view(request, club, **rest)

    return opened


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    """The way to sign in and back; a page that looks for news is to load itself anew, which leads there."""
    if asks_for_part(request):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return redirect_to_login(request.get_full_path())
