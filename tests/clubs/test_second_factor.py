"""An app that shows six digits, asked for after the password; and what opens the account without it."""

import re
from base64 import b32encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from clubs import services
from clubs.models import Account, Membership, RateLimitCounter, RecoveryCode, Role, SecondFactor
from clubs.one_time_codes import digits_at
from clubs.services.second_factor import CODES, PURPOSE
from errors import Refusal
from tests.builders import PASSWORD, a_club, an_account
from tests.clubs.test_passkeys import Desk as OwnerWithPasskey
from tests.clubs.test_passkeys import use
from tests.long import often
from tests.support.browser import Browser, Page
from tests.support.mailbox import SET_UP, arrived, link_in
from web.sealing import seal, unseal

pytestmark = pytest.mark.django_db

SECRET = b32encode(b"12345678901234567890").decode()
NEW_PASSWORD = "une autre phrase"


@dataclass
class Clock:
    """Half minute of the program's clock."""

    step: int = 57_000_000


@pytest.fixture(autouse=True)
def clock() -> Iterator[Clock]:
    shown = Clock()
    with (
        patch("clubs.services.second_factor.step_at", lambda _: shown.step),
        patch("clubs.services.second_factor.ROUNDS", 1),
    ):
        yield shown


class Desk:
    """An owner, with an app on a telephone, and a browser that nobody is signed in on."""

    def __init__(self, clock: Clock, *, has_app: bool = True) -> None:
        self.clock = clock
        self.account = an_account()
        self.club = a_club(owner=self.account)
        self.home = Browser(account=self.account)
        self.secret, self.codes = SECRET, list[str]()
        if has_app:
            self.shown = self.add()
            clock.step += 1  # what was typed then is not good again
        self.browser = Browser()

    @property
    def digits(self) -> str:
        return digits_at(self.secret, self.clock.step)

    def add(self, digits: str = "") -> Page:
        """As one does: the page is opened, the secret typed, and what the app shows."""
        page = self.home.open("/account/app")
        self.secret = page.one("textarea", id="secret").text.replace(" ", "")
        page = self.home.send(page, page.form("/account/app"), code=digits or self.digits)
        self.codes = [one.text for one in page.every("li") if re.fullmatch(r"[\d ]{19}", one.text)]
        return page

    def password(self, browser: Browser | None = None, *, wanted: str = "/account") -> Page:
        browser = browser or self.browser
        page = browser.open(f"/sign-in?next={wanted}")
        return browser.send(page, page.form("/sign-in"), name=self.account.name, password=PASSWORD)

    def type(self, code: str, browser: Browser | None = None) -> Page:
        """The password, and this after it."""
        browser = browser or self.browser
        page = self.password(browser)
        return browser.send(page, page.form("/sign-in/code"), code=code)


def is_in(browser: Browser) -> bool:
    return browser.open("/account").path == "/account"


@pytest.fixture
def desk(clock: Clock) -> Desk:
    return Desk(clock)


class TestAnApp:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_added_with_its_first_digits_and_asked_for_from_then_on(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        assert desk.password().path == "/account"
        page = desk.add()
        assert "App added." in page.text
        desk.browser, clock.step = Browser(), clock.step + 1
        assert desk.password().path == "/sign-in/code"
        assert not is_in(desk.browser)
        assert desk.type(desk.digits).path == "/account"
        assert is_in(desk.browser)

    @pytest.mark.parametrize("typed", ["000000", "", "12345", "abcdef", "١٢٣٤٥٦", "1234567890123456"])
    def test_is_not_added_by_digits_that_it_does_not_show(self, clock: Clock, typed: str) -> None:
        desk = Desk(clock, has_app=False)
        page = desk.home.open("/account/app")
        secret = page.one("textarea", id="secret").text
        page = desk.home.send(page, page.form("/account/app"), code=typed)
        assert page.status == 422
        assert page.said_at("code").startswith("Wrong digits.")
        assert page.one("textarea", id="secret").text == secret, "the phone has it by now"
        assert desk.home.open("/account/app").one("textarea", id="secret").text == secret
        assert not SecondFactor.objects.exists()

    def test_is_added_once_by_a_form_that_is_sent_twice_and_the_codes_shown_last_are_good(
        self, clock: Clock
    ) -> None:
        desk = Desk(clock, has_app=False)
        page = desk.home.open("/account/app")
        secret = page.one("textarea", id="secret").text.replace(" ", "")
        for _ in range(2):
            last = desk.home.send(page, page.form("/account/app"), code=digits_at(secret, clock.step))
        codes = [one.text for one in last.every("li") if re.fullmatch(r"[\d ]{19}", one.text)]
        assert RecoveryCode.objects.count() == len(codes) == CODES
        assert desk.type(codes[0]).path == "/account"

    def test_does_not_replace_another_one(self, desk: Desk) -> None:
        with pytest.raises(Refusal, match="second_factor_there"):
            services.add_second_factor(
                account_id=desk.account.pk,
                sealed=seal(SECRET, purpose=PURPOSE),
                code=digits_at(SECRET, desk.clock.step),
                session="",
            )

    def test_signs_out_everywhere_else(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        elsewhere = Browser(account=desk.account)
        desk.add()
        assert is_in(desk.home)
        assert not is_in(elsewhere)

    @pytest.mark.slow
    def test_is_listed_and_removed_and_the_password_is_enough_again(self, desk: Desk) -> None:
        page = desk.home.open("/account")
        assert "10 recovery codes left" in page.text
        page = desk.home.open(page.link("Authenticator app"))
        page = desk.home.send(page, page.form("/remove"))
        assert "Removed." in page.text
        assert not SecondFactor.objects.exists()
        assert not RecoveryCode.objects.exists()
        assert desk.password().path == "/account"

    @pytest.mark.parametrize("path", ["/account/app", "/account/app/codes", "/account/app/remove"])
    def test_is_changed_only_soon_after_signing_in(self, desk: Desk, path: str) -> None:
        page = desk.home.open("/account/app")
        form = page.form("/remove")
        form.attrs["action"] = path
        desk.home.sign_in_seconds_ago(601)
        assert desk.home.open("/account/app").path == "/sign-in"
        assert desk.home.send(page, form, code=desk.digits).path == "/sign-in"
        assert SecondFactor.objects.get().recovery_codes.count() == CODES

    def test_is_told_to_owners_on_the_page_of_the_team(self, desk: Desk) -> None:
        helper = an_account("Noëlla Guy")
        Membership.objects.create(club=desk.club, account=helper, role=Role.DESK)
        lines = [one.text for one in desk.home.open(f"/club/{desk.club.slug}/team").every("li")]
        assert ["with authenticator app" in line for line in lines if "since" in line] == [True, False]


class TestTheDigits:
    @pytest.mark.parametrize("written", ["{}", " {} ", "{:.3} {}", "{:.3}-{}"])
    def test_are_typed_as_people_write_them(self, desk: Desk, written: str) -> None:
        digits = desk.digits
        typed = written.format(digits, digits[3:] if ":.3" in written else "")
        assert desk.type(typed).path == "/account"

    @pytest.mark.slow
    def test_are_good_once(self, desk: Desk) -> None:
        digits = desk.digits
        assert desk.type(digits).path == "/account"
        page = desk.type(digits, Browser())
        assert page.said_at("code") == "These digits were already used. Wait for new ones."
        desk.clock.step += 1
        assert desk.type(digits, Browser()).said_at("code").startswith("These digits were already used")
        assert desk.type(desk.digits, Browser()).path == "/account"

    def test_that_added_the_app_do_not_open_the_account(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        digits = digits_at(desk.secret, clock.step)
        desk.add()
        assert desk.type(desk.digits).status == 422
        assert digits

    @pytest.mark.parametrize("ahead", [-1, 0, 1])
    def test_may_be_those_before_or_after(self, desk: Desk, ahead: int) -> None:
        desk.clock.step += 5
        assert desk.type(digits_at(desk.secret, desk.clock.step + ahead)).path == "/account"

    def test_that_are_wrong_are_refused_with_what_the_clock_here_says(self, desk: Desk) -> None:
        desk.clock.step += 5
        page = desk.type(digits_at(desk.secret, desk.clock.step - 3))
        assert page.status == 422
        assert re.search(r"If your phone does not say \d+:\d\d [AP]M, ", page.said_at("code"))
        assert not is_in(desk.browser)

    def test_are_asked_of_whoever_typed_the_password_and_of_nobody_else(self, desk: Desk) -> None:
        assert desk.browser.open("/sign-in/code").path == "/sign-in"
        desk.password()
        stranger = Browser()
        page = stranger.open("/sign-in")
        form = page.form("/sign-in")
        form.attrs["action"] = "/sign-in/code"
        assert stranger.send(page, form, code=desk.digits).path == "/sign-in"
        assert not is_in(stranger)

    def test_come_too_late_after_ten_minutes(self, desk: Desk) -> None:
        page = desk.password()
        session = desk.browser.client.session
        pk, shown, way, until, wanted = session["awaits_code"]
        session["awaits_code"] = [pk, shown, way, until - 601, wanted]
        session.save()
        assert desk.browser.send(page, page.form("/sign-in/code"), code=desk.digits).path == "/sign-in"
        assert not is_in(desk.browser)

    def test_come_too_late_after_another_password(self, desk: Desk) -> None:
        page = desk.password()
        services.change_password(account_id=desk.account.pk, current=None, password=NEW_PASSWORD)
        assert desk.browser.send(page, page.form("/sign-in/code"), code=desk.digits).path == "/sign-in"
        assert not is_in(desk.browser)

    def test_are_asked_for_a_fresh_sign_in_too(self, desk: Desk) -> None:
        team = f"/club/{desk.club.slug}/team"
        desk.home.sign_in_seconds_ago(601)
        page = desk.password(desk.home, wanted=team)
        assert page.path == "/sign-in/code"
        assert desk.home.open(team).path == "/sign-in"
        page = desk.home.open("/sign-in/code")
        assert desk.home.send(page, page.form("/sign-in/code"), code=desk.digits).path == team

    @pytest.mark.slow
    @pytest.mark.usefixtures("clock")
    @hypothesis_settings(
        max_examples=often(15, long=450), suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-2, 2)), max_size=12))
    def test_of_one_step_open_an_account_once_whatever_the_clock_does(
        self, clock: Clock, happens: list[tuple[int, int]]
    ) -> None:
        """The clock goes on or is set back by so much; then the digits of a step near it are typed."""
        account = an_account()
        sealed = seal(SECRET, purpose=PURPOSE)
        SecondFactor.objects.create(account=account, sealed=sealed, last_step=0, made_at=timezone.now())
        taken = list[int]()
        for goes_on, off in happens:
            clock.step += goes_on
            try:
                services.check_second_factor(account_id=account.pk, code=digits_at(SECRET, clock.step + off))
            except Refusal:
                continue
            taken.append(clock.step + off)
            assert abs(off) <= 1
        assert len(set(taken)) == len(taken)
        assert taken == sorted(taken)


@pytest.mark.slow
class TestGuesses:
    def test_wait_after_five_even_with_the_right_digits_and_the_owner_reads_it(self, desk: Desk) -> None:
        for _ in range(5):
            assert desk.type("000000").status == 422
        page = desk.type(desk.digits)
        assert (page.status, page.said_at("code")[:14]) == (429, "Too many tries")
        log = desk.home.open(f"/club/{desk.club.slug}/team/refused").text
        assert "Wrong app code, after the right password × 5" in log
        assert "Too many sign-in attempts: temporarily blocked" in log

    def test_are_not_taken_back_by_the_password(self, desk: Desk) -> None:
        """Anyone who knows it would otherwise guess for ever."""
        said = [desk.type("000000").status for _ in range(6)]
        assert said == [422] * 5 + [429]

    def test_are_taken_back_by_the_right_digits(self, desk: Desk) -> None:
        for _ in range(4):
            desk.type("000000")
        assert desk.type(desk.digits).path == "/account"
        assert desk.type("000000", Browser()).status == 422

    def test_from_everywhere_wait_a_quarter_of_an_hour_in_the_end(self, desk: Desk) -> None:
        for number in range(20):
            desk.type("000000", Browser(address=f"192.0.2.{number + 10}"))
        assert desk.type(desk.digits, Browser(address="192.0.2.99")).status == 429
        past = timezone.now() - timedelta(minutes=2)
        RateLimitCounter.objects.update(wait_until=past)
        assert desk.type(desk.digits, Browser(address="192.0.2.99")).path == "/account"


class TestARecoveryCode:
    @pytest.mark.slow
    def test_opens_the_account_once(self, desk: Desk) -> None:
        assert len(set(desk.codes)) == CODES
        assert desk.type(desk.codes[3]).path == "/account"
        assert "9 recovery codes left" in desk.browser.open("/account").text
        page = desk.type(desk.codes[3], Browser())
        assert page.said_at("code").startswith("Wrong or used recovery code")
        assert desk.type(desk.codes[4].replace(" ", "-"), Browser()).path == "/account"

    def test_is_kept_as_a_digest_only(self, desk: Desk) -> None:
        rows = str(list(RecoveryCode.objects.values_list()))
        assert all(code.replace(" ", "")[2:] not in rows for code in desk.codes)
        assert all(row.digest.startswith("pbkdf2_sha256$") for row in RecoveryCode.objects.all())

    @pytest.mark.slow
    def test_of_before_opens_nothing_once_there_are_others(self, desk: Desk) -> None:
        page = desk.home.open("/account/app")
        page = desk.home.send(page, page.form("/codes"))
        others = [one.text for one in page.every("li") if re.fullmatch(r"[\d ]{19}", one.text)]
        assert desk.type(desk.codes[0]).status == 422
        assert desk.type(others[0], Browser()).path == "/account"

    def test_of_somebody_else_opens_nothing(self, desk: Desk, clock: Clock) -> None:
        assert desk.type(Desk(clock).codes[0]).status == 422

    def test_that_nearly_is_one_opens_nothing(self, desk: Desk) -> None:
        code = desk.codes[0].replace(" ", "")
        assert desk.type(f"{code[:-1]}{(int(code[-1]) + 1) % 10}").status == 422
        assert RecoveryCode.objects.count() == CODES


class TestEveryOtherWayIn:
    @pytest.mark.slow
    def test_by_a_mailed_link_asks_for_the_digits_too(self, desk: Desk) -> None:
        desk.account.email = "rita@example.org"
        desk.account.save()
        with override_settings(**SET_UP):
            page = desk.browser.open("/sign-in")
            desk.browser.send(page, page.form("/sign-in/link"), email="rita@example.org")
            page = desk.browser.open(link_in(arrived()[-1]))
            page = desk.browser.send(page, page.form(having="deed"))
        assert page.path == "/sign-in/code"
        assert not is_in(desk.browser)
        desk.browser.send(page, page.form("/sign-in/code"), code=desk.digits)
        assert is_in(desk.browser)

    def test_by_a_link_to_a_new_password_asks_for_them_too(self, desk: Desk) -> None:
        (handed,) = services.hand_owners_passwords(club_id=desk.club.pk)
        page = desk.browser.open(f"/invitation/{handed.secret}")
        page = desk.browser.send(
            page, page.form(having="password"), ("deed", "choose"), password=NEW_PASSWORD
        )
        assert page.path == "/sign-in/code"
        assert not is_in(desk.browser)

    def test_by_a_passkey_is_enough_by_itself(self) -> None:
        somebody = OwnerWithPasskey()
        sealed = seal(SECRET, purpose=PURPOSE)
        SecondFactor.objects.create(
            account=somebody.account, sealed=sealed, last_step=0, made_at=timezone.now()
        )
        assert use(somebody.browser, somebody.device).path == f"/club/{somebody.club.slug}"

    def test_nothing_is_asked_where_the_app_was_taken_off_meanwhile(self, desk: Desk) -> None:
        page = desk.password()
        services.remove_second_factor(account_id=desk.account.pk)
        assert desk.browser.send(page, page.form("/sign-in/code"), code="").path == "/account"

    def test_no_service_but_the_one_page_begins_a_session(self) -> None:
        """A sign-in begun elsewhere asks for the digits there."""
        begins = {
            str(path.relative_to(settings.BASE_DIR))
            for path in (settings.BASE_DIR / "clubs").rglob("*.py")
            if re.search(r"\b(sign_in_by|login)\(", path.read_text(encoding="utf-8"))
        }
        assert begins == {"clubs/reauthentication.py", "clubs/views/accounts.py", "clubs/views/sessions.py"}


class TestWhoLostPhoneAndCodes:
    @pytest.mark.slow
    def test_is_helped_by_another_owner(self, desk: Desk) -> None:
        other = an_account("Omer Omble")
        Membership.objects.create(club=desk.club, account=other, role=Role.OWNER)
        mine = Membership.objects.get(club=desk.club, account=desk.account)
        browser = Browser(account=other)
        page = browser.open(f"/club/{desk.club.slug}/team/{mine.pk}")
        page = browser.send(page, page.form("/app"))
        assert f"Authenticator app removed: {desk.account.name}" in page.text
        assert desk.password().path == "/account"

    def test_is_not_helped_by_an_owner_of_one_of_their_clubs_only(self, desk: Desk) -> None:
        other = an_account("Omer Omble")
        Membership.objects.create(club=desk.club, account=other, role=Role.OWNER)
        a_club("Les Atouts", owner=desk.account)
        mine = Membership.objects.get(club=desk.club, account=desk.account)
        browser = Browser(account=other)
        page = browser.open(f"/club/{desk.club.slug}/team/{mine.pk}")
        assert browser.send(page, page.form("/app")).status == 409
        assert SecondFactor.objects.exists()

    def test_is_helped_by_whoever_runs_the_program(self, desk: Desk) -> None:
        call_command("remove_second_factor", desk.account.name.upper())
        assert desk.password().path == "/account"

    def test_is_looked_for_by_name(self) -> None:
        with pytest.raises(CommandError, match="Nobody"):
            call_command("remove_second_factor", "Nobody")


class TestInTheDatabase:
    def test_is_no_secret(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        desk.add()
        kept = str(list(SecondFactor.objects.values_list())) + str(dict(desk.home.client.session))
        assert "new_app" in kept
        assert desk.secret not in kept

    def test_is_what_only_this_installation_opens(self, desk: Desk) -> None:
        sealed = SecondFactor.objects.get().sealed
        assert unseal(sealed, purpose=PURPOSE) == desk.secret
        assert unseal(sealed, purpose="another") is None
        with override_settings(SECRET_KEY="of another laptop"):
            assert unseal(sealed, purpose=PURPOSE) is None

    @pytest.mark.slow
    def test_after_another_key_the_recovery_codes_are_good_still(self, desk: Desk) -> None:
        with override_settings(SECRET_KEY="of another laptop"):
            page = desk.type(desk.digits)
            assert page.status == 409
            assert "Use a recovery code" in page.said_at("code")
            assert desk.type(desk.codes[0], Browser()).path == "/account"


def test_an_account_that_goes_takes_it_along(desk: Desk) -> None:
    Account.objects.get(pk=desk.account.pk).memberships.all().delete()
    desk.account.delete()
    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()
