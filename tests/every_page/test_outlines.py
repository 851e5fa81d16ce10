"""The outline of every page as text: a sentence, a button or a link lost by mistake is seen as a line.

``outlines/`` holds those of a night that is being played as its owner has them, and of other nights and for
other readers what is otherwise. For states that no such walk comes upon there is ``seen/``: what the tests
that are marked ``outlined`` open, as it differs from the walk. Both are written anew one after the other, and
version control shows what that changed:

    python3 manage.py test --renew-outlines tests/every_page/test_outlines.py
    python3 manage.py test --renew-outlines -m outlined
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from clubs.models import Role
from tests.every_page.test_every_page import SHOWN, a_full_night
from tests.every_page.test_permissions import reader_of
from tests.support.browser import Page
from tests.support.kept_texts import RENEW, KeptTexts, lines_otherwise
from tests.support.outline import outline_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("rows_from_one"),
    pytest.mark.skipif("sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="numbers of rows"),
]

FOLDER = Path(__file__).parent / "outlines"
USUAL = "playing"
STATES = {
    USUAL: ("playing", Role.OWNER),
    "ended": ("ended", Role.OWNER),
    "director": ("playing", Role.DIRECTOR),
    "desk": ("playing", Role.DESK),
    "visitor": ("playing", "nobody"),
}
"""The folder of each: when in a night, and who looks."""
WITH_FRAME = {
    "/",
    "/account",
    "/club/<slug:slug>",
    "/c/<slug:slug>",
    "/e/<slug:short>",
    "/e/<slug:short>/desk",
    "/t/<code:code>",
}
"""Pages whose menu and foot are told whole; those of the others are alike."""
OTHERWISE = {"/club/<slug:slug>/installation"}
"""Pages that are others on each computer."""


def file_of(pattern: str) -> str:
    """``e-short-desk-rounds-number.txt``"""
    return (re.sub(r"<\w+:(\w+)>", r"\1", pattern).strip("/").replace("/", "-") or "home") + ".txt"


def shown_as(page: Page, path: str, *, is_whole: bool) -> str:
    """The outline of the page; where somebody is led elsewhere or refused, that only."""
    if page.path == "/sign-in" != path:
        return "leads to /sign-in\n"
    if page.status in {403, 404}:
        return f"is refused: {page.status}\n"
    return outline_of(page.document, is_whole=is_whole)


@pytest.mark.parametrize("state", STATES)
def test_of_every_page_is_as_it_is_kept(state: str, request: pytest.FixtureRequest) -> None:
    kept = KeptTexts(FOLDER, is_renewed=request.config.getoption(RENEW))
    stage, who = STATES[state]
    hall, paths = a_full_night(stage)
    reader = reader_of(hall, who)
    differences = []
    for pattern, path in paths.items():
        if pattern in OTHERWISE:
            continue
        name = file_of(pattern)
        now = shown_as(reader.open(path), path, is_whole=pattern in WITH_FRAME)
        is_a_page = now.startswith("title: ")
        if state != USUAL and is_a_page:
            now = lines_otherwise(kept.text(f"{USUAL}/{name}"), now)
        differences.append(kept.difference(f"{state}/{name}", now))
    if any(differences):
        pytest.fail("\n".join(filter(None, differences)), pytrace=False)


def test_of_no_page_one_is_left_over() -> None:
    assert {file.name for file in (FOLDER / USUAL).glob("*.txt")} == set(
        map(file_of, SHOWN.keys() - OTHERWISE)
    )
