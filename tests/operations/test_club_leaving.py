"""A club leaves a shared server with its file; the operator sets quotas and alone sees all clubs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django.fixtures import Settings

from clubs.audit.log import Actor
from clubs.models import Account, Club
from clubs.services.leaving import leave_server, stay_on_server
from config.tasks import sweep_files
from jobs.models import Job
from jobs.services import run_job
from tests.builders import mark
from tests.support.browser import Page
from tests.support.hall import Hall
from tests.support.served_pages import prepared  # noqa: F401 - a fixture

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def export_club(hall: Hall) -> None:
    page = hall.desk.open(f"/club/{hall.event.club.slug}/file")
    hall.desk.send(page, page.find_form(f"/club/{hall.event.club.slug}/file"))
    run_job(Job.objects.latest("pk").pk)


def leave(hall: Hall, *, saved: str | None = "on") -> Page:
    page = hall.desk.open(f"/club/{hall.event.club.slug}/leave")
    typed: Any = {"saved": saved} if saved else {}
    return hall.desk.send(page, page.find_form(control_name="saved"), **typed)


@pytest.mark.snapshot
def test_a_club_leaves_with_its_file_after_two_weeks_in_which_it_can_stay() -> None:
    operator, hall = Hall(), Hall()
    club = hall.event.club
    address = f"/club/{club.slug}/leave"
    assert "First export the club." in hall.desk.open(address).text
    export_club(hall)
    file = hall.desk.open(hall.desk.open(address).find_link("Download file"))
    assert "Download the file, then check the box." in leave(hall, saved=None).text
    page = leave(hall)
    assert "will be deleted from this server on" in page.text
    assert "export it again before that day" in page.text
    home = hall.desk.open(f"/club/{club.slug}")
    assert "will be deleted from this server on" in home.text
    assert home.find_link("Keep or export the club") == address
    hall.desk.send(page, page.find_form(control_name="stay"), ("stay", "1"))
    assert "will be deleted" not in hall.desk.open(f"/club/{club.slug}").text
    mark(hall.match, "A 6 made")
    assert "First export the club." in hall.desk.open(address).text
    export_club(hall)
    leave(hall)
    sweep_files()
    assert not Job.objects.filter(kind="remove_club").exists()
    Club.objects.filter(pk=club.pk).update(leaves_at=timezone.now() - timedelta(minutes=1))
    sweep_files()
    run_job(Job.objects.get(kind="remove_club").pk)
    assert list(Club.objects.all()) == [operator.event.club]
    assert list(Account.objects.all()) == [operator.owner]
    assert file.status == 200


def test_the_operator_sets_a_quota_and_sees_all_clubs_and_nobody_else_does() -> None:
    operator, hall = Hall(), Hall()
    club = hall.event.club
    installation = f"/club/{operator.event.club.slug}/installation"
    page = operator.desk.open(installation)
    page = operator.desk.open(f"{installation}?club={club.pk}")
    assert "Enter 1 to" in operator.desk.send(page, page.find_form(control_name="quota"), quota="0").text
    page = operator.desk.send(page, page.find_form(control_name="quota"), quota="1")
    assert "of 1.0" in page.text
    for page_of in ("installation", "installation/imports"):
        assert hall.desk.open(f"/club/{club.slug}/{page_of}").status == 404
        assert hall.desk.open(f"/club/{operator.event.club.slug}/{page_of}").status == 404
    assert operator.desk.open(f"/club/{operator.event.club.slug}/leave").status == 404
    assert "Installation" not in hall.desk.open(f"/club/{club.slug}/file").text


@pytest.mark.usefixtures("prepared")
def test_owners_are_told_by_mail_that_their_club_will_be_deleted(
    settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    settings.MAIL_ORIGIN = "https://example.org"
    Hall()
    hall = Hall()
    club, by = hall.event.club, Actor(account=hall.owner)
    Account.objects.filter(pk=hall.owner.pk).update(language="fr", email="rita@example.org")
    leave_server(club_id=club.pk, by=by)
    run_job(Job.objects.get(kind="mail_departure").pk)
    (message,) = mailoutbox
    assert message.subject == "Charlemagne\u00a0: Les Joyeux Atouts quitte ce serveur"
    assert f"{hall.owner.name} a choisi de retirer Les Joyeux Atouts de ce serveur." in message.body
    assert f"https://example.org/club/{club.slug}/leave" in message.body
    stay_on_server(club_id=club.pk, by=by)
    leave_server(club_id=club.pk, by=by)
    stay_on_server(club_id=club.pk, by=by)
    run_job(Job.objects.filter(kind="mail_departure").latest("pk").pk)
    assert len(mailoutbox) == 1
