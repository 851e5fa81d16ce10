"""Pages of night templates: saved, used for a night, renamed, removed, and restored from the notice."""

import pytest

from clubs.models import UsualNight
from tests.support.browser import Page
from tests.support.hall import post_form
from tests.support.office import Office
from tournaments.events.event_settings import event_settings_from_json, read_event_settings
from tournaments.fee_rates import Rates
from tournaments.money.queries.fees import prizes_to_json
from tournaments.money.services.fees import change_rates
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category

from .test_repeat_last_night import build_office_week_later, get_tonights_event

pytestmark = pytest.mark.django_db


def open_templates(office: Office) -> Page:
    return office.browser.open(f"/club/{office.club.slug}/usual")


def save_template(office: Office, name: str = "Mardi régulier") -> Page:
    page = open_templates(office)
    return office.browser.send(page, page.find_form("/usual", control_name="event"), name=name)


@pytest.mark.long
def test_template_stores_the_settings_of_a_night() -> None:
    office = build_office_week_later()
    page = save_template(office)
    assert "Saved as night template: Mardi régulier" in page.find_one(role="status").text
    assert event_settings_from_json(UsualNight.objects.get().settings) == read_event_settings(office.event)
    assert "A match: 1 game, to 32." in page.text


@pytest.mark.slow
def test_template_summary_shows_the_fee_without_extra_spaces() -> None:
    office = build_office_week_later()
    change_rates(event_id=office.event.pk, rates=Rates(member=500, guest=800))
    assert "Fee (members $5, guests $8)" in save_template(office).text


@pytest.mark.long
def test_night_from_a_template_copies_the_last_people() -> None:
    office = build_office_week_later(pairs=3)
    page = save_template(office)
    page = office.browser.open(page.find_link("Create a night"))
    assert "Copy its 3 pairs" in page.text
    page = office.browser.send(page, page.find_form(control_name="people"))
    event = get_tonights_event(office.club)
    assert page.path == f"/e/{event.short}/desk/entries/check-in"
    assert (event.name, event.entries.count()) == ("Mardi régulier", 3)
    assert read_event_settings(event) == read_event_settings(office.event)


@pytest.mark.slow
def test_template_stores_prize_categories() -> None:
    office = build_office_week_later()
    add_prize_category(event_id=office.event.pk, details=CategoryDetails(name="Best junior", amounts=(2000,)))
    page = save_template(office)
    assert "Prizes by category (Best junior)" in page.text
    page = office.browser.open(page.find_link("Create a night"))
    assert "Prizes by category (Best junior)" in page.text
    office.browser.send(page, page.find_form(control_name="people"))
    assert prizes_to_json(get_tonights_event(office.club)) == prizes_to_json(office.event)


@pytest.mark.slow
def test_notice_undoes_a_template_removal() -> None:
    office = build_office_week_later()
    page = save_template(office)
    page = office.browser.send(page, page.find_form("/remove"))
    assert "Night template removed: Mardi régulier" in page.find_one(role="status").text
    assert not UsualNight.objects.exists()
    page = office.browser.send(page, page.find_form("/undo"))
    assert "Undid: Night template removed: Mardi régulier" in page.find_one(role="status").text
    assert UsualNight.objects.get().name == "Mardi régulier"


@pytest.mark.slow
@pytest.mark.snapshot
def test_duplicate_template_name_is_refused_at_its_field() -> None:
    office = build_office_week_later()
    save_template(office, "Jeudi")
    page = save_template(office)
    pk = UsualNight.objects.get(name="Mardi régulier").pk
    page = office.browser.send(page, page.find_form(f"/usual/{pk}/rename"), name="jeudi")
    assert page.status == 422
    field = page.find_one("input", id=f"id_name_{pk}")
    assert (field.value, field.attrs["aria-invalid"]) == ("jeudi", "true")
    assert "A night template “Jeudi” already exists." in page.text
    assert page.find_one("input", id="id_name").value == ""
    page = office.browser.send(page, page.find_form(f"/usual/{pk}/rename"), name="Tuesday")
    assert "Night template Mardi régulier renamed Tuesday" in page.find_one(role="status").text


@pytest.mark.long
@pytest.mark.snapshot
def test_template_without_a_name_is_refused() -> None:
    office = build_office_week_later()
    page = save_template(office, "")
    assert page.status == 422
    assert page.find_one("input", id="id_name").attrs["aria-invalid"] == "true"
    assert not UsualNight.objects.exists()


@pytest.mark.long
def test_night_of_another_club_cannot_become_a_template() -> None:
    office, other = build_office_week_later(), Office()
    page = post_form(office.browser, f"/club/{office.club.slug}/usual", {"name": "x", "event": other.event.short})
    assert page.status == 404
    assert not UsualNight.objects.exists()


@pytest.mark.slow
def test_repeat_page_links_to_save_as_template() -> None:
    office = build_office_week_later()
    page = office.browser.open(f"/club/{office.club.slug}/like/{office.event.short}")
    page = office.browser.open(page.find_link("Save as night template"))
    (chosen,) = [option for option in page.find_all("option") if "selected" in option.attrs]
    assert chosen.attrs["value"] == office.event.short
