"""Passkeys: added, used, named and removed; and every answer that opens nothing."""

import json
import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from clubs.models import Account, DeviceSession, Passkey, RateLimitCounter
from clubs.services import change_password
from tests.builders import PASSWORD, a_club, an_account
from tests.support.authenticator import Authenticator
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.django_db

REFUSED = "Passkey not accepted. Try again or use your password."
TOO_LATE = "This took too long or was sent twice. Try again."


def a_browser(host: str = "localhost") -> Browser:
    browser = Browser()
    browser.client.defaults["HTTP_HOST"] = host
    return browser


def sign_in(browser: Browser, account: Account, password: str = PASSWORD) -> Page:
    page = browser.open("/sign-in?next=/account")
    return browser.send(page, page.form("/sign-in"), name=account.name, password=password)


def question(browser: Browser, page: Page, action: str) -> dict[str, Any]:
    """Return what the page's script fetches."""
    form = page.form(action)
    fields = {one.attrs["name"]: one.value for one in form.every("input")}
    answer = browser.client.post(form.attrs["data-question"], fields)
    return dict(json.loads(answer.content))


def add(browser: Browser, device: Authenticator, name: str = "My phone") -> Page:
    page = browser.open("/account")
    made = device.create(question(browser, page, "/account/passkeys"))
    return browser.send(page, page.form("/account/passkeys"), passkey=name, credential=made)


def answer(browser: Browser, said: str, page: Page | None = None) -> Page:
    page = page or browser.open("/sign-in")
    return browser.send(page, page.form("/sign-in/passkey"), credential=said)


def use(browser: Browser, device: Authenticator, **said: Any) -> Page:
    page = browser.open("/sign-in")
    return answer(browser, device.sign(question(browser, page, "/sign-in/passkey"), **said), page)


def is_in(browser: Browser) -> bool:
    return browser.open("/account").path == "/account"


class Desk:
    """Somebody with a passkey, and a browser that is not signed in."""

    def __init__(self, **device: Any) -> None:
        self.account = an_account()
        self.club = a_club(owner=self.account)
        self.device = Authenticator(**device)
        self.home = a_browser()
        sign_in(self.home, self.account)
        add(self.home, self.device)
        self.browser = a_browser()

    @property
    def passkey(self) -> Passkey:
        return self.account.passkeys.get()


@pytest.mark.slow
class TestAPasskey:
    def test_is_added_and_opens_the_account_from_then_on(self) -> None:
        desk = Desk()
        assert "My phone" in desk.home.open("/account").text
        page = use(desk.browser, desk.device)
        assert page.path == f"/club/{desk.club.slug}"
        assert desk.passkey.used_at is not None
        assert desk.passkey.sign_count == desk.device.count == 1

    def test_leads_to_the_page_that_was_asked_for(self) -> None:
        desk = Desk()
        page = desk.browser.open("/account")
        said = desk.device.sign(question(desk.browser, page, "/sign-in/passkey"))
        assert answer(desk.browser, said, page).path == "/account"

    def test_of_a_device_that_does_not_count_opens_it_again_and_again(self) -> None:
        desk = Desk(counts=False)
        for _ in range(2):
            assert use(a_browser(), desk.device).path == f"/club/{desk.club.slug}"

    def test_added_twice_by_one_form_is_one(self) -> None:
        desk = Desk()
        page = desk.home.open("/account")
        asked = question(desk.home, page, "/account/passkeys")
        assert [one["id"] for one in asked["excludeCredentials"]] == [desk.passkey.credential_id]
        assert asked["user"]["id"] == desk.passkey.handle
        made = desk.device.create(asked, key=desk.device.keys[0])
        form = page.form("/account/passkeys")
        desk.home.send(page, form, passkey="Again", credential=made)
        assert desk.passkey.name == "My phone"

    @pytest.mark.snapshot
    def test_is_asked_for_without_saying_who_there_is(self) -> None:
        desk = Desk()
        page, rows = desk.browser.open("/sign-in"), DeviceSession.objects.count()
        asked = question(desk.browser, page, "/sign-in/passkey")
        assert set(asked) == {"challenge", "rpId", "userVerification"}
        assert DeviceSession.objects.count() == rows

    def test_gets_another_name(self) -> None:
        desk = Desk()
        page = desk.home.open(desk.home.open("/account").link("My phone"))
        assert desk.home.send(page, page.form(having="passkey"), passkey=" ").said_at("passkey")
        page = desk.home.send(page, page.form(having="passkey"), passkey="The old phone")
        assert "The old phone" in page.text

    def test_is_removed_and_opens_nothing_any_more(self) -> None:
        desk = Desk()
        page = desk.home.open(desk.home.open("/account").link("My phone"))
        form = page.form("/remove")
        page = desk.home.send(page, form)
        assert "My phone" not in page.text
        page = use(desk.browser, desk.device)
        assert page.status == 422
        assert "This passkey no longer works here." in page.alert
        assert not is_in(desk.browser)

    def test_of_somebody_else_has_no_page_and_is_not_removed_by_its_number(self) -> None:
        desk, other = Desk(), Desk()
        assert desk.home.open(f"/account/passkeys/{other.passkey.pk}").path == "/account"
        page = desk.home.open(f"/account/passkeys/{desk.passkey.pk}")
        form = page.form("/remove")
        form.attrs["action"] = f"/account/passkeys/{other.passkey.pk}/remove"
        desk.home.send(page, form)
        assert other.passkey

    def test_lets_a_forgotten_password_be_replaced(self) -> None:
        desk = Desk()
        use(desk.browser, desk.device)
        page = desk.browser.open("/account")
        assert not page.every("input", name="current")
        page = desk.browser.send(page, page.form("/account/password"), password="une autre phrase")
        assert "Password changed." in page.text
        assert desk.account.check_password(PASSWORD)
        assert Account.objects.get(pk=desk.account.pk).check_password("une autre phrase")


class TestAnAnswerOpensNothing:
    def refused(self, desk: Desk, page: Page, said: str = REFUSED, status: int = 422) -> None:
        assert (page.status, page.alert) == (status, said)
        assert page.form("/sign-in", having="password")
        assert not is_in(desk.browser)

    @pytest.mark.slow
    def test_a_second_time(self) -> None:
        desk = Desk(counts=False)
        page = desk.browser.open("/sign-in")
        said = desk.device.sign(question(desk.browser, page, "/sign-in/passkey"))
        answer(desk.browser, said, page)
        assert is_in(desk.browser)
        signed_in = desk.browser.open("/account")
        desk.browser.send(signed_in, signed_in.form("/sign-out"))
        self.refused(desk, answer(desk.browser, said), TOO_LATE)

    def test_to_another_question(self) -> None:
        desk = Desk()
        page = desk.browser.open("/sign-in")
        said = desk.device.sign(question(desk.browser, page, "/sign-in/passkey"))
        question(desk.browser, page, "/sign-in/passkey")
        self.refused(desk, answer(desk.browser, said, page))

    @pytest.mark.slow
    def test_to_a_question_of_another_browser(self) -> None:
        desk, thief = Desk(), a_browser()
        said = desk.device.sign(question(thief, thief.open("/sign-in"), "/sign-in/passkey"))
        self.refused(desk, answer(desk.browser, said), TOO_LATE)

    @pytest.mark.slow
    def test_after_five_minutes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        desk = Desk()
        page = desk.browser.open("/sign-in")
        said = desk.device.sign(question(desk.browser, page, "/sign-in/passkey"))
        later = time.time() + 301
        monkeypatch.setattr("django.core.signing.time.time", lambda: later)
        self.refused(desk, answer(desk.browser, said, page), TOO_LATE)

    def test_to_the_question_for_a_new_passkey(self) -> None:
        desk = Desk()
        page = desk.home.open("/account")
        said = desk.device.sign(question(desk.home, page, "/account/passkeys"))
        assert answer(desk.home, said).alert == TOO_LATE

    def test_signed_for_another_page(self) -> None:
        desk = Desk()
        desk.device.origin = "http://localhost:8001"
        self.refused(desk, use(desk.browser, desk.device))

    def test_made_for_another_host(self) -> None:
        desk = Desk()
        desk.device.host = "evil.example"
        self.refused(desk, use(desk.browser, desk.device))

    def test_at_another_host_than_where_it_was_made(self) -> None:
        desk = Desk()
        browser = a_browser("club.localhost")
        desk.device.host, desk.device.origin = "club.localhost", "http://club.localhost"
        page = use(browser, desk.device)
        assert "This passkey no longer works here" in page.alert

    @pytest.mark.slow
    def test_signed_with_the_key_of_somebody_else(self) -> None:
        desk, other = Desk(), Desk()
        self.refused(desk, use(desk.browser, desk.device, signer=other.device.keys[0]))

    @pytest.mark.slow
    def test_in_the_name_of_somebody_else(self) -> None:
        desk, other = Desk(), Desk()
        self.refused(desk, use(desk.browser, desk.device, userHandle=other.passkey.handle))
        self.refused(desk, use(desk.browser, desk.device, userHandle=""))

    @pytest.mark.slow
    def test_of_a_device_that_was_copied(self) -> None:
        desk = Desk()
        copied = desk.device.copy()
        for _ in range(2):
            use(a_browser(), desk.device)
        page = use(desk.browser, copied)
        assert "may have been copied and is blocked" in page.alert
        assert not is_in(desk.browser)

    @pytest.mark.parametrize(
        "said",
        [
            "",
            "null",
            "[]",
            "{}",
            '{"id": 1}',
            "{" * 9_999,
            '"' + "x" * 70_000 + '"',
            '{"id":"AA","rawId":"AA"}',
        ],
    )
    def test_that_is_none(self, said: str) -> None:
        desk = Desk()
        page = desk.browser.open("/sign-in")
        question(desk.browser, page, "/sign-in/passkey")
        self.refused(desk, answer(desk.browser, said, page))

    @pytest.mark.slow
    def test_where_too_many_were_tried(self) -> None:
        desk = Desk()
        for _ in range(20):
            answer(desk.browser, "{}")
        page = use(desk.browser, desk.device)
        assert (page.status, page.alert) == (429, "Too many tries. Try again in 1 min.")
        RateLimitCounter.objects.update(wait_until=timezone.now() - timedelta(seconds=1))
        assert use(desk.browser, desk.device).status == 200


@pytest.mark.slow
class TestANewPasskey:
    def test_is_not_made_of_an_answer_to_another_question(self) -> None:
        desk = Desk()
        page = desk.home.open("/account")
        made = Authenticator().create(question(desk.home, page, "/account/passkeys"))
        question(desk.home, page, "/account/passkeys")
        page = desk.home.send(page, page.form("/account/passkeys"), passkey="x", credential=made)
        assert (page.status, page.alert) == (422, REFUSED)
        page = desk.home.send(page, page.form("/account/passkeys"), passkey="x", credential=made)
        assert (page.status, page.alert) == (422, TOO_LATE)
        assert desk.passkey

    def test_is_not_taken_from_somebody_else(self) -> None:
        desk, other = Desk(), Desk()
        page = desk.home.open("/account")
        asked = question(desk.home, page, "/account/passkeys")
        made = Authenticator().create(asked, key=other.device.keys[0])
        page = desk.home.send(page, page.form("/account/passkeys"), passkey="x", credential=made)
        assert page.alert == REFUSED
        assert (desk.account.passkeys.count(), other.account.passkeys.count()) == (1, 1)

    @pytest.mark.parametrize("field", ["host", "origin"])
    def test_is_not_made_elsewhere(self, field: str) -> None:
        desk = Desk()
        device = Authenticator()
        setattr(device, field, "https://evil.example")
        assert add(desk.home, device).alert == REFUSED

    def test_needs_a_name_and_there_are_twenty_at_most(self) -> None:
        desk = Desk()
        assert add(desk.home, Authenticator(), name=" ").said_at("passkey") == "Enter a name."
        for _ in range(19):
            add(desk.home, Authenticator())
        assert "20 passkeys at most" in add(desk.home, Authenticator()).alert

    @pytest.mark.parametrize("age", [601, -60], ids=["a while ago", "before the clock was set back"])
    def test_is_added_only_soon_after_signing_in(self, age: int) -> None:
        desk = Desk()
        page = desk.home.open("/account")
        made = Authenticator().create(question(desk.home, page, "/account/passkeys"))
        session = desk.home.client.session
        session["proof"] = ["password", int(time.time()) - age]
        session.save()
        refused = desk.home.send(page, page.form("/account/passkeys"), passkey="x", credential=made)
        assert (refused.status, refused.alert) == (
            409,
            "Sign in again before making this change.",
        )
        assert not [form for form in refused.every("form") if "data-passkey" in form.attrs]
        one = desk.home.open(f"/account/passkeys/{desk.passkey.pk}")
        assert desk.home.send(one, one.form("/remove")).status == 409
        page = desk.home.open(refused.link("Sign in again"))
        page = desk.home.send(page, page.form("/sign-in"), name=desk.account.name, password=PASSWORD)
        assert page.path == "/account"
        assert page.form("/account/passkeys")


@pytest.mark.slow
class TestTheLastWayIn:
    def test_is_not_removed(self) -> None:
        desk = Desk()
        desk.account.set_unusable_password()
        desk.account.save()
        use(desk.browser, desk.device)
        page = desk.browser.open(f"/account/passkeys/{desk.passkey.pk}")
        page = desk.browser.send(page, page.form("/remove"))
        assert (page.status, page.alert) == (
            409,
            "You would have no way to sign in. Choose a password first.",
        )
        assert desk.passkey

    def test_may_go_where_there_is_a_password_again(self) -> None:
        desk = Desk()
        change_password(account_id=desk.account.pk, current=PASSWORD, password="une autre phrase")
        sign_in(desk.home, desk.account, "une autre phrase")
        page = desk.home.open(f"/account/passkeys/{desk.passkey.pk}")
        desk.home.send(page, page.form("/remove"))
        assert not desk.account.passkeys.exists()


class TestInAHall:
    """Reached by its number on the network, without HTTPS."""

    @pytest.mark.parametrize("host", ["192.168.1.20:8000", "127.0.0.1:8000", "laptop.local", "[::1]:8000"])
    def test_passkeys_are_not_spoken_of_and_the_password_works(self, host: str) -> None:
        account, browser = an_account(), a_browser(host)
        page = browser.open("/sign-in")
        assert "passkey" not in page.html
        page = sign_in(browser, account)
        assert page.path == "/account"
        assert "data-passkey" not in page.html

    def test_questions_are_refused(self) -> None:
        browser = a_browser("192.168.1.20")
        sign_in(browser, an_account())
        token = browser.open("/").every("input", name="csrfmiddlewaretoken")[0].value
        for path in ("/sign-in/passkey/question", "/account/passkeys/question"):
            refused = Page(browser.client.post(path, {"csrfmiddlewaretoken": token}))
            assert refused.status == 409
            assert "Passkeys do not work at this address. Use your password." in refused.text
