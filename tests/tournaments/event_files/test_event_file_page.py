"""Download of the event file from the print page."""

import pytest
from django.test import Client

from clubs.models import Membership, Role
from tests.builders import build_account
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.verifying import verify_event_file

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_director_downloads_a_verifiable_event_file() -> None:
    hall = Hall()
    link = hall.desk.open(f"/e/{hall.event.short}/desk/print").find_link("Event file")
    client = Client()
    client.force_login(hall.owner)
    answer = client.get(link)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{hall.event.short}.charlemagne.json"'
    assert not verify_event_file(read_event_file(answer.content)).differences


def test_desk_helper_cannot_download_the_event_file() -> None:
    hall = Hall()
    helper = build_account()
    Membership.objects.create(club=hall.event.club, account=helper, role=Role.DESK)
    browser = Browser(account=helper)
    page = browser.open(f"/e/{hall.event.short}/desk/print")
    assert page.status == 200
    assert "Event file" not in page.text
    assert browser.open(f"/e/{hall.event.short}/desk/file").status == 403
