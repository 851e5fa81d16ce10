"""Help pages: linked from the pages that they explain, and readable on the site or as files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from handbook.pages import LANGUAGES, PAGE_BY_MODULE, PAGES, find_page
from operations.data_dir import PROJECT
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db


def list_help_links(page: Page) -> list[str]:
    return [link.attrs["href"] for link in page.find_all("a") if "/help/" in link.attrs.get("href", "")]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_help_page_is_linked_from_the_contents(language: str) -> None:
    reader = Browser(language=language)
    addresses = list_help_links(reader.open("/help"))
    assert [address.rpartition("/")[2] for address in addresses] == list(PAGES)
    for address in addresses:
        assert reader.open(address).status == 200


def test_unknown_help_page_is_not_found() -> None:
    assert Browser().open("/help/nothing").status == 404


@pytest.mark.parametrize(
    ("address", "about"),
    [
        ("/e/{event}/desk", "desk"),
        ("/club/{club}/new", "night"),
        ("/club/{club}/tournament", "tournament"),
        ("/e/{event}/desk/entries", "tournament"),
        ("/e/{event}/desk/history", "rulings"),
        ("/e/{event}/desk/publishing", "publishing"),
        ("/e/{event}/desk/rounds/1", "desk"),
        ("/club/{club}/calendar", "seasons"),
        ("/club/{club}/people", "club"),
        ("/club/{club}/programs", "programs"),
    ],
)
def test_help_menu_links_to_the_page_about_the_current_task(address: str, about: str) -> None:
    hall = Hall()
    page = hall.desk.open(address.format(event=hall.event.short, club=hall.event.club.slug))
    assert list_help_links(page) == [f"/help/{about}"]


def test_every_package_with_pages_has_a_help_page() -> None:
    rooms = {folder.name for folder in (PROJECT / "tournaments").iterdir() if (folder / "urls.py").exists()}
    assert {f"tournaments.{room}" for room in rooms} - PAGE_BY_MODULE.keys() == set()
    assert find_page("tournaments.rounds.views") == "desk"
    assert set(PAGE_BY_MODULE.values()) <= set(PAGES)


@pytest.mark.slow
def test_table_screen_links_to_its_help() -> None:
    hall = Hall()
    assert "/help/table" in list_help_links(Browser().open(hall.table))


@pytest.mark.slow
def test_exported_handbook_links_to_existing_files(tmp_path: Path) -> None:
    call_command("handbook", tmp_path, verbosity=0)
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) == len(LANGUAGES) * (len(PAGES) + 1)
    for page in tmp_path.rglob("index.html"):
        headings = re.findall(r"<h2>(.*?)</h2>", page.read_text(encoding="utf-8"))
        assert len(headings) > 1
        assert all(re.search("[a-zé]{4}", heading) for heading in headings), page
    for page in pages:
        for target in re.findall(r'(?:href|src)="([^"#]+)"', page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).is_file(), f"{page.name}: {target}"


@pytest.mark.slow
def test_exported_page_declares_its_language(tmp_path: Path) -> None:
    call_command("handbook", tmp_path, verbosity=0)
    for language in LANGUAGES:
        for page in (tmp_path / language).glob("*.html"):
            assert f'<html lang="{language}">' in page.read_text(encoding="utf-8"), page.name
