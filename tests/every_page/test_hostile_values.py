"""Hostile values in any form field are refused with a message or shown as text, and cause no server error."""

from collections.abc import Iterator
from itertools import chain
from typing import Any
from uuid import uuid4

import pytest

from clubs import first_run
from clubs.house_rules.fields import build_field_values
from clubs.models import Club
from rules import MAINE
from tests.builders import PASSWORD, build_event, mark, play_round, start_next_round
from tests.long_runs import IS_LONG
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post_form

pytestmark = pytest.mark.django_db

NASTY = {
    "nothing to see": " \t\r\n\x00",
    "a number too large": "9" * 400,
    "a number below zero": "-1",
    "other digits": "٣²Ⅷ",
    "a large number of letters": "x" * 5_000,
    "a bit of everything": "<script>alert(1)</script>\x00\u202e👩\ufffd\ufeff%(name)s %s {{ x }}'\"\\\u2028",
}

REFUSED_BY_COLUMNS = {
    "nothing to see",
    "a number too large",
    "a large number of letters",
    "a bit of everything",
}
"""Values that PostgreSQL columns refuse; SQLite stores NUL characters, and texts and numbers of any length."""


def list_marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.postgresql("values that columns refuse")] if name in REFUSED_BY_COLUMNS else []


def iter_forms(hall: Hall) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every address that accepts a form, with valid values for its fields."""
    key = {"entry_key": str(uuid4()), "match": hall.match.pk, "number": 2}
    hand_fields = {"side": "A", "contract": "6", "tricks": "7", "outcome": "made", "trump": "H", "declarer": "2"}
    hand_fields |= {"mode": "kitty", "dealer": "1", "kind": "hand", "awarded": "", "confirmed": "1"}
    seen = {"match": hall.match.pk, "game": "1", "side": "A", "seen": "32-6 A points"}
    for table in (hall.table, hall.desk_match):
        yield table, key | hand_fields | {"supersedes": "", "reason": "seen"}
        yield table, {**key, "said": "A-6-7", "trump.A-6": "H", "declarer.A-6": "2", "reason": "seen"}
        yield f"{table}/agree", seen
        yield f"{table}/dispute", {"note": "Renege"}
        yield f"{table}/dealer", {"seat": "1"}
    yield f"{hall.desk_match}/settle", {"ruling": "It stands."}
    paper = {"kind": "totals", "points_a": "3", "points_b": "4", "winner": "", "next": "/"}
    yield f"{hall.desk_match}/sheet", key | paper
    club, next_night = hall.event.club, build_event(2, club=hall.event.club)
    for night in (hall.event, next_night):
        yield f"/e/{night.short}/desk/entries", {"entries": "Anne A and Paul P"}
        yield f"/e/{night.short}/desk/entries", {"remove": "1"}
        yield f"/e/{night.short}/desk/entries", {"table_count": "4"}
    maine = {"name": "Tuesday", "ruleset": "maine", "length": "games_to_win", "games_to_win": "1"}
    maine |= {"table_count": "4", "held_on": "2026-11-17", "details": "trump"}
    yield f"/club/{club.slug}/new", maine
    yield f"/club/{club.slug}/new", maine | {"length": "hands", "hands": "8"}
    yield f"/club/{club.slug}/import", {"name": "Tuesday"}
    somebody = {"name": "Anne A", "contact": "1", "family": "A", "label": "B", "labels": "C", "kind": "guest"}
    for rest in ("new", club.people.earliest("pk").pk):
        yield f"/club/{club.slug}/people/{rest}", somebody | {"namesake": "1", "key": str(uuid4())}
    yield f"/club/{club.slug}/people/{club.people.earliest('pk').pk}/merge", {"other": "1", "key": "x"}
    pasted = {"text": "Anne A\nPaul P", "name": "list.csv", "also": "1"}
    yield f"/club/{club.slug}/people/import", pasted
    yield f"/club/{club.slug}/people/import", pasted | {"confirmed": "1"}
    yield "/", {"code": "123456"}
    yield "/sign-in", {"name": hall.owner.name, "password": PASSWORD, "next": "/"}
    yield "/language", {"language": "fr", "next": "/"}


def iter_house_rules_forms(hall: Hall, turn: int) -> Iterator[tuple[str, dict[str, Any], list[str]]]:
    """Yield the house-rules form in four variants, with the fields to test in each.

    The form has fifty fields. A normal run tests each field in one variant and with every second value; a long run
    tests all fields in all variants.
    """
    ours = build_field_values(MAINE) | {"name": ["Ours"]}
    editor, new = hall.house_rules, f"/club/{hall.event.club.slug}/house-rules/new/maine"
    pressed_there: tuple[tuple[str, dict[str, str]], ...]
    pressed_there = (editor, {}), (editor, {"check": "1"}), (editor, {"reset": "target"}), (new, {})
    for place, (path, pressed) in enumerate(pressed_there):
        fields = list(ours) if IS_LONG else list(ours)[place + turn % 2 * 4 :: 8]
        yield path, ours | pressed, [*fields, *pressed]


def iter_shared_forms(hall: Hall, turn: int) -> Iterator[tuple[str, dict[str, Any], list[str]]]:
    """Yield the forms that several addresses accept, with the fields to test at each address.

    Examples are a table on a phone and at the desk, and a night before and after its start. A normal run tests some
    of the fields at each address, others at the next ``turn``; a long run tests all.
    """
    alike: dict[tuple[str, ...], list[tuple[str, dict[str, Any]]]] = {}
    for path, right in iter_forms(hall):
        alike.setdefault(tuple(right), []).append((path, right))
    for doors in alike.values():
        for place, (path, right) in enumerate(doors):
            fields = list(right)
            yield path, right, fields if IS_LONG else fields[(place + turn) % len(doors) :: len(doors)]


@pytest.mark.long
@pytest.mark.parametrize("name", [pytest.param(name, marks=list_marks(name)) for name in NASTY])
def test_hostile_value_in_any_field_is_answered_in_words(name: str) -> None:
    nasty, turn = NASTY[name], list(NASTY).index(name)
    hall = Hall()
    mark(hall.match, "A 6 7")
    hall.desk.client.handler.enforce_csrf_checks = False
    for path, right, fields in chain(iter_shared_forms(hall, turn), iter_house_rules_forms(hall, turn)):
        for field in fields:
            page = Page(hall.desk.client.post(path, right | {field: nasty}))
            assert page.status < 500, (path, field)
            if page.status >= 400:
                notice = page.alert or page.find_all(class_="error") or page.find_all(class_="empty")
                assert notice, (path, field)
                assert "marked fields" not in page.alert or page.find_all(class_="error"), (path, field)


@pytest.mark.long
@pytest.mark.parametrize("nasty", NASTY.values(), ids=list(NASTY))
def test_hostile_value_in_the_first_form_causes_no_error(nasty: str) -> None:
    right = {
        "club_name": "Club",
        "name": "Rita",
        "password": PASSWORD,
        "language": "en",
        "time_zone": "America/Montreal",
        "ruleset": "maine",
    }
    for field in right:
        page = post_form(Browser(), f"/start/{first_run.get_first_run_secret()}", right | {field: nasty}, follow=False)
        assert page.status < 500
        Club.objects.all().delete()


@pytest.mark.slow
def test_hostile_query_parameter_is_shown_as_text() -> None:
    hall = Hall()
    play_round(hall.event)
    start_next_round(hall.event)
    query_parameters = [(f"/e/{hall.event.short}", "round"), ("/sign-in", "next"), (hall.table, "game")]
    for path, name in [*query_parameters, (f"/match/{hall.last_match.pk}/sheet", "next")]:
        for nasty in NASTY.values():
            page = hall.desk.client.get(path, {name: nasty})
            assert page.status_code == 200, (path, nasty)
            assert b"<script>alert" not in page.content
