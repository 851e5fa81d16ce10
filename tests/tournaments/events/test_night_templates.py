"""Night templates of a club: stored as values, in its history, with undo."""

from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club, ClubAction, UsualNight
from clubs.services.night_templates import remove_night_template, rename_night_template, save_night_template
from clubs.services.undo import undo_club_action
from tests.builders import build_account, build_club, get_refusal_code

pytestmark = pytest.mark.django_db

SWISS = {"stages": [{"format": "swiss"}]}
RANDOM_STAGES = {"stages": [{"format": "random"}]}


def list_names(club: Club) -> list[str]:
    return [usual.name for usual in club.usual_nights.all()]


def undo_last(club: Club) -> ClubAction:
    last = club.actions.first()
    assert last is not None
    return undo_club_action(club_id=club.pk, action_id=last.pk)


def test_same_template_name_replaces_the_settings() -> None:
    club = build_club()
    first = save_night_template(club_id=club.pk, name="Mardi  régulier", settings=SWISS)
    again = save_night_template(club_id=club.pk, name="MARDI REGULIER", settings=RANDOM_STAGES)
    assert first == again
    assert [(usual.name, usual.settings) for usual in club.usual_nights.all()] == [("Mardi régulier", RANDOM_STAGES)]
    undo_last(club)
    assert UsualNight.objects.get().settings == SWISS
    assert [action.kind for action in club.actions.all()] == ["undo", "keep_usual_night", "keep_usual_night"]


def test_two_clubs_may_share_a_template_name() -> None:
    clubs = [build_club(), build_club()]
    for club in clubs:
        save_night_template(club_id=club.pk, name="Mardi", settings=SWISS)
    assert [list_names(club) for club in clubs] == [["Mardi"], ["Mardi"]]


def test_resent_template_change_counts_once() -> None:
    club = build_club()
    for settings in (SWISS, SWISS):
        save_night_template(club_id=club.pk, name="Mardi", settings=settings, by=KEEPING)
    template = UsualNight.objects.get()
    for _ in range(2):
        rename_night_template(club_id=club.pk, usual_id=template.pk, name="Jeudi", by=RENAMING)
    for _ in range(2):
        remove_night_template(club_id=club.pk, usual_id=template.pk, by=REMOVING)
    assert club.actions.count() == 3


KEEPING, RENAMING, REMOVING = (Actor(key=uuid4()) for _ in range(3))


def test_undo_restores_and_removes_a_template() -> None:
    club = build_club()
    template = save_night_template(club_id=club.pk, name="Mardi", settings=SWISS)
    remove_night_template(club_id=club.pk, usual_id=template.pk, by=Actor(account=build_account()))
    assert list_names(club) == []
    undo_last(club)
    assert UsualNight.objects.get() == template
    undo_last(club)
    assert list_names(club) == []


def test_undo_restores_the_template_name() -> None:
    club = build_club()
    template = save_night_template(club_id=club.pk, name="Mardi", settings=SWISS)
    rename_night_template(club_id=club.pk, usual_id=template.pk, name="Jeudi")
    assert list_names(club) == ["Jeudi"]
    undo_last(club)
    assert list_names(club) == ["Mardi"]


def test_taken_or_empty_template_name_is_refused() -> None:
    club = build_club()
    template = save_night_template(club_id=club.pk, name="Mardi", settings=SWISS)
    save_night_template(club_id=club.pk, name="Jeudi", settings=SWISS)
    rename = {"club_id": club.pk, "usual_id": template.pk}
    assert get_refusal_code(rename_night_template, **rename, name="jeudi") == "usual_name_taken"
    assert get_refusal_code(rename_night_template, **rename, name=" ") == "name_required"
    assert rename_night_template(club_id=club.pk, usual_id=template.pk, name="MARDI").name == "MARDI"


def test_template_of_another_club_is_unreachable() -> None:
    template = save_night_template(club_id=build_club().pk, name="Mardi", settings=SWISS)
    other = build_club()
    assert (
        get_refusal_code(rename_night_template, club_id=other.pk, usual_id=template.pk, name="x")
        == "no_such_usual_night"
    )
    remove_night_template(club_id=other.pk, usual_id=template.pk)
    assert UsualNight.objects.get() == template
