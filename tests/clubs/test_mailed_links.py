"""Links sent by e-mail: anybody may request one, and its button works once."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import override_settings
from django.utils import timezone

from clubs.models import Account, MailedLink
from jobs.models import Job
from tests.builders import PASSWORD, build_account, build_club
from tests.support.browser import Browser, Page
from tests.support.mailbox import MAIL_SETTINGS, find_link, list_messages

pytestmark = pytest.mark.django_db

ADDRESS = "rita@example.org"


class RefusingServer(BaseEmailBackend):
    """A mail server that refuses the recipient and names the address in its error."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        raise SMTPRecipientsRefused({ADDRESS: (550, f"<{ADDRESS}>: no such mailbox".encode())})


@pytest.fixture(autouse=True)
def mail_is_set_up() -> Iterator[None]:
    with override_settings(**MAIL_SETTINGS):
        yield


def build_account_with_email(email: str = ADDRESS, language: str = "en") -> Account:
    account = build_account()
    account.email, account.language = email, language
    account.save()
    return account


def request_link(browser: Browser, email: str = ADDRESS) -> Page:
    page = browser.open("/sign-in")
    return browser.send(page, page.find_form("/sign-in/link"), email=email)


def confirm_link(browser: Browser, path: str) -> Page:
    page = browser.open(path)
    return browser.send(page, page.find_form(control_name="choice"))


def sign_in(account: Account) -> Browser:
    browser = Browser()
    page = browser.open("/sign-in?next=/account")
    browser.send(page, page.find_form("/sign-in"), name=account.name, password=PASSWORD)
    return browser


def give(browser: Browser, email: str) -> Page:
    page = browser.open("/account")
    return browser.send(page, page.find_form("/account/address"), email=email)


def is_in(browser: Browser) -> bool:
    return browser.open("/account").path == "/account"


def get_comparable_html(page: Page) -> str:
    """Return the HTML without the one-time ids of its forms."""
    return re.sub(r'value="[\w-]{32,}"', "", page.html)


class TestSignInLink:
    @pytest.mark.long
    def test_mailed_link_signs_the_account_in(self) -> None:
        account, browser = build_account_with_email(), Browser()
        club = build_club(owner=account)
        assert "a link is on its way" in request_link(browser).text
        (mail,) = list_messages()
        assert mail.to == [ADDRESS]
        assert mail.subject == "Charlemagne: Your sign-in link"
        assert f"Hello {account.name}," in str(mail.body)
        assert confirm_link(browser, find_link(mail)).path == f"/club/{club.slug}"

    @pytest.mark.long
    def test_answer_does_not_reveal_whether_an_address_is_known(self) -> None:
        build_account_with_email()
        member_page, unknown = request_link(Browser()), request_link(Browser(), "nobody@example.org")
        assert get_comparable_html(member_page) == get_comparable_html(unknown)
        assert [mail.to for mail in list_messages()] == [[ADDRESS]]
        assert MailedLink.objects.filter(email="nobody@example.org").exclude(digest="").count() == 0

    @pytest.mark.long
    def test_known_and_unknown_addresses_queue_the_same_work(self) -> None:
        build_account_with_email()
        for email in (ADDRESS, "nobody@example.org"):
            request_link(Browser(), email)
        assert Job.objects.filter(kind="mail_link").count() == 2

    @pytest.mark.parametrize("email", [" RITA@Example.org ", "rita@EXAMPLE.ORG"])
    def test_link_is_sent_whatever_the_address_case(self, email: str) -> None:
        build_account_with_email()
        request_link(Browser(), email)
        assert [mail.to for mail in list_messages()] == [[ADDRESS]]

    @pytest.mark.parametrize("email", ["", "rita", "rita@", "a@b.ca\nBcc: c@d.ca", "x" * 250 + "@example.org"])
    def test_invalid_address_is_refused_at_its_field(self, email: str) -> None:
        page = request_link(Browser(), email)
        assert (page.status, page.get_field_error("email")) == (
            422,
            "Enter an e-mail address. For example, rita@example.org.",
        )
        assert not MailedLink.objects.exists()

    def test_mail_uses_the_account_language(self) -> None:
        build_account_with_email(language="fr")
        request_link(Browser(language="en"))
        (mail,) = list_messages()
        assert mail.subject == "Charlemagne\u00a0: Votre lien de connexion"
        assert "Bonjour" in str(mail.body)

    @pytest.mark.long
    def test_link_signs_in_only_with_its_button(self) -> None:
        build_account_with_email()
        request_link(Browser())
        (mail,) = list_messages()
        for _ in range(3):
            scanner = Browser()
            assert scanner.open(find_link(mail)).status == 200
            assert not is_in(scanner)
        browser = Browser()
        confirm_link(browser, find_link(mail))
        assert is_in(browser)

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_link_works_only_once(self) -> None:
        build_account_with_email()
        request_link(Browser())
        (mail,) = list_messages()
        browser, late = Browser(), Browser()
        page, too_late = browser.open(find_link(mail)), late.open(find_link(mail))
        for _ in range(2):
            browser.send(page, page.find_form(control_name="choice"))
            assert is_in(browser)
        refused = late.send(too_late, too_late.find_form(control_name="choice"))
        assert refused.status == 410
        assert "This link was used or is over 15 minutes old. Ask for a new one." in refused.text
        assert not is_in(late)
        assert late.open(find_link(mail)).status == 410

    @pytest.mark.slow
    @pytest.mark.parametrize("left", [timedelta(seconds=-1), timedelta(hours=1)])
    def test_link_expires_after_fifteen_minutes(self, left: timedelta) -> None:
        build_account_with_email()
        request_link(Browser())
        (mail,) = list_messages()
        browser = Browser()
        page = browser.open(find_link(mail))
        MailedLink.objects.update(lasts_until=timezone.now() + left)
        assert browser.send(page, page.find_form(control_name="choice")).status == 410
        assert not is_in(browser)

    @pytest.mark.long
    def test_used_link_invalidates_older_links(self) -> None:
        build_account_with_email()
        request_link(Browser())
        MailedLink.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
        request_link(Browser())
        first, second = list_messages()
        confirm_link(Browser(), find_link(second))
        assert Browser().open(find_link(first)).status == 410

    @pytest.mark.slow
    def test_removed_address_invalidates_its_link(self) -> None:
        account = build_account_with_email()
        request_link(Browser())
        (mail,) = list_messages()
        page = (browser := Browser()).open(find_link(mail))
        Account.objects.filter(pk=account.pk).update(email="")
        assert browser.send(page, page.find_form(control_name="choice")).status == 410
        assert not is_in(browser)

    def test_link_uses_the_configured_site_address(self) -> None:
        build_account_with_email()
        browser = Browser()
        browser.client.defaults["HTTP_HOST"] = "another.lan"
        request_link(browser)
        (mail,) = list_messages()
        assert "another.lan" not in str(mail.message())
        assert find_link(mail)

    @pytest.mark.slow
    def test_link_requests_are_limited_to_five_an_hour(self) -> None:
        build_account_with_email()
        request_link(Browser())
        request_link(Browser())
        assert len(list_messages()) == 1
        for place in range(8):
            MailedLink.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
            assert "a link is on its way" in request_link(Browser(address=f"192.0.2.{place}")).text
        assert len(list_messages()) == 5

    @pytest.mark.slow
    def test_link_requests_are_throttled_by_ip_address(self) -> None:
        for number in range(10):
            request_link(Browser(), f"somebody.{number}@example.org")
        page = request_link(Browser())
        assert (page.status, page.get_field_error("email")) == (
            429,
            "Too many tries. Try again in 1 min.",
        )
        assert page.find_field("email").value == ADDRESS

    def test_late_mail_job_sends_no_link(self) -> None:
        build_account_with_email()
        request_link(Browser())
        MailedLink.objects.update(asked_at=timezone.now() - timedelta(minutes=16))
        assert list_messages() == []

    @pytest.mark.parametrize("email", ["rita.roy@example.org", ""])
    def test_retried_mail_skips_a_changed_address(self, email: str) -> None:
        build_account_with_email()
        request_link(Browser())
        with override_settings(EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1):
            list_messages()
        Account.objects.update(email=email)
        assert list_messages() == []

    def test_database_stores_no_link_secret(self) -> None:
        build_account_with_email()
        request_link(Browser())
        (mail,) = list_messages()
        secret = find_link(mail).rpartition("/")[2]
        stored_rows = [*MailedLink.objects.values(), *Job.objects.values()]
        assert secret not in str(stored_rows)

    @override_settings(EMAIL_BACKEND=f"{__name__}.RefusingServer")
    def test_refused_mail_is_logged_without_the_address(self) -> None:
        build_account_with_email()
        request_link(Browser())
        list_messages()
        job = Job.objects.get(kind="mail_link")
        assert "no such mailbox" in job.error
        assert ADDRESS not in job.error
        assert "…@example.org" in job.error

    @pytest.mark.parametrize("email", [ADDRESS, "nobody@example.org"])
    @override_settings(EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1)
    def test_failed_mail_is_retried_silently(self, email: str) -> None:
        build_account_with_email()
        assert "a link is on its way" in request_link(Browser(), email).text
        list_messages()
        job = Job.objects.get(kind="mail_link")
        assert (job.attempts, job.status) == ((1, "queued") if email == ADDRESS else (1, "done"))


@pytest.mark.slow
class TestAccountAddress:
    def test_address_is_confirmed_by_a_mailed_link(self) -> None:
        account = build_account()
        browser = sign_in(account)
        page = give(browser, "Rita@Example.org")
        assert f"A link is on its way to {ADDRESS}." in page.text
        assert Account.objects.get(pk=account.pk).email == ""
        (mail,) = list_messages()
        assert mail.subject == "Charlemagne: Is this your e-mail address?"
        page = confirm_link(browser, find_link(mail))
        assert "Address confirmed." in page.text
        assert Account.objects.get(pk=account.pk).email == ADDRESS

    @pytest.mark.snapshot
    def test_confirmation_on_another_device_does_not_sign_in(self) -> None:
        account, phone = build_account(), Browser()
        give(sign_in(account), ADDRESS)
        (mail,) = list_messages()
        page = confirm_link(phone, find_link(mail))
        assert f"Sign-in links can now be sent to {ADDRESS}." in page.text
        assert not is_in(phone)

    @pytest.mark.slow
    def test_address_belongs_to_one_account_only(self) -> None:
        build_account_with_email()
        account = build_account()
        give(sign_in(account), ADDRESS)
        (mail,) = list_messages()
        page = confirm_link(Browser(), find_link(mail))
        assert page.alert.startswith("Another account has this address.")
        assert Account.objects.get(pk=account.pk).email == ""

    @pytest.mark.long
    def test_confirmation_link_cannot_be_used_to_sign_in(self) -> None:
        give(sign_in(build_account()), ADDRESS)
        (mail,) = list_messages()
        browser = Browser()
        page = browser.open(find_link(mail))
        refused = browser.send(page, page.find_form(control_name="choice"), choice="sign_in")
        assert refused.status == 410
        assert not is_in(browser)

    @pytest.mark.slow
    def test_removed_address_invalidates_sign_in_links(self) -> None:
        account = build_account_with_email()
        browser = sign_in(account)
        request_link(Browser())
        (mail,) = list_messages()
        page = browser.open("/account")
        page = browser.send(page, page.find_form("/address/forget"))
        assert "Removed." in page.text
        assert Browser().open(find_link(mail)).status == 410
        assert Account.objects.get(pk=account.pk).email == ""

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_last_sign_in_method_cannot_be_removed(self) -> None:
        account = build_account_with_email()
        browser = Browser()
        request_link(browser)
        account.set_unusable_password()
        account.save()
        confirm_link(browser, find_link(list_messages()[0]))
        page = browser.open("/account")
        page = browser.send(page, page.find_form("/address/forget"))
        assert (page.status, page.alert) == (
            409,
            "You would have no way to sign in. Choose a password first.",
        )
        page = browser.send(page, page.find_form("/account/password"), password="une autre phrase")
        page = browser.send(page, page.find_form("/address/forget"))
        assert Account.objects.get(pk=account.pk).email == ""

    @pytest.mark.snapshot
    def test_address_change_requires_a_recent_sign_in(self) -> None:
        account = build_account_with_email()
        fresh = sign_in(account).open("/account")
        stale = Browser(account=account)
        stale.set_sign_in_age(601)
        for action, typed in (("/account/address", {"email": "other@example.org"}), ("/forget", {})):
            form = fresh.find_form(action)
            path = form.attrs["action"]
            token = stale.open("/account").find_all("input", name="csrfmiddlewaretoken")[0].value
            refused = Page(stale.client.post(path, {"csrfmiddlewaretoken": token, **typed}))
            assert refused.status == 409
            assert "Sign in again before making this change." in refused.alert
        assert Account.objects.get(pk=account.pk).email == ADDRESS
        assert list_messages() == []

    @pytest.mark.long
    def test_invalid_address_is_refused_at_its_field(self) -> None:
        page = give(sign_in(build_account()), "rita at home")
        assert page.get_field_error("email")
        assert page.find_field("email").value == "rita at home"

    @pytest.mark.long
    @pytest.mark.snapshot
    @override_settings(EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1)
    def test_account_page_reports_failed_mail(self) -> None:
        browser = sign_in(build_account())
        give(browser, ADDRESS)
        for _ in range(5):
            list_messages()
        page = browser.open("/account")
        assert f"The e-mail to {ADDRESS} failed." in page.text


@pytest.mark.slow
class TestDisabledMail:
    """Pages without a mail server, which is the default."""

    @pytest.fixture(autouse=True)
    def no_mail(self) -> Iterator[None]:
        with override_settings(MAIL_ORIGIN=""):
            yield

    @pytest.mark.long
    def test_pages_do_not_mention_mail(self) -> None:
        account = build_account()
        assert "mail" not in Browser().open("/sign-in").text.lower()
        assert "mail" not in sign_in(account).open("/account").text.lower()

    @pytest.mark.slow
    @pytest.mark.parametrize("path", ["/sign-in/link", "/account/address"])
    def test_mail_requests_are_refused(self, path: str) -> None:
        browser = sign_in(build_account())
        token = browser.open("/account").find_all("input", name="csrfmiddlewaretoken")[0].value
        typed: dict[str, Any] = {"csrfmiddlewaretoken": token, "email": ADDRESS}
        page = Page(browser.client.post(path, typed))
        assert (page.status, page.alert) == (409, "E-mail is not available here. Use your password.")
        assert not MailedLink.objects.exists()
