"""Error pages: unknown and hidden addresses look alike, and the page offers ways to continue."""

import re

import pytest

from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.models import Event

pytestmark = pytest.mark.django_db

NOWHERE = ("/nowhere", "/e/nowhere", "/e/nowhere/standings", "/c/nowhere", "/rules/nowhere")
EVENT_PATHS = ("", "/standings", "/standings/1", "/charts", "/rules", "/ruling", "/board", "/sign-up", ".ics")


def get_comparable_html(page: Page) -> str:
    """Return the page's HTML without the token of its form."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.html)


@pytest.mark.parametrize(
    ("language", "lang", "on"), [("fr", "fr-CA", "Aller à l’accueil"), ("en", "en", "Go to home page")]
)
def test_unknown_addresses_share_one_page_per_language(language: str, lang: str, on: str) -> None:
    Hall()
    pages = [Browser().open(f"/{language}{path}") for path in NOWHERE]
    assert {page.status for page in pages} == {404}
    assert len({get_comparable_html(page) for page in pages}) == 1
    assert {page.find_one("html").attrs["lang"] for page in pages} == {lang}
    assert pages[0].find_link(on) == f"/{language}/"


@pytest.mark.slow
def test_hidden_event_is_indistinguishable_from_an_unknown_one() -> None:
    hall = Hall()
    Event.objects.update(is_public=False)
    for rest in EVENT_PATHS:
        hidden, unknown = (Browser().open(f"/e/{short}{rest}") for short in (hall.event.short, "nowhere"))
        assert (hidden.status, get_comparable_html(hidden)) == (404, get_comparable_html(unknown)), rest
        assert hidden.response.headers.keys() == unknown.response.headers.keys()


def test_error_page_accepts_a_table_code() -> None:
    hall, reader = Hall(), Browser(language="en")
    page = reader.open("/fr/nowhere")
    assert reader.send(page, page.find_form(control_name="code"), code=hall.code).path == hall.table


def test_form_address_opened_as_a_page_offers_a_way_on() -> None:
    """A phone opens it from its history, or reloads a tab."""
    page = Browser().open("/fr/sign-out")
    assert (page.status, page.response.headers["Allow"]) == (405, "POST")
    assert page.find_link("Aller à l’accueil") == "/fr/"


@pytest.mark.snapshot
def test_server_error_page_explains_itself_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, reader = Hall(), Browser()

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tournaments.public.views.events.get_published_rounds", fail)
    reader.client.raise_request_exception = False
    page = reader.open(f"/fr/e/{hall.event.short}")
    assert page.status == 500
    for sentence in ("Tout ce qui était enregistré est conservé.", "Everything already recorded is saved."):
        assert sentence in page.text
    assert {one.attrs["href"] for one in page.find_all("a")} == {"/"}
