"""First-run form: it reports all errors at their fields, keeps typed values and works once."""

from typing import Any

import pytest

from clubs import first_run
from clubs.models import Account, Club, TimeZone
from tests.builders import PASSWORD
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.django_db


class TestFirstRunForm:
    FIELDS: dict[str, Any] = {
        "club_name": "Les Joyeux Atouts",
        "name": "Rita Plourde",
        "password": PASSWORD,
        "language": "en",
        "time_zone": "America/Moncton",
        "ruleset": "maine",
    }

    def start(self, browser: Browser, **typed: Any) -> Page:
        page = browser.open(f"/start/{first_run.get_first_run_secret()}")
        return browser.send(page, page.find_form(control_name="club_name"), **self.FIELDS | typed)

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_form_creates_the_club_and_signs_in(self) -> None:
        page = self.start(Browser())
        assert page.path == "/club/les-joyeux-atouts"
        club = Club.objects.get()
        assert (club.usual_ruleset, club.time_zone) == ("maine", "America/Moncton")
        assert Account.objects.get().name == "Rita Plourde"
        assert page.find_form("/sign-out")

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("name", " ", "Enter a name."),
            ("name", "x" * 81, "Name too long: at most 80 characters."),
            ("club_name", "", "Enter the club’s name."),
            (
                "password",
                "1234567890",
                "Choose at least 8 characters, not only digits, names or common words",
            ),
            ("password", "court", "Choose at least 8 characters, not only digits, names or common words"),
        ],
    )
    def test_refused_form_keeps_typed_values(self, field: str, typed: str, sentence: str) -> None:
        page = self.start(Browser(), **{field: typed})
        assert page.status == 422
        assert page.get_field_error(field).startswith(sentence)
        for name in ("club_name", "name"):
            assert page.find_field(name).value == (self.FIELDS | {field: typed})[name]
        assert page.list_checked_values("ruleset") == ["maine"]
        assert page.list_checked_values("language") == ["en"]
        assert page.find_field("time_zone").value == "America/Moncton"
        assert not Account.objects.exists()
        assert not Club.objects.exists()

    def test_form_reports_all_errors_at_once(self) -> None:
        page = self.start(Browser(), name="", club_name="", password="")
        assert all(page.get_field_error(name) for name in ("name", "club_name", "password"))

    def test_form_offers_the_eastern_time_zone_first(self) -> None:
        page = Browser().open(f"/start/{first_run.get_first_run_secret()}")
        assert page.find_field("time_zone").value == TimeZone.EASTERN

    @pytest.mark.slow
    def test_form_refuses_unknown_choices(self) -> None:
        assert self.start(Browser(), time_zone="Europe/Paris").status == 422
        assert self.start(Browser(), ruleset="poker").status == 422
        assert self.start(Browser(), language="tlh").status == 422
        assert not Club.objects.exists()

    def test_start_link_works_only_once(self) -> None:
        secret = first_run.get_first_run_secret()
        first, second = Browser(), Browser()
        waiting = second.open(f"/start/{secret}")
        self.start(first)
        page = second.send(waiting, waiting.find_form(control_name="club_name"), **self.FIELDS | {"name": "Other"})
        assert page.status == 410
        assert "This link no longer works" in page.text
        assert page.find_link("Sign in") == "/sign-in"
        assert Browser().open(f"/start/{secret}").status == 410
        assert Club.objects.count() == Account.objects.count() == 1

    def test_resubmitted_form_creates_one_club(self) -> None:
        browser = Browser()
        page = browser.open(f"/start/{first_run.get_first_run_secret()}")
        for _ in range(2):
            token = browser.client.cookies["csrftoken"].value
            browser.client.post(page.path, self.FIELDS | {"csrfmiddlewaretoken": token})
        assert Club.objects.count() == Account.objects.count() == 1

    @pytest.mark.parametrize(("accept_language", "chosen"), [("fr-CA,fr;q=0.9", "fr"), ("en-CA", "en"), ("de", "fr")])
    def test_form_uses_the_browser_language(self, accept_language: str, chosen: str) -> None:
        page = Browser(language=accept_language).open(f"/start/{first_run.get_first_run_secret()}")
        assert page.find_one("html").attrs["lang"][:2] == chosen
        assert page.list_checked_values("language") == [chosen]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_next_page_uses_the_chosen_language(self) -> None:
        page = self.start(Browser(language="fr-CA"), language="en")
        assert page.find_one("html").attrs["lang"] == "en"
