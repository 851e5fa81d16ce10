"""An owner takes the club's file, and comes in where it was restored."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from clubs.club_files import FILES, club_file_of_job, last_job, topic_of
from clubs.models import Club, ClubAction, Invitation, PictureKind
from clubs.services import set_club_picture, take_club_file
from jobs.models import Job, Status
from jobs.running import Cancelled
from jobs.services import run_job
from operations.backup import back_up, open_backup
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.models import Event
from web.pictures import SafePicture

from .test_backup import forget_everything

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("the rows of one club are read, and written with other numbers"),
    pytest.mark.slow,
]
FOLDER = Path(settings.DATA_DIR) / "club-files"


@pytest.fixture(autouse=True)
def _an_empty_folder() -> None:
    for file in FOLDER.glob("*"):
        file.unlink()


def page_of(hall: Hall) -> str:
    return f"/club/{hall.event.club.slug}/file"


def asked_for(hall: Hall) -> Page:
    """The page, once the file was asked for and written."""
    page = hall.desk.open(page_of(hall))
    hall.desk.send(page, page.form("/file"))
    job = last_job(hall.event.club)
    assert job is not None
    run_job(job.pk)
    return hall.desk.open(page_of(hall))


def downloaded(hall: Hall, page: Page, to: Path) -> Path:
    response: Any = hall.desk.client.get(page.link("Download file"))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/zip"
    assert "no-store" in response.headers["Cache-Control"]
    to.write_bytes(b"".join(response))
    return to


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
class TestTaken:
    def test_the_download_is_the_whole_club_and_nothing_of_another(self, tmp_path: Path) -> None:
        hall, other = Hall(pairs=4), Hall(pairs=4)
        for club in (hall.event.club, other.event.club):
            picture = SafePicture(content=club.name.encode(), width=1, height=1)
            set_club_picture(club_id=club.pk, kind=PictureKind.LOGO, picture=picture)
        backup = open_backup(downloaded(hall, asked_for(hall), tmp_path / "club.zip"))
        backup.check()
        assert backup.club == hall.event.club.slug
        assert [row["id"] for row in backup.rows("clubs.Club")] == [hall.event.club_id]
        assert [row["club_id"] for row in backup.rows("clubs.ClubPicture")] == [hall.event.club_id]
        assert other.event.pk not in {row["id"] for row in backup.rows("tournaments.Event")}
        assert {row["password"] for row in backup.rows("clubs.Account")} == {""}

    def test_the_history_says_who_asked(self) -> None:
        hall = Hall()
        asked_for(hall)
        page = hall.desk.open(f"/club/{hall.event.club.slug}/history")
        assert "Club file requested" in page.text
        assert hall.owner.name in page.text

    def test_its_name_is_not_to_be_guessed_and_it_is_for_nobody_else_on_the_computer(self) -> None:
        hall = Hall()
        asked_for(hall)
        (file,) = FOLDER.iterdir()
        assert re.fullmatch(rf"{hall.event.club_id}-[0-9a-f]{{32}}\.zip", file.name)
        if os.name == "posix":
            assert FOLDER.stat().st_mode & 0o077 == 0

    def test_the_next_one_takes_its_place(self) -> None:
        hall = Hall()
        first = asked_for(hall).link("Download file")
        page = asked_for(hall)
        assert len(list(FOLDER.iterdir())) == 1
        assert page.link("Download file") != first
        assert hall.desk.open(first).status == 404

    def test_after_a_day_it_is_gone(self) -> None:
        hall = Hall()
        address = asked_for(hall).link("Download file")
        (file,) = FOLDER.iterdir()
        old = file.stat().st_mtime - FILES.kept.total_seconds() - 1
        os.utime(file, (old, old))
        FILES.sweep()
        assert list(FOLDER.iterdir()) == []
        assert hall.desk.open(address).status == 404
        assert "The last export has expired." in hall.desk.open(page_of(hall)).text

    def test_a_file_that_is_too_old_is_not_given_though_it_is_still_there(self) -> None:
        hall = Hall()
        address = asked_for(hall).link("Download file")
        Job.objects.filter(topic=topic_of(hall.event.club)).update(ended_at=timezone.now() - FILES.kept * 2)
        assert hall.desk.open(address).status == 404

    @pytest.mark.parametrize("name", ["../secret.key", "1-0.zip", "", "9999-" + "0" * 32 + ".zip"])
    def test_no_other_file_is_given_whatever_the_work_says(self, name: str) -> None:
        hall = Hall()
        asked_for(hall)
        Job.objects.update(result={"file": name})
        job = last_job(hall.event.club)
        assert job is not None
        assert club_file_of_job(hall.event.club, job) is None

    def test_only_owners_of_the_club_are_given_it(self) -> None:
        hall, other = Hall(), Hall()
        address = asked_for(hall).link("Download file")
        assert other.desk.open(address).status == 404
        mine = address.replace(hall.event.club.slug, other.event.club.slug)
        assert other.desk.open(mine).status == 404
        assert "/sign-in" in Browser().open(address).path

    def test_a_second_click_asks_once(self) -> None:
        hall = Hall()
        page = hall.desk.open(page_of(hall))
        form = page.form("/file")
        hall.desk.send(page, form)
        hall.desk.send(page, form)
        assert Job.objects.filter(topic=topic_of(hall.event.club)).count() == 1
        assert ClubAction.objects.filter(kind="take_club_file").count() == 1

    def test_it_can_be_stopped_and_asked_for_again(self) -> None:
        hall = Hall()
        job = take_club_file(club_id=hall.event.club_id)
        page = hall.desk.open(page_of(hall))
        assert "Waiting." in page.text
        page = hall.desk.send(page, page.form(f"/{job.pk}/stop"))
        assert "Stopped early." in page.text
        page = hall.desk.send(page, page.form(f"/{job.pk}/again"))
        run_job(job.pk)
        assert hall.desk.open(page_of(hall)).link("Download file")


def test_the_work_says_how_far_it_is_and_leaves_nothing_when_it_is_stopped(tmp_path: Path) -> None:
    hall = Hall(pairs=40)
    seen: list[tuple[int, int]] = []

    def stop_after_the_first(done: int, of: int) -> None:
        seen.append((done, of))
        raise Cancelled

    with pytest.raises(Cancelled):
        back_up(tmp_path / "club.zip", hall.event.club, progress=stop_after_the_first)
    assert [0 < done <= of for done, of in seen] == [True]
    assert list(tmp_path.iterdir()) == []


def test_work_that_is_stopped_while_it_runs_leaves_no_file() -> None:
    hall = Hall(pairs=4)
    job = take_club_file(club_id=hall.event.club_id)
    Job.objects.filter(pk=job.pk).update(is_stop_asked=True)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.status == Status.CANCELLED
    assert list(FOLDER.iterdir()) == []


class TestRestored:
    def test_each_owner_gets_a_link_and_comes_in_with_a_password_of_their_own(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        hall = Hall(pairs=4)
        slug, name = hall.event.club.slug, hall.owner.name
        back_up(tmp_path / "club.zip", hall.event.club)
        forget_everything()
        call_command("restore", tmp_path / "club.zip", address="https://cards.example.org/")
        printed = capsys.readouterr().out
        (link,) = re.findall(rf"{re.escape(name)}: https://cards\.example\.org(/invitation/\S+)", printed)
        browser = Browser()
        page = browser.open(link)
        page = browser.send(
            page, page.form(having="password"), ("deed", "choose"), password="kitty and mulot"
        )
        assert page.status == 200
        assert browser.open(f"/club/{slug}/team").status == 200
        assert Browser().open(link).status == 410
        assert Event.objects.get() == hall.event

    def test_without_an_address_the_links_are_for_this_computer(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        hall = Hall(pairs=4)
        back_up(tmp_path / "club.zip", hall.event.club)
        forget_everything()
        call_command("restore", tmp_path / "club.zip")
        assert f"{hall.owner.name}: http://localhost:8000/invitation/" in capsys.readouterr().out

    def test_a_whole_installation_has_its_passwords_and_needs_no_links(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        hall = Hall(pairs=4)
        back_up(tmp_path / "all.zip")
        forget_everything()
        call_command("restore", tmp_path / "all.zip")
        assert "/invitation/" not in capsys.readouterr().out
        assert Club.objects.get() == hall.event.club
        assert not Invitation.objects.exists()
