"""Phones at the tables as the desk sees them: problems, and late entries."""

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
    """Return the phones of the event, including news that this process had not saved yet."""
    write_phones()
    return phones_view(event.topic, now=timezone.now())


@require_safe
@for_helpers
def phones(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what the phones at the tables report. This part of the desk updates every few seconds, apart from
    the tables."""
    return TemplateResponse(
        request,
        "tournaments/events/phones.html",
        {"event": event, "phones": phones_now(event), "is_part": True},
    )


@require_safe
@for_helpers
def late(request: HttpRequest, event: Event) -> HttpResponse:
    """Show marks received late from the tables, and what they changed."""
    return TemplateResponse(
        request, "tournaments/events/late.html", {"event": event, "tables": late_tables(event.topic)}
    )
