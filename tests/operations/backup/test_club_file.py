"""Export of a club by its owner, who can sign in where it is restored."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from clubs.club_files import FILES, find_club_file, find_last_job, get_file_topic
from clubs.models import Club, ClubAction, Invitation, PictureKind
from clubs.services.leaving import start_club_file
from clubs.services.pictures import set_club_picture
from jobs.models import Job, Status
from jobs.registry import JobCancelledError
from jobs.services import run_job
from operations.backup import create_backup, open_backup
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.models import Event
from web.pictures import SafePicture

from .test_backup import forget_everything

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("rows of one club, and sequences"),
    pytest.mark.slow,
]
FOLDER = Path(settings.DATA_DIR) / "club-files"


@pytest.fixture(autouse=True)
def _an_empty_folder() -> None:
    for file in FOLDER.glob("*"):
        file.unlink()


def get_page_path(hall: Hall) -> str:
    return f"/club/{hall.event.club.slug}/file"


def request_file(hall: Hall) -> Page:
    """Request the file, write it, and return the page that offers it."""
    page = hall.desk.open(get_page_path(hall))
    hall.desk.send(page, page.find_form("/file"))
    job = find_last_job(hall.event.club)
    assert job is not None
    run_job(job.pk)
    return hall.desk.open(get_page_path(hall))


def download_file(hall: Hall, page: Page, target: Path) -> Path:
    response: Any = hall.desk.client.get(page.find_link("Download file"))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/zip"
    assert "no-store" in response.headers["Cache-Control"]
    target.write_bytes(b"".join(response))
    return target


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")
class TestClubFileDownload:
    @pytest.mark.long
    def test_downloaded_file_holds_the_whole_club_and_no_other(self, tmp_path: Path) -> None:
        hall, other = Hall(pairs=4), Hall(pairs=4)
        for club in (hall.event.club, other.event.club):
            picture = SafePicture(content=club.name.encode(), width=1, height=1)
            set_club_picture(club_id=club.pk, kind=PictureKind.LOGO, picture=picture)
        backup = open_backup(download_file(hall, request_file(hall), tmp_path / "club.zip"))
        backup.check()
        assert backup.club == hall.event.club.slug
        assert [row["id"] for row in backup.iter_rows("clubs.Club")] == [hall.event.club_id]
        assert [row["club_id"] for row in backup.iter_rows("clubs.ClubPicture")] == [hall.event.club_id]
        assert other.event.pk not in {row["id"] for row in backup.iter_rows("tournaments.Event")}
        assert {row["password"] for row in backup.iter_rows("clubs.Account")} == {""}

    @pytest.mark.long
    def test_history_names_who_requested_the_file(self) -> None:
        hall = Hall()
        request_file(hall)
        page = hall.desk.open(f"/club/{hall.event.club.slug}/history")
        assert "Club file requested" in page.text
        assert hall.owner.name in page.text

    @pytest.mark.long
    def test_file_name_is_unguessable_and_the_folder_private(self) -> None:
        hall = Hall()
        request_file(hall)
        (file,) = FOLDER.iterdir()
        assert re.fullmatch(rf"{hall.event.club_id}-[0-9a-f]{{32}}\.zip", file.name)
        if os.name == "posix":
            assert FOLDER.stat().st_mode & 0o077 == 0

    @pytest.mark.long
    def test_new_file_replaces_the_previous_one(self) -> None:
        hall = Hall()
        first = request_file(hall).find_link("Download file")
        page = request_file(hall)
        assert len(list(FOLDER.iterdir())) == 1
        assert page.find_link("Download file") != first
        assert hall.desk.open(first).status == 404

    def test_expired_file_is_deleted_after_a_day(self) -> None:
        hall = Hall()
        address = request_file(hall).find_link("Download file")
        (file,) = FOLDER.iterdir()
        old = file.stat().st_mtime - FILES.lifetime.total_seconds() - 1
        os.utime(file, (old, old))
        FILES.delete_expired_files()
        assert list(FOLDER.iterdir()) == []
        assert hall.desk.open(address).status == 404
        assert "The last export has expired." in hall.desk.open(get_page_path(hall)).text

    @pytest.mark.long
    def test_expired_file_is_not_served_even_if_present(self) -> None:
        hall = Hall()
        address = request_file(hall).find_link("Download file")
        Job.objects.filter(topic=get_file_topic(hall.event.club)).update(ended_at=timezone.now() - FILES.lifetime * 2)
        assert hall.desk.open(address).status == 404

    @pytest.mark.long
    @pytest.mark.parametrize("name", ["../secret.key", "1-0.zip", "", "9999-" + "0" * 32 + ".zip"])
    def test_tampered_job_result_serves_no_other_file(self, name: str) -> None:
        hall = Hall()
        request_file(hall)
        Job.objects.update(result={"file": name})
        job = find_last_job(hall.event.club)
        assert job is not None
        assert find_club_file(hall.event.club, job) is None

    @pytest.mark.long
    def test_only_owners_of_the_club_can_download_the_file(self) -> None:
        hall, other = Hall(), Hall()
        address = request_file(hall).find_link("Download file")
        assert other.desk.open(address).status == 404
        mine = address.replace(hall.event.club.slug, other.event.club.slug)
        assert other.desk.open(mine).status == 404
        assert "/sign-in" in Browser().open(address).path

    def test_second_click_starts_no_second_export(self) -> None:
        hall = Hall()
        page = hall.desk.open(get_page_path(hall))
        form = page.find_form("/file")
        hall.desk.send(page, form)
        hall.desk.send(page, form)
        assert Job.objects.filter(topic=get_file_topic(hall.event.club)).count() == 1
        assert ClubAction.objects.filter(kind="take_club_file").count() == 1

    @pytest.mark.long
    def test_export_can_be_stopped_and_requested_again(self) -> None:
        hall = Hall()
        job = start_club_file(club_id=hall.event.club_id)
        page = hall.desk.open(get_page_path(hall))
        assert "Waiting." in page.text
        page = hall.desk.send(page, page.find_form(f"/{job.pk}/stop"))
        assert "Stopped early." in page.text
        page = hall.desk.send(page, page.find_form(f"/{job.pk}/again"))
        run_job(job.pk)
        assert hall.desk.open(get_page_path(hall)).find_link("Download file")


@pytest.mark.long
def test_export_reports_progress_and_leaves_no_file_when_stopped(tmp_path: Path) -> None:
    hall = Hall(pairs=40)
    seen: list[tuple[int, int]] = []

    def stop_after_the_first(done: int, of: int) -> None:
        seen.append((done, of))
        raise JobCancelledError

    with pytest.raises(JobCancelledError):
        create_backup(tmp_path / "club.zip", hall.event.club, progress=stop_after_the_first)
    assert [0 < done <= of for done, of in seen] == [True]
    assert list(tmp_path.iterdir()) == []


def test_stopped_export_job_leaves_no_file() -> None:
    hall = Hall(pairs=4)
    job = start_club_file(club_id=hall.event.club_id)
    Job.objects.filter(pk=job.pk).update(is_stop_asked=True)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.status == Status.CANCELLED
    assert list(FOLDER.iterdir()) == []


@pytest.mark.long
class TestClubFileRestore:
    def test_restored_owner_sets_a_password_through_a_link(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        hall = Hall(pairs=4)
        slug, name = hall.event.club.slug, hall.owner.name
        create_backup(tmp_path / "club.zip", hall.event.club)
        forget_everything()
        call_command("restore", tmp_path / "club.zip", address="https://cards.example.org/")
        printed = capsys.readouterr().out
        (link,) = re.findall(rf"{re.escape(name)}: https://cards\.example\.org(/invitation/\S+)", printed)
        browser = Browser()
        page = browser.open(link)
        page = browser.send(
            page, page.find_form(control_name="password"), ("choice", "choose"), password="kitty and mulot"
        )
        assert page.status == 200
        assert browser.open(f"/club/{slug}/team").status == 200
        assert Browser().open(link).status == 410
        assert Event.objects.get() == hall.event

    def test_invitation_links_default_to_this_computer(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        hall = Hall(pairs=4)
        create_backup(tmp_path / "club.zip", hall.event.club)
        forget_everything()
        call_command("restore", tmp_path / "club.zip")
        assert f"{hall.owner.name}: http://localhost:8000/invitation/" in capsys.readouterr().out

    def test_full_backup_keeps_passwords_and_needs_no_links(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        hall = Hall(pairs=4)
        create_backup(tmp_path / "all.zip")
        forget_everything()
        call_command("restore", tmp_path / "all.zip")
        assert "/invitation/" not in capsys.readouterr().out
        assert Club.objects.get() == hall.event.club
        assert not Invitation.objects.exists()
