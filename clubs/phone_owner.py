"""Whose phone it is in each event: one signed cookie for the whole site, in every language.

It holds no name and signs nobody in. Events are named by their topic, as cards of tables are.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse

from web.signed_cookies import remember_value, signed_value

COOKIE = "phone"
SALT = "clubs.phone_owner"
REMEMBERED = timedelta(days=60)
MOST_EVENTS = 6
"""Of more, those chosen last: the cookie goes with every request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneOwner:
    """A person, by id. ``has_letters`` once the phone has shown the letters of their badge, and speaks for
    them; ``has_card`` once it has opened a table of the event by its card. ``alert`` is the id of the
    subscription that tells this phone the table."""

    person: int
    has_letters: bool = False
    has_card: bool = False
    alert: int | None = None


def owner_in(request: HttpRequest, topic: str) -> PhoneOwner | None:
    """Whom this phone belongs to in the event of that topic. No query."""
    return _owners(request).get(topic)


def remember_owner(
    request: HttpRequest, response: HttpResponse, topic: str, owner: PhoneOwner | None
) -> None:
    """From now on it belongs to them there; to nobody, where there is none."""
    others = {each: known for each, known in _owners(request).items() if each != topic}
    owners = others if owner is None else {topic: owner, **others}
    value = "|".join(_write(*each) for each in list(owners.items())[:MOST_EVENTS])
    remember_value(request, response, COOKIE, value, salt=SALT, path="/", lasts=REMEMBERED)


def _owners(request: HttpRequest) -> dict[str, PhoneOwner]:
    """By topic, those chosen last first."""
    value = signed_value(request, COOKIE, salt=SALT)
    return dict(map(_read, value.split("|"))) if value else {}


def _write(topic: str, owner: PhoneOwner) -> str:
    alert = "" if owner.alert is None else owner.alert
    return f"{topic}.{owner.person}.{owner.has_letters:d}{owner.has_card:d}.{alert}"


def _read(text: str) -> tuple[str, PhoneOwner]:
    topic, person, has, alert = text.split(".")
    return topic, PhoneOwner(
        person=int(person),
        has_letters=has[0] == "1",
        has_card=has[1] == "1",
        alert=int(alert) if alert else None,
    )
