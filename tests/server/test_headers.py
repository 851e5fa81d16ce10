"""Security headers: content policy, caching and the referrer."""

import re

import pytest

from operations.data_dir import PROJECT
from tests.support.browser import Browser
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db


def parse_policy(policy: str) -> dict[str, str]:
    return dict(directive.split(" ", 1) for directive in policy.split("; "))


@pytest.mark.parametrize(
    "path",
    ["/", "/nowhere", "/e/{short}", "/e/{short}/desk", "/t/{code}", "/api/tables/{code}", "/robots.txt"],
)
def test_content_security_policy_allows_only_own_files(path: str) -> None:
    hall = Hall()
    answer = hall.desk.open(path.format(short=hall.event.short, code=hall.code)).response
    policy = parse_policy(answer.headers["Content-Security-Policy"])
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert {policy[name] for name in ("img-src", "connect-src", "form-action")} == {"'self'"}
    for name in ("script-src", "style-src"):
        files, *written_in = policy[name].split()
        assert files == "'self'"
        assert all(digest.startswith("'sha256-") for digest in written_in)
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "microphone=()" in answer.headers["Permissions-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_data_images_are_allowed_in_the_api_reference_only() -> None:
    images = [
        parse_policy(Browser().open(path).response.headers["Content-Security-Policy"])["img-src"]
        for path in ("/api/", "/")
    ]
    assert images == ["'self' data:", "'self'"]


@pytest.mark.slow
def test_camera_is_allowed_on_scanning_pages_only() -> None:
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
def test_caches_must_revalidate_public_pages(path: str) -> None:
    hall = Hall()
    path = path.format(slug=hall.event.club.slug)
    path = path if path.startswith(("/sitemap", "/c/")) else f"/e/{hall.event.short}{path}"
    assert "no-cache" in hall.desk.open(path).response.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/desk"])
def test_signed_in_pages_are_never_stored(path: str) -> None:
    hall = Hall()
    page = hall.desk.open(f"/e/{hall.event.short}{path}")
    assert page.response.headers["Cache-Control"] == "no-cache, no-store, private"


def test_sign_out_clears_the_browser_cache() -> None:
    hall = Hall()
    page = hall.desk.open(f"/club/{hall.event.club.slug}")
    left = hall.desk.send(page, page.find_form("/sign-out"), follow=False)
    assert left.response.headers["Clear-Site-Data"] == '"cache"'


@pytest.mark.parametrize("path", ["/t/{code}", "/start/x", "/join/x", "/e/{short}/desk"])
def test_secret_address_is_not_sent_to_other_sites(path: str) -> None:
    hall = Hall()
    page = Browser().open(path.format(short=hall.event.short, code=hall.code))
    assert page.response.headers["Referrer-Policy"] == "same-origin"
    assert not page.find_all("meta", name="referrer")
    assert not [one for one in page.find_all() if "referrerpolicy" in one.attrs]


def test_htmx_triggers_have_no_inline_conditions() -> None:
    """Browsers refuse to evaluate such a condition, and htmx then sends the request regardless of it."""
    triggers = [
        trigger
        for template in (PROJECT / "templates").rglob("*.html")
        for trigger in re.findall(r'hx-trigger="([^"]*)"', template.read_text(encoding="utf-8"))
    ]
    assert len(triggers) > 20
    assert [trigger for trigger in triggers if "[" in trigger] == []
