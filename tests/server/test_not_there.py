"""An address at which nothing is, or nothing yet: one page for all, with the ways on."""

import re

import pytest

from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.models import Event

pytestmark = pytest.mark.django_db

NOWHERE = ("/nowhere", "/e/nowhere", "/e/nowhere/standings", "/c/nowhere", "/rules/nowhere")
OF_AN_EVENT = ("", "/standings", "/standings/1", "/charts", "/rules", "/ruling", "/board", "/sign-up", ".ics")


def shown(page: Page) -> str:
    """The page as its reader sees it, without the token of its form."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.html)


@pytest.mark.parametrize(
    ("language", "lang", "on"), [("fr", "fr-CA", "Aller à l’accueil"), ("en", "en", "Go to home page")]
)
def test_every_unknown_address_is_answered_alike_in_its_language(language: str, lang: str, on: str) -> None:
    Hall()
    pages = [Browser().open(f"/{language}{path}") for path in NOWHERE]
    assert {page.status for page in pages} == {404}
    assert len({shown(page) for page in pages}) == 1
    assert {page.one("html").attrs["lang"] for page in pages} == {lang}
    assert pages[0].link(on) == f"/{language}/"


@pytest.mark.slow
def test_an_event_that_is_not_public_is_as_unknown_as_one_that_there_is_not() -> None:
    hall = Hall()
    Event.objects.update(is_public=False)
    for rest in OF_AN_EVENT:
        hidden, unknown = (Browser().open(f"/e/{short}{rest}") for short in (hall.event.short, "nowhere"))
        assert (hidden.status, shown(hidden)) == (404, shown(unknown)), rest
        assert hidden.response.headers.keys() == unknown.response.headers.keys()


def test_the_code_of_a_table_leads_on_from_there() -> None:
    hall, reader = Hall(), Browser(language="en")
    page = reader.open("/fr/nowhere")
    assert reader.send(page, page.form(having="code"), code=hall.code).path == hall.table


@pytest.mark.snapshot
def test_a_failure_of_ours_is_told_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, reader = Hall(), Browser()

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tournaments.public.views.events.rounds_of", fail)
    reader.client.raise_request_exception = False
    page = reader.open(f"/fr/e/{hall.event.short}")
    assert page.status == 500
    for sentence in ("Tout ce qui était enregistré est conservé.", "Everything already recorded is saved."):
        assert sentence in page.text
    assert {one.attrs["href"] for one in page.every("a")} == {"/"}
