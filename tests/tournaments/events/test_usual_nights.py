"""Night templates of a club: stored as values, in its history, with undo."""

from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, ClubAction, UsualNight
from clubs.services import keep_usual_night, remove_usual_night, rename_usual_night, undo_club_action
from tests.builders import a_club, an_account, code_of

pytestmark = pytest.mark.django_db

SWISS = {"stages": [{"format": "swiss"}]}
BY_LOT = {"stages": [{"format": "random"}]}


def names(club: Club) -> list[str]:
    return [usual.name for usual in club.usual_nights.all()]


def undo_last(club: Club) -> ClubAction:
    last = club.actions.first()
    assert last is not None
    return undo_club_action(club_id=club.pk, action_id=last.pk)


def test_a_name_is_kept_once_and_its_settings_give_way_to_others() -> None:
    club = a_club()
    first = keep_usual_night(club_id=club.pk, name="Mardi  régulier", settings=SWISS)
    again = keep_usual_night(club_id=club.pk, name="MARDI REGULIER", settings=BY_LOT)
    assert first == again
    assert [(usual.name, usual.settings) for usual in club.usual_nights.all()] == [("Mardi régulier", BY_LOT)]
    undo_last(club)
    assert UsualNight.objects.get().settings == SWISS
    assert [action.kind for action in club.actions.all()] == ["undo", "keep_usual_night", "keep_usual_night"]


def test_two_clubs_may_have_one_name_each() -> None:
    clubs = [a_club(), a_club()]
    for club in clubs:
        keep_usual_night(club_id=club.pk, name="Mardi", settings=SWISS)
    assert [names(club) for club in clubs] == [["Mardi"], ["Mardi"]]


def test_what_is_sent_twice_is_done_once() -> None:
    club = a_club()
    for settings in (SWISS, SWISS):
        keep_usual_night(club_id=club.pk, name="Mardi", settings=settings, by=KEEPING)
    kept = UsualNight.objects.get()
    for _ in range(2):
        rename_usual_night(club_id=club.pk, usual_id=kept.pk, name="Jeudi", by=RENAMING)
    for _ in range(2):
        remove_usual_night(club_id=club.pk, usual_id=kept.pk, by=REMOVING)
    assert club.actions.count() == 3


KEEPING, RENAMING, REMOVING = (Actor(key=uuid4()) for _ in range(3))


def test_what_was_removed_comes_back_whole_and_goes_again() -> None:
    club = a_club()
    kept = keep_usual_night(club_id=club.pk, name="Mardi", settings=SWISS)
    remove_usual_night(club_id=club.pk, usual_id=kept.pk, by=Actor(account=an_account()))
    assert names(club) == []
    undo_last(club)
    assert UsualNight.objects.get() == kept
    undo_last(club)
    assert names(club) == []


def test_another_name_is_taken_back_too() -> None:
    club = a_club()
    kept = keep_usual_night(club_id=club.pk, name="Mardi", settings=SWISS)
    rename_usual_night(club_id=club.pk, usual_id=kept.pk, name="Jeudi")
    assert names(club) == ["Jeudi"]
    undo_last(club)
    assert names(club) == ["Mardi"]


def test_a_name_is_not_taken_from_another_one() -> None:
    club = a_club()
    kept = keep_usual_night(club_id=club.pk, name="Mardi", settings=SWISS)
    keep_usual_night(club_id=club.pk, name="Jeudi", settings=SWISS)
    rename = {"club_id": club.pk, "usual_id": kept.pk}
    assert code_of(rename_usual_night, **rename, name="jeudi") == "usual_name_taken"
    assert code_of(rename_usual_night, **rename, name=" ") == "name_required"
    assert rename_usual_night(club_id=club.pk, usual_id=kept.pk, name="MARDI").name == "MARDI"


def test_those_of_another_club_are_not_there() -> None:
    kept = keep_usual_night(club_id=a_club().pk, name="Mardi", settings=SWISS)
    other = a_club()
    assert code_of(rename_usual_night, club_id=other.pk, usual_id=kept.pk, name="x") == "no_such_usual_night"
    remove_usual_night(club_id=other.pk, usual_id=kept.pk)
    assert UsualNight.objects.get() == kept
