"""Table alerts for a player in one event, by phone or e-mail: turn them on and off."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt

from clubs.models import Person
from clubs.pages import require_post_from
from errors import Refusal
from tournaments.alerts.channels import MAIL, WEB_PUSH
from tournaments.alerts.phones import find_phone_alert, store_phone_alert
from tournaments.alerts.queries import find_mail_subscription
from tournaments.alerts.services import stop_alerts, subscribe_to_alerts
from tournaments.alerts.stop_links import can_stop
from tournaments.entries.phone_owner import can_act_for, get_phone_person
from tournaments.events.views.access import event_link_required, public_event_required
from tournaments.models import AlertSubscription, Event


@require_post_from("own-page", "short")
@public_event_required
def start_alerts(request: HttpRequest, event: Event) -> HttpResponse:
    """Turn on alerts on this phone for its player. Refuses: no_such_address."""
    response = redirect("own-page", event.short)
    person = get_phone_person(request, event)
    if person is not None:
        address = _parse_address(request.POST.get("address", ""))
        store_phone_alert(request, response, event, _subscribe(event, person, WEB_PUSH, address).pk)
    return response


@require_post_from("own-page", "short")
@public_event_required
def stop_alerts_here(request: HttpRequest, event: Event) -> HttpResponse:
    """Turn off this phone's alerts of the event."""
    response = redirect("own-page", event.short)
    subscription = find_phone_alert(request, event)
    if subscription is not None:
        stop_alerts(subscription.pk)
    store_phone_alert(request, response, event, None)
    return response


@require_post_from("own-page", "short")
@public_event_required
def switch_mail_alerts(request: HttpRequest, event: Event) -> HttpResponse:
    """Turn on e-mail alerts for this phone's player, at the address that the club has, or turn them off.
    Refuses: no_such_address."""
    person = get_phone_person(request, event)
    if person is not None and can_act_for(request, event, person):
        subscription = find_mail_subscription(event, person)
        if "stop" not in request.POST:
            _subscribe(event, person, MAIL, None)
        elif subscription is not None:
            stop_alerts(subscription.pk)
    return redirect("own-page", event.short)


@csrf_exempt  # mail programs unsubscribe by themselves, without a page of ours
@event_link_required
def stop_mailed_alerts(request: HttpRequest, event: Event, pk: int, letters: str) -> HttpResponse:
    """Turn off e-mail alerts by the link in a mail. It opens a page with a button, since mail scanners open
    links, too."""
    if not can_stop(pk, letters):
        raise Http404
    if request.method == "POST":
        stop_alerts(pk)
    is_stopped = not AlertSubscription.objects.filter(pk=pk).exists()
    context = {"event": event, "is_stopped": is_stopped}
    return TemplateResponse(request, "tournaments/alerts/unsubscription.html", context)


def _subscribe(event: Event, person: Person, channel: str, address: dict[str, Any] | None) -> AlertSubscription:
    language = get_language() or event.club.language
    return subscribe_to_alerts(event=event, person=person, channel=channel, address=address, language=language)


def _parse_address(text: str) -> dict[str, Any]:
    """Read the push address that the phone's script sent. Refuses: no_such_address."""
    try:
        address = json.loads(text)
    except (ValueError, RecursionError):
        address = None
    if not isinstance(address, dict):
        raise Refusal("no_such_address")
    return address
