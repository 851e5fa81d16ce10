"""The story of an event: a live report for people at home, and after the end what happened."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.absolute_urls import absolute_url
from live.conditional_pages import asks_for_part, page_or_part, part_tag
from tournaments.events.views.access import for_watchers, shared_event_page
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.sharing.presenters.live_reports import live_report_of
from tournaments.sharing.presenters.press import press_report_of, read_event


@require_safe
@for_watchers
def story_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a live report of the event, and after its end its story and a picture to send."""
    return shared_event_page(request, event, "story", _story_page)


def _story_page(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    """Render the story. Once the event has ended, readers who have it open get the whole page, since what
    they can send is outside the part that changes."""
    has_ended = event.state == EventState.ENDED
    if has_ended and asks_for_part(request):
        return HttpResponseClientRefresh()
    read = read_event(event)
    context = {
        "event": event,
        "told": press_report_of(read),
        "live": live_report_of(read),
        "has_ended": has_ended,
        "is_kept_back": read.kept.is_kept_back,
        "address": request.path,
        "whole_address": absolute_url(request, event.get_absolute_url()),
        "etag": part_tag(request, revision),
    }
    return TemplateResponse(
        request, page_or_part(request, "tournaments/sharing/story/page.html#live"), context
    )
