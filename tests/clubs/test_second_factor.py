"""Two-factor sign-in: the app's six digits after the password, recovery codes, and removal of the app."""

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

from clubs.models import Account, Membership, RateLimitCounter, RecoveryCode, Role, SecondFactor
from clubs.services import accounts, second_factor, team
from clubs.services.second_factor import CODES, PURPOSE
from clubs.totp import compute_digits
from errors import Refusal
from tests.builders import PASSWORD, build_account, build_club
from tests.clubs.test_passkeys import Desk as OwnerWithPasskey
from tests.clubs.test_passkeys import use
from tests.long_runs import choose_count
from tests.support.browser import Browser, Page
from tests.support.mailbox import MAIL_SETTINGS, find_link, list_messages
from web.sealing import decrypt_text, encrypt_text

pytestmark = pytest.mark.django_db

SECRET = b32encode(b"12345678901234567890").decode()
NEW_PASSWORD = "une autre phrase"


@dataclass
class Clock:
    """The server's clock, in steps of thirty seconds."""

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
    """An owner with an authenticator app, and a browser that is not signed in."""

    def __init__(self, clock: Clock, *, has_app: bool = True) -> None:
        self.clock = clock
        self.account = build_account()
        self.club = build_club(owner=self.account)
        self.home = Browser(account=self.account)
        self.secret, self.codes = SECRET, list[str]()
        if has_app:
            self.shown = self.add()
            clock.step += 1  # each code works only once
        self.browser = Browser()

    @property
    def digits(self) -> str:
        return compute_digits(self.secret, self.clock.step)

    def add(self, digits: str = "") -> Page:
        """Set up the app on its page: read the secret, then enter the app's code."""
        page = self.home.open("/account/app")
        self.secret = page.find_one("textarea", id="secret").text.replace(" ", "")
        page = self.home.send(page, page.find_form("/account/app"), code=digits or self.digits)
        self.codes = [one.text for one in page.find_all("li") if re.fullmatch(r"[\d ]{19}", one.text)]
        return page

    def enter_password(self, browser: Browser | None = None, *, wanted: str = "/account") -> Page:
        browser = browser or self.browser
        page = browser.open(f"/sign-in?next={wanted}")
        return browser.send(page, page.find_form("/sign-in"), name=self.account.name, password=PASSWORD)

    def type(self, code: str, browser: Browser | None = None) -> Page:
        """Enter the password, then this code."""
        browser = browser or self.browser
        page = self.enter_password(browser)
        return browser.send(page, page.find_form("/sign-in/code"), code=code)


def is_in(browser: Browser) -> bool:
    return browser.open("/account").path == "/account"


@pytest.fixture
def desk(clock: Clock) -> Desk:
    return Desk(clock)


class TestAuthenticatorApp:
    @pytest.mark.long
    @pytest.mark.snapshot
    def test_added_app_is_required_at_the_next_sign_in(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        assert desk.enter_password().path == "/account"
        page = desk.add()
        assert "App added." in page.text
        desk.browser, clock.step = Browser(), clock.step + 1
        assert desk.enter_password().path == "/sign-in/code"
        assert not is_in(desk.browser)
        assert desk.type(desk.digits).path == "/account"
        assert is_in(desk.browser)

    @pytest.mark.parametrize("typed", ["000000", "", "12345", "abcdef", "١٢٣٤٥٦", "1234567890123456"])
    def test_wrong_digits_do_not_add_the_app(self, clock: Clock, typed: str) -> None:
        desk = Desk(clock, has_app=False)
        page = desk.home.open("/account/app")
        secret = page.find_one("textarea", id="secret").text
        page = desk.home.send(page, page.find_form("/account/app"), code=typed)
        assert page.status == 422
        assert page.get_field_error("code").startswith("Wrong digits.")
        assert page.find_one("textarea", id="secret").text == secret, "the phone has it by now"
        assert desk.home.open("/account/app").find_one("textarea", id="secret").text == secret
        assert not SecondFactor.objects.exists()

    @pytest.mark.long
    def test_resubmitted_form_adds_the_app_once(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        page = desk.home.open("/account/app")
        secret = page.find_one("textarea", id="secret").text.replace(" ", "")
        for _ in range(2):
            last = desk.home.send(page, page.find_form("/account/app"), code=compute_digits(secret, clock.step))
        codes = [one.text for one in last.find_all("li") if re.fullmatch(r"[\d ]{19}", one.text)]
        assert RecoveryCode.objects.count() == len(codes) == CODES
        assert desk.type(codes[0]).path == "/account"

    def test_second_app_cannot_replace_the_first(self, desk: Desk) -> None:
        with pytest.raises(Refusal, match="second_factor_there"):
            second_factor.add_second_factor(
                account_id=desk.account.pk,
                sealed_secret=encrypt_text(SECRET, purpose=PURPOSE),
                code=compute_digits(SECRET, desk.clock.step),
                session="",
            )

    @pytest.mark.long
    def test_added_app_signs_out_other_devices(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        elsewhere = Browser(account=desk.account)
        desk.add()
        assert is_in(desk.home)
        assert not is_in(elsewhere)

    @pytest.mark.slow
    def test_removed_app_makes_the_password_sufficient(self, desk: Desk) -> None:
        page = desk.home.open("/account")
        assert "10 recovery codes left" in page.text
        page = desk.home.open(page.find_link("Authenticator app"))
        page = desk.home.send(page, page.find_form("/remove"))
        assert "Removed." in page.text
        assert not SecondFactor.objects.exists()
        assert not RecoveryCode.objects.exists()
        assert desk.enter_password().path == "/account"

    @pytest.mark.long
    @pytest.mark.parametrize("path", ["/account/app", "/account/app/codes", "/account/app/remove"])
    def test_app_change_requires_a_recent_sign_in(self, desk: Desk, path: str) -> None:
        page = desk.home.open("/account/app")
        form = page.find_form("/remove")
        form.attrs["action"] = path
        desk.home.set_sign_in_age(601)
        assert desk.home.open("/account/app").path == "/sign-in"
        assert desk.home.send(page, form, code=desk.digits).path == "/sign-in"
        assert SecondFactor.objects.get().recovery_codes.count() == CODES

    @pytest.mark.long
    def test_team_page_shows_owners_who_uses_an_app(self, desk: Desk) -> None:
        helper = build_account("Noëlla Guy")
        Membership.objects.create(club=desk.club, account=helper, role=Role.DESK)
        lines = [one.text for one in desk.home.open(f"/club/{desk.club.slug}/team").find_all("li")]
        assert ["with authenticator app" in line for line in lines if "since" in line] == [True, False]


@pytest.mark.slow
class TestAppCodes:
    @pytest.mark.long
    @pytest.mark.parametrize("written", ["{}", " {} ", "{:.3} {}", "{:.3}-{}"])
    def test_app_code_accepts_spaces_and_hyphens(self, desk: Desk, written: str) -> None:
        digits = desk.digits
        typed = written.format(digits, digits[3:] if ":.3" in written else "")
        assert desk.type(typed).path == "/account"

    @pytest.mark.long
    def test_app_code_works_only_once(self, desk: Desk) -> None:
        digits = desk.digits
        assert desk.type(digits).path == "/account"
        page = desk.type(digits, Browser())
        assert page.get_field_error("code") == "These digits were already used. Wait for new ones."
        desk.clock.step += 1
        assert desk.type(digits, Browser()).get_field_error("code").startswith("These digits were already used")
        assert desk.type(desk.digits, Browser()).path == "/account"

    def test_setup_code_cannot_be_reused_to_sign_in(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        digits = compute_digits(desk.secret, clock.step)
        desk.add()
        assert desk.type(desk.digits).status == 422
        assert digits

    @pytest.mark.long
    @pytest.mark.parametrize("ahead", [-1, 0, 1])
    def test_app_code_of_an_adjacent_step_is_accepted(self, desk: Desk, ahead: int) -> None:
        desk.clock.step += 5
        assert desk.type(compute_digits(desk.secret, desk.clock.step + ahead)).path == "/account"

    @pytest.mark.long
    def test_wrong_app_code_hints_at_the_server_clock(self, desk: Desk) -> None:
        desk.clock.step += 5
        page = desk.type(compute_digits(desk.secret, desk.clock.step - 3))
        assert page.status == 422
        assert re.search(r"If your phone does not say \d+:\d\d [AP]M, ", page.get_field_error("code"))
        assert not is_in(desk.browser)

    @pytest.mark.long
    def test_app_code_requires_the_password_first(self, desk: Desk) -> None:
        assert desk.browser.open("/sign-in/code").path == "/sign-in"
        desk.enter_password()
        stranger = Browser()
        page = stranger.open("/sign-in")
        form = page.find_form("/sign-in")
        form.attrs["action"] = "/sign-in/code"
        assert stranger.send(page, form, code=desk.digits).path == "/sign-in"
        assert not is_in(stranger)

    @pytest.mark.long
    def test_app_code_page_expires_after_ten_minutes(self, desk: Desk) -> None:
        page = desk.enter_password()
        session = desk.browser.client.session
        pk, shown, way, until, wanted = session["awaits_code"]
        session["awaits_code"] = [pk, shown, way, until - 601, wanted]
        session.save()
        assert desk.browser.send(page, page.find_form("/sign-in/code"), code=desk.digits).path == "/sign-in"
        assert not is_in(desk.browser)

    def test_password_change_cancels_a_pending_app_code(self, desk: Desk) -> None:
        page = desk.enter_password()
        accounts.change_password(account_id=desk.account.pk, current=None, password=NEW_PASSWORD)
        assert desk.browser.send(page, page.find_form("/sign-in/code"), code=desk.digits).path == "/sign-in"
        assert not is_in(desk.browser)

    def test_reauthentication_requires_the_app_code(self, desk: Desk) -> None:
        team = f"/club/{desk.club.slug}/team"
        desk.home.set_sign_in_age(601)
        page = desk.enter_password(desk.home, wanted=team)
        assert page.path == "/sign-in/code"
        assert desk.home.open(team).path == "/sign-in"
        page = desk.home.open("/sign-in/code")
        assert desk.home.send(page, page.find_form("/sign-in/code"), code=desk.digits).path == team

    @pytest.mark.long
    @pytest.mark.usefixtures("clock")
    @hypothesis_settings(
        max_examples=choose_count(15, long=450), suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-2, 2)), max_size=12))
    def test_app_code_opens_once_whatever_the_clock_does(self, clock: Clock, happens: list[tuple[int, int]]) -> None:
        """Shift the clock by each number of steps, then enter the code of a step near it."""
        account = build_account()
        sealed = encrypt_text(SECRET, purpose=PURPOSE)
        SecondFactor.objects.create(account=account, sealed=sealed, last_step=0, made_at=timezone.now())
        taken = list[int]()
        for goes_on, off in happens:
            clock.step += goes_on
            try:
                second_factor.check_second_factor(account_id=account.pk, code=compute_digits(SECRET, clock.step + off))
            except Refusal:
                continue
            taken.append(clock.step + off)
            assert abs(off) <= 1
        assert len(set(taken)) == len(taken)
        assert taken == sorted(taken)


@pytest.mark.slow
class TestAppCodeThrottle:
    @pytest.mark.long
    def test_wrong_app_codes_are_throttled_and_logged(self, desk: Desk) -> None:
        for _ in range(5):
            assert desk.type("000000").status == 422
        page = desk.type(desk.digits)
        assert (page.status, page.get_field_error("code")[:14]) == (429, "Too many tries")
        log = desk.home.open(f"/club/{desk.club.slug}/team/refused").text
        assert "Wrong app code, after the right password × 5" in log
        assert "Too many sign-in attempts: temporarily blocked" in log

    @pytest.mark.long
    def test_correct_password_does_not_reset_the_throttle(self, desk: Desk) -> None:
        """Otherwise anyone who knows the password could guess codes forever."""
        statuses = [desk.type("000000").status for _ in range(6)]
        assert statuses == [422] * 5 + [429]

    @pytest.mark.long
    def test_correct_app_code_resets_the_throttle(self, desk: Desk) -> None:
        for _ in range(4):
            desk.type("000000")
        assert desk.type(desk.digits).path == "/account"
        assert desk.type("000000", Browser()).status == 422

    @pytest.mark.long
    def test_distributed_guesses_are_throttled_too(self, desk: Desk) -> None:
        for number in range(20):
            desk.type("000000", Browser(address=f"192.0.2.{number + 10}"))
        assert desk.type(desk.digits, Browser(address="192.0.2.99")).status == 429
        past = timezone.now() - timedelta(minutes=2)
        RateLimitCounter.objects.update(wait_until=past)
        assert desk.type(desk.digits, Browser(address="192.0.2.99")).path == "/account"


class TestRecoveryCode:
    @pytest.mark.long
    def test_recovery_code_works_only_once(self, desk: Desk) -> None:
        assert len(set(desk.codes)) == CODES
        assert desk.type(desk.codes[3]).path == "/account"
        assert "9 recovery codes left" in desk.browser.open("/account").text
        page = desk.type(desk.codes[3], Browser())
        assert page.get_field_error("code").startswith("Wrong or used recovery code")
        assert desk.type(desk.codes[4].replace(" ", "-"), Browser()).path == "/account"

    def test_recovery_codes_are_stored_hashed(self, desk: Desk) -> None:
        rows = str(list(RecoveryCode.objects.values_list()))
        assert all(code.replace(" ", "")[2:] not in rows for code in desk.codes)
        assert all(row.digest.startswith("pbkdf2_sha256$") for row in RecoveryCode.objects.all())

    @pytest.mark.slow
    def test_new_recovery_codes_replace_the_old_ones(self, desk: Desk) -> None:
        page = desk.home.open("/account/app")
        page = desk.home.send(page, page.find_form("/codes"))
        others = [one.text for one in page.find_all("li") if re.fullmatch(r"[\d ]{19}", one.text)]
        assert desk.type(desk.codes[0]).status == 422
        assert desk.type(others[0], Browser()).path == "/account"

    @pytest.mark.long
    def test_recovery_code_of_another_account_is_refused(self, desk: Desk, clock: Clock) -> None:
        assert desk.type(Desk(clock).codes[0]).status == 422

    @pytest.mark.long
    def test_nearly_correct_recovery_code_is_refused(self, desk: Desk) -> None:
        code = desk.codes[0].replace(" ", "")
        assert desk.type(f"{code[:-1]}{(int(code[-1]) + 1) % 10}").status == 422
        assert RecoveryCode.objects.count() == CODES


class TestOtherSignInMethods:
    @pytest.mark.long
    def test_mailed_link_also_requires_the_app_code(self, desk: Desk) -> None:
        desk.account.email = "rita@example.org"
        desk.account.save()
        with override_settings(**MAIL_SETTINGS):
            page = desk.browser.open("/sign-in")
            desk.browser.send(page, page.find_form("/sign-in/link"), email="rita@example.org")
            page = desk.browser.open(find_link(list_messages()[-1]))
            page = desk.browser.send(page, page.find_form(control_name="choice"))
        assert page.path == "/sign-in/code"
        assert not is_in(desk.browser)
        desk.browser.send(page, page.find_form("/sign-in/code"), code=desk.digits)
        assert is_in(desk.browser)

    @pytest.mark.slow
    def test_password_link_also_requires_the_app_code(self, desk: Desk) -> None:
        desk.account.set_unusable_password()  # as after an import of the club
        desk.account.save()
        (handed,) = team.create_owner_password_links(club_id=desk.club.pk)
        page = desk.browser.open(f"/invitation/{handed.secret}")
        page = desk.browser.send(
            page, page.find_form(control_name="password"), ("choice", "choose"), password=NEW_PASSWORD
        )
        assert page.path == "/sign-in/code"
        assert not is_in(desk.browser)

    @pytest.mark.long
    def test_passkey_does_not_require_the_app_code(self) -> None:
        somebody = OwnerWithPasskey()
        sealed = encrypt_text(SECRET, purpose=PURPOSE)
        SecondFactor.objects.create(account=somebody.account, sealed=sealed, last_step=0, made_at=timezone.now())
        assert use(somebody.browser, somebody.device).path == f"/club/{somebody.club.slug}"

    @pytest.mark.slow
    def test_app_code_is_not_required_after_removal(self, desk: Desk) -> None:
        page = desk.enter_password()
        second_factor.remove_second_factor(account_id=desk.account.pk)
        assert desk.browser.send(page, page.find_form("/sign-in/code"), code="").path == "/account"

    def test_only_sign_in_views_start_a_session(self) -> None:
        """Any new view that starts a session must ask for the app's code."""
        begins = {
            str(path.relative_to(settings.BASE_DIR))
            for path in (settings.BASE_DIR / "clubs").rglob("*.py")
            if re.search(r"\b(start_session|login)\(", path.read_text(encoding="utf-8"))
        }
        assert begins == {"clubs/reauthentication.py", "clubs/views/accounts.py", "clubs/views/sessions.py"}


class TestLostSecondFactor:
    @pytest.mark.slow
    def test_another_owner_can_remove_the_app(self, desk: Desk) -> None:
        other = build_account("Omer Omble")
        Membership.objects.create(club=desk.club, account=other, role=Role.OWNER)
        mine = Membership.objects.get(club=desk.club, account=desk.account)
        browser = Browser(account=other)
        page = browser.open(f"/club/{desk.club.slug}/team/{mine.pk}")
        page = browser.send(page, page.find_form("/app"))
        assert f"Authenticator app removed: {desk.account.name}" in page.text
        assert desk.enter_password().path == "/account"

    @pytest.mark.slow
    def test_owner_of_one_of_several_clubs_cannot_remove_the_app(self, desk: Desk) -> None:
        other = build_account("Omer Omble")
        Membership.objects.create(club=desk.club, account=other, role=Role.OWNER)
        build_club("Les Atouts", owner=desk.account)
        mine = Membership.objects.get(club=desk.club, account=desk.account)
        browser = Browser(account=other)
        page = browser.open(f"/club/{desk.club.slug}/team/{mine.pk}")
        assert browser.send(page, page.find_form("/app")).status == 409
        assert SecondFactor.objects.exists()

    @pytest.mark.slow
    def test_command_removes_the_second_factor(self, desk: Desk) -> None:
        call_command("remove_second_factor", desk.account.name.upper())
        assert desk.enter_password().path == "/account"

    def test_command_reports_an_unknown_name(self) -> None:
        with pytest.raises(CommandError, match="Nobody"):
            call_command("remove_second_factor", "Nobody")


class TestStoredSecret:
    def test_database_stores_no_plain_app_secret(self, clock: Clock) -> None:
        desk = Desk(clock, has_app=False)
        desk.add()
        stored_text = str(list(SecondFactor.objects.values_list())) + str(dict(desk.home.client.session))
        assert "new_app" in stored_text
        assert desk.secret not in stored_text

    def test_app_secret_is_encrypted_with_the_installation_key(self, desk: Desk) -> None:
        sealed = SecondFactor.objects.get().sealed
        assert decrypt_text(sealed, purpose=PURPOSE) == desk.secret
        assert decrypt_text(sealed, purpose="another") is None
        with override_settings(SECRET_KEY="of another laptop"):
            assert decrypt_text(sealed, purpose=PURPOSE) is None

    @pytest.mark.long
    def test_recovery_codes_survive_a_new_secret_key(self, desk: Desk) -> None:
        with override_settings(SECRET_KEY="of another laptop"):
            page = desk.type(desk.digits)
            assert page.status == 409
            assert "Use a recovery code" in page.get_field_error("code")
            assert desk.type(desk.codes[0], Browser()).path == "/account"


@pytest.mark.long
def test_deleted_account_removes_its_second_factor(desk: Desk) -> None:
    Account.objects.get(pk=desk.account.pk).memberships.all().delete()
    desk.account.delete()
    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()
