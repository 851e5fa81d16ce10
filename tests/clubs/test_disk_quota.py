"""A club stores so much. What it would store beyond is refused in its reader’s language."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.fixtures import Settings

from clubs.club_files import FILES
from clubs.disk_quota import STORES, check_space, used_by_clubs
from clubs.models import ClubPicture, WebhookDelivery
from errors import Refusal
from tests.builders import a_club
from tests.clubs.test_club_pictures import a_file, choose
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.imports import uploaded_events
from tournaments.models import Plan

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SAID = "The club’s disk space (0 MB) is full. Wait until old files expire, or ask the operator."


def brought(office: Office, content: bytes) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/import")
    sent = SimpleUploadedFile("night.json", content)
    return office.browser.send(page, page.form(having="event"), ("event", "1"), file=sent)


class TestAClubWithoutSpace:
    @pytest.fixture(autouse=True)
    def _no_space(self, settings: Settings) -> None:
        settings.CLUB_QUOTA = 0

    def test_uploads_no_event(self) -> None:
        office = Office()
        page = brought(office, b'{"charlemagne_event": 99}')
        assert (page.status, SAID in page.text) == (507, True)
        assert not list(uploaded_events.FILES.folder.glob(f"{office.club.pk}-*"))

    def test_sets_no_picture(self) -> None:
        page = choose(Office(), "logo", a_file())
        assert (page.status, SAID in page.text) == (507, True)
        assert not ClubPicture.objects.exists()

    def test_orders_no_paper(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/e/{hall.event.short}/desk/print")
        page = hall.desk.send(page, page.form("/print"), ("paper", "standings"))
        assert (page.status, SAID in page.text) == (507, True)

    def test_exports_nothing(self) -> None:
        office = Office()
        page = office.browser.open(f"/club/{office.club.slug}/file")
        page = office.browser.send(page, page.form("/file"))
        assert (page.status, SAID in page.text) == (507, True)

    def test_reads_it_in_french(self) -> None:
        office = Office()
        office.browser = Browser(account=office.owner, language="fr")
        page = brought(office, b"{}")
        assert page.status == 507
        assert "L’espace disque du club" in page.text


def test_files_pictures_plans_and_logs_count_for_their_club_alone() -> None:
    hall, other = Hall(), a_club("Another")
    club, before = hall.event.club, used_by_clubs()
    for store in STORES:
        store.new_path(club.pk, "part").write_bytes(b"x" * 1000)
    pictured = {"club": club, "kind": "logo", "width": 1, "height": 1, "digest": "1"}
    ClubPicture.objects.create(content="x" * 1000, **pictured)
    Plan.objects.create(club=club, key=uuid4(), asked={}, seed=1, found=["x" * 1000])
    WebhookDelivery.objects.create(
        webhook=hall.webhook, message_id="1", kind="x", ordering_key="x", answer="x" * 500
    )
    now = used_by_clubs()
    assert now[club.pk] - before[club.pk] >= 1000 * len(STORES) + 2500
    assert now[other.pk] == before[other.pk]
    assert used_by_clubs(club.pk)[club.pk] == now[club.pk]


def test_a_club_stores_up_to_its_quota(settings: Settings) -> None:
    club = a_club()
    settings.CLUB_QUOTA = used_by_clubs(club.pk)[club.pk] + 1000
    check_space(club.pk, 999)
    with pytest.raises(Refusal, match="club_disk_full"):
        check_space(club.pk, 1000)
    FILES.new_path(club.pk, "zip").write_bytes(b"x" * 600)
    with pytest.raises(Refusal, match="club_disk_full"):
        check_space(club.pk, 500)
