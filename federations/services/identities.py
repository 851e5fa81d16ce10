"""Services for a person's code, which shows that members of two clubs are the same person."""

import secrets

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from clubs.services.changes import ClubChange, get_row
from engine.federations import build_statement, derive_identity_key, format_code, read_code
from engine.federations.identities import CODE_BYTES
from engine.signed_logs import get_public_key
from engine.signed_logs.keys import create_signature
from errors import get_or_refuse
from federations.models import ClubFeed, PersonIdentity
from federations.queries import get_feed_row_id


@transaction.atomic
def make_identity_code(*, club_id: int, person_id: int, by: Actor = NOBODY) -> str:
    """Create a code for a person, which shows another club that it is the same person. The code is not
    stored: it is "" for a repeated request. Safe to repeat with the same key.

    Refuses: no_such_person, feed_is_off.
    """
    change, person = _begin_change(club_id, "make_identity_code", person_id, by)
    if change.is_repeat:
        return ""
    letters = format_code(secrets.token_bytes(CODE_BYTES))
    _add_identity(change, person, letters)
    return letters


@transaction.atomic
def enter_identity_code(*, club_id: int, person_id: int, code: str, by: Actor = NOBODY) -> Person:
    """Record the code that a person received from another club. Safe to repeat.

    Refuses: no_such_person, feed_is_off, identity_code_unread.
    """
    change, person = _begin_change(club_id, "enter_identity_code", person_id, by)
    if not change.is_repeat:
        _add_identity(change, person, code)
    return person


@transaction.atomic
def take_back_identity(*, club_id: int, person_id: int, by: Actor = NOBODY) -> Person:
    """Remove a person's codes from the club's feed. Safe to repeat. Refuses: no_such_person."""
    change, person = _begin_change(club_id, "take_back_identity", person_id, by)
    if not change.is_repeat:
        person.identities.all().delete()
        change.record(person=person.pk, name=person.name)
    return person


def _begin_change(club_id: int, kind: str, person_id: int, by: Actor) -> tuple[ClubChange, Person]:
    change = ClubChange(club_id, kind, by)
    return change, get_row(change.club.people.all(), person_id, refusal_code="no_such_person")


def _add_identity(change: ClubChange, person: Person, code: str) -> None:
    """Add the code to a person, for the club's feed. Refuses: see ``enter_identity_code``."""
    letters = get_or_refuse(read_code(code), "identity_code_unread", field="code")
    feed = get_or_refuse(ClubFeed.objects.filter(club=change.club).first(), "feed_is_off")
    private = derive_identity_key(letters)
    statement = build_statement((feed.public_id.hex, get_feed_row_id(feed, "person", person.pk)))
    PersonIdentity.objects.get_or_create(
        person=person, key=get_public_key(private), defaults={"signature": create_signature(statement, private)}
    )
    change.record(person=person.pk, name=person.name)
