"""Pages of the desk's messages to everyone or to a table, and of calls."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.pages import get_actor, is_submitted, require_post_from, show_refusals
from tournaments.events.views.access import event_directors_only, event_helpers_only
from tournaments.models import Event
from tournaments.rounds.queries.messages import list_current_messages
from tournaments.rounds.queries.rounds import get_published_rounds
from web.forms import ChoiceField, Form, NumberField, TextField

from .services import MAX_MESSAGE_LENGTH, call_table, end_call, send_message, take_back_message

NEXT_ROUND = "round"
DURATIONS = (5, 15, 30, 60, 120)
"""Choices for the duration of a message."""


class MessageForm(Form):
    """The form of a message."""

    text = TextField(_("Message"), required="message_required")
    table = NumberField(
        _("Table (optional)"), help_text=_("Leave empty for everybody, on wall screens and player pages.")
    )
    until = ChoiceField(_("Duration"), values=(NEXT_ROUND, *map(str, DURATIONS)))


@event_directors_only
@show_refusals
def messages_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the current messages, and send one to everyone or to a table."""
    form = MessageForm.from_request(request, table=request.GET.get("table", ""), until=NEXT_ROUND)
    if is_submitted(request):
        _send_from_form(request, event, form)
        return redirect("desk", short=event.short)
    last_round = get_published_rounds(event).last()
    context = {
        "event": event,
        "messages": list_current_messages(event, last_round=last_round.number if last_round else 0, now=timezone.now()),
        "minutes": DURATIONS,
        "most": MAX_MESSAGE_LENGTH,
        "form": form,
    }
    return TemplateResponse(request, "tournaments/messages/page.html", context)


@require_post_from("desk", "short")
@event_directors_only
def remove_message(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Withdraw a message."""
    take_back_message(event_id=event.pk, number=number, by=get_actor(request))
    return redirect("desk", short=event.short)


@require_post_from("desk", "short")
@event_helpers_only
def toggle_call(request: HttpRequest, event: Event, table_number: int) -> HttpResponse:
    """Call a table to the desk, or end its call."""
    if "came" in request.POST:
        end_call(event_id=event.pk, table=table_number, by=get_actor(request))
    else:
        call_table(event_id=event.pk, table=table_number, by=get_actor(request))
    return redirect("desk", short=event.short)


def _send_from_form(request: HttpRequest, event: Event, form: MessageForm) -> None:
    """Send the message of the form. Refuses: form_refused, and what ``send_message`` refuses."""
    values = form.read()
    until = values.pop("until")
    minutes = None if until == NEXT_ROUND else int(until)
    send_message(event_id=event.pk, minutes=minutes, by=get_actor(request), **values)
