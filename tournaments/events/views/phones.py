"""The desk's view of the phones at the tables: what somebody should look after, and what came late."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.presenters.late import late_tables
from scoring.presenters.phones import PhonesView, phones_view
from scoring.services import write_phones
from tournaments.models import Event

from .access import for_helpers


def phones_now(event: Event) -> PhonesView:
    """With what this process has heard and not written down yet."""
    write_phones()
    return phones_view(event.topic, now=timezone.now())


@require_safe
@for_helpers
def phones(request: HttpRequest, event: Event) -> HttpResponse:
    """The part of the desk that says what the phones say: it changes every few seconds, and the tables do
    not."""
    return TemplateResponse(
        request,
        "tournaments/events/phones.html",
        {"event": event, "phones": phones_now(event), "is_part": True},
    )


@require_safe
@for_helpers
def late(request: HttpRequest, event: Event) -> HttpResponse:
    """What came late from the tables, and what it changed."""
    return TemplateResponse(
        request, "tournaments/events/late.html", {"event": event, "tables": late_tables(event.topic)}
    )
