"""Table cards of an event: showing, printing and replacing them, and the phones that they let in."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_safe

from clubs.pages import get_actor, require_post_from
from scoring.models import TableCard
from scoring.qr import render_card_qr_code
from scoring.queries import list_card_phones
from tournaments.events.services.cards import replace_table_card, turn_table_phone_away
from tournaments.models import Event
from web.not_found import get_or_404
from web.qr import get_phone_origin, is_loopback

from .access import event_helpers_only
from .phones import save_phone_reports_first


@require_safe
@event_helpers_only
def card(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the card of one table full screen, for a phone to scan, with a link to the next one."""
    table_cards = list(TableCard.objects.filter(topic=event.topic).order_by("number"))
    place = get_or_404(
        next((place for place, table_card in enumerate(table_cards) if table_card.number == number), None)
    )
    origin = get_phone_origin(request)
    context = {
        "event": event,
        "card": table_cards[place],
        "qr": render_card_qr_code(origin, table_cards[place]),
        "host": urlsplit(origin).netloc,
        "is_only_here": is_loopback(origin),
        "before": table_cards[place - 1] if place else None,
        "after": table_cards[place + 1] if place + 1 < len(table_cards) else None,
        "of": len(table_cards),
    }
    return TemplateResponse(request, "tournaments/events/card.html", context)


@require_safe
@event_helpers_only
def cards(request: HttpRequest, event: Event) -> HttpResponse:
    """Print the table cards, two to a page."""
    origin = get_phone_origin(request)
    table_cards = TableCard.objects.filter(topic=event.topic).order_by("number")
    other_language = "en" if get_language() == "fr" else "fr"
    with override(other_language):
        other_instructions = gettext("Scan to keep score. No app, no account.")
    context = {
        "event": event,
        "cards": [{"card": card, "qr": render_card_qr_code(origin, card)} for card in table_cards],
        "host": urlsplit(origin).netloc,
        "is_only_here": is_loopback(origin),
        "other_language": other_language,
        "other_words": other_instructions,
    }
    return TemplateResponse(request, "tournaments/events/cards.html", context)


@require_safe
@save_phone_reports_first
@event_helpers_only
def card_phones(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """List the phones that opened a table, remove a phone's access, or replace the card."""
    card = get_or_404(TableCard.objects.filter(topic=event.topic, number=number).first())
    context = {"event": event, "card": card, "phones": list_card_phones(card, timezone.now())}
    return TemplateResponse(request, "tournaments/events/card_phones.html", context)


@require_post_from("card-phones", "short", "number")
@event_helpers_only
def replace_card(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Replace the card of a table, then show the new one. Its phones keep their access, or must scan it
    too."""
    replace_table_card(
        event_id=event.pk,
        table=number,
        digits=request.POST.get("digits", ""),
        is_kept_by_phones="all" not in request.POST,
        by=get_actor(request),
    )
    return redirect("card", short=event.short, number=number)


@require_post_from("card-phones", "short", "number")
@event_helpers_only
def turn_phone_away(request: HttpRequest, event: Event, number: int, phone_id: int) -> HttpResponse:
    """Remove a phone's access to a table."""
    turn_table_phone_away(event_id=event.pk, table=number, phone_id=phone_id, by=get_actor(request))
    return redirect("card-phones", short=event.short, number=number)
