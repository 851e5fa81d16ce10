"""A club's usual nights: kept, made into evenings, renamed, removed, and put back from the notice."""

import pytest

from clubs.models import UsualNight
from tests.support.browser import Page
from tests.support.hall import post
from tests.support.office import Office
from tournaments.events.event_settings import event_settings_from_json, event_settings_of
from tournaments.fee_rates import Rates
from tournaments.money.queries.fees import prizes_to_json
from tournaments.money.services.fees import change_rates
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category

from .test_tonight import a_week_later, made

pytestmark = pytest.mark.django_db


def the_list(office: Office) -> Page:
    return office.browser.open(f"/club/{office.club.slug}/usual")


def kept(office: Office, name: str = "Mardi régulier") -> Page:
    page = the_list(office)
    return office.browser.send(page, page.form("/usual", having="event"), name=name)


def test_an_evenings_settings_are_kept_under_a_name() -> None:
    office = a_week_later()
    page = kept(office)
    assert "Saved as night template: Mardi régulier" in page.one(role="status").text
    assert event_settings_from_json(UsualNight.objects.get().settings) == event_settings_of(office.event)
    assert "A match: 1 game won, to 32." in page.text


def test_the_fee_is_told_in_brackets_without_a_space_within() -> None:
    office = a_week_later()
    change_rates(event_id=office.event.pk, rates=Rates(member=500, guest=800))
    assert "Fee (members $5, guests $8)" in kept(office).text


@pytest.mark.slow
def test_an_evening_is_made_from_them_with_the_people_of_the_last_time() -> None:
    office = a_week_later(pairs=3)
    page = kept(office)
    page = office.browser.open(page.link("Create a night"))
    assert "Copy its 3 pairs" in page.text
    page = office.browser.send(page, page.form(having="people"))
    event = made(office.club)
    assert page.path == f"/e/{event.short}/desk/entries/check-in"
    assert (event.name, event.entries.count()) == ("Mardi régulier", 3)
    assert event_settings_of(event) == event_settings_of(office.event)


@pytest.mark.slow
def test_its_prizes_by_category_are_kept_with_it_and_are_those_of_the_evening() -> None:
    office = a_week_later()
    add_prize_category(event_id=office.event.pk, details=CategoryDetails(name="Best junior", amounts=(2000,)))
    page = kept(office)
    assert "Prizes by category (Best junior)" in page.text
    page = office.browser.open(page.link("Create a night"))
    assert "Prizes by category (Best junior)" in page.text
    office.browser.send(page, page.form(having="people"))
    assert prizes_to_json(made(office.club)) == prizes_to_json(office.event)


@pytest.mark.slow
def test_what_is_removed_is_put_back_from_the_notice() -> None:
    office = a_week_later()
    page = kept(office)
    page = office.browser.send(page, page.form("/remove"))
    assert "Night template removed: Mardi régulier" in page.one(role="status").text
    assert not UsualNight.objects.exists()
    page = office.browser.send(page, page.form("/undo"))
    assert "Undid: Night template removed: Mardi régulier" in page.one(role="status").text
    assert UsualNight.objects.get().name == "Mardi régulier"


@pytest.mark.slow
@pytest.mark.snapshot
def test_another_name_is_refused_at_its_field_and_the_form_to_keep_stays_empty() -> None:
    office = a_week_later()
    kept(office, "Jeudi")
    page = kept(office)
    pk = UsualNight.objects.get(name="Mardi régulier").pk
    page = office.browser.send(page, page.form(f"/usual/{pk}/rename"), name="jeudi")
    assert page.status == 422
    field = page.one("input", id=f"id_name_{pk}")
    assert (field.value, field.attrs["aria-invalid"]) == ("jeudi", "true")
    assert "A night template “Jeudi” already exists." in page.text
    assert page.one("input", id="id_name").value == ""
    page = office.browser.send(page, page.form(f"/usual/{pk}/rename"), name="Tuesday")
    assert "Night template Mardi régulier renamed Tuesday" in page.one(role="status").text


@pytest.mark.snapshot
def test_without_a_name_nothing_is_kept() -> None:
    office = a_week_later()
    page = kept(office, "")
    assert page.status == 422
    assert page.one("input", id="id_name").attrs["aria-invalid"] == "true"
    assert not UsualNight.objects.exists()


@pytest.mark.slow
def test_an_evening_of_another_club_is_not_kept() -> None:
    office, other = a_week_later(), Office()
    page = post(office.browser, f"/club/{office.club.slug}/usual", {"name": "x", "event": other.event.short})
    assert page.status == 404
    assert not UsualNight.objects.exists()


def test_the_page_like_an_evening_leads_to_keeping_it() -> None:
    office = a_week_later()
    page = office.browser.open(f"/club/{office.club.slug}/like/{office.event.short}")
    page = office.browser.open(page.link("Save as night template"))
    (chosen,) = [option for option in page.every("option") if "selected" in option.attrs]
    assert chosen.attrs["value"] == office.event.short
