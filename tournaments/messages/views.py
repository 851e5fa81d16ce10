"""Pages of the desk's messages to everyone or to a table, and of calls."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.post_only import posted_from
from errors import Refusal
from tournaments.events.views.access import for_directors, for_helpers
from tournaments.models import Event
from tournaments.rounds.queries.messages import messages_of
from tournaments.rounds.queries.rounds import rounds_of
from web.forms import FormReader

from .services import MESSAGE_LENGTH, call_table, end_call, send_message, take_back_message

NEXT_ROUND = "round"
MINUTES = (5, 15, 30, 60, 120)
"""Choices for the duration of a message."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def messages_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the current messages, and send one to everyone or to a table."""
    typed: dict[str, Any] = {"table": request.GET.get("table", ""), "until": NEXT_ROUND}
    refusal = None
    if request.method == "POST":
        try:
            _send(request, event)
        except Refusal as refused:
            typed, refusal = request.POST.dict(), refused
        else:
            return redirect("desk", short=event.short)
    last = rounds_of(event).last()
    context = {
        "event": event,
        "messages": messages_of(event, last_round=last.number if last else 0, now=timezone.now()),
        "minutes": MINUTES,
        "most": MESSAGE_LENGTH,
        "typed": typed,
        "refusal": refusal,
    }
    return TemplateResponse(request, "tournaments/messages/page.html", context)


@posted_from("desk", "short")
@for_directors
def remove_message(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Withdraw a message."""
    take_back_message(event_id=event.pk, number=number, by=actor_from(request))
    return redirect("desk", short=event.short)


@posted_from("desk", "short")
@for_helpers
def call(request: HttpRequest, event: Event, table_number: int) -> HttpResponse:
    """Call a table to the desk, or end its call."""
    if "came" in request.POST:
        end_call(event_id=event.pk, table=table_number, by=actor_from(request))
    else:
        call_table(event_id=event.pk, table=table_number, by=actor_from(request))
    return redirect("desk", short=event.short)


def _send(request: HttpRequest, event: Event) -> None:
    """Send the message of the form. Refuses: form_refused, and what ``send_message`` refuses."""
    form = FormReader(request.POST.dict())
    text, table = form.text("text", required="message_required"), form.number("table")
    until = form.choice("until", (NEXT_ROUND, *map(str, MINUTES)))
    form.finish()
    send_message(
        event_id=event.pk,
        text=text,
        table=table,
        minutes=None if until == NEXT_ROUND else int(until),
        by=actor_from(request),
    )
