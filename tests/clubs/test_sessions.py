"""Sessions: stored as digests, their expiry, the device list, and reauthentication."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from clubs.models import DeviceSession
from clubs.sessions import SESSION_LIFETIME, USE_UPDATE_INTERVAL
from server.addresses import list_addresses
from tests.builders import PASSWORD
from tests.every_page.test_permissions import build_path
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post_form

pytestmark = pytest.mark.django_db


def sign_in(hall: Hall, *, password: str = PASSWORD) -> Browser:
    browser = Browser()
    page = browser.open("/sign-in")
    browser.send(page, page.find_form(control_name="password"), name=hall.owner.name, password=password)
    return browser


def open_account_page(browser: Browser) -> Page:
    return browser.open("/account")


def is_signed_in(browser: Browser) -> bool:
    return open_account_page(browser).path == "/account"


@pytest.fixture
def hall() -> Hall:
    return Hall(pairs=2)


class TestSession:
    @pytest.mark.long
    def test_database_stores_only_a_session_digest(self, hall: Hall) -> None:
        browser = sign_in(hall)
        key = browser.client.cookies[settings.SESSION_COOKIE_NAME].value
        rows = str(list(DeviceSession.objects.values_list()))
        assert key not in rows
        thief = Browser()
        thief.client.cookies[settings.SESSION_COOKIE_NAME] = DeviceSession.objects.get(account=hall.owner).session_key
        assert is_signed_in(browser)
        assert not is_signed_in(thief)

    def test_sign_in_changes_the_session_key(self, hall: Hall) -> None:
        browser = Browser()
        page = browser.open("/sign-in")
        browser.client.session["anything"] = 1
        browser.client.session.save()
        before = browser.client.cookies[settings.SESSION_COOKIE_NAME].value
        browser.send(page, page.find_form(control_name="password"), name=hall.owner.name, password=PASSWORD)
        assert browser.client.cookies[settings.SESSION_COOKIE_NAME].value != before

    def test_session_expires_after_two_unused_weeks(self, hall: Hall) -> None:
        browser = sign_in(hall)
        DeviceSession.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
        assert not is_signed_in(browser)

    def test_used_session_is_extended_once_an_hour(self, hall: Hall) -> None:
        browser = sign_in(hall)
        session = browser.client.session
        session["seen"] -= int(USE_UPDATE_INTERVAL.total_seconds()) + 1
        session.save()
        soon = timezone.now() + timedelta(days=1)
        DeviceSession.objects.update(expire_date=soon)
        open_account_page(browser)
        noted = DeviceSession.objects.get(account=hall.owner)
        assert noted.expire_date > soon
        DeviceSession.objects.update(expire_date=soon)
        open_account_page(browser)
        assert DeviceSession.objects.get(account=hall.owner).expire_date == soon

    def test_session_ends_three_months_after_sign_in(self, hall: Hall) -> None:
        browser = sign_in(hall)
        session = browser.client.session
        session["begun"] -= int(SESSION_LIFETIME.total_seconds()) + 1
        session.save()
        assert not is_signed_in(browser)
        assert not DeviceSession.objects.filter(account=hall.owner).exists()


@pytest.mark.slow
class TestDeviceList:
    def test_device_list_signs_out_one_device(self, hall: Hall) -> None:
        here, there = sign_in(hall), sign_in(hall)
        page = open_account_page(here)
        assert page.text.count("(this one)") == 1
        (form,) = [one for one in page.find_all("form") if re.search("devices/[0-9a-f]", one.attrs["action"])]
        here.send(page, form)
        assert is_signed_in(here)
        assert not is_signed_in(there)

    def test_device_list_signs_out_all_other_devices(self, hall: Hall) -> None:
        here, others = sign_in(hall), [sign_in(hall) for _ in range(2)]
        page = open_account_page(here)
        here.send(page, page.find_form("others/end"))
        assert is_signed_in(here)
        assert not any(is_signed_in(other) for other in others)

    @pytest.mark.long
    def test_device_list_cannot_end_sessions_of_other_accounts(self, hall: Hall) -> None:
        mine, theirs = sign_in(hall), sign_in(Hall(pairs=2))
        page = open_account_page(mine)
        other = DeviceSession.objects.exclude(account=hall.owner).exclude(account=None)[0]
        mine.client.post(
            f"/account/devices/{other.pk}/end",
            {"csrfmiddlewaretoken": page.find_all("input", name="csrfmiddlewaretoken")[0].value},
        )
        assert is_signed_in(theirs)

    @pytest.mark.long
    def test_password_change_signs_out_other_devices(self, hall: Hall) -> None:
        here, there = sign_in(hall), sign_in(hall)
        page = open_account_page(here)
        here.send(page, page.find_form("account/password"), current=PASSWORD, password="une valise pleine d'atouts")
        assert is_signed_in(here)
        assert not is_signed_in(there)
        assert DeviceSession.objects.filter(account=hall.owner).count() == 1


class TestReauthentication:
    """Protected pages ask for the password again: somebody else may be using the desk's laptop by now."""

    PAGES = (
        "/club/{club}/team",
        "/club/{club}/team.csv",
        "/club/{club}/people.csv",
        "/club/{club}/file",
        "/club/{club}/privacy/forget?people=1",
        "{person}/privacy/everything.zip",
    )
    ACCESS_PAGES = ("/club/<slug:slug>/team", "/account/app")

    @pytest.mark.parametrize("path", PAGES)
    def test_protected_page_requires_a_recent_sign_in(self, hall: Hall, path: str) -> None:
        address = path.format(club=hall.event.club.slug, person=hall.person)
        assert hall.desk.open(address).path != "/sign-in"
        hall.desk.set_sign_in_age(601)
        page = hall.desk.open(address)
        assert page.path == "/sign-in"
        assert "Sign in again to open this protected page" in page.text

    def test_reauthentication_returns_to_the_requested_page(self, hall: Hall) -> None:
        hall.desk.set_sign_in_age(601)
        page = hall.desk.open(f"/club/{hall.event.club.slug}/team")
        page = hall.desk.send(page, page.find_form(control_name="password"), name=hall.owner.name, password=PASSWORD)
        assert page.path == f"/club/{hall.event.club.slug}/team"

    def test_protected_form_requires_a_recent_sign_in(self, hall: Hall) -> None:
        page = hall.desk.open(f"/club/{hall.event.club.slug}/team")
        hall.desk.set_sign_in_age(601)
        answer = hall.desk.send(page, page.find_form(control_name="note"), note="A stranger", role="owner")
        assert answer.path == "/sign-in"
        assert not hall.event.club.invitations.exists()

    @pytest.mark.long
    def test_every_access_form_requires_a_recent_sign_in(self, hall: Hall) -> None:
        hall.desk.set_sign_in_age(601)
        patterns = [one.pattern for one in list_addresses() if one.pattern.startswith(self.ACCESS_PAGES)]
        sent = {each: post_form(hall.desk, build_path(hall, each), {}, follow=False) for each in patterns}
        answers = {each: page.response for each, page in sent.items() if page.status != 405}
        leads = {each: answer.headers.get("Location", "") for each, answer in answers.items()}
        assert len(leads) >= 10
        assert [each for each, address in leads.items() if not address.startswith("/sign-in?")] == []


class TestRefusedSignIns:
    def log(self, hall: Hall) -> str:
        return hall.desk.open(f"/club/{hall.event.club.slug}/team/refused").text

    def test_log_counts_wrong_passwords_in_one_line(self, hall: Hall) -> None:
        for _ in range(3):
            sign_in(hall, password="wrong")
        log_text = self.log(hall)
        assert "Wrong password × 3" in log_text
        assert f"{hall.owner.name} · 192.0.2.1" in log_text

    @pytest.mark.slow
    def test_log_shows_throttled_sign_ins(self, hall: Hall) -> None:
        for _ in range(7):
            sign_in(hall, password="wrong")
        assert "Too many sign-in attempts: temporarily blocked × 2" in self.log(hall)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_log_shows_guessed_table_codes(self, hall: Hall) -> None:
        for number in range(30):
            Browser().open(f"/t/{number:06}")
        assert "Many wrong table codes: letters now required" in self.log(hall)

    @pytest.mark.slow
    def test_log_shows_only_members_of_the_club(self, hall: Hall) -> None:
        other = Hall(pairs=2)
        sign_in(other, password="wrong")
        page = Browser().open("/sign-in")
        Browser().send(page, page.find_form(control_name="password"), name="Nobody", password="wrong")
        assert "Wrong password" not in self.log(hall)
        assert "Wrong password" in self.log(other)

    def test_log_requires_sign_in(self, hall: Hall) -> None:
        assert Browser().open(f"/club/{hall.event.club.slug}/team/refused").path == "/sign-in"
