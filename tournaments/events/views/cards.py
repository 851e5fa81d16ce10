"""Table cards of an event: showing, printing and replacing them, and the phones that they let in."""

from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_safe

from clubs.actor import actor_from
from clubs.post_only import posted_from
from scoring.models import TableCard
from scoring.qr import square_of
from scoring.queries import phones_of_card
from scoring.services import write_phones
from tournaments.events.services.cards import replace_table_card, turn_table_phone_away
from tournaments.models import Event
from web.qr import is_only_here, origin_for_phones

from .access import for_helpers


@require_safe
@for_helpers
def card(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the card of one table full screen, for a phone to scan, with a link to the next one."""
    laid = list(TableCard.objects.filter(topic=event.topic).order_by("number"))
    place = next((place for place, one in enumerate(laid) if one.number == number), None)
    if place is None:
        raise Http404
    origin = origin_for_phones(request)
    context = {
        "event": event,
        "card": laid[place],
        "qr": square_of(origin, laid[place]),
        "host": urlsplit(origin).netloc,
        "is_only_here": is_only_here(origin),
        "before": laid[place - 1] if place else None,
        "after": laid[place + 1] if place + 1 < len(laid) else None,
        "of": len(laid),
    }
    return TemplateResponse(request, "tournaments/events/card.html", context)


@require_safe
@for_helpers
def cards(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the table cards, two to a page."""
    origin = origin_for_phones(request)
    laid = TableCard.objects.filter(topic=event.topic).order_by("number")
    other = "en" if get_language() == "fr" else "fr"
    with override(other):
        other_words = gettext("Scan to keep score. No app, no account.")
    context = {
        "event": event,
        "cards": [{"card": card, "qr": square_of(origin, card)} for card in laid],
        "host": urlsplit(origin).netloc,
        "is_only_here": is_only_here(origin),
        "other_language": other,
        "other_words": other_words,
    }
    return TemplateResponse(request, "tournaments/events/cards.html", context)


@require_safe
@for_helpers
def card_phones(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """List the phones that opened a table, remove a phone's access, or replace the card."""
    card = TableCard.objects.filter(topic=event.topic, number=number).first()
    if card is None:
        raise Http404
    write_phones()
    context = {"event": event, "card": card, "phones": phones_of_card(card)}
    return TemplateResponse(request, "tournaments/events/card_phones.html", context)


@posted_from("card-phones", "short", "number")
@for_helpers
def replace_card(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Replace the card of a table, then show the new one. Its phones keep their access, or must scan it
    too."""
    replace_table_card(
        event_id=event.pk,
        table=number,
        digits=request.POST.get("digits", ""),
        is_kept_by_phones="all" not in request.POST,
        by=actor_from(request),
    )
    return redirect("card", short=event.short, number=number)


@posted_from("card-phones", "short", "number")
@for_helpers
def turn_phone_away(request: HttpRequest, event: Event, number: int, phone_id: int) -> HttpResponse:
    """Remove a phone's access to a table."""
    turn_table_phone_away(event_id=event.pk, table=number, phone_id=phone_id, by=actor_from(request))
    return redirect("card-phones", short=event.short, number=number)
