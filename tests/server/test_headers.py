"""Security headers: which parts a page has, and who learns its address."""

import re

import pytest

from operations.data_dir import PROJECT
from tests.support.browser import Browser
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db


def sources(policy: str) -> dict[str, str]:
    return dict(directive.split(" ", 1) for directive in policy.split("; "))


@pytest.mark.parametrize(
    "path",
    ["/", "/nowhere", "/e/{short}", "/e/{short}/desk", "/t/{code}", "/api/tables/{code}", "/robots.txt"],
)
def test_a_page_is_made_of_files_from_here_and_nothing_else(path: str) -> None:
    hall = Hall()
    answer = hall.desk.open(path.format(short=hall.event.short, code=hall.code)).response
    told = sources(answer.headers["Content-Security-Policy"])
    assert told["default-src"] == told["base-uri"] == told["frame-ancestors"] == "'none'"
    assert {told[name] for name in ("img-src", "connect-src", "form-action")} == {"'self'"}
    for name in ("script-src", "style-src"):
        files, *written_in = told[name].split()
        assert files == "'self'"
        assert all(digest.startswith("'sha256-") for digest in written_in)
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "microphone=()" in answer.headers["Permissions-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.slow
def test_only_a_page_that_reads_squares_asks_for_the_camera() -> None:
    hall = Hall()
    asks = {
        path: "camera=(self)" in hall.desk.open(path).response.headers["Permissions-Policy"]
        for path in (hall.table, f"/e/{hall.event.short}/desk/codes", f"/e/{hall.event.short}/desk", "/")
    }
    assert list(asks.values()) == [True, True, False, False]


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".ics",
        ".csv",
        "/embed",
        "/picture.png",
        "/sign-up",
        "/desk",
        "/sitemap.xml",
        "/c/{slug}/news.atom",
    ],
)
def test_no_cache_hands_on_what_may_not_be_public_any_more_without_asking(path: str) -> None:
    hall = Hall()
    path = path.format(slug=hall.event.club.slug)
    path = path if path.startswith(("/sitemap", "/c/")) else f"/e/{hall.event.short}{path}"
    assert "no-cache" in hall.desk.open(path).response.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/desk"])
def test_no_browser_keeps_a_page_of_somebody_who_is_signed_in(path: str) -> None:
    hall = Hall()
    page = hall.desk.open(f"/e/{hall.event.short}{path}")
    assert page.response.headers["Cache-Control"] == "no-cache, no-store, private"


def test_signing_out_empties_the_cache_of_the_browser() -> None:
    hall = Hall()
    page = hall.desk.open(f"/club/{hall.event.club.slug}")
    left = hall.desk.send(page, page.form("/sign-out"), follow=False)
    assert left.response.headers["Clear-Site-Data"] == '"cache"'


@pytest.mark.parametrize("path", ["/t/{code}", "/start/x", "/join/x", "/e/{short}/desk"])
def test_an_address_with_a_secret_is_told_to_no_other_site(path: str) -> None:
    hall = Hall()
    page = Browser().open(path.format(short=hall.event.short, code=hall.code))
    assert page.response.headers["Referrer-Policy"] == "same-origin"
    assert not page.every("meta", name="referrer")
    assert not [one for one in page.every() if "referrerpolicy" in one.attrs]


def test_no_page_has_a_trigger_with_a_condition_which_would_be_a_script_in_it() -> None:
    """Browsers refuse it, and the page asks whatever the condition says."""
    triggers = [
        trigger
        for template in (PROJECT / "templates").rglob("*.html")
        for trigger in re.findall(r'hx-trigger="([^"]*)"', template.read_text(encoding="utf-8"))
    ]
    assert len(triggers) > 20
    assert [trigger for trigger in triggers if "[" in trigger] == []
