"""Score sheets on a phone: an organizer prints them for some tables, and enters one."""

from playwright.sync_api import expect
from pypdf import PdfReader

from jobs.models import Job
from jobs.services import run_job
from scoring.models import TableCard
from tests.builders import build_club, build_running_night, matches_of
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways


def test_score_sheets_are_chosen_printed_and_typed_in(hall: Hall, phones: Phones) -> None:
    event = build_running_night(8, club=build_club(owner=hall.owner))
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/print")
    phone.take_picture("choose")
    assert find_violations(phone) == []
    is_nothing_cut_off_sideways(phone)
    phone.page.get_by_label("Tables (for example, 1, 4-6)").fill("2-x")
    phone.tap(phone.find_button("^Score sheets$"))
    expect(phone.page.locator("[name=tables]")).to_have_attribute("aria-invalid", "true")
    phone.take_picture("refused")
    phone.page.get_by_label("Tables (for example, 1, 4-6)").fill("2-4")
    phone.tap(phone.find_button("^Score sheets$"))
    ready = phone.page.get_by_role("link", name="Download")
    phone.take_picture("waits")
    run_job(Job.objects.get(kind="print_sheets").pk)
    expect(ready).to_be_visible()
    phone.take_picture("ready")
    assert find_violations(phone) == []
    with phone.page.expect_download() as download:
        ready.click()
    assert len(PdfReader(download.value.path()).pages) == 3
    code = TableCard.objects.get(topic=event.topic, number=2).code
    phone.open(f"/t/{code}?sheet=1")
    expect(phone.page).to_have_url(f"{hall.server.url}/match/{matches_of(event)[1].pk}/sheet")
    phone.page.locator("[name=points_a]").fill("34")
    phone.page.locator("[name=points_b]").fill("12")
    phone.tap(phone.find_button("Record the totals"))
    expect(phone.page).to_have_url(f"{hall.server.url}/e/{event.short}/desk")
    phone.open(f"/club/{event.club.slug}/print")
    phone.take_picture("club")
    assert find_violations(phone) == []
    is_nothing_cut_off_sideways(phone)
