"""Installation of the pages as a program on a phone."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from tests.support.browser import Browser

pytestmark = pytest.mark.django_db


def manifest(address: str) -> dict[str, Any]:
    answer = Browser().open(address).response
    assert answer.headers["Content-Type"] == "application/manifest+json"
    told: dict[str, Any] = json.loads(answer.content)
    return told


@pytest.mark.parametrize(("language", "spoken"), [("fr", "fr-CA"), ("en", "en")])
def test_each_language_has_a_manifest_of_its_own_that_its_pages_name(language: str, spoken: str) -> None:
    page = Browser().open(f"/{language}/")
    (link,) = page.every("link", rel="manifest")
    told = manifest(link.attrs["href"])
    assert told["lang"] == spoken
    assert told["description"] == page.every("meta", name="description")[0].attrs["content"]


def test_both_languages_are_the_same_program_which_opens_where_codes_are_typed() -> None:
    french, english = (manifest(f"/{language}/manifest.webmanifest") for language in ("fr", "en"))
    for told in (french, english):
        assert (told["id"], told["start_url"], told["scope"]) == ("/", "/", "/")
        assert told["display"] == "fullscreen"
    assert french["icons"] == english["icons"]


def test_its_icons_are_there_in_the_sizes_that_phones_ask_for() -> None:
    icons = manifest("/en/manifest.webmanifest")["icons"]
    assert {icon["sizes"] for icon in icons} == {"192x192", "512x512"}
    assert "maskable" in {icon.get("purpose") for icon in icons}
    for icon in icons:
        header = Path(str(finders.find(icon["src"].removeprefix("/static/")))).read_bytes()[:24]
        size = f"{int.from_bytes(header[16:20])}x{int.from_bytes(header[20:24])}"
        assert (header[1:4], size) == (b"PNG", icon["sizes"])


def test_a_page_says_what_colour_the_phone_puts_around_it_by_day_and_by_night() -> None:
    colours = {
        meta.attrs["media"]: meta.attrs["content"]
        for meta in Browser().open("/").every("meta", name="theme-color")
    }
    assert colours == {
        "(prefers-color-scheme: light)": "#1C2E5E",
        "(prefers-color-scheme: dark)": "#0A1226",
    }
