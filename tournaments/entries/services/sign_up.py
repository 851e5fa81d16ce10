"""Self sign-up, and partners who find each other."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from errors import Refusal
from tournaments.entries.queries.entries import entry_numbered, last_published_round, player_alone, sign_up_of
from tournaments.events.services.lifecycle import check_not_ended, check_preparing
from tournaments.history.services.changes import Change
from tournaments.models import Entry, Event
from web.names import clean_text, fold_name

from .entries import (
    PLAYER_FIELDS,
    clean_players,
    create_entry,
    get_entry,
    get_repeated_entries,
    list_sign_up_people,
    remove_entry_rows,
)
from .player_mails import enqueue_partner_mail
from .waiting_list import count_free_places, fill_places

MIN_PLACES, MAX_PLACES = 2, 9_999


@transaction.atomic
def sign_up(*, event_id: int, players: Sequence[str], needs_partner: bool = False, by: Actor) -> Entry | None:
    """Sign up players and return their entry, possibly waiting; None if it was removed since. Safe to repeat
    with the same key.

    With ``needs_partner``, where pairs play, the player is alone until ``pair_entries``. Everybody who signs
    up is added as a new guest: a list open to all makes nobody a member, and must not reveal whom the club
    knows. The organizer identifies them (``recognize_players``).

    Refuses: sign_up_closed, form_used, partner_named, and what ``entries.clean_players`` refuses.
    """
    change = Change(event_id, "sign_up", by)
    event = change.event
    if change.is_repeat:
        action, entry = sign_up_of(event, by.key)
        if action is None:
            raise Refusal("form_used")
        return entry
    check_sign_up_open(event)
    is_alone = needs_partner and event.entry_size > 1
    if is_alone and any(map(clean_text, players[1:])):
        raise Refusal("partner_named", field=PLAYER_FIELDS[1])
    names = clean_players(event, players, size=1 if is_alone else 0)
    return create_entry(
        change,
        names,
        is_guest=True,
        identities={fold_name(name): None for name in names},
        signed_up_at=timezone.now(),
        is_waiting=is_alone,
    )


@transaction.atomic
def sign_off(*, event_id: int, key: UUID) -> None:
    """Cancel the sign-up made under a form's key; the waiting list fills the place. Safe to repeat.

    If the player signed up alone and was paired since, only they leave; the other looks for a partner again.

    Refuses: event_started, sign_off_closed.
    """
    change = Change(event_id, "sign_off")
    action, entry = sign_up_of(change.event, key)
    if action is not None and entry is not None:
        _cancel_sign_up(change, entry, player_alone(action, entry))


@transaction.atomic
def sign_off_entry(*, event_id: int, number: int, person_id: int, by: Actor) -> None:
    """Cancel the sign-up of an entry for one of its players, from their own page. Only entries that signed up
    online can. Safe to repeat with the same key.

    Refuses: event_started, sign_off_closed, not_in_an_entry.
    """
    change = Change(event_id, "sign_off", by)
    if change.is_repeat:
        return
    entry = entry_numbered(change.event, number)
    if entry is None or entry.signed_up_at is None:
        raise Refusal("not_in_an_entry")
    lone_players = (player_alone(action, entry) for action in change.event.actions.filter(kind="sign_up"))
    _cancel_sign_up(change, entry, next((player for player in lone_players if player and player.pk == person_id), None))


def _cancel_sign_up(change: Change, entry: Entry, lone_player: Person | None) -> None:
    """Remove the entry while sign-offs are open. If ``lone_player`` signed up without the partner, only split the
    pair. Refuses: event_started, sign_off_closed."""
    check_preparing(change.event, field="players")
    if not change.event.is_sign_off_open:
        raise Refusal("sign_off_closed")
    if lone_player is not None and entry.player_2 is not None:
        split_pair(change, entry, lone_player)
    else:
        remove_entry_rows(change, entry)


@transaction.atomic
def change_sign_up(*, event_id: int, is_open: bool, most_entries: int | None, by: Actor = NOBODY) -> Event:
    """Open or close sign-up, and set the number of places, null for no limit. New places go to the waiting
    list, and nobody loses a place. Safe to repeat.

    Refuses: places_out_of_range, event_started.
    """
    change = Change(event_id, "change_sign_up", by)
    event = change.event
    check_preparing(event, field="most_entries")
    if most_entries is not None and not MIN_PLACES <= most_entries <= MAX_PLACES:
        raise Refusal("places_out_of_range", field="most_entries", least=MIN_PLACES, most=MAX_PLACES)
    if (event.signs_up, event.most_entries) != (is_open, most_entries):
        change.update(event, signs_up=is_open, most_entries=most_entries)
        change.record(is_open=is_open, most_entries=most_entries, let_in=fill_places(change))
    return event


def check_sign_up_open(event: Event) -> None:
    """Check that sign-up is open. Refuses: sign_up_closed."""
    if not event.is_sign_up_open:
        raise Refusal("sign_up_closed")


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
    check_not_ended(event, field="pair")
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
