"""Access to the pages of an event: public pages for everybody, desk pages by role. Without a role in the
club, they give 404."""

from collections.abc import Callable, Collection
from functools import partial, wraps

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from clubs.calendar import get_club_today
from clubs.models import Account, Role
from clubs.pages import View, open_to, redirect_to_sign_in, require_permission
from clubs.policy import Audience, Permission
from errors import Refusal
from live.conditional_pages import conditional_page, drop_other_parameters, shared_conditional_page
from live.response_cache import mark_cacheable
from tournaments.events.queries import find_event, find_event_with_role, find_public_event, is_past
from tournaments.models import Event
from tournaments.rounds.queries.messages import compute_messages_mark
from tournaments.standings.queries.delays import get_watched_revision
from web.not_found import get_or_404


def _require_event(audience: Audience, load_event: Callable[[str], Event | None]) -> Callable[[View], View]:
    """Decorate a view that takes an event: ``load_event`` finds it by the short name in the address. Raise 404 if
    there is none."""

    def decorate(view: View) -> View:
        @open_to(audience)
        @wraps(view)
        def open_page(request: HttpRequest, short: str, **rest: object) -> HttpResponseBase:
            event = get_or_404(load_event(short))
            return view(request, event, **rest)

        return open_page

    return decorate


public_event_required = _require_event(Audience.PUBLIC, find_public_event)
event_link_required = _require_event(Audience.LINK, find_event)
player_link_required = _require_event(Audience.LINK, find_public_event)


def event_permission_required(permission: Permission) -> Callable[[View], View]:
    """Decorate a view that takes the event, for accounts with this permission in its club.

    Refuses: director_only, owner_only, past_night.
    """

    def decorate(view: View) -> View:
        @open_to(permission)
        @wraps(view)
        def open_page(request: HttpRequest, short: str, **rest: object) -> HttpResponseBase:
            if not isinstance(request.user, Account):
                return redirect_to_sign_in(request)
            event_with_role = get_or_404(find_event_with_role(request.user, short))
            event, role = event_with_role
            require_permission(request, role, permission)
            if role is Role.DESK and is_past(event, get_club_today(event.club)):
                raise Refusal("past_night")
            return view(request, event, **rest)

        return open_page

    return decorate


event_helpers_only = event_permission_required(Permission.HELP)
event_directors_only = event_permission_required(Permission.DIRECT)


PageRenderer = Callable[[HttpRequest, Event, str], HttpResponse]
"""Function that renders a page, given the revision that it shows."""


def serve_event_page(
    request: HttpRequest, event: Event, name: str, render_page: PageRenderer, *, is_desk: bool = False
) -> HttpResponse:
    """Serve a page of the event with its revision, and render it only if the revision has changed. At the
    desk, changes not yet public count too. One query beside the page."""
    mark = compute_messages_mark(event, now=timezone.now())
    revision = f"{event.pk}.{get_watched_revision(event, is_public=not is_desk)}{mark}.{name}"
    return conditional_page(request, revision, partial(render_page, request, event, revision))


def serve_shared_event_page(
    request: HttpRequest, event: Event, name: str, render_page: PageRenderer, *, parameters: Collection[str] = ()
) -> HttpResponse:
    """Serve a public page of the event, rendered once per revision for all readers. Query parameters other than
    ``parameters`` are dropped."""
    revision = f"{event.pk}.{get_watched_revision(event)}{compute_messages_mark(event, now=timezone.now())}.{name}"
    if not drop_other_parameters(request, parameters):
        mark_cacheable(request, event.topics, vars(event)["watched_numbers"])
    return shared_conditional_page(
        request, revision, partial(render_page, request, event, revision), query_params=parameters
    )
