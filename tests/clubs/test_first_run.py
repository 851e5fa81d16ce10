"""The first form of all: refused at the field, in full, and kept; or taken once."""

from typing import Any

import pytest

from clubs import first_run
from clubs.models import Account, Club, TimeZone
from tests.builders import PASSWORD
from tests.support.browser import Browser, Page

pytestmark = pytest.mark.django_db


class TestTheFirstRun:
    TYPED: dict[str, Any] = {
        "club_name": "Les Joyeux Atouts",
        "name": "Rita Plourde",
        "password": PASSWORD,
        "language": "en",
        "time_zone": "America/Moncton",
        "ruleset": "maine",
    }

    def start(self, browser: Browser, **typed: Any) -> Page:
        page = browser.open(f"/start/{first_run.secret()}")
        return browser.send(page, page.form(having="club_name"), **self.TYPED | typed)

    @pytest.mark.snapshot
    def test_makes_the_club_and_its_owner_and_signs_in(self) -> None:
        page = self.start(Browser())
        assert page.path == "/club/les-joyeux-atouts"
        club = Club.objects.get()
        assert (club.usual_ruleset, club.time_zone) == ("maine", "America/Moncton")
        assert Account.objects.get().name == "Rita Plourde"
        assert page.form("/sign-out")

    @pytest.mark.parametrize(
        ("field", "typed", "sentence"),
        [
            ("name", " ", "Enter a name."),
            ("name", "x" * 81, "Name too long: at most 80 characters."),
            ("club_name", "", "Enter the club’s name."),
            (
                "password",
                "1234567890",
                "Choose at least 8 characters, not all digits and not a common password",
            ),
            ("password", "court", "Choose at least 8 characters, not all digits and not a common password"),
        ],
    )
    def test_refused_keeps_what_was_typed(self, field: str, typed: str, sentence: str) -> None:
        page = self.start(Browser(), **{field: typed})
        assert page.status == 422
        assert page.said_at(field).startswith(sentence)
        for name in ("club_name", "name"):
            assert page.field(name).value == (self.TYPED | {field: typed})[name]
        assert page.chosen("ruleset") == ["maine"]
        assert page.chosen("language") == ["en"]
        assert page.field("time_zone").value == "America/Moncton"
        assert not Account.objects.exists()
        assert not Club.objects.exists()

    def test_refuses_all_that_is_wrong_at_once(self) -> None:
        page = self.start(Browser(), name="", club_name="", password="")
        assert all(page.said_at(name) for name in ("name", "club_name", "password"))

    def test_offers_the_clock_of_most_clubs_first(self) -> None:
        page = Browser().open(f"/start/{first_run.secret()}")
        assert page.field("time_zone").value == TimeZone.EASTERN

    def test_refuses_rules_languages_and_clocks_that_there_are_not(self) -> None:
        assert self.start(Browser(), time_zone="Europe/Paris").status == 422
        assert self.start(Browser(), ruleset="poker").status == 422
        assert self.start(Browser(), language="tlh").status == 422
        assert not Club.objects.exists()

    def test_works_once(self) -> None:
        secret = first_run.secret()
        first, second = Browser(), Browser()
        waiting = second.open(f"/start/{secret}")
        self.start(first)
        page = second.send(waiting, waiting.form(having="club_name"), **self.TYPED | {"name": "Other"})
        assert page.status == 410
        assert "This link no longer works" in page.text
        assert page.link("Sign in") == "/sign-in"
        assert Browser().open(f"/start/{secret}").status == 410
        assert Club.objects.count() == Account.objects.count() == 1

    def test_sent_twice_makes_one_club(self) -> None:
        browser = Browser()
        page = browser.open(f"/start/{first_run.secret()}")
        for _ in range(2):
            token = browser.client.cookies["csrftoken"].value
            browser.client.post(page.path, self.TYPED | {"csrfmiddlewaretoken": token})
        assert Club.objects.count() == Account.objects.count() == 1

    @pytest.mark.parametrize(("said", "chosen"), [("fr-CA,fr;q=0.9", "fr"), ("en-CA", "en"), ("de", "fr")])
    def test_is_in_the_language_of_the_browser_and_offers_it_for_the_club(
        self, said: str, chosen: str
    ) -> None:
        page = Browser(language=said).open(f"/start/{first_run.secret()}")
        assert page.one("html").attrs["lang"][:2] == chosen
        assert page.chosen("language") == [chosen]

    @pytest.mark.snapshot
    def test_goes_on_in_the_language_that_was_chosen(self) -> None:
        page = self.start(Browser(language="fr-CA"), language="en")
        assert page.one("html").attrs["lang"] == "en"
