"""Merging two people: one takes over everything of the other, and undo separates them completely."""

from typing import Any
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services.people import PersonDetails, add_person
from clubs.services.undo import undo_club_action
from scoring.models import Player
from tests.builders import build_club, build_event, build_played_night, compute_standings, get_refusal, get_refusal_code
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.entries.services.merging import merge_people
from tournaments.history.services.undo import undo_action
from tournaments.models import Entry, Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("bulk updates of rows that collide")]


def add(club: Club, name: str, **more: Any) -> Person:
    return add_person(club_id=club.pk, details=PersonDetails(name=name, **more))


def merge(kept_person: Person, merged: Person) -> Person | None:
    return merge_people(club_id=kept_person.club_id, target_id=kept_person.pk, source_id=merged.pk)


def read_all_rows() -> list[object]:
    return [list(kind.objects.order_by("pk").values()) for kind in (Person, Entry, Player)]


@pytest.fixture
def night() -> Event:
    return build_played_night(pairs=4)


@pytest.mark.long
def test_merge_moves_entries_and_keeps_results(night: Event) -> None:
    target = add(night.club, "Jeannine Roy")
    merged = night.entries.all()[0].player_1
    before = compute_standings(night)
    merge(target, merged)
    assert night.entries.all()[0].player_1 == target
    assert target.seats.count() == 1
    assert not Person.objects.filter(pk=merged.pk).exists()
    assert compute_standings(night) == before


@pytest.mark.long
def test_undo_and_redo_of_a_merge_restore_all_rows(night: Event) -> None:
    target = add(night.club, "Jeannine Roy", labels=("Women",))
    merged = night.entries.all()[0].player_1
    family = night.club.families.create(name="Roy")
    Person.objects.filter(pk=merged.pk).update(contact="555", family=family, labels=["Elite"])
    before = read_all_rows()
    merge(target, merged)
    after = read_all_rows()
    undone = undo_club_action(club_id=night.club_id, action_id=night.club.actions.latest("pk").pk)
    assert read_all_rows() == before
    undo_club_action(club_id=night.club_id, action_id=undone.pk)
    assert read_all_rows() == after
    target.refresh_from_db()
    assert (target.contact, target.family, target.labels) == ("555", family, ["Women", "Elite"])


@pytest.mark.slow
def test_repeated_merge_is_applied_once(night: Event) -> None:
    target, by = add(night.club, "Jeannine Roy"), Actor(key=uuid4())
    merged = night.entries.all()[0].player_1
    ids = {"club_id": night.club_id, "target_id": target.pk, "source_id": merged.pk}
    assert merge_people(**ids, by=by) == merge_people(**ids, by=by) == target
    assert night.club.actions.filter(kind="merge_people").count() == 1


def test_merge_combines_details_but_keeps_own_name_consent() -> None:
    club = build_club()
    target = add(club, "Jeannine Roy", contact="1", is_guest=True, family="Roy")
    merged = add(club, "Roy Jeannine", contact="2", is_active=False, family="Cyr", shows_full_name=True)
    found = merge(target, merged)
    assert found is not None
    assert (found.contact, str(found.family), found.is_guest, found.shows_full_name) == (
        "1",
        "Roy",
        False,
        False,
    )
    assert [family.name for family in club.families.all()] == ["Roy"]


def test_merge_is_refused_when_both_played_one_event(night: Event) -> None:
    one, other = night.entries.all()[:2]
    refusal = get_refusal(merge, one.player_1, other.player_2)
    assert (refusal.code, refusal.details["event"]) == ("both_took_part", night.name)


def test_merge_with_own_substitute_is_refused(night: Event) -> None:
    first = night.entries.all()[0].player_1
    substitute_player(event_id=night.pk, number=1, place=1, name="Zoé Zed")
    assert get_refusal_code(merge, Person.objects.get(name="Zoé Zed"), first) == "both_took_part"


def test_merge_requires_two_people_of_one_club() -> None:
    one, other = add(build_club(), "Anne Roy"), add(build_club(), "Anne Roy")
    assert get_refusal_code(merge, one, other) == "no_such_person"
    assert get_refusal_code(merge, one, one) == "no_such_person"


@pytest.mark.long
def test_merge_cannot_be_undone_after_later_changes() -> None:
    event = build_event(pairs=2)
    merged = event.entries.all()[0].player_1
    merge(add(event.club, "Jeannine Roy"), merged)
    action = event.club.actions.latest("pk")
    substitute_player(event_id=event.pk, number=1, place=1, name="Zoé Zed")
    before = read_all_rows()
    assert get_refusal_code(undo_club_action, club_id=event.club_id, action_id=action.pk) == "changed_since"
    assert read_all_rows() == before


@pytest.mark.slow
def test_removed_entry_of_a_merged_person_cannot_be_restored() -> None:
    event = build_event(pairs=3)
    added = event.actions.latest("pk")
    merged = event.entries.all()[2].player_1
    removed = undo_action(event_id=event.pk, action_id=added.pk)
    merge(add(event.club, "Jeannine Roy"), merged)
    assert get_refusal_code(undo_action, event_id=event.pk, action_id=removed.pk) == "changed_since"
