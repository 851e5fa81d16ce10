"""An event is exported from one club and imported into another by its director, in a real browser."""

from pathlib import Path

from playwright.sync_api import expect

from tests.builders import build_club, build_played_night, compute_standings
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tournaments.models import Event


def build_other_night(hall: Hall) -> Event:
    night = build_played_night(8, club=build_club("Club de Matane", owner=hall.owner))
    compute_standings(night)
    return night


def download_event(phone: Phone, night: Event, folder: Path) -> Path:
    phone.open(f"/e/{night.short}/desk/print")
    with phone.page.expect_download() as download:
        phone.page.get_by_role("link", name="Event file", exact=True).click()
    file = folder / "night.charlemagne.json"
    download.value.save_as(file)
    return file


def read_standings(phone: Phone, event: Event) -> list[str]:
    phone.open(f"/e/{event.short}/standings")
    return [" ".join(row.split()) for row in phone.page.locator("main ol > li").all_inner_texts()]


def test_event_is_imported_into_another_club_with_its_standings(hall: Hall, phones: Phones, tmp_path: Path) -> None:
    night = build_other_night(hall)
    club = build_club("Club de Rimouski", owner=hall.owner)
    phone = phones()
    phone.sign_in(hall.owner)
    file = download_event(phone, night, tmp_path)
    phone.open(f"/club/{club.slug}/import")
    phone.take_picture("before")
    phone.page.locator("#id_file").set_input_files(file)
    phone.find_button("Preview import").click()
    expect(phone.page.get_by_text("Everything was recalculated and matches.")).to_be_visible()
    phone.take_picture("looked at")
    phone.find_button("Import event").click()
    phone.page.wait_for_url("**/desk")
    copy = club.events.get()
    assert read_standings(phone, copy) == read_standings(phone, night) != []
