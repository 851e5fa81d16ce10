"""Alerts that a phone receives, by its cookie (``clubs.phone_owner``)."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse

from clubs.phone_owner import owner_in, remember_owner
from tournaments.models import AlertSubscription, Event

from .queries import alert_of


def remembered_alert(request: HttpRequest, event: Event) -> AlertSubscription | None:
    """Return the alerts that this phone receives, if any. One query, or none."""
    owner = owner_in(request, event.topic)
    return None if owner is None or owner.alert is None else alert_of(event, owner.alert)


def remember_alert(request: HttpRequest, response: HttpResponse, event: Event, alert: int | None) -> None:
    """Remember the phone's alerts by their id; None for no more alerts."""
    owner = owner_in(request, event.topic)
    if owner is not None:
        remember_owner(request, response, event.topic, replace(owner, alert=alert))
