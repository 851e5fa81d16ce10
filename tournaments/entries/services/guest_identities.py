"""Identification by the organizer of players who signed up under names that the club knows."""

from dataclasses import replace

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from tournaments.entries.queries.name_matches import list_unrecognized_players
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event
from web.names import fold_name

from .identities import Identities
from .player_mails import enqueue_player_link_mail


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
