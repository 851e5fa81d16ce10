"""Disk quota of a club: requests beyond it are refused in the reader's language."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings

from clubs import uploads
from clubs.club_files import FILES
from clubs.disk_quota import STORES, check_space, measure_disk_use
from clubs.models import ClubPicture, WebhookDelivery
from errors import Refusal
from federations.models import FollowedFeed
from federations.services.federation_settings import open_federation
from jobs.models import Job
from tests.builders import build_club
from tests.clubs.test_club_pictures import build_file, choose
from tests.support.browser import Browser, Page
from tests.support.feeds import SEASON_END, SEASON_START, build_feed, create_followed_feed
from tests.support.hall import Hall
from tests.support.office import Office
from tests.support.workbooks import build_workbook
from tournaments.imports import uploaded_events
from tournaments.models import Plan

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LADDER = {"counts": "rank_points", "rank_points": [3]}
QUOTA_MESSAGE = (
    "The club’s disk space (0 MB) is full. Wait until old files expire, or ask the person who runs the server."
)


def upload_event(office: Office, content: bytes) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/import")
    sent = SimpleUploadedFile("night.json", content)
    return office.browser.send(page, page.find_form(control_name="event"), ("event", "1"), file=sent)


class TestFullQuota:
    @pytest.fixture(autouse=True)
    def _no_space(self, settings: Settings) -> None:
        settings.CLUB_QUOTA = 0

    @pytest.mark.long
    def test_full_club_cannot_upload_an_event(self) -> None:
        office = Office()
        page = upload_event(office, b'{"charlemagne_event": 99}')
        assert (page.status, QUOTA_MESSAGE in page.text) == (507, True)
        assert not list(uploaded_events.UPLOAD_STORE.folder.glob(f"{office.club.pk}-*"))

    @pytest.mark.long
    def test_full_club_cannot_import_a_workbook(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/people/import")
        file = SimpleUploadedFile("list.xlsx", build_workbook(["Nom"], ["Anne Cyr"]))
        page = office.browser.send(page, page.find_form("/import", control_name="file"), file=file)
        assert (page.status, QUOTA_MESSAGE in page.text) == (507, True)
        assert not list(uploads.FILES.folder.glob(f"{office.club.pk}-*"))

    @pytest.mark.long
    def test_full_club_cannot_set_a_picture(self) -> None:
        page = choose(Office(), "logo", build_file())
        assert (page.status, QUOTA_MESSAGE in page.text) == (507, True)
        assert not ClubPicture.objects.exists()

    @pytest.mark.long
    def test_full_club_cannot_order_a_printout(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/print")
        page = hall.desk.send(page, page.find_form("/print"), ("paper", "standings"))
        assert (page.status, QUOTA_MESSAGE in page.text) == (507, True)

    def test_full_club_cannot_export_its_data(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/file")
        page = office.browser.send(page, page.find_form("/file"))
        assert (page.status, QUOTA_MESSAGE in page.text) == (507, True)

    @pytest.mark.parametrize("page", ["e/{event}/desk/print", "club/{club}/file"])
    def test_full_club_cannot_retry_a_stopped_task(self, settings: Settings, page: str) -> None:
        hall = Hall()
        path = "/" + page.format(event=hall.event.short, club=hall.event.club.slug)
        settings.CLUB_QUOTA = 1_000_000_000
        form = hall.desk.open(path)
        hall.desk.send(form, form.find_form(path), ("paper", "standings"))
        stopped = hall.desk.open(path)
        stopped = hall.desk.send(stopped, stopped.find_form("/stop"))
        settings.CLUB_QUOTA = 0
        refused = hall.desk.send(stopped, stopped.find_form("/again"))
        assert (refused.status, QUOTA_MESSAGE in refused.text) == (507, True)
        assert Job.objects.latest("pk").status == "cancelled"

    @pytest.mark.long
    def test_quota_refusal_is_translated_to_french(self) -> None:
        office = Office()
        office.browser = Browser(account=office.owner, language="fr")
        page = upload_event(office, b"{}")
        assert page.status == 507
        assert "L’espace disque du club" in page.text


def test_disk_use_counts_all_files_of_one_club() -> None:
    hall, other = Hall(), build_club("Another")
    club, before = hall.event.club, measure_disk_use()
    for store in STORES:
        store.build_path(club.pk, "part").write_bytes(b"x" * 1000)
    pictured = {"club": club, "kind": "logo", "width": 1, "height": 1, "digest": "1"}
    ClubPicture.objects.create(content="x" * 1000, **pictured)
    Plan.objects.create(club=club, key=uuid4(), asked={}, seed=1, found=["x" * 1000])
    WebhookDelivery.objects.create(webhook=hall.webhook, message_id="1", kind="x", ordering_key="x", answer="x" * 500)
    create_followed_feed(
        open_federation(club_id=club.pk, name="R", starts=SEASON_START, ends=SEASON_END, ladder=LADDER),
        build_feed(),
    )
    now = measure_disk_use()
    assert now[club.pk] - before[club.pk] >= 1000 * len(STORES) + 2500 + len(FollowedFeed.objects.get().content)
    assert now[other.pk] == before[other.pk]
    assert measure_disk_use(club.pk)[club.pk] == now[club.pk]


@pytest.mark.long
def test_a_club_stores_up_to_its_quota(settings: Settings) -> None:
    club = build_club()
    settings.CLUB_QUOTA = measure_disk_use(club.pk)[club.pk] + 1000
    check_space(club.pk, 999)
    with pytest.raises(Refusal, match="club_disk_full"):
        check_space(club.pk, 1000)
    FILES.build_path(club.pk, "zip").write_bytes(b"x" * 600)
    with pytest.raises(Refusal, match="club_disk_full"):
        check_space(club.pk, 500)
