"""Keys for programs: given by an owner, shown once, good for one club and so much, and taken back."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from clubs.models import ApiToken, ClubAction, Membership, Role
from tests.api.program import Program, a_secret
from tests.builders import a_club
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.models import Action

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return Hall()


def at_keys(hall: Hall) -> tuple[Browser, Page]:
    browser = Browser(account=hall.owner)
    return browser, browser.open(f"/club/{hall.event.club.slug}/programs")


def given(hall: Hall, **typed: Any) -> Page:
    browser, page = at_keys(hall)
    return browser.send(page, page.form("/programs", having="name"), **{"name": "Tableur"} | typed)


class TestThePage:
    @pytest.mark.slow
    def test_shows_the_secret_once_and_the_program_comes_in_with_it(self, hall: Hall) -> None:
        secret = given(hall, scope="direct").one("textarea").text.strip()
        me = Program(secret).get("me")
        assert (me["name"], me["club"], me["scope"]) == ("Tableur", hall.event.club.slug, "direct")
        _, page = at_keys(hall)
        assert "Tableur" in page.text
        assert secret not in page.html
        assert not ApiToken.objects.filter(digest=secret).exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_takes_a_key_back_with_a_tap(self, hall: Hall) -> None:
        secret = given(hall).one("textarea").text.strip()
        browser, page = at_keys(hall)
        assert "Tableur" not in browser.send(page, page.form("/revoke")).form(having="name").text
        assert Program(secret).refused("get", "me") == (401, "token_unknown", None)
        assert set(ClubAction.objects.values_list("kind", flat=True)) >= {"make_token", "revoke_token"}

    def test_says_beside_the_field_what_is_missing(self, hall: Hall) -> None:
        page = given(hall, name=" ")
        assert page.status == 422
        assert page.said_at("name") == "Enter the program’s name."


def test_a_key_ends_by_itself_and_with_the_role_of_who_gave_it(hall: Hall) -> None:
    program = Program(a_secret(hall.event.club, hall.owner))
    close = f"events/{hall.event.short}/rounds/1/close"
    Membership.objects.filter(account=hall.owner).update(role=Role.DESK)
    assert program.refused("post", close) == (403, "scope_too_small", None)
    Membership.objects.filter(account=hall.owner).delete()
    assert program.refused("post", close) == (401, "token_unknown", None)
    Membership.objects.create(account=hall.owner, club=hall.event.club, role=Role.OWNER)
    ApiToken.objects.update(lasts_until=timezone.now() - timedelta(days=1))
    assert program.refused("post", close) == (401, "token_unknown", None)


@pytest.mark.slow
def test_a_key_that_only_reads_learns_no_code_by_which_anybody_marks(hall: Hall) -> None:
    event = f"events/{hall.event.short}"
    table = f"{event}/rounds/1/tables/1"
    reader, marker = (Program(a_secret(hall.event.club, hall.owner, scope)) for scope in ("read", "score"))
    assert reader.refused("get", f"{event}/cards") == (403, "scope_too_small", None)
    assert reader.get(table) == marker.get(table) | {"code": None}
    assert marker.get(table)["code"] == hall.code
    assert hall.code in [card["code"] for card in marker.get(f"{event}/cards")["results"]]


def test_a_key_of_too_small_a_scope_is_told_which_one_it_takes(hall: Hall) -> None:
    program = Program(a_secret(hall.event.club, hall.owner, "read"))
    said = program.ask("get", f"clubs/{hall.event.club.slug}/people").json()["detail"]
    assert said == (
        "Not allowed with this key. Ask for one with scope “direct”, from someone with that right."
    )


def test_the_history_names_the_program_beside_whoever_gave_the_key(hall: Hall) -> None:
    program = Program(a_secret(hall.event.club, hall.owner))
    program.do("put", f"events/{hall.event.short}/entries/1", {"team": "Les As"})
    line = Action.objects.filter(kind="describe_entry").get()
    assert line.account == hall.owner
    assert line.origin.startswith("Tableur, ")


@pytest.mark.slow
def test_guessing_keys_is_slowed_down() -> None:
    guesser = Program("chm_guessed")
    codes = [guesser.refused("get", "clubs")[1] for _ in range(22)]
    assert codes[0] == "token_unknown"
    assert codes[-1] == "too_many_requests"


@pytest.mark.slow
def test_who_has_a_key_is_not_kept_out_by_who_guesses_beside_them(hall: Hall) -> None:
    guesser = Program("chm_guessed")
    while guesser.refused("get", "clubs")[1] != "too_many_requests":
        pass
    program = Program(a_secret(hall.event.club, hall.owner))
    program.do("put", f"events/{hall.event.short}/entries/1", {"team": "Les As"})


def test_a_key_opens_nothing_of_another_club(hall: Hall) -> None:
    theirs = a_club("Ailleurs", owner=hall.owner)
    program = Program(a_secret(theirs, hall.owner))
    assert program.refused("post", f"events/{hall.event.short}/rounds/1/close")[0] == 404
    assert program.refused("get", f"clubs/{hall.event.club.slug}/people")[0] == 404
