"""Who may see an organizer's page: somebody with a role in the club; for all others it does not exist."""

from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse

from clubs.access import View, to_sign_in
from clubs.models import Account
from tournaments import selectors


def for_directors(view: View) -> View:
    """Gives the view the event of the address's short name, if it is of a club of the signed-in account."""

    @wraps(view)
    def opened(request: HttpRequest, short: str, **rest: object) -> HttpResponse:
        if not isinstance(request.user, Account):
            return to_sign_in(request)
        event = selectors.directed_event(request.user, short)
        if event is None:
            raise Http404
        return view(request, event, **rest)

    return opened
