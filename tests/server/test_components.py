"""Component index: every shared component in every state, for signed-in users."""

import re

import pytest

from operations.data_dir import PROJECT
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

ELSEWHERE = {
    "of the frame of a page": {
        *("band", "crown", "foot", "hero", "home", "menu", "narrow", "page", "page-foot", "phone", "side-menu"),
        *("skip", "bleed", "js-only", "paper-head", "print"),
    },
    "put there by a script, or while something happens": {"unsent", "spelled-date", "end"},
    "of what is read aloud, or of one page": {"read", "code", "title", "downloads", "centred", "js"},
}
"""Classes of base.css that the index may leave out, by the reason."""


@pytest.fixture
def kits() -> list[Page]:
    desk = Hall().desk
    return [desk.open("/components"), desk.open("/components/table")]


def list_classes(page: Page) -> set[str]:
    return {name for element in page.find_all() for name in element.attrs.get("class", "").split()}


def test_component_index_contains_every_shared_component(kits: list[Page]) -> None:
    css = re.sub(r"/\*.*?\*/", "", (PROJECT / "static/css/base.css").read_text(), flags=re.DOTALL)
    selectors = re.sub(r"\{[^{}]*\}", " ", css)
    shared = set(re.findall(r"\.([a-z][a-z-]*)", selectors)) - set[str]().union(*ELSEWHERE.values())
    assert shared - set[str]().union(*map(list_classes, kits)) == set()


def test_component_index_contains_every_icon(kits: list[Page]) -> None:
    symbols = (PROJECT / "templates/partials/symbols.html").read_text()
    signs = {f"#{name}" for name in re.findall(r'id="(i-[a-z]+)"', symbols)}
    assert signs <= {use.attrs["href"] for kit in kits for use in kit.find_all("use")}


def test_component_index_shows_fields_with_and_without_errors(kits: list[Page]) -> None:
    assert [kit.status for kit in kits] == [200, 200]
    assert kits[0].get_field_error("text") == ""
    assert kits[0].get_field_error("number_refused") == "“seven” is not a whole number. Use digits."


def test_component_index_requires_sign_in() -> None:
    assert Browser().open("/components").path == "/sign-in"
