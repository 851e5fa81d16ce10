"""Who may see a club's pages: somebody with a role in it; for all others they do not exist."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse

from live.watching import asks_for_part
from rules import Refusal

from .models import Account, Club
from .selectors import clubs_of, may_direct

View = Callable[..., HttpResponse]


def for_members(view: View) -> View:
    """Gives the view the club of the address's slug, if the signed-in account has a role in it."""

    @wraps(view)
    def opened(request: HttpRequest, slug: str, **rest: object) -> HttpResponse:
        if not isinstance(request.user, Account):
            return to_sign_in(request)
        club = clubs_of(request.user).filter(slug=slug).first()
        if club is None:
            raise Http404
        return view(request, club, **rest)

    return opened


def for_directors_of_the_club(view: View) -> View:
    """The same for whoever directs the club; others with a role are told so. Refuses: director_only."""

    @wraps(view)
    def opened(request: HttpRequest, club: Club, **rest: object) -> HttpResponse:
        if not may_direct(request.user, club.pk):
            raise Refusal("director_only")
        return view(request, club, **rest)

    return for_members(opened)


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """The way to sign in and back; a page that looks for news is to load itself anew, which leads there."""
    if asks_for_part(request):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return redirect_to_login(request.get_full_path())
