"""Who may open what: for anybody else, the page does not exist, and nothing changes."""

from typing import Any

import pytest

from clubs.models import Club, HouseRules
from clubs.services import create_house_rules
from scoring.models import Mark
from tests.builders import PASSWORD, a_club, a_running_night, an_account, fresh, matches_of
from tests.pages.browser import Browser, Page
from tests.pages.hall import Hall, post, typed_hand
from tournaments.models import Action, Entry, Event, Round

pytestmark = pytest.mark.django_db


def house_rules_of(event: Event) -> str:
    """The address of the club's own rules, which are made once."""
    kept = create_house_rules(club=event.club, name="Ours", base="maine", difference={"target": 25})
    return f"/club/{event.club.slug}/house-rules/{kept.pk}"


ENTRY_PAGES = (
    "entries/1",
    "entries/people",
    "entries/file",
    "entries/order",
    "entries/check-in",
)


def desk_pages(event: Event) -> list[str]:
    match = matches_of(event)[0].pk
    return [
        f"/e/{event.short}/desk",
        f"/e/{event.short}/desk/entries",
        f"/e/{event.short}/desk/cards",
        *(
            f"/e/{event.short}/desk/{page}"
            for page in (
                *ENTRY_PAGES,
                "settings",
                "history",
                "jobs",
                "print",
                "print/round",
                "print/sheets",
                "print/blank",
                "print/standings",
                "rounds/1",
                "rounds/1/swap",
                "rounds/1/tables/1",
            )
        ),
        f"/match/{match}",
        f"/match/{match}/hands",
        f"/match/{match}/hands/1",
        f"/match/{match}/sheet",
        f"/club/{event.club.slug}",
        f"/club/{event.club.slug}/new",
        f"/club/{event.club.slug}/import",
        f"/club/{event.club.slug}/tournament",
        f"/club/{event.club.slug}/plan",
        f"/club/{event.club.slug}/house-rules",
        f"/club/{event.club.slug}/house-rules/new/maine",
        house_rules_of(event),
    ]


EVENT_STEPS = ("start", "end", "resume", "draw", "entries", "settings")
ROUND_STEPS = (
    "publish",
    "unpublish",
    "begin",
    "hold",
    "discard",
    "close",
    "reopen",
    "swap",
    "tables/1",
)


def desk_changes(event: Event) -> list[str]:
    match = matches_of(event)[0].pk
    return [
        *(f"/e/{event.short}/desk/{step}" for step in (*EVENT_STEPS, *ENTRY_PAGES)),
        *(f"/e/{event.short}/desk/history/{action.pk}/undo" for action in event.actions.all()),
        *(f"/e/{event.short}/desk/rounds/1/{step}" for step in ROUND_STEPS),
        *(f"/match/{match}{rest}" for rest in ("", "/agree", "/dispute", "/dealer", "/settle", "/sheet")),
        *(
            f"/club/{event.club.slug}/{page}"
            for page in ("new", "import", "tournament", "plan", "house-rules/new/maine")
        ),
        *(f"{house_rules_of(event)}{rest}" for rest in ("", "/remove", "/put-back")),
    ]


def state_of_everything() -> list[object]:
    return [
        list(Event.objects.order_by("pk").values()),
        list(Entry.objects.order_by("pk").values()),
        list(Round.objects.order_by("pk").values()),
        list(Action.objects.order_by("pk").values()),
        list(Club.objects.order_by("pk").values()),
        list(HouseRules.objects.order_by("pk").values()),
        Mark.objects.count(),
    ]


def test_a_member_of_another_club_finds_no_page_of_this_one() -> None:
    hall = Hall()
    stranger = Hall().desk
    for path in desk_pages(hall.event):
        page = stranger.open(path)
        assert page.status == 404, path
        assert "This page does not exist" in page.text
        assert hall.event.name not in page.text


def test_a_member_of_another_club_changes_nothing() -> None:
    hall, other = Hall(), Hall()
    changes = desk_changes(hall.event)
    before = state_of_everything()
    for path in changes:
        said = typed_hand(hall.match) | {"reason": "mine", "side": "A", "game": "1", "seat": "2"}
        assert post(other.desk, path, said).status == 404, path
    assert state_of_everything() == before
    assert fresh(hall.match).revision == 0


def test_somebody_who_is_not_signed_in_is_asked_to_or_finds_nothing() -> None:
    hall = Hall()
    pages, changes = desk_pages(hall.event), desk_changes(hall.event)
    before = state_of_everything()
    for path in pages:
        page = Browser().open(path)
        assert (page.status, page.path) in [(200, "/sign-in"), (404, path)]
        assert hall.event.name not in page.text
    for path in changes:
        page = post(Browser(), path, typed_hand(hall.match))
        assert (page.status, page.path) in [(200, "/sign-in"), (404, path)]
    assert state_of_everything() == before


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
        assert page.said_at("password") == "Name and password do not go together. Try again."
        assert page.field("name").value == typed.get("name", hall.owner.name)
        assert page.field("password").value == ""
        assert self.asked(hall, browser).path == f"/e/{hall.event.short}/desk"

    def test_is_slowed_down_for_whoever_guesses_and_for_nobody_else(self) -> None:
        hall, guesser = Hall(), Browser(address="192.0.2.66")
        for _ in range(20):
            assert self.asked(hall, guesser, password="wrong").status == 422
        page = self.asked(hall, guesser)
        assert page.status == 429
        assert page.said_at("password") == "Too many wrong passwords. Wait ten minutes, then try again."
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
        assert (page.status, page.response.headers["Location"]) == (302, "/")

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


def test_a_night_of_another_club_lends_no_match_to_this_ones_table() -> None:
    hall, other = Hall(), a_running_night()
    foreign = matches_of(other)[0]
    page = post(hall.desk, hall.ruled, typed_hand(foreign) | {"reason": "mine"})
    assert page.status == 404
    assert not Mark.objects.exists()
