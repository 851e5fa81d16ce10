"""Identification of the players named in entries: people of the club, or somebody new."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from clubs.services.people import find_people
from errors import Refusal
from tournaments.entries.entry_import.values import ListedEntry, is_guest_team
from tournaments.entries.queries.entries import people_taking_part
from tournaments.entries.queries.name_matches import list_unrecognized_players
from tournaments.entries.services.merging import merge_people
from tournaments.entries.services.player_mails import enqueue_player_link_mail
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event
from tournaments.models import Event
from web.names import fold_name

Identities = Mapping[str, int | None]
"""The person meant by each folded name: the id of a person of the club, or None for somebody new. A name that
is absent means the person whom the club knows by it."""

NO_IDENTITIES: Identities = MappingProxyType({})


def identify_people(
    event: Event, entries_by_number: Mapping[int, ListedEntry], *, is_guest: bool, identities: Identities
) -> dict[int, list[Person]]:
    """Return the people of each entry, new ones not saved. Players of another club's team are guests."""
    people: dict[int, list[Person]] = {}
    for is_other_club in (False, True):
        matching_entries = {
            number: entry
            for number, entry in entries_by_number.items()
            if is_guest_team(entry.team, event.club.name) is is_other_club
        }
        found = iter(
            find_people(
                club=event.club,
                full_names=[name for entry in matching_entries.values() for name in entry.players],
                is_guest=is_guest or is_other_club,
                identities=identities,
            )
        )
        people |= {number: [next(found) for _ in entry.players] for number, entry in matching_entries.items()}
    return people


def check_not_entered_twice(event: Event, people: Sequence[Person], *, field: str) -> None:
    """Check that no person is entered twice, under whatever names. Refuses: entered_twice."""
    participant_ids = people_taking_part(event)
    for place, person in enumerate(people):
        if person.pk in participant_ids or person in people[:place]:
            raise Refusal("entered_twice", field=field, name=person.name, line=None, first=0)


@transaction.atomic
def recognize_players(*, event_id: int, identities: Identities, by: Actor = NOBODY) -> None:
    """Identify players who signed up online: each name is a person of the club, by id, or somebody new.

    A player identified as a known person is merged into them, and that person is e-mailed the link to their
    own page if the club has an address. Somebody new is not asked about again. Other names are ignored. Safe
    to repeat.

    Refuses: no_such_person, both_took_part, of the merging.
    """
    event = get_event(event_id)
    unrecognized = {fold_name(person.name): (entry, person) for entry, person in list_unrecognized_players(event)}
    answers = {name: identities[name] for name in unrecognized if name in identities}
    for name, person_id in answers.items():
        if person_id is not None:
            entry, new = unrecognized[name]
            merge_people(club_id=event.club_id, target_id=person_id, source_id=new.pk, by=replace(by, key=None))
            enqueue_player_link_mail(entry, person_id)
    change = Change(event_id, "recognize_players", by)
    if answers and not change.is_repeat:
        numbers = {unrecognized[name][0].number for name in answers}
        others = [unrecognized[name][1].pk for name, person_id in answers.items() if person_id is None]
        change.record(people=others, entries=sorted(numbers))
