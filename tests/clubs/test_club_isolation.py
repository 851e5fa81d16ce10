"""Separation of clubs, and sign-in that leads to the account's own club.

``tests/every_page/test_permissions.py`` covers every address.
"""

from typing import Any

import pytest

from clubs.models import Club
from scoring.models import Mark
from tests.builders import PASSWORD, build_account, build_club, build_running_night, matches_of
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, build_hand_form, post_form

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_page_of_another_club_is_not_found() -> None:
    hall, stranger = Hall(), Hall().desk
    page = stranger.open(f"/e/{hall.event.short}/desk")
    assert page.status == 404
    assert "Page not found" in page.text
    assert hall.event.name not in page.text


def test_anonymous_visitor_is_sent_to_sign_in() -> None:
    hall = Hall()
    page = Browser().open(f"/e/{hall.event.short}/desk")
    assert (page.status, page.path) == (200, "/sign-in")
    assert hall.event.name not in page.text


def test_guessed_start_link_creates_no_second_club() -> None:
    hall = Hall()
    page = Browser().open("/start/guessed")
    assert page.status == 410
    assert not page.find_all("input", name="club_name")
    assert Club.objects.get() == hall.event.club


class TestSignIn:
    def request_sign_in(self, hall: Hall, browser: Browser, **typed: Any) -> Page:
        page = browser.open(f"/e/{hall.event.short}/desk")
        assert page.path == "/sign-in"
        form_values: dict[str, Any] = {"name": hall.owner.name, "password": PASSWORD} | typed
        return browser.send(page, page.find_form("/sign-in"), **form_values)

    @pytest.mark.slow
    def test_sign_in_returns_to_the_requested_page(self) -> None:
        hall = Hall()
        assert self.request_sign_in(hall, Browser()).path == f"/e/{hall.event.short}/desk"

    @pytest.mark.parametrize(("clubs", "path"), [(0, "/"), (1, "/club/club-1"), (2, "/")])
    def test_sign_in_leads_to_the_only_club(self, clubs: int, path: str) -> None:
        account, browser = build_account(), Browser()
        for number in range(1, clubs + 1):
            build_club(f"Club {number}", owner=account)
        page = browser.open("/sign-in")
        page = browser.send(page, page.find_form("/sign-in"), name=account.name, password=PASSWORD)
        assert (page.status, page.path) == (200, path)

    def test_sign_in_accepts_any_spelling_of_the_name(self) -> None:
        hall = Hall()
        browser = Browser()
        page = self.request_sign_in(hall, browser, name=f"  {hall.owner.name.upper()} ")
        assert page.path == f"/e/{hall.event.short}/desk"

    @pytest.mark.long
    @pytest.mark.parametrize(
        "typed", [{"password": "wrong"}, {"name": "Nobody"}, {"name": ""}, {"password": ""}, {"name": "\x00"}]
    )
    def test_failed_sign_in_keeps_the_typed_name(self, typed: dict[str, Any]) -> None:
        hall, browser = Hall(), Browser()
        page = self.request_sign_in(hall, browser, **typed)
        assert page.status == 422
        assert page.get_field_error("password") == "Wrong name or password. Try again."
        assert page.find_field("name").value == typed.get("name", hall.owner.name)
        assert page.find_field("password").value == ""
        assert self.request_sign_in(hall, browser).path == f"/e/{hall.event.short}/desk"

    @pytest.mark.long
    def test_sign_in_throttle_applies_per_address(self) -> None:
        hall, guesser = Hall(), Browser(address="192.0.2.66")
        for _ in range(5):
            assert self.request_sign_in(hall, guesser, password="wrong").status == 422
        page = self.request_sign_in(hall, guesser)
        assert page.status == 429
        assert page.get_field_error("password") == "Too many tries. Try again in 1 min."
        assert self.request_sign_in(hall, Browser(address="192.0.2.67")).path == f"/e/{hall.event.short}/desk"

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
    def test_sign_in_never_redirects_to_another_site(self, elsewhere: str) -> None:
        hall, browser = Hall(), Browser()
        page = browser.open("/sign-in")
        page = browser.send(
            page, page.find_form("/sign-in"), name=hall.owner.name, password=PASSWORD, next=elsewhere, follow=False
        )
        assert (page.status, page.response.headers["Location"]) == (302, f"/club/{hall.event.club.slug}")

    def test_sign_in_redirects_even_to_an_unknown_page(self) -> None:
        hall, browser = Hall(), Browser()
        page = browser.open("/sign-in?next=nowhere")
        page = browser.send(page, page.find_form("/sign-in"), name=hall.owner.name, password=PASSWORD)
        assert page.status == 404

    def test_sign_out_closes_the_desk(self) -> None:
        hall = Hall()
        club = hall.desk.open(f"/club/{hall.event.club.slug}")
        home = hall.desk.send(club, club.find_form("/sign-out"))
        assert home.path == "/"
        assert home.find_link("I run a club") == "/sign-in"
        assert hall.desk.open(f"/e/{hall.event.short}/desk").path == "/sign-in"

    def test_sign_out_rejects_get_requests(self) -> None:
        assert Hall().desk.open("/sign-out").status == 405


def test_home_page_lists_only_clubs_of_the_account() -> None:
    hall = Hall()
    build_club("Another club", owner=build_account())
    assert hall.desk.open("/").find_link("Les Joyeux Atouts") == f"/club/{hall.event.club.slug}"
    assert "Another club" not in hall.desk.open("/").text


@pytest.mark.long
def test_desk_cannot_mark_a_match_of_another_club() -> None:
    hall, other = Hall(), build_running_night()
    foreign = matches_of(other)[0]
    page = post_form(hall.desk, hall.desk_match, build_hand_form(foreign) | {"reason": "mine"})
    assert page.status == 404
    assert not Mark.objects.exists()
