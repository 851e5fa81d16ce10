"""Alerts that a phone receives, by its cookie (``clubs.phone_owner``)."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse

from clubs.phone_owner import find_owner, remember_owner
from tournaments.models import AlertSubscription, Event

from .queries import find_subscription


def find_phone_alert(request: HttpRequest, event: Event) -> AlertSubscription | None:
    """Return the alerts that this phone receives, if any. One query, or none."""
    owner = find_owner(request, event.topic)
    return None if owner is None or owner.alert is None else find_subscription(event, owner.alert)


def store_phone_alert(request: HttpRequest, response: HttpResponse, event: Event, alert: int | None) -> None:
    """Remember the phone's alerts by their id; None for no more alerts."""
    owner = find_owner(request, event.topic)
    if owner is not None:
        remember_owner(request, response, event.topic, replace(owner, alert=alert))
