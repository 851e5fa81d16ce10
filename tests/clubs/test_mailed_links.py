"""Links that come by e-mail: asked for by anybody, sent to whom they are for, opened once by a button."""

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
from tests.builders import PASSWORD, a_club, an_account
from tests.support.browser import Browser, Page
from tests.support.mailbox import SET_UP, arrived, link_in

pytestmark = pytest.mark.django_db

ADDRESS = "rita@example.org"


class RefusingServer(BaseEmailBackend):
    """A server of mails that knows nobody, and says whom."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        raise SMTPRecipientsRefused({ADDRESS: (550, f"<{ADDRESS}>: no such mailbox".encode())})


@pytest.fixture(autouse=True)
def mail_is_set_up() -> Iterator[None]:
    with override_settings(**SET_UP):
        yield


def with_address(email: str = ADDRESS, language: str = "en") -> Account:
    account = an_account()
    account.email, account.language = email, language
    account.save()
    return account


def ask(browser: Browser, email: str = ADDRESS) -> Page:
    page = browser.open("/sign-in")
    return browser.send(page, page.form("/sign-in/link"), email=email)


def opened(browser: Browser, path: str) -> Page:
    page = browser.open(path)
    return browser.send(page, page.form(having="deed"))


def signed_in(account: Account) -> Browser:
    browser = Browser()
    page = browser.open("/sign-in?next=/account")
    browser.send(page, page.form("/sign-in"), name=account.name, password=PASSWORD)
    return browser


def give(browser: Browser, email: str) -> Page:
    page = browser.open("/account")
    return browser.send(page, page.form("/account/address"), email=email)


def is_in(browser: Browser) -> bool:
    return browser.open("/account").path == "/account"


def said(page: Page) -> str:
    """The page without the ids of its forms."""
    return re.sub(r'value="[\w-]{32,}"', "", page.html)


class TestALinkToSignIn:
    @pytest.mark.slow
    def test_is_mailed_and_its_button_opens_the_account(self) -> None:
        account, browser = with_address(), Browser()
        club = a_club(owner=account)
        assert "a link is on its way" in ask(browser).text
        (mail,) = arrived()
        assert mail.to == [ADDRESS]
        assert mail.subject == "Charlemagne: Your sign-in link"
        assert f"Hello {account.name}," in str(mail.body)
        assert opened(browser, link_in(mail)).path == f"/club/{club.slug}"

    def test_is_answered_alike_whether_the_address_is_known_or_not(self) -> None:
        with_address()
        known, unknown = ask(Browser()), ask(Browser(), "nobody@example.org")
        assert said(known) == said(unknown)
        assert [mail.to for mail in arrived()] == [[ADDRESS]]
        assert MailedLink.objects.filter(email="nobody@example.org").exclude(digest="").count() == 0

    def test_costs_the_page_the_same_whether_the_address_is_known_or_not(self) -> None:
        with_address()
        for email in (ADDRESS, "nobody@example.org"):
            ask(Browser(), email)
        assert Job.objects.filter(kind="mail_link").count() == 2

    @pytest.mark.parametrize("email", [" RITA@Example.org ", "rita@EXAMPLE.ORG"])
    def test_is_sent_however_the_address_is_written(self, email: str) -> None:
        with_address()
        ask(Browser(), email)
        assert [mail.to for mail in arrived()] == [[ADDRESS]]

    @pytest.mark.parametrize(
        "email", ["", "rita", "rita@", "a@b.ca\nBcc: c@d.ca", "x" * 250 + "@example.org"]
    )
    def test_is_refused_at_the_field_to_what_is_no_address(self, email: str) -> None:
        page = ask(Browser(), email)
        assert (page.status, page.said_at("email")) == (
            422,
            "Enter an e-mail address. For example, rita@example.org.",
        )
        assert not MailedLink.objects.exists()

    def test_is_written_in_the_language_of_the_account(self) -> None:
        with_address(language="fr")
        ask(Browser(language="en"))
        (mail,) = arrived()
        assert mail.subject == "Charlemagne\u00a0: Votre lien de connexion"
        assert "Bonjour" in str(mail.body)

    @pytest.mark.slow
    def test_signs_in_nobody_by_being_looked_at(self) -> None:
        with_address()
        ask(Browser())
        (mail,) = arrived()
        for _ in range(3):
            scanner = Browser()
            assert scanner.open(link_in(mail)).status == 200
            assert not is_in(scanner)
        browser = Browser()
        opened(browser, link_in(mail))
        assert is_in(browser)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_opens_once_and_a_second_click_of_the_same_button_is_the_same(self) -> None:
        with_address()
        ask(Browser())
        (mail,) = arrived()
        browser, late = Browser(), Browser()
        page, too_late = browser.open(link_in(mail)), late.open(link_in(mail))
        for _ in range(2):
            browser.send(page, page.form(having="deed"))
            assert is_in(browser)
        refused = late.send(too_late, too_late.form(having="deed"))
        assert refused.status == 410
        assert "This link was used or is over 15 minutes old. Ask for a new one." in refused.text
        assert not is_in(late)
        assert late.open(link_in(mail)).status == 410

    @pytest.mark.parametrize("left", [timedelta(seconds=-1), timedelta(hours=1)])
    def test_is_over_after_a_quarter_of_an_hour_by_whatever_clock(self, left: timedelta) -> None:
        with_address()
        ask(Browser())
        (mail,) = arrived()
        browser = Browser()
        page = browser.open(link_in(mail))
        MailedLink.objects.update(lasts_until=timezone.now() + left)
        assert browser.send(page, page.form(having="deed")).status == 410
        assert not is_in(browser)

    def test_is_over_once_another_was_used(self) -> None:
        with_address()
        ask(Browser())
        MailedLink.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
        ask(Browser())
        first, second = arrived()
        opened(Browser(), link_in(second))
        assert Browser().open(link_in(first)).status == 410

    def test_is_over_once_the_address_is_taken_away(self) -> None:
        account = with_address()
        ask(Browser())
        (mail,) = arrived()
        page = (browser := Browser()).open(link_in(mail))
        Account.objects.filter(pk=account.pk).update(email="")
        assert browser.send(page, page.form(having="deed")).status == 410
        assert not is_in(browser)

    def test_leads_to_the_address_of_the_installation_whatever_the_page_was_called_by(self) -> None:
        with_address()
        browser = Browser()
        browser.client.defaults["HTTP_HOST"] = "another.lan"
        ask(browser)
        (mail,) = arrived()
        assert "another.lan" not in str(mail.message())
        assert link_in(mail)

    @pytest.mark.slow
    def test_is_sent_once_to_who_asks_twice_and_five_times_an_hour_at_most(self) -> None:
        with_address()
        ask(Browser())
        ask(Browser())
        assert len(arrived()) == 1
        for place in range(8):
            MailedLink.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
            assert "a link is on its way" in ask(Browser(address=f"192.0.2.{place}")).text
        assert len(arrived()) == 5

    @pytest.mark.slow
    def test_is_asked_for_ten_times_from_one_place(self) -> None:
        for number in range(10):
            ask(Browser(), f"somebody.{number}@example.org")
        page = ask(Browser())
        assert (page.status, page.said_at("email")) == (
            429,
            "Too many tries. Try again in 1 min.",
        )
        assert page.field("email").value == ADDRESS

    def test_is_not_sent_hours_later(self) -> None:
        with_address()
        ask(Browser())
        MailedLink.objects.update(asked_at=timezone.now() - timedelta(minutes=16))
        assert arrived() == []

    @pytest.mark.parametrize("email", ["rita.roy@example.org", ""])
    def test_that_failed_at_first_does_not_leave_for_an_address_that_is_the_accounts_no_more(
        self, email: str
    ) -> None:
        with_address()
        ask(Browser())
        with override_settings(EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1):
            arrived()
        Account.objects.update(email=email)
        assert arrived() == []

    def test_has_no_secret_in_the_database(self) -> None:
        with_address()
        ask(Browser())
        (mail,) = arrived()
        secret = link_in(mail).rpartition("/")[2]
        kept = [*MailedLink.objects.values(), *Job.objects.values()]
        assert secret not in str(kept)

    @override_settings(EMAIL_BACKEND=f"{__name__}.RefusingServer")
    def test_that_a_server_refuses_is_kept_without_the_address(self) -> None:
        with_address()
        ask(Browser())
        arrived()
        job = Job.objects.get(kind="mail_link")
        assert "no such mailbox" in job.error
        assert ADDRESS not in job.error
        assert "…@example.org" in job.error

    @pytest.mark.parametrize("email", [ADDRESS, "nobody@example.org"])
    @override_settings(EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1)
    def test_that_cannot_be_sent_is_tried_again_and_the_page_says_nothing_of_it(self, email: str) -> None:
        with_address()
        assert "a link is on its way" in ask(Browser(), email).text
        arrived()
        job = Job.objects.get(kind="mail_link")
        assert (job.attempts, job.status) == ((1, "queued") if email == ADDRESS else (1, "done"))


class TestAnAddressOfAnAccount:
    @pytest.mark.slow
    def test_is_confirmed_by_a_link_that_was_sent_to_it(self) -> None:
        account = an_account()
        browser = signed_in(account)
        page = give(browser, "Rita@Example.org")
        assert f"A link is on its way to {ADDRESS}." in page.text
        assert Account.objects.get(pk=account.pk).email == ""
        (mail,) = arrived()
        assert mail.subject == "Charlemagne: Is this your e-mail address?"
        page = opened(browser, link_in(mail))
        assert "Address confirmed." in page.text
        assert Account.objects.get(pk=account.pk).email == ADDRESS

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_confirmed_on_another_device_which_is_not_signed_in_by_it(self) -> None:
        account, phone = an_account(), Browser()
        give(signed_in(account), ADDRESS)
        (mail,) = arrived()
        page = opened(phone, link_in(mail))
        assert f"Sign-in links can now be sent to {ADDRESS}." in page.text
        assert not is_in(phone)

    def test_is_of_one_account_only(self) -> None:
        with_address()
        account = an_account()
        give(signed_in(account), ADDRESS)
        (mail,) = arrived()
        page = opened(Browser(), link_in(mail))
        assert page.alert.startswith("Another account has this address.")
        assert Account.objects.get(pk=account.pk).email == ""

    def test_does_not_sign_in_by_the_link_that_confirms_it(self) -> None:
        give(signed_in(an_account()), ADDRESS)
        (mail,) = arrived()
        browser = Browser()
        page = browser.open(link_in(mail))
        refused = browser.send(page, page.form(having="deed"), deed="sign_in")
        assert refused.status == 410
        assert not is_in(browser)

    def test_is_removed_and_no_mail_opens_the_account_then(self) -> None:
        account = with_address()
        browser = signed_in(account)
        ask(Browser())
        (mail,) = arrived()
        page = browser.open("/account")
        page = browser.send(page, page.form("/address/forget"))
        assert "Removed." in page.text
        assert Browser().open(link_in(mail)).status == 410
        assert Account.objects.get(pk=account.pk).email == ""

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_not_removed_as_the_last_way_in(self) -> None:
        account = with_address()
        browser = Browser()
        ask(browser)
        account.set_unusable_password()
        account.save()
        opened(browser, link_in(arrived()[0]))
        page = browser.open("/account")
        page = browser.send(page, page.form("/address/forget"))
        assert (page.status, page.alert) == (
            409,
            "You would have no way to sign in. Choose a password first.",
        )
        page = browser.send(page, page.form("/account/password"), password="une autre phrase")
        page = browser.send(page, page.form("/address/forget"))
        assert Account.objects.get(pk=account.pk).email == ""

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_given_and_removed_only_soon_after_signing_in(self) -> None:
        account = with_address()
        fresh = signed_in(account).open("/account")
        stale = Browser(account=account)
        stale.sign_in_seconds_ago(601)
        for action, typed in (("/account/address", {"email": "other@example.org"}), ("/forget", {})):
            form = fresh.form(action)
            path = form.attrs["action"]
            token = stale.open("/account").every("input", name="csrfmiddlewaretoken")[0].value
            refused = Page(stale.client.post(path, {"csrfmiddlewaretoken": token, **typed}))
            assert refused.status == 409
            assert "Sign in again before making this change." in refused.alert
        assert Account.objects.get(pk=account.pk).email == ADDRESS
        assert arrived() == []

    def test_that_is_none_is_said_at_the_field_which_keeps_it(self) -> None:
        page = give(signed_in(an_account()), "rita at home")
        assert page.said_at("email")
        assert page.field("email").value == "rita at home"

    @pytest.mark.slow
    @pytest.mark.snapshot
    @override_settings(EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1)
    def test_that_no_mail_reaches_is_told_so(self) -> None:
        browser = signed_in(an_account())
        give(browser, ADDRESS)
        for _ in range(5):
            arrived()
        page = browser.open("/account")
        assert f"The e-mail to {ADDRESS} failed." in page.text


class TestWithoutMail:
    """As in every hall: nothing is set up."""

    @pytest.fixture(autouse=True)
    def no_mail(self) -> Iterator[None]:
        with override_settings(MAIL_LEADS_TO=""):
            yield

    def test_nothing_of_it_is_shown(self) -> None:
        account = an_account()
        assert "mail" not in Browser().open("/sign-in").text.lower()
        assert "mail" not in signed_in(account).open("/account").text.lower()

    @pytest.mark.parametrize("path", ["/sign-in/link", "/account/address"])
    def test_asking_all_the_same_is_refused(self, path: str) -> None:
        browser = signed_in(an_account())
        token = browser.open("/account").every("input", name="csrfmiddlewaretoken")[0].value
        typed: dict[str, Any] = {"csrfmiddlewaretoken": token, "email": ADDRESS}
        page = Page(browser.client.post(path, typed))
        assert (page.status, page.alert) == (409, "E-mail is not available here. Use your password.")
        assert not MailedLink.objects.exists()
