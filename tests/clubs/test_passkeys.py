"""Passkeys: added, named, used and removed; and answers that are refused."""

import json
import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from clubs.models import Account, DeviceSession, Passkey, RateLimitCounter
from clubs.services.accounts import change_password
from tests.builders import PASSWORD, build_account, build_club
from tests.support.authenticator import Authenticator
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.django_db

REFUSED_MESSAGE = "Passkey not accepted. Try again or use your password."
TOO_LATE_MESSAGE = "This took too long or was sent twice. Try again."


def build_browser(host: str = "localhost") -> Browser:
    browser = Browser()
    browser.client.defaults["HTTP_HOST"] = host
    return browser


def sign_in(browser: Browser, account: Account, password: str = PASSWORD) -> Page:
    page = browser.open("/sign-in?next=/account")
    return browser.send(page, page.find_form("/sign-in"), name=account.name, password=password)


def fetch_question(browser: Browser, page: Page, action: str) -> dict[str, Any]:
    """Return the challenge that the page's script fetches."""
    form = page.find_form(action)
    fields = {one.attrs["name"]: one.value for one in form.find_all("input")}
    answer = browser.client.post(form.attrs["data-question"], fields)
    return dict(json.loads(answer.content))


def add(browser: Browser, device: Authenticator, name: str = "My phone") -> Page:
    page = browser.open("/account")
    made = device.create(fetch_question(browser, page, "/account/passkeys"))
    return browser.send(page, page.find_form("/account/passkeys"), passkey=name, credential=made)


def answer(browser: Browser, fields: str, page: Page | None = None) -> Page:
    page = page or browser.open("/sign-in")
    return browser.send(page, page.find_form("/sign-in/passkey"), credential=fields)


def use(browser: Browser, device: Authenticator, **fields: Any) -> Page:
    page = browser.open("/sign-in")
    return answer(browser, device.sign(fetch_question(browser, page, "/sign-in/passkey"), **fields), page)


def is_in(browser: Browser) -> bool:
    return browser.open("/account").path == "/account"


class Desk:
    """An account with a passkey, and a browser that is not signed in."""

    def __init__(self, **device: Any) -> None:
        self.account = build_account()
        self.club = build_club(owner=self.account)
        self.device = Authenticator(**device)
        self.home = build_browser()
        sign_in(self.home, self.account)
        add(self.home, self.device)
        self.browser = build_browser()

    @property
    def passkey(self) -> Passkey:
        return self.account.passkeys.get()


@pytest.mark.slow
class TestPasskey:
    @pytest.mark.long
    def test_added_passkey_signs_the_account_in(self) -> None:
        desk = Desk()
        assert "My phone" in desk.home.open("/account").text
        page = use(desk.browser, desk.device)
        assert page.path == f"/club/{desk.club.slug}"
        assert desk.passkey.used_at is not None
        assert desk.passkey.sign_count == desk.device.count == 1

    @pytest.mark.long
    def test_passkey_sign_in_returns_to_the_requested_page(self) -> None:
        desk = Desk()
        page = desk.browser.open("/account")
        signed_answer = desk.device.sign(fetch_question(desk.browser, page, "/sign-in/passkey"))
        assert answer(desk.browser, signed_answer, page).path == "/account"

    @pytest.mark.long
    def test_passkey_without_a_counter_keeps_working(self) -> None:
        desk = Desk(is_counting=False)
        for _ in range(2):
            assert use(build_browser(), desk.device).path == f"/club/{desk.club.slug}"

    def test_resubmitted_form_adds_one_passkey(self) -> None:
        desk = Desk()
        page = desk.home.open("/account")
        question = fetch_question(desk.home, page, "/account/passkeys")
        assert [one["id"] for one in question["excludeCredentials"]] == [desk.passkey.credential_id]
        assert question["user"]["id"] == desk.passkey.handle
        made = desk.device.create(question, key=desk.device.keys[0])
        form = page.find_form("/account/passkeys")
        desk.home.send(page, form, passkey="Again", credential=made)
        assert desk.passkey.name == "My phone"

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_passkey_challenge_reveals_no_accounts(self) -> None:
        desk = Desk()
        page, rows = desk.browser.open("/sign-in"), DeviceSession.objects.count()
        question = fetch_question(desk.browser, page, "/sign-in/passkey")
        assert set(question) == {"challenge", "rpId", "userVerification"}
        assert DeviceSession.objects.count() == rows

    def test_passkey_can_be_renamed(self) -> None:
        desk = Desk()
        page = desk.home.open(desk.home.open("/account").find_link("My phone"))
        assert desk.home.send(page, page.find_form(control_name="passkey"), passkey=" ").get_field_error("passkey")
        page = desk.home.send(page, page.find_form(control_name="passkey"), passkey="The old phone")
        assert "The old phone" in page.text

    @pytest.mark.long
    def test_removed_passkey_no_longer_signs_in(self) -> None:
        desk = Desk()
        page = desk.home.open(desk.home.open("/account").find_link("My phone"))
        form = page.find_form("/remove")
        page = desk.home.send(page, form)
        assert "My phone" not in page.text
        page = use(desk.browser, desk.device)
        assert page.status == 422
        assert "This passkey no longer works here." in page.alert
        assert not is_in(desk.browser)

    def test_passkey_of_another_account_cannot_be_removed(self) -> None:
        desk, other = Desk(), Desk()
        assert desk.home.open(f"/account/passkeys/{other.passkey.pk}").path == "/account"
        page = desk.home.open(f"/account/passkeys/{desk.passkey.pk}")
        form = page.find_form("/remove")
        form.attrs["action"] = f"/account/passkeys/{other.passkey.pk}/remove"
        desk.home.send(page, form)
        assert other.passkey

    def test_passkey_sign_in_allows_a_new_password(self) -> None:
        desk = Desk()
        use(desk.browser, desk.device)
        page = desk.browser.open("/account")
        assert not page.find_all("input", name="current")
        page = desk.browser.send(page, page.find_form("/account/password"), password="une autre phrase")
        assert "Password changed." in page.text
        assert desk.account.check_password(PASSWORD)
        assert Account.objects.get(pk=desk.account.pk).check_password("une autre phrase")


@pytest.mark.slow
class TestRejectedAnswers:
    def assert_refused(self, desk: Desk, page: Page, passkey_answer: str = REFUSED_MESSAGE, status: int = 422) -> None:
        assert (page.status, page.alert) == (status, passkey_answer)
        assert page.find_form("/sign-in", control_name="password")
        assert not is_in(desk.browser)

    @pytest.mark.long
    def test_answer_cannot_be_replayed(self) -> None:
        desk = Desk(is_counting=False)
        page = desk.browser.open("/sign-in")
        signed_answer = desk.device.sign(fetch_question(desk.browser, page, "/sign-in/passkey"))
        answer(desk.browser, signed_answer, page)
        assert is_in(desk.browser)
        signed_in = desk.browser.open("/account")
        desk.browser.send(signed_in, signed_in.find_form("/sign-out"))
        self.assert_refused(desk, answer(desk.browser, signed_answer), TOO_LATE_MESSAGE)

    @pytest.mark.slow
    def test_answer_to_an_older_challenge_is_refused(self) -> None:
        desk = Desk()
        page = desk.browser.open("/sign-in")
        signed_answer = desk.device.sign(fetch_question(desk.browser, page, "/sign-in/passkey"))
        fetch_question(desk.browser, page, "/sign-in/passkey")
        self.assert_refused(desk, answer(desk.browser, signed_answer, page))

    @pytest.mark.long
    def test_answer_to_another_browsers_challenge_is_refused(self) -> None:
        desk, thief = Desk(), build_browser()
        signed_answer = desk.device.sign(fetch_question(thief, thief.open("/sign-in"), "/sign-in/passkey"))
        self.assert_refused(desk, answer(desk.browser, signed_answer), TOO_LATE_MESSAGE)

    @pytest.mark.long
    def test_answer_expires_after_five_minutes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        desk = Desk()
        page = desk.browser.open("/sign-in")
        signed_answer = desk.device.sign(fetch_question(desk.browser, page, "/sign-in/passkey"))
        later = time.time() + 301
        monkeypatch.setattr("django.core.signing.time.time", lambda: later)
        self.assert_refused(desk, answer(desk.browser, signed_answer, page), TOO_LATE_MESSAGE)

    @pytest.mark.long
    def test_registration_challenge_cannot_be_used_to_sign_in(self) -> None:
        desk = Desk()
        page = desk.home.open("/account")
        signed_answer = desk.device.sign(fetch_question(desk.home, page, "/account/passkeys"))
        assert answer(desk.home, signed_answer).alert == TOO_LATE_MESSAGE

    @pytest.mark.long
    def test_answer_from_another_origin_is_refused(self) -> None:
        desk = Desk()
        desk.device.origin = "http://localhost:8001"
        self.assert_refused(desk, use(desk.browser, desk.device))

    @pytest.mark.long
    def test_answer_for_another_host_is_refused(self) -> None:
        desk = Desk()
        desk.device.host = "evil.example"
        self.assert_refused(desk, use(desk.browser, desk.device))

    @pytest.mark.long
    def test_passkey_of_one_host_fails_at_another(self) -> None:
        desk = Desk()
        browser = build_browser("club.localhost")
        desk.device.host, desk.device.origin = "club.localhost", "http://club.localhost"
        page = use(browser, desk.device)
        assert "This passkey no longer works here" in page.alert

    @pytest.mark.long
    def test_answer_signed_with_another_key_is_refused(self) -> None:
        desk, other = Desk(), Desk()
        self.assert_refused(desk, use(desk.browser, desk.device, signer=other.device.keys[0]))

    @pytest.mark.long
    def test_answer_with_another_user_handle_is_refused(self) -> None:
        desk, other = Desk(), Desk()
        self.assert_refused(desk, use(desk.browser, desk.device, userHandle=other.passkey.handle))
        self.assert_refused(desk, use(desk.browser, desk.device, userHandle=""))

    def test_copied_passkey_is_detected_and_blocked(self) -> None:
        desk = Desk()
        copied = desk.device.copy()
        for _ in range(2):
            use(build_browser(), desk.device)
        page = use(desk.browser, copied)
        assert "may have been copied and is blocked" in page.alert
        assert not is_in(desk.browser)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "answer_text",
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
    def test_malformed_answer_is_refused(self, answer_text: str) -> None:
        desk = Desk()
        page = desk.browser.open("/sign-in")
        fetch_question(desk.browser, page, "/sign-in/passkey")
        self.assert_refused(desk, answer(desk.browser, answer_text, page))

    @pytest.mark.long
    def test_failed_passkey_answers_are_throttled(self) -> None:
        desk = Desk()
        for _ in range(20):
            answer(desk.browser, "{}")
        page = use(desk.browser, desk.device)
        assert (page.status, page.alert) == (429, "Too many tries. Try again in 1 min.")
        RateLimitCounter.objects.update(wait_until=timezone.now() - timedelta(seconds=1))
        assert use(desk.browser, desk.device).status == 200


@pytest.mark.slow
class TestNewPasskey:
    @pytest.mark.long
    def test_registration_for_an_older_challenge_is_refused(self) -> None:
        desk = Desk()
        page = desk.home.open("/account")
        made = Authenticator().create(fetch_question(desk.home, page, "/account/passkeys"))
        fetch_question(desk.home, page, "/account/passkeys")
        page = desk.home.send(page, page.find_form("/account/passkeys"), passkey="x", credential=made)
        assert (page.status, page.alert) == (422, REFUSED_MESSAGE)
        page = desk.home.send(page, page.find_form("/account/passkeys"), passkey="x", credential=made)
        assert (page.status, page.alert) == (422, TOO_LATE_MESSAGE)
        assert desk.passkey

    def test_passkey_of_another_account_is_refused(self) -> None:
        desk, other = Desk(), Desk()
        page = desk.home.open("/account")
        question = fetch_question(desk.home, page, "/account/passkeys")
        made = Authenticator().create(question, key=other.device.keys[0])
        page = desk.home.send(page, page.find_form("/account/passkeys"), passkey="x", credential=made)
        assert page.alert == REFUSED_MESSAGE
        assert (desk.account.passkeys.count(), other.account.passkeys.count()) == (1, 1)

    @pytest.mark.long
    @pytest.mark.parametrize("field", ["host", "origin"])
    def test_registration_from_another_site_is_refused(self, field: str) -> None:
        desk = Desk()
        device = Authenticator()
        setattr(device, field, "https://evil.example")
        assert add(desk.home, device).alert == REFUSED_MESSAGE

    @pytest.mark.long
    def test_account_has_at_most_twenty_named_passkeys(self) -> None:
        desk = Desk()
        assert add(desk.home, Authenticator(), name=" ").get_field_error("passkey") == "Enter a name."
        for _ in range(19):
            add(desk.home, Authenticator())
        assert "20 passkeys at most" in add(desk.home, Authenticator()).alert

    @pytest.mark.long
    @pytest.mark.parametrize("age", [601, -60], ids=["a while ago", "before the clock was set back"])
    def test_passkey_change_requires_a_recent_sign_in(self, age: int) -> None:
        desk = Desk()
        page = desk.home.open("/account")
        made = Authenticator().create(fetch_question(desk.home, page, "/account/passkeys"))
        session = desk.home.client.session
        session["proof"] = ["password", int(time.time()) - age]
        session.save()
        refused = desk.home.send(page, page.find_form("/account/passkeys"), passkey="x", credential=made)
        assert (refused.status, refused.alert) == (
            409,
            "Sign in again before making this change.",
        )
        assert not [form for form in refused.find_all("form") if "data-passkey" in form.attrs]
        one = desk.home.open(f"/account/passkeys/{desk.passkey.pk}")
        assert desk.home.send(one, one.find_form("/remove")).status == 409
        page = desk.home.open(refused.find_link("Sign in again"))
        page = desk.home.send(page, page.find_form("/sign-in"), name=desk.account.name, password=PASSWORD)
        assert page.path == "/account"
        assert page.find_form("/account/passkeys")


@pytest.mark.slow
class TestLastSignInMethod:
    def test_last_passkey_cannot_be_removed_without_a_password(self) -> None:
        desk = Desk()
        desk.account.set_unusable_password()
        desk.account.save()
        use(desk.browser, desk.device)
        page = desk.browser.open(f"/account/passkeys/{desk.passkey.pk}")
        page = desk.browser.send(page, page.find_form("/remove"))
        assert (page.status, page.alert) == (
            409,
            "You would have no way to sign in. Choose a password first.",
        )
        assert desk.passkey

    @pytest.mark.long
    def test_passkey_can_be_removed_once_a_password_exists(self) -> None:
        desk = Desk()
        change_password(account_id=desk.account.pk, current=PASSWORD, password="une autre phrase")
        sign_in(desk.home, desk.account, "une autre phrase")
        page = desk.home.open(f"/account/passkeys/{desk.passkey.pk}")
        desk.home.send(page, page.find_form("/remove"))
        assert not desk.account.passkeys.exists()


class TestPlainHttp:
    """Site opened over plain HTTP by IP address or local name, where passkeys do not work."""

    @pytest.mark.parametrize("host", ["192.168.1.20:8000", "127.0.0.1:8000", "laptop.local", "[::1]:8000"])
    def test_pages_without_https_offer_no_passkeys(self, host: str) -> None:
        account, browser = build_account(), build_browser(host)
        page = browser.open("/sign-in")
        assert "passkey" not in page.html
        page = sign_in(browser, account)
        assert page.path == "/account"
        assert "data-passkey" not in page.html

    def test_challenges_are_refused_without_https(self) -> None:
        browser = build_browser("192.168.1.20")
        sign_in(browser, build_account())
        token = browser.open("/").find_all("input", name="csrfmiddlewaretoken")[0].value
        for path in ("/sign-in/passkey/question", "/account/passkeys/question"):
            refused = Page(browser.client.post(path, {"csrfmiddlewaretoken": token}))
            assert refused.status == 409
            assert "Passkeys do not work at this address. Use your password." in refused.text
