"""Prizes are recorded, changed and undone, and shown to others only if they are public."""

from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Person
from clubs.services.undo import undo_club_action
from tests.builders import (
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
    play_round,
)
from tournaments.entries.services.entries import remove_entry
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, Prize
from tournaments.money.presenters.prizes import build_prizes_view
from tournaments.money.services.prizes import PrizeDetails, change_prize, give_prize, take_back_prize

from .test_fees import get_player

pytestmark = pytest.mark.django_db


def give(event: Event, *people: Person, by: Actor | None = None, **details: object) -> Prize:
    named = PrizeDetails(**{"name": "Ham", **details})  # type: ignore[arg-type]
    ids = [person.pk for person in people]
    given = give_prize(event_id=event.pk, winners=ids, details=named, by=by or Actor())
    assert given is not None
    return given


def test_prize_goes_to_a_pair_or_person_once_per_form() -> None:
    event = build_event()
    pair, key = event.entries.all()[0].players, uuid4()
    first = give(event, *pair, by=Actor(key=key))
    assert give(event, *pair, by=Actor(key=key)) == first
    give(event, pair[0], name=" 1st  prize ", amount=2000)
    given = [(one.name, one.winners) for one in event.prizes.all()]
    assert given == [("Ham", pair), ("1st prize", pair[:1])]


@pytest.mark.long
def test_prize_is_private_and_hides_its_amount_by_default() -> None:
    event = build_event()
    other = give(event, get_player(event, 2))
    prize = give(event, get_player(event, 1), amount=2000, shows_amount=True)
    assert (prize.is_public, prize.shows_amount) == (False, False)
    details = PrizeDetails(name="Ham", amount=2000, is_public=True, shows_amount=True)
    changed = change_prize(event_id=event.pk, prize_id=prize.pk, details=details)
    assert (changed.is_public, changed.shows_amount) == (True, True)
    assert list(event.prizes.filter(is_public=False)) == [other]


@pytest.mark.slow
def test_withdrawn_prize_is_restored_from_the_history() -> None:
    event = build_event()
    other = give(event, get_player(event, 2))
    prize = give(event, get_player(event, 1))
    for _ in range(2):
        take_back_prize(event_id=event.pk, prize_id=prize.pk)
    assert event.prizes.get() == other
    assert event.actions.filter(kind="take_back_prize").count() == 1
    undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    assert set(event.prizes.all()) == {other, prize}


def test_prize_without_a_name_or_valid_winner_is_refused() -> None:
    event, other = build_event(), build_event()
    ham, winners = PrizeDetails(name="Ham"), [get_player(event, 1).pk]
    call = {"event_id": event.pk}
    nameless = PrizeDetails(name=" ")
    assert get_refusal(give_prize, winners=winners, details=nameless, **call).field == "prize"
    assert (
        get_refusal_code(give_prize, winners=winners, details=PrizeDetails(name="x" * 61), **call) == "prize_too_long"
    )
    assert get_refusal_code(give_prize, winners=[], details=ham, **call) == "winner_required"
    assert get_refusal_code(give_prize, winners=[get_player(other, 1).pk], details=ham, **call) == "not_at_the_event"
    assert get_refusal_code(change_prize, prize_id=0, details=ham, **call) == "no_such_prize"


@pytest.mark.slow
def test_prizes_are_proposed_to_top_ranks_without_one() -> None:
    event = build_played_night(pairs=8)
    compute_standings(event)
    (first, *others) = build_prizes_view(event).proposed
    give(event, *first.people)
    after = build_prizes_view(event)
    assert [one.key for one in after.proposed] == [one.key for one in others]
    assert len(after.given) == 1


@pytest.mark.long
def test_proposal_counts_entries_tied_with_the_last() -> None:
    event = build_running_night(pairs=16)
    play_round(event)  # eight winners, all tied
    compute_standings(event)
    first = build_prizes_view(event)
    assert ({one.rank for one in first.proposed}, len(first.proposed), first.more) == ({1}, 6, 2)
    give(event, *first.proposed[0].people)
    assert build_prizes_view(event).more == 1


def test_unplayed_event_proposes_no_winners() -> None:
    event = build_event(8)
    assert compute_standings(event)  # all tied, in the order of the lot
    assert build_prizes_view(event).proposed == []


@pytest.mark.slow
def test_merged_person_takes_over_the_prizes() -> None:
    event = build_event()
    target, merged = get_player(event, 1), get_player(event, 2)
    give(event, target, merged)
    give(event, merged)
    remove_entry(event_id=event.pk, number=2)
    before = list(Prize.objects.order_by("pk").values())
    merge_people(club_id=event.club_id, target_id=target.pk, source_id=merged.pk)
    assert [prize.winners for prize in event.prizes.all()] == [[target], [target]]
    undo_club_action(club_id=event.club_id, action_id=event.club.actions.latest("pk").pk)
    assert list(Prize.objects.order_by("pk").values()) == before
