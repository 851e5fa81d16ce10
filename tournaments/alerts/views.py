"""Table alerts for a player in one event, by phone or e-mail: turn them on and off."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from clubs.models import Person
from clubs.post_only import posted_from
from errors import Refusal
from tournaments.alerts.channels import MAIL, WEB_PUSH
from tournaments.alerts.phones import remember_alert, remembered_alert
from tournaments.alerts.queries import mailed_alert
from tournaments.alerts.services import ask_alerts, stop_alerts
from tournaments.alerts.stop_links import may_stop
from tournaments.entries.phone_owner import may_speak_for, remembered_person
from tournaments.events.views.access import for_its_link, for_watchers
from tournaments.models import AlertSubscription, Event


@posted_from("own-page", "short")
@for_watchers
def ask_for_alerts(request: HttpRequest, event: Event) -> HttpResponse:
    """Turn on alerts on this phone for its player. Refuses: no_such_address."""
    response = redirect("own-page", event.short)
    person = remembered_person(request, event)
    if person is not None:
        address = _address(request.POST.get("address", ""))
        remember_alert(request, response, event, _ask(event, person, WEB_PUSH, address).pk)
    return response


@posted_from("own-page", "short")
@for_watchers
def stop(request: HttpRequest, event: Event) -> HttpResponse:
    """Turn off this phone's alerts of the event."""
    response = redirect("own-page", event.short)
    known = remembered_alert(request, event)
    if known is not None:
        stop_alerts(known.pk)
    remember_alert(request, response, event, None)
    return response


@posted_from("own-page", "short")
@for_watchers
def mail(request: HttpRequest, event: Event) -> HttpResponse:
    """Turn on e-mail alerts for this phone's player, at the address that the club has, or turn them off.
    Refuses: no_such_address."""
    person = remembered_person(request, event)
    if person is not None and may_speak_for(request, event, person):
        known = mailed_alert(event, person)
        if "stop" not in request.POST:
            _ask(event, person, MAIL, None)
        elif known is not None:
            stop_alerts(known.pk)
    return redirect("own-page", event.short)


@csrf_exempt  # mail programs unsubscribe by themselves, without a page of ours
@require_http_methods(["GET", "HEAD", "POST"])
@for_its_link
def stop_mailed(request: HttpRequest, event: Event, pk: int, letters: str) -> HttpResponse:
    """Turn off e-mail alerts by the link in a mail. It opens a page with a button, since mail scanners open
    links, too."""
    if not may_stop(pk, letters):
        raise Http404
    if request.method == "POST":
        stop_alerts(pk)
    is_stopped = not AlertSubscription.objects.filter(pk=pk).exists()
    context = {"event": event, "is_stopped": is_stopped}
    return TemplateResponse(request, "tournaments/alerts/stop.html", context)


def _ask(event: Event, person: Person, channel: str, address: dict[str, Any] | None) -> AlertSubscription:
    language = get_language() or event.club.language
    return ask_alerts(event=event, person=person, channel=channel, address=address, language=language)


def _address(text: str) -> dict[str, Any]:
    """Read the push address that the phone's script sent. Refuses: no_such_address."""
    try:
        address = json.loads(text)
    except (ValueError, RecursionError):
        address = None
    if not isinstance(address, dict):
        raise Refusal("no_such_address")
    return address
