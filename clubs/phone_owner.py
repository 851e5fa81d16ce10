"""The owner of this phone in each event, in one signed cookie for the whole site and every language.

It contains no name and signs nobody in. Events are named by their topic, as on table cards.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse

from web.signed_cookies import get_signed_value, set_signed_value

COOKIE = "phone"
SALT = "clubs.phone_owner"
COOKIE_LIFETIME = timedelta(days=60)
MAX_EVENTS = 6
"""The most events remembered, the latest choices first: every request sends the cookie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneOwner:
    """The phone's owner, a person by id. It ``has_letters`` after it gave the person's badge letters, and may
    then act for them; it ``has_card`` after it opened a table of the event by its card. ``alert`` is the id
    of the push subscription that announces the table."""

    person: int
    has_letters: bool = False
    has_card: bool = False
    alert: int | None = None


def find_owner(request: HttpRequest, topic: str) -> PhoneOwner | None:
    """Return the owner of this phone in the event with that topic. No query."""
    return _get_owners(request).get(topic)


def remember_owner(request: HttpRequest, response: HttpResponse, topic: str, owner: PhoneOwner | None) -> None:
    """Remember the phone's owner in that event, or forget them if None."""
    others = {each: known_owner for each, known_owner in _get_owners(request).items() if each != topic}
    owners = others if owner is None else {topic: owner, **others}
    value = "|".join(_serialize_owner(*each) for each in list(owners.items())[:MAX_EVENTS])
    set_signed_value(request, response, COOKIE, value, salt=SALT, path="/", max_age=COOKIE_LIFETIME)


def _get_owners(request: HttpRequest) -> dict[str, PhoneOwner]:
    """Return the owners by topic, the latest choices first."""
    value = get_signed_value(request, COOKIE, salt=SALT)
    return dict(map(_parse_owner, value.split("|"))) if value else {}


def _serialize_owner(topic: str, owner: PhoneOwner) -> str:
    alert = "" if owner.alert is None else owner.alert
    return f"{topic}.{owner.person}.{owner.has_letters:d}{owner.has_card:d}.{alert}"


def _parse_owner(text: str) -> tuple[str, PhoneOwner]:
    topic, person, flags, alert = text.split(".")
    return topic, PhoneOwner(
        person=int(person),
        has_letters=flags[0] == "1",
        has_card=flags[1] == "1",
        alert=int(alert) if alert else None,
    )
