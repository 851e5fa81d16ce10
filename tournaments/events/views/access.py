"""Access to the pages of an event: public pages for everybody, desk pages by role. Without a role in the
club, they give 404."""

from collections.abc import Callable, Collection
from functools import partial, wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from clubs.access import View, require_permission, to_sign_in
from clubs.calendar import today_in
from clubs.models import Account, Role
from clubs.policy import Audience, Permission, opens_to
from errors import Refusal
from live.conditional_pages import conditional_page, drop_other_parameters, shared_conditional_page
from live.response_cache import remember
from tournaments.events.queries import event_at_desk, event_named, is_past, public_event
from tournaments.models import Event
from tournaments.rounds.queries.messages import messages_mark
from tournaments.standings.queries.delays import watched_revision


def _give_event(opening: Audience, event_of: Callable[[str], Event | None]) -> Callable[[View], View]:
    """Decorate a view that takes the event with the address's short name, found by ``event_of``; 404 if there
    is none."""

    def decorate(view: View) -> View:
        @opens_to(opening)
        @wraps(view)
        def open_page(request: HttpRequest, short: str, **rest: object) -> HttpResponseBase:
            event = event_of(short)
            if event is None:
                raise Http404
            return view(request, event, **rest)

        return open_page

    return decorate


for_watchers = _give_event(Audience.PUBLIC, public_event)
for_its_link = _give_event(Audience.LINK, event_named)
for_link_of_a_player = _give_event(Audience.LINK, public_event)


def at_the_desk(deed: Permission) -> Callable[[View], View]:
    """Decorate a view that takes the event, for accounts with this permission in its club.

    Refuses: director_only, owner_only, past_night.
    """

    def decorate(view: View) -> View:
        @opens_to(deed)
        @wraps(view)
        def open_page(request: HttpRequest, short: str, **rest: object) -> HttpResponseBase:
            if not isinstance(request.user, Account):
                return to_sign_in(request)
            found = event_at_desk(request.user, short)
            if found is None:
                raise Http404
            event, role = found
            require_permission(request, role, deed)
            if role is Role.DESK and is_past(event, today_in(event.club)):
                raise Refusal("past_night")
            return view(request, event, **rest)

        return open_page

    return decorate


for_helpers = at_the_desk(Permission.HELP)
for_directors = at_the_desk(Permission.DIRECT)


Page = Callable[[HttpRequest, Event, str], HttpResponse]
"""Function that renders a page, given the revision that it shows."""


def conditional_event_page(
    request: HttpRequest, event: Event, name: str, page: Page, *, at_desk: bool = False
) -> HttpResponse:
    """Serve a page of the event with its revision, and render it only if the revision has changed. At the
    desk, changes not yet public count too. One query beside the page."""
    mark = messages_mark(event, now=timezone.now())
    revision = f"{event.pk}.{watched_revision(event, is_public=not at_desk)}{mark}.{name}"
    return conditional_page(request, revision, partial(page, request, event, revision))


def shared_event_page(
    request: HttpRequest, event: Event, name: str, page: Page, *, reads: Collection[str] = ()
) -> HttpResponse:
    """Serve a public page of the event, rendered once per revision for all readers. Of the query, it has only
    the parameters that it ``reads``."""
    revision = f"{event.pk}.{watched_revision(event)}{messages_mark(event, now=timezone.now())}.{name}"
    if not drop_other_parameters(request, reads):
        remember(request, event.topics, vars(event)["watched_numbers"])
    return shared_conditional_page(request, revision, partial(page, request, event, revision), reads=reads)
