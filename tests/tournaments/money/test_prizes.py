"""Prizes: noted, changed, undone, and seen by others only if they are public."""

from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Person
from clubs.services import undo_club_action
from tests.builders import (
    a_played_night,
    a_running_night,
    an_event,
    code_of,
    play_round,
    refusal_of,
    standings_after,
)
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, Prize
from tournaments.money.presenters.prizes import prizes_view
from tournaments.money.services.prizes import PrizeDetails, change_prize, give_prize, take_back_prize

from .test_fees import player

pytestmark = pytest.mark.django_db


def give(event: Event, *people: Person, by: Actor | None = None, **details: object) -> Prize:
    named = PrizeDetails(**{"name": "Ham", **details})  # type: ignore[arg-type]
    ids = [person.pk for person in people]
    given = give_prize(event_id=event.pk, winners=ids, details=named, by=by or Actor())
    assert given is not None
    return given


def test_goes_to_a_pair_or_to_one_person_once_a_form() -> None:
    event = an_event()
    pair, key = event.entries.all()[0].players, uuid4()
    first = give(event, *pair, by=Actor(key=key))
    assert give(event, *pair, by=Actor(key=key)) == first
    give(event, pair[0], name=" 1st  prize ", amount=2000)
    given = [(one.name, one.winners) for one in event.prizes.all()]
    assert given == [("Ham", pair), ("1st prize", pair[:1])]


def test_is_seen_by_nobody_and_its_amount_never_without_the_prize() -> None:
    event = an_event()
    other = give(event, player(event, 2))
    prize = give(event, player(event, 1), amount=2000, shows_amount=True)
    assert (prize.is_public, prize.shows_amount) == (False, False)
    details = PrizeDetails(name="Ham", amount=2000, is_public=True, shows_amount=True)
    changed = change_prize(event_id=event.pk, prize_id=prize.pk, details=details)
    assert (changed.is_public, changed.shows_amount) == (True, True)
    assert list(event.prizes.filter(is_public=False)) == [other]


def test_is_taken_back_and_comes_back_from_the_history() -> None:
    event = an_event()
    other = give(event, player(event, 2))
    prize = give(event, player(event, 1))
    for _ in range(2):
        take_back_prize(event_id=event.pk, prize_id=prize.pk)
    assert event.prizes.get() == other
    assert event.actions.filter(kind="take_back_prize").count() == 1
    undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    assert set(event.prizes.all()) == {other, prize}


def test_without_a_name_or_a_winner_of_the_event_is_refused() -> None:
    event, other = an_event(), an_event()
    ham, known = PrizeDetails(name="Ham"), [player(event, 1).pk]
    call = {"event_id": event.pk}
    nameless = PrizeDetails(name=" ")
    assert refusal_of(give_prize, winners=known, details=nameless, **call).field == "prize"
    assert code_of(give_prize, winners=known, details=PrizeDetails(name="x" * 61), **call) == "prize_too_long"
    assert code_of(give_prize, winners=[], details=ham, **call) == "winner_required"
    assert code_of(give_prize, winners=[player(other, 1).pk], details=ham, **call) == "not_at_the_event"
    assert code_of(change_prize, prize_id=0, details=ham, **call) == "no_such_prize"


@pytest.mark.slow
def test_is_proposed_to_the_first_who_have_none_yet() -> None:
    event = a_played_night(pairs=8)
    standings_after(event)
    (first, *others) = prizes_view(event).proposed
    give(event, *first.people)
    after = prizes_view(event)
    assert [one.key for one in after.proposed] == [one.key for one in others]
    assert len(after.given) == 1


@pytest.mark.slow
def test_says_how_many_more_are_level_with_the_last_one_proposed() -> None:
    event = a_running_night(pairs=16)
    play_round(event)  # eight winners, all level
    standings_after(event)
    first = prizes_view(event)
    assert ({one.rank for one in first.proposed}, len(first.proposed), first.more) == ({1}, 6, 2)
    give(event, *first.proposed[0].people)
    assert prizes_view(event).more == 1


def test_is_proposed_to_nobody_before_anything_is_played() -> None:
    event = an_event(8)
    assert standings_after(event)  # all of them level, in the order of the lot
    assert prizes_view(event).proposed == []


def test_is_the_persons_who_turns_out_to_be_the_winner_and_of_two_who_are_one_that_ones_alone() -> None:
    event = an_event()
    kept, merged = player(event, 1), player(event, 2)
    give(event, kept, merged)
    give(event, merged)
    remove_entry(event_id=event.pk, number=2)
    before = list(Prize.objects.order_by("pk").values())
    merge_people(club_id=event.club_id, kept_id=kept.pk, merged_id=merged.pk)
    assert [prize.winners for prize in event.prizes.all()] == [[kept], [kept]]
    undo_club_action(club_id=event.club_id, action_id=event.club.actions.latest("pk").pk)
    assert list(Prize.objects.order_by("pk").values()) == before
