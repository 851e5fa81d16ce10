"""Web app manifest, with which phones install the site as an app."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from tests.support.browser import Browser

pytestmark = pytest.mark.django_db


def read_manifest(address: str) -> dict[str, Any]:
    answer = Browser().open(address).response
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest: dict[str, Any] = json.loads(answer.content)
    return manifest


@pytest.mark.parametrize(("language", "spoken"), [("fr", "fr-CA"), ("en", "en")])
def test_pages_link_to_the_manifest_of_their_language(language: str, spoken: str) -> None:
    page = Browser().open(f"/{language}/")
    (link,) = page.find_all("link", rel="manifest")
    manifest = read_manifest(link.attrs["href"])
    assert manifest["lang"] == spoken
    assert manifest["description"] == page.find_all("meta", name="description")[0].attrs["content"]


def test_manifests_in_both_languages_describe_one_app() -> None:
    french, english = (read_manifest(f"/{language}/manifest.webmanifest") for language in ("fr", "en"))
    for manifest in (french, english):
        assert (manifest["id"], manifest["start_url"], manifest["scope"]) == ("/", "/", "/")
        assert manifest["display"] == "fullscreen"
    assert french["icons"] == english["icons"]


def test_manifest_icons_exist_in_the_required_sizes() -> None:
    icons = read_manifest("/en/manifest.webmanifest")["icons"]
    assert {icon["sizes"] for icon in icons} == {"192x192", "512x512"}
    assert "maskable" in {icon.get("purpose") for icon in icons}
    for icon in icons:
        header = Path(str(finders.find(icon["src"].removeprefix("/static/")))).read_bytes()[:24]
        size = f"{int.from_bytes(header[16:20])}x{int.from_bytes(header[20:24])}"
        assert (header[1:4], size) == (b"PNG", icon["sizes"])


def test_theme_colour_follows_light_and_dark_mode() -> None:
    colours = {
        meta.attrs["media"]: meta.attrs["content"] for meta in Browser().open("/").find_all("meta", name="theme-color")
    }
    assert colours == {
        "(prefers-color-scheme: light)": "#1C2E5E",
        "(prefers-color-scheme: dark)": "#0A1226",
    }
