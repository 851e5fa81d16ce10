"""What a phone remembers of an event, signed: whose page it shows, whether it has shown the letters of that
person, and by which subscription it is told."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from clubs.models import Person
from tournaments.alerts.queries import alert_of
from tournaments.models import AlertSubscription, Event
from tournaments.public.queries.own_page import player_in
from web.signed_cookies import remember_value, signed_value

PERSON, OWN, ALERT = "mine", "own", "alerts"
REMEMBERED = timedelta(days=60)


def remembered_person(request: HttpRequest, event: Event) -> Person | None:
    """Whose phone it is, while that is somebody of the event. One query, or none."""
    known = _number(request, event, PERSON)
    return None if known is None else player_in(event, known)


def is_of_nobody_any_more(request: HttpRequest, event: Event) -> bool:
    """Whether this phone was of somebody who is not in the event any more. One query, or none."""
    return _number(request, event, PERSON) is not None and remembered_person(request, event) is None


def remember_person(request: HttpRequest, response: HttpResponse, event: Event, person_id: str) -> None:
    _remember(request, response, event, PERSON, person_id)
    _forget(response, event, OWN)


def forget_person(response: HttpResponse, event: Event) -> None:
    _forget(response, event, PERSON)
    _forget(response, event, OWN)


def may_speak_for(request: HttpRequest, event: Event, person: Person) -> bool:
    """Whether this phone has shown the letters of that person, and not only chosen a name. No query."""
    return _number(request, event, OWN) == person.pk


def remember_own_letters(request: HttpRequest, response: HttpResponse, event: Event, person: Person) -> None:
    """It is the phone of that person, who may say from it whether they are there."""
    _remember(request, response, event, PERSON, str(person.pk))
    _remember(request, response, event, OWN, str(person.pk))


def remembered_alert(request: HttpRequest, event: Event) -> AlertSubscription | None:
    """By which this phone is told, while there is one. One query, or none."""
    known = _number(request, event, ALERT)
    return None if known is None else alert_of(event, known)


def remember_alert(
    request: HttpRequest, response: HttpResponse, event: Event, subscription: AlertSubscription
) -> None:
    _remember(request, response, event, ALERT, str(subscription.pk))


def forget_alert(response: HttpResponse, event: Event) -> None:
    _forget(response, event, ALERT)


def _number(request: HttpRequest, event: Event, name: str) -> int | None:
    known = signed_value(request, name, salt=event.short)
    return None if known is None else int(known)


def _remember(request: HttpRequest, response: HttpResponse, event: Event, name: str, value: str) -> None:
    path = reverse("own-page", args=[event.short])
    remember_value(request, response, name, value, salt=event.short, path=path, lasts=REMEMBERED)


def _forget(response: HttpResponse, event: Event, name: str) -> None:
    response.delete_cookie(name, path=reverse("own-page", args=[event.short]), samesite="Lax")
