"""Clubs are kept apart, and signing in leads to one's own; every address: test_who_may.py."""

from typing import Any

import pytest

from clubs.models import Club
from scoring.models import Mark
from tests.builders import PASSWORD, a_club, a_running_night, an_account, matches_of
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post, typed_hand

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_a_page_of_another_club_does_not_exist_and_names_nobody() -> None:
    hall, stranger = Hall(), Hall().desk
    page = stranger.open(f"/e/{hall.event.short}/desk")
    assert page.status == 404
    assert "Page not found" in page.text
    assert hall.event.name not in page.text


def test_whoever_is_not_signed_in_is_asked_to_and_sees_nothing_of_the_page() -> None:
    hall = Hall()
    page = Browser().open(f"/e/{hall.event.short}/desk")
    assert (page.status, page.path) == (200, "/sign-in")
    assert hall.event.name not in page.text


def test_a_club_is_started_once_and_by_nobody_else() -> None:
    hall = Hall()
    page = Browser().open("/start/guessed")
    assert page.status == 410
    assert not page.every("input", name="club_name")
    assert Club.objects.get() == hall.event.club


class TestSigningIn:
    def asked(self, hall: Hall, browser: Browser, **typed: Any) -> Page:
        page = browser.open(f"/e/{hall.event.short}/desk")
        assert page.path == "/sign-in"
        said: dict[str, Any] = {"name": hall.owner.name, "password": PASSWORD} | typed
        return browser.send(page, page.form("/sign-in"), **said)

    def test_leads_to_the_page_that_was_asked_for(self) -> None:
        hall = Hall()
        assert self.asked(hall, Browser()).path == f"/e/{hall.event.short}/desk"

    @pytest.mark.parametrize(("clubs", "path"), [(0, "/"), (1, "/club/club-1"), (2, "/")])
    def test_without_a_page_asked_for_leads_to_the_only_club(self, clubs: int, path: str) -> None:
        account, browser = an_account(), Browser()
        for number in range(1, clubs + 1):
            a_club(f"Club {number}", owner=account)
        page = browser.open("/sign-in")
        page = browser.send(page, page.form("/sign-in"), name=account.name, password=PASSWORD)
        assert (page.status, page.path) == (200, path)

    def test_takes_the_name_as_people_write_it(self) -> None:
        hall = Hall()
        browser = Browser()
        page = self.asked(hall, browser, name=f"  {hall.owner.name.upper()} ")
        assert page.path == f"/e/{hall.event.short}/desk"

    @pytest.mark.parametrize(
        "typed", [{"password": "wrong"}, {"name": "Nobody"}, {"name": ""}, {"password": ""}, {"name": "\x00"}]
    )
    def test_that_fails_says_so_at_the_field_and_keeps_the_name(self, typed: dict[str, Any]) -> None:
        hall, browser = Hall(), Browser()
        page = self.asked(hall, browser, **typed)
        assert page.status == 422
        assert page.said_at("password") == "Wrong name or password. Try again."
        assert page.field("name").value == typed.get("name", hall.owner.name)
        assert page.field("password").value == ""
        assert self.asked(hall, browser).path == f"/e/{hall.event.short}/desk"

    @pytest.mark.slow
    def test_is_slowed_down_for_whoever_guesses_and_for_nobody_else(self) -> None:
        hall, guesser = Hall(), Browser(address="192.0.2.66")
        for _ in range(5):
            assert self.asked(hall, guesser, password="wrong").status == 422
        page = self.asked(hall, guesser)
        assert page.status == 429
        assert page.said_at("password") == "Too many tries. Try again in 1 min."
        assert self.asked(hall, Browser(address="192.0.2.67")).path == f"/e/{hall.event.short}/desk"

    @pytest.mark.parametrize(
        "elsewhere",
        [
            "https://evil.example/",
            "//evil.example/",
            "/\\evil.example",
            "javascript:alert(1)",
            "http:///evil.example",
            "\thttps://evil.example",
            "",
        ],
    )
    def test_never_leads_elsewhere(self, elsewhere: str) -> None:
        hall, browser = Hall(), Browser()
        page = browser.open("/sign-in")
        page = browser.send(
            page, page.form("/sign-in"), name=hall.owner.name, password=PASSWORD, next=elsewhere, follow=False
        )
        assert (page.status, page.response.headers["Location"]) == (302, f"/club/{hall.event.club.slug}")

    def test_to_a_page_that_is_none_leads_there_all_the_same(self) -> None:
        hall, browser = Hall(), Browser()
        page = browser.open("/sign-in?next=nowhere")
        page = browser.send(page, page.form("/sign-in"), name=hall.owner.name, password=PASSWORD)
        assert page.status == 404

    def test_out_closes_the_desk(self) -> None:
        hall = Hall()
        club = hall.desk.open(f"/club/{hall.event.club.slug}")
        home = hall.desk.send(club, club.form("/sign-out"))
        assert home.path == "/"
        assert home.link("I run a club") == "/sign-in"
        assert hall.desk.open(f"/e/{hall.event.short}/desk").path == "/sign-in"

    def test_out_is_no_link(self) -> None:
        assert Hall().desk.open("/sign-out").status == 405


def test_the_first_page_shows_the_clubs_of_whoever_is_signed_in() -> None:
    hall = Hall()
    a_club("Another club", owner=an_account())
    assert hall.desk.open("/").link("Les Joyeux Atouts") == f"/club/{hall.event.club.slug}"
    assert "Another club" not in hall.desk.open("/").text


@pytest.mark.slow
def test_a_night_of_another_club_lends_no_match_to_this_ones_table() -> None:
    hall, other = Hall(), a_running_night()
    foreign = matches_of(other)[0]
    page = post(hall.desk, hall.ruled, typed_hand(foreign) | {"reason": "mine"})
    assert page.status == 404
    assert not Mark.objects.exists()
