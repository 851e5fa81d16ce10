"""Sessions: keys unknown to the database, and how a session ends."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from clubs.models import DeviceSession
from clubs.sessions import LASTS, NOTED_EVERY
from operations.roles_page import addresses
from tests.builders import PASSWORD
from tests.every_page.test_permissions import path_of
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post

pytestmark = pytest.mark.django_db


def signed_in(hall: Hall, *, password: str = PASSWORD) -> Browser:
    browser = Browser()
    page = browser.open("/sign-in")
    browser.send(page, page.form(having="password"), name=hall.owner.name, password=password)
    return browser


def account_page(browser: Browser) -> Page:
    return browser.open("/account")


def is_signed_in(browser: Browser) -> bool:
    return account_page(browser).path == "/account"


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=2)


class TestASession:
    def test_is_in_the_database_by_a_digest_which_opens_nothing(self, hall: Hall) -> None:
        browser = signed_in(hall)
        key = browser.client.cookies[settings.SESSION_COOKIE_NAME].value
        rows = str(list(DeviceSession.objects.values_list()))
        assert key not in rows
        thief = Browser()
        thief.client.cookies[settings.SESSION_COOKIE_NAME] = DeviceSession.objects.get(
            account=hall.owner
        ).session_key
        assert is_signed_in(browser)
        assert not is_signed_in(thief)

    def test_has_another_key_once_somebody_is_signed_in(self, hall: Hall) -> None:
        browser = Browser()
        page = browser.open("/sign-in")
        browser.client.session["anything"] = 1
        browser.client.session.save()
        before = browser.client.cookies[settings.SESSION_COOKIE_NAME].value
        browser.send(page, page.form(having="password"), name=hall.owner.name, password=PASSWORD)
        assert browser.client.cookies[settings.SESSION_COOKIE_NAME].value != before

    def test_ends_when_nobody_used_it_for_two_weeks(self, hall: Hall) -> None:
        browser = signed_in(hall)
        DeviceSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
        assert not is_signed_in(browser)

    def test_that_is_used_ends_later_and_is_written_once_an_hour(self, hall: Hall) -> None:
        browser = signed_in(hall)
        session = browser.client.session
        session["seen"] -= int(NOTED_EVERY.total_seconds()) + 1
        session.save()
        soon = timezone.now() + timedelta(days=1)
        DeviceSession.objects.update(expire_date=soon)
        account_page(browser)
        noted = DeviceSession.objects.get(account=hall.owner)
        assert noted.expire_date > soon
        DeviceSession.objects.update(expire_date=soon)
        account_page(browser)
        assert DeviceSession.objects.get(account=hall.owner).expire_date == soon

    def test_ends_three_months_after_signing_in_however_often_it_was_used(self, hall: Hall) -> None:
        browser = signed_in(hall)
        session = browser.client.session
        session["begun"] -= int(LASTS.total_seconds()) + 1
        session.save()
        assert not is_signed_in(browser)
        assert not DeviceSession.objects.filter(account=hall.owner).exists()


@pytest.mark.slow
class TestTheListOfDevices:
    def test_signs_one_out_there(self, hall: Hall) -> None:
        here, there = signed_in(hall), signed_in(hall)
        page = account_page(here)
        assert page.text.count("(this one)") == 1
        (form,) = [one for one in page.every("form") if re.search("devices/[0-9a-f]", one.attrs["action"])]
        here.send(page, form)
        assert is_signed_in(here)
        assert not is_signed_in(there)

    def test_signs_out_everywhere_else(self, hall: Hall) -> None:
        here, others = signed_in(hall), [signed_in(hall) for _ in range(2)]
        page = account_page(here)
        here.send(page, page.form("others/end"))
        assert is_signed_in(here)
        assert not any(is_signed_in(other) for other in others)

    def test_ends_no_session_of_somebody_else(self, hall: Hall) -> None:
        mine, theirs = signed_in(hall), signed_in(Hall(pairs=2))
        page = account_page(mine)
        other = DeviceSession.objects.exclude(account=hall.owner).exclude(account=None)[0]
        mine.client.post(
            f"/account/devices/{other.pk}/end",
            {"csrfmiddlewaretoken": page.every("input", name="csrfmiddlewaretoken")[0].value},
        )
        assert is_signed_in(theirs)

    def test_is_empty_but_for_this_one_after_another_password(self, hall: Hall) -> None:
        here, there = signed_in(hall), signed_in(hall)
        page = account_page(here)
        here.send(
            page, page.form("account/password"), current=PASSWORD, password="une valise pleine d'atouts"
        )
        assert is_signed_in(here)
        assert not is_signed_in(there)
        assert DeviceSession.objects.filter(account=hall.owner).count() == 1


class TestAFreshSignIn:
    """At a desk, somebody else may sit at the laptop by now."""

    PAGES = (
        "/club/{club}/team",
        "/club/{club}/team.csv",
        "/club/{club}/people.csv",
        "/club/{club}/file",
        "/club/{club}/privacy/forget?people=1",
        "{person}/privacy/everything.zip",
    )
    ABOUT_WHO_MAY_ENTER = ("/club/<slug:slug>/team", "/account/app")

    @pytest.mark.parametrize("path", PAGES)
    def test_is_asked_for_roles_exports_and_erasure(self, hall: Hall, path: str) -> None:
        address = path.format(club=hall.event.club.slug, person=hall.person)
        assert hall.desk.open(address).path != "/sign-in"
        hall.desk.sign_in_seconds_ago(601)
        page = hall.desk.open(address)
        assert page.path == "/sign-in"
        assert "Sign in again to open this protected page" in page.text

    def test_leads_back_to_the_page_that_was_asked_for(self, hall: Hall) -> None:
        hall.desk.sign_in_seconds_ago(601)
        page = hall.desk.open(f"/club/{hall.event.club.slug}/team")
        page = hall.desk.send(page, page.form(having="password"), name=hall.owner.name, password=PASSWORD)
        assert page.path == f"/club/{hall.event.club.slug}/team"

    def test_is_asked_before_a_form_is_taken_too(self, hall: Hall) -> None:
        page = hall.desk.open(f"/club/{hall.event.club.slug}/team")
        hall.desk.sign_in_seconds_ago(601)
        said = hall.desk.send(page, page.form(having="note"), note="A stranger", role="owner")
        assert said.path == "/sign-in"
        assert not hall.event.club.invitations.exists()

    @pytest.mark.slow
    def test_is_asked_before_any_form_about_roles_or_ones_app_is_taken(self, hall: Hall) -> None:
        hall.desk.sign_in_seconds_ago(601)
        patterns = [one.pattern for one in addresses() if one.pattern.startswith(self.ABOUT_WHO_MAY_ENTER)]
        sent = {each: post(hall.desk, path_of(hall, each), {}, follow=False) for each in patterns}
        answers = {each: page.response for each, page in sent.items() if page.status != 405}
        leads = {each: answer.headers.get("Location", "") for each, answer in answers.items()}
        assert len(leads) >= 10
        assert [each for each, address in leads.items() if not address.startswith("/sign-in?")] == []


class TestTheLogOfTheDoors:
    def log(self, hall: Hall) -> str:
        return hall.desk.open(f"/club/{hall.event.club.slug}/team/refused").text

    def test_tells_an_owner_of_wrong_passwords_in_one_line_an_hour(self, hall: Hall) -> None:
        for _ in range(3):
            signed_in(hall, password="wrong")
        said = self.log(hall)
        assert "Wrong password × 3" in said
        assert f"{hall.owner.name} · 192.0.2.1" in said

    @pytest.mark.slow
    def test_tells_of_who_was_made_to_wait(self, hall: Hall) -> None:
        for _ in range(7):
            signed_in(hall, password="wrong")
        assert "Too many sign-in attempts: temporarily blocked × 2" in self.log(hall)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_tells_of_table_codes_that_are_guessed(self, hall: Hall) -> None:
        for number in range(30):
            Browser().open(f"/t/{number:06}")
        assert "Many wrong table codes: letters now required" in self.log(hall)

    @pytest.mark.slow
    def test_keeps_to_the_people_of_the_club(self, hall: Hall) -> None:
        other = Hall(pairs=2)
        signed_in(other, password="wrong")
        page = Browser().open("/sign-in")
        Browser().send(page, page.form(having="password"), name="Nobody", password="wrong")
        assert "Wrong password" not in self.log(hall)
        assert "Wrong password" in self.log(other)

    def test_is_read_by_owners_only(self, hall: Hall) -> None:
        assert Browser().open(f"/club/{hall.event.club.slug}/team/refused").path == "/sign-in"
