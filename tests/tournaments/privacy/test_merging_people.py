"""One person of two: everything that the one took part in is the other's, and all of it comes back."""

from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services import PersonDetails, add_person, undo_club_action
from scoring.models import Player
from tests.builders import a_club, a_played_night, an_event, code_of, refusal_of, standings_after
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry, Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("rows are moved by sets, and some meet others")]


def add(club: Club, name: str, **more: Any) -> Person:
    return add_person(club_id=club.pk, details=PersonDetails(name=name, **more))


def merge(kept: Person, merged: Person) -> Person | None:
    return merge_people(club_id=kept.club_id, kept_id=kept.pk, merged_id=merged.pk)


def everything() -> list[object]:
    return [list(kind.objects.order_by("pk").values()) for kind in (Person, Entry, Player)]


@pytest.fixture
def night() -> Event:
    return a_played_night(pairs=4)


@pytest.mark.slow
def test_takes_entries_and_seats_over_and_leaves_the_results(night: Event) -> None:
    kept = add(night.club, "Jeannine Roy")
    merged = night.entries.all()[0].player_1
    before = standings_after(night)
    merge(kept, merged)
    assert night.entries.all()[0].player_1 == kept
    assert kept.seats.count() == 1
    assert not Person.objects.filter(pk=merged.pk).exists()
    assert standings_after(night) == before


@pytest.mark.slow
def test_is_undone_whole_and_done_again_from_the_history(night: Event) -> None:
    kept = add(night.club, "Jeannine Roy", labels=("Women",))
    merged = night.entries.all()[0].player_1
    family = night.club.families.create(name="Roy")
    Person.objects.filter(pk=merged.pk).update(contact="555", family=family, labels=["Elite"])
    before = everything()
    merge(kept, merged)
    after = everything()
    undone = undo_club_action(club_id=night.club_id, action_id=night.club.actions.latest("pk").pk)
    assert everything() == before
    undo_club_action(club_id=night.club_id, action_id=undone.pk)
    assert everything() == after
    kept.refresh_from_db()
    assert (kept.contact, kept.family, kept.labels) == ("555", family, ["Women", "Elite"])


def test_asked_twice_is_done_once_and_gives_the_same_person(night: Event) -> None:
    kept, by = add(night.club, "Jeannine Roy"), Actor(key=uuid4())
    merged = night.entries.all()[0].player_1
    ids = {"club_id": night.club_id, "kept_id": kept.pk, "merged_id": merged.pk}
    assert merge_people(**ids, by=by) == merge_people(**ids, by=by) == kept
    assert night.club.actions.filter(kind="merge_people").count() == 1


def test_keeps_what_is_known_of_the_one_and_her_own_word_about_her_name() -> None:
    club = a_club()
    kept = add(club, "Jeannine Roy", contact="1", is_guest=True, family="Roy")
    merged = add(club, "Roy Jeannine", contact="2", is_active=False, family="Cyr", shows_full_name=True)
    found = merge(kept, merged)
    assert found is not None
    assert (found.contact, str(found.family), found.is_guest, found.shows_full_name) == (
        "1",
        "Roy",
        False,
        False,
    )
    assert [family.name for family in club.families.all()] == ["Roy"]


def test_of_two_who_took_part_in_one_event_is_refused(night: Event) -> None:
    one, other = night.entries.all()[:2]
    refusal = refusal_of(merge, one.player_1, other.player_2)
    assert (refusal.code, refusal.details["event"]) == ("both_took_part", night.name)


def test_of_somebody_and_the_one_who_took_their_place_is_refused(night: Event) -> None:
    first = night.entries.all()[0].player_1
    substitute_player(event_id=night.pk, number=1, place=1, name="Zoé Zed")
    assert code_of(merge, Person.objects.get(name="Zoé Zed"), first) == "both_took_part"


def test_of_nobody_or_of_somebody_of_another_club_is_refused() -> None:
    one, other = add(a_club(), "Anne Roy"), add(a_club(), "Anne Roy")
    assert code_of(merge, one, other) == "no_such_person"
    assert code_of(merge, one, one) == "no_such_person"


def test_is_not_undone_over_what_came_later() -> None:
    event = an_event(pairs=2)
    merged = event.entries.all()[0].player_1
    merge(add(event.club, "Jeannine Roy"), merged)
    action = event.club.actions.latest("pk")
    substitute_player(event_id=event.pk, number=1, place=1, name="Zoé Zed")
    before = everything()
    assert code_of(undo_club_action, club_id=event.club_id, action_id=action.pk) == "changed_since"
    assert everything() == before


def test_does_not_let_an_entry_come_back_that_names_who_is_no_more() -> None:
    event = an_event(pairs=3)
    added = event.actions.latest("pk")
    merged = event.entries.all()[2].player_1
    removed = undo_action(event_id=event.pk, action_id=added.pk)
    merge(add(event.club, "Jeannine Roy"), merged)
    assert code_of(undo_action, event_id=event.pk, action_id=removed.pk) == "changed_since"
