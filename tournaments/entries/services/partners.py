"""Pairing of two players who signed up without a partner, and the end of such a pair."""

from collections.abc import Collection

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from errors import Refusal
from tournaments.entries.queries.entries import last_published_round
from tournaments.history.services.changes import Change
from tournaments.lifecycle import EventState
from tournaments.models import Entry

from .entries import get_entry, get_repeated_entries, list_sign_up_people
from .player_mails import enqueue_partner_mail
from .waiting_list import count_free_places, fill_places


@transaction.atomic
def pair_entries(*, event_id: int, numbers: Collection[int], by: Actor = NOBODY) -> list[Entry]:
    """Make a pair of two entries that look for a partner. It takes the place of the later sign-up in the
    list, or waits if the event is full. After the start it plays from the next round. Safe to repeat with the
    same idempotency key.

    Refuses: event_ended, tick_two_who_look, no_such_entry_now, has_a_partner.
    """
    change = Change(event_id, "pair_entries", by)
    if change.is_repeat:
        return get_repeated_entries(change)
    event = change.event
    if event.state == EventState.ENDED:
        raise Refusal("event_ended", field="pair")
    if len(set(numbers)) != 2:
        raise Refusal("tick_two_who_look", field="pair")
    first, second = (get_entry(event, number) for number in sorted(set(numbers)))
    for entry in (first, second):
        if not entry.looks_for_partner:
            raise Refusal("has_a_partner", field="pair", name=entry.player_1.name)
    is_full = count_free_places(event) == 0
    sign_up_times = [
        entry_to_pair.signed_up_at for entry_to_pair in (first, second) if entry_to_pair.signed_up_at is not None
    ]
    for adjustment in first.adjustments.all():
        change.remove(adjustment)
    change.remove(first)
    change.update(
        second,
        player_1=first.player_1,
        player_2=second.player_1,
        is_waiting=is_full,
        arrives=last_published_round(event) + 1,
        signed_up_at=min(sign_up_times, default=None),
    )
    change.record(entries=[second.number], ids=[second.pk])
    for person in second.players:
        enqueue_partner_mail(second, person)
    return [second]


def split_pair(change: Change, entry: Entry, player: Person) -> None:
    """Take a player out of a pair. The other looks for a partner again, and the waiting list fills the
    place."""
    (remaining_player,) = (person for person in entry.players if person != player)
    change.update(entry, player_1=remaining_player, player_2=None, is_waiting=True, present_at=None)
    for person in list_sign_up_people(entry, [player]):
        change.remove(person)
    change.record(entry=entry.number, names=player.name, let_in=fill_places(change))
    enqueue_partner_mail(entry, remaining_player)
