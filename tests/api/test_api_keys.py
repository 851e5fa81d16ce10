"""API keys: created by an owner, shown once, limited to one club and one scope, and revoked."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from clubs.models import ApiToken, ClubAction, Membership, Role
from tests.api.program import Program, create_secret
from tests.builders import build_club
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.models import Action

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return Hall()


def open_keys_page(hall: Hall) -> tuple[Browser, Page]:
    browser = Browser(account=hall.owner)
    return browser, browser.open(f"/club/{hall.event.club.slug}/programs")


def create_key(hall: Hall, **typed: Any) -> Page:
    browser, page = open_keys_page(hall)
    return browser.send(page, page.find_form("/programs", control_name="name"), **{"name": "Tableur"} | typed)


class TestKeysPage:
    @pytest.mark.long
    def test_page_shows_the_secret_once_and_it_works(self, hall: Hall) -> None:
        secret = create_key(hall, scope="direct").find_one("textarea").text.strip()
        me = Program(secret).get("me")
        assert (me["name"], me["club"], me["scope"]) == ("Tableur", hall.event.club.slug, "direct")
        _, page = open_keys_page(hall)
        assert "Tableur" in page.text
        assert secret not in page.html
        assert not ApiToken.objects.filter(digest=secret).exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_owner_revokes_a_key_with_one_tap(self, hall: Hall) -> None:
        secret = create_key(hall).find_one("textarea").text.strip()
        browser, page = open_keys_page(hall)
        assert "Tableur" not in browser.send(page, page.find_form("/revoke")).find_form(control_name="name").text
        assert Program(secret).get_refusal("get", "me") == (401, "token_unknown", None)
        assert set(ClubAction.objects.values_list("kind", flat=True)) >= {"make_token", "revoke_token"}

    def test_missing_name_is_reported_at_its_field(self, hall: Hall) -> None:
        page = create_key(hall, name=" ")
        assert page.status == 422
        assert page.get_field_error("name") == "Enter the program’s name."


def test_key_expires_and_loses_its_issuers_role(hall: Hall) -> None:
    program = Program(create_secret(hall.event.club, hall.owner))
    close = f"events/{hall.event.short}/rounds/1/close"
    Membership.objects.filter(account=hall.owner).update(role=Role.DESK)
    assert program.get_refusal("post", close) == (403, "scope_too_small", None)
    Membership.objects.filter(account=hall.owner).delete()
    assert program.get_refusal("post", close) == (401, "token_unknown", None)
    Membership.objects.create(account=hall.owner, club=hall.event.club, role=Role.OWNER)
    ApiToken.objects.update(lasts_until=timezone.now() - timedelta(days=1))
    assert program.get_refusal("post", close) == (401, "token_unknown", None)


@pytest.mark.long
def test_read_key_sees_no_table_codes(hall: Hall) -> None:
    event = f"events/{hall.event.short}"
    table = f"{event}/rounds/1/tables/1"
    reader, marker = (Program(create_secret(hall.event.club, hall.owner, scope)) for scope in ("read", "score"))
    assert reader.get_refusal("get", f"{event}/cards") == (403, "scope_too_small", None)
    assert reader.get(table) == marker.get(table) | {"code": None}
    assert marker.get(table)["code"] == hall.code
    assert hall.code in [card["code"] for card in marker.get(f"{event}/cards")["results"]]


def test_refusal_names_the_scope_that_is_needed(hall: Hall) -> None:
    program = Program(create_secret(hall.event.club, hall.owner, "read"))
    detail = program.send_request("get", f"clubs/{hall.event.club.slug}/people").json()["detail"]
    assert detail == ("Not allowed with this key. Ask for one with scope “direct”, from someone with that right.")


def test_history_names_the_program_and_the_issuer(hall: Hall) -> None:
    program = Program(create_secret(hall.event.club, hall.owner))
    program.call("put", f"events/{hall.event.short}/entries/1", {"team": "Les As"})
    line = Action.objects.filter(kind="describe_entry").get()
    assert line.account == hall.owner
    assert line.origin.startswith("Tableur, ")


@pytest.mark.slow
def test_guessing_keys_is_throttled() -> None:
    guesser = Program("chm_guessed")
    codes = [guesser.get_refusal("get", "clubs")[1] for _ in range(22)]
    assert codes[0] == "token_unknown"
    assert codes[-1] == "too_many_requests"


@pytest.mark.long
def test_valid_key_works_beside_a_throttled_guesser(hall: Hall) -> None:
    guesser = Program("chm_guessed")
    while guesser.get_refusal("get", "clubs")[1] != "too_many_requests":
        pass
    program = Program(create_secret(hall.event.club, hall.owner))
    program.call("put", f"events/{hall.event.short}/entries/1", {"team": "Les As"})


def test_a_key_opens_nothing_of_another_club(hall: Hall) -> None:
    theirs = build_club("Ailleurs", owner=hall.owner)
    program = Program(create_secret(theirs, hall.owner))
    assert program.get_refusal("post", f"events/{hall.event.short}/rounds/1/close")[0] == 404
    assert program.get_refusal("get", f"clubs/{hall.event.club.slug}/people")[0] == 404
