"""The help is found from where one is, and is read as a page of the program or as files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from handbook.pages import ABOUT, LANGUAGES, PAGES, page_about
from operations.data_dir import PROJECT
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db


def links_to_help(page: Page) -> list[str]:
    return [link.attrs["href"] for link in page.every("a") if "/help/" in link.attrs.get("href", "")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_one_tap_from_the_contents(language: str) -> None:
    reader = Browser(language=language)
    addresses = links_to_help(reader.open("/help"))
    assert [address.rpartition("/")[2] for address in addresses] == list(PAGES)
    for address in addresses:
        assert reader.open(address).status == 200


def test_a_page_that_there_is_not_is_said_to_be_none() -> None:
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
def test_the_menu_leads_to_the_page_about_what_one_does(address: str, about: str) -> None:
    hall = Hall()
    page = hall.desk.open(address.format(event=hall.event.short, club=hall.event.club.slug))
    assert links_to_help(page) == [f"/help/{about}"]


def test_every_room_of_the_program_says_which_page_is_about_it() -> None:
    rooms = {folder.name for folder in (PROJECT / "tournaments").iterdir() if (folder / "urls.py").exists()}
    assert {f"tournaments.{room}" for room in rooms} - ABOUT.keys() == set()
    assert page_about("tournaments.rounds.views") == "desk"
    assert set(ABOUT.values()) <= set(PAGES)


def test_the_screen_of_a_table_leads_to_how_one_marks() -> None:
    hall = Hall()
    assert "/help/table" in links_to_help(Browser().open(hall.table))


def test_the_site_of_files_leads_to_files_that_there_are(tmp_path: Path) -> None:
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


def test_each_page_of_the_site_of_files_is_read_aloud_in_its_own_language(tmp_path: Path) -> None:
    call_command("handbook", tmp_path, verbosity=0)
    for language in LANGUAGES:
        for page in (tmp_path / language).glob("*.html"):
            assert f'<html lang="{language}">' in page.read_text(encoding="utf-8"), page.name
