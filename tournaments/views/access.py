"""Who may open a page of an event: everybody its public ones; the organizer's somebody whose role is enough,
and without a role it does not exist."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from clubs.access import View, let_in, to_sign_in
from clubs.calendar import today_in
from clubs.models import Account, Role
from clubs.policy import Anyone, Deed, opens_to
from rules import Refusal
from tournaments import selectors
from tournaments.selectors.nights import is_past


def _given(opening: Anyone) -> Callable[[View], View]:
    """Gives the view the event of the address's short name, if there is one."""

    def decorated(view: View) -> View:
        @opens_to(opening)
        @wraps(view)
        def opened(request: HttpRequest, short: str, **rest: object) -> HttpResponseBase:
            event = selectors.public_event(short)
            if event is None:
                raise Http404
            return view(request, event, **rest)

        return opened

    return decorated


for_watchers = _given(Anyone.PUBLIC)
for_its_link = _given(Anyone.LINK)


def at_the_desk(deed: Deed) -> Callable[[View], View]:
    """Gives the view the event of the address's short name, for an account that may do this deed in its club.

    Refuses: director_only, owner_only, past_night.
    """

    def decorated(view: View) -> View:
        @opens_to(deed)
        @wraps(view)
        def opened(request: HttpRequest, short: str, **rest: object) -> HttpResponseBase:
            if not isinstance(request.user, Account):
                return to_sign_in(request)
            found = selectors.event_at_desk(request.user, short)
            if found is None:
                raise Http404
            event, role = found
            let_in(request, role, deed)
            if role is Role.DESK and is_past(event, today_in(event.club)):
                raise Refusal("past_night")
            return view(request, event, **rest)

        return opened

    return decorated


for_helpers = at_the_desk(Deed.HELP)
for_directors = at_the_desk(Deed.DIRECT)
