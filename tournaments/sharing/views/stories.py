"""The story of an event: a live report for people at home, and after the end what happened."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.absolute_urls import build_absolute_url
from live.conditional_pages import get_part_etag, get_template_or_part, is_partial_request, read_snapshot
from tournaments.events.views.access import public_event_required, serve_shared_event_page
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.sharing.presenters.live_reports import build_live_report
from tournaments.sharing.presenters.press import build_press_report, load_press_data


@require_safe
@read_snapshot()
@public_event_required
def story_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a live report of the event, and after its end its story and a picture to send."""
    return serve_shared_event_page(request, event, "story", _render_story)


def _render_story(request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    """Render the story. Once the event has ended, readers who have it open get the whole page, since what
    they can send is outside the part that changes."""
    has_ended = event.state == EventState.ENDED
    if has_ended and is_partial_request(request):
        return HttpResponseClientRefresh()
    data = load_press_data(event)
    context = {
        "event": event,
        "press_report": build_press_report(data),
        "live": build_live_report(data),
        "has_ended": has_ended,
        "is_kept_back": data.standings.is_kept_back,
        "address": request.path,
        "whole_address": build_absolute_url(request, event.get_absolute_url()),
        "etag": get_part_etag(request, revision),
    }
    return TemplateResponse(request, get_template_or_part(request, "tournaments/sharing/story/page.html#live"), context)
