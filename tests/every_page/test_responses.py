"""Headers of every response: content type, cookies and cross-origin access."""

from __future__ import annotations

import re
from http.cookies import Morsel
from typing import Any
from urllib.parse import quote

import pytest

from clubs.models import Club, HouseRules, Person
from clubs.services.people import PersonDetails, add_person
from operations.data_dir import KEY_FILE
from scoring.services.agreement import call_desk
from tests.builders import PASSWORD, compute_standings, mark, win
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.tournaments.exports.test_exports import ENDING
from tournaments.models import Event

from .test_every_page import build_full_night, list_patterns, open_all_pages
from .test_permissions import build_full_hall, build_path

pytestmark = pytest.mark.django_db

SCRIPT_COOKIE = "csrftoken"
"""The only cookie that our scripts read; each form also contains its value."""
ELSEWHERE = (
    *(
        "https://evil.example/",
        "//evil.example/",
        "///evil.example",
        "http:///evil.example",
        "https:evil.example",
    ),
    *("/\\evil.example/", "\\\\evil.example/", "\t//evil.example", " //evil.example", "javascript:alert(1)"),
)
HOSTILE = 'x"; filename="evil.exe\r\nX-Evil: 1\r\n\r\n../../etc/passwd'
FORMATS = "%(name)s %s %n {0.__class__} {x} {{ settings.SECRET_KEY }} {% debug %} ${x}"
SCRIPT = "<script>alert(1)</script>"
HOSTILE_TEXT = f"{SCRIPT} %(name)s %s %n {{0.__class__}} {{{{ x }}}} {{% debug %}} ${{x}}"
HOSTILE_QUERIES = (
    *("(a+)+$", "[", "\\", "*", "(?P<x>", ".*", "%", "_", "%s", "{0}"),
    *("' OR 1=1 --", '"; DROP TABLE clubs_person; --', "\u0000", "\u2028", "a" * 5_000),
)
"""Queries with a special meaning in regular expressions, SQL or format strings."""


IS_HERE = re.compile(r"/(?![/\\])")


def disable_csrf(browser: Browser) -> Browser:
    """Let the browser send forms without a CSRF token."""
    browser.client.handler.enforce_csrf_checks = False
    return browser


def is_text(kind: str) -> bool:
    return kind.startswith("text/") or "xml" in kind.partition(";")[0].rpartition("/")[2].split("+")


@pytest.mark.slow
class TestResponseHeaders:
    @pytest.mark.long
    def test_response_declares_its_type_and_charset(self) -> None:
        pages = open_all_pages("playing", "en")
        hall, _ = build_full_night("playing")
        files = [build_path(hall, one).replace(ENDING, "") for one in list_patterns() if one.endswith(ENDING)]
        others = [
            *(path if path.endswith(".csv") else f"{path}.csv" for path in files),
            *(f"/e/{hall.event.short}/standings.{ending}" for ending in ("txt", "json")),
            *("/nowhere", "/robots.txt", "/sitemap.xml", "/api/v1/clubs"),
        ]
        for path, page in {**pages, **{path: hall.desk.open(path) for path in others}}.items():
            answer = page.response
            kind = answer.headers["Content-Type"]
            assert "charset=utf-8" in kind.lower() or not is_text(kind), (path, kind)
            assert answer.headers["X-Content-Type-Options"] == "nosniff", path

    @pytest.mark.long
    def test_cookies_are_same_site_and_http_only_except_one(self) -> None:
        cookies: dict[str, Morsel[str]] = {}
        for page in open_all_pages("playing", "en").values():
            cookies |= page.response.cookies
        hall, paths = build_full_night("playing")
        anybody = Browser()
        for path in paths.values():
            cookies |= anybody.open(path).response.cookies
        cookies |= disable_csrf(hall.desk).client.post("/language", {"language": "en"}).cookies
        browser = Browser()
        page = browser.open("/sign-in")
        answer = browser.send(page, page.find_form("/sign-in"), name=hall.owner.name, password=PASSWORD, follow=False)
        cookies |= answer.response.cookies
        assert {SCRIPT_COOKIE, "django_language", "sessionid"} <= cookies.keys()
        assert [name for name, cookie in cookies.items() if cookie["samesite"] not in {"Lax", "Strict"}] == []
        assert [name for name, cookie in cookies.items() if not cookie["httponly"]] == [SCRIPT_COOKIE]
        assert [name for name, cookie in cookies.items() if cookie["domain"]] == []

    def test_public_data_allows_cross_origin_reads_without_cookies(self) -> None:
        hall, paths = build_full_night("playing")
        for pattern, path in paths.items():
            headers = hall.desk.open(path, origin="https://evil.example").response.headers
            assert headers.get("Access-Control-Allow-Origin") is None, pattern
            assert "Access-Control-Allow-Credentials" not in headers, pattern
        for path in (f"/e/{hall.event.short}/standings.json", "/api/v1/clubs"):
            headers = hall.desk.open(path, origin="https://evil.example").response.headers
            assert headers["Access-Control-Allow-Origin"] == "*"
            assert "Access-Control-Allow-Credentials" not in headers

    @pytest.mark.long
    def test_trace_requests_are_rejected(self) -> None:
        hall, every = build_full_hall()
        statuses = {address.pattern: hall.desk.client.trace(path).status_code for address, path in every}
        assert {pattern for pattern, status in statuses.items() if status != 405} == set()

    @pytest.mark.long
    def test_signed_in_pages_link_to_the_account(self) -> None:
        pages = open_all_pages("playing", "en")
        without = [
            pattern
            for pattern, page in pages.items()
            if page.find_all("nav") and not any("/account" in one.attrs.get("href", "") for one in page.find_all("a"))
        ]
        assert [one for one in without if one.startswith("/club/")] == []
        assert pages["/account"].find_form("/sign-out")


class TestRedirects:
    @pytest.mark.long
    def test_redirect_after_sign_in_or_language_choice_stays_local(self) -> None:
        hall = Hall()
        for wanted in ELSEWHERE:
            browser = Browser()
            page = browser.open(f"/sign-in?next={quote(wanted)}")
            signed_in = browser.send(
                page,
                page.find_form("/sign-in"),
                name=hall.owner.name,
                password=PASSWORD,
                next=wanted,
                follow=False,
            )
            chosen = disable_csrf(browser).client.post("/language", {"language": "en", "next": wanted})
            for answer in (signed_in.response, chosen):
                assert IS_HERE.match(answer.headers["Location"]), wanted

    def test_redirect_from_the_history_stays_local(self) -> None:
        hall = Hall()
        assert hall.house_rules
        add_person(club_id=hall.event.club.pk, details=PersonDetails(name="Somebody New"))
        line = f"/club/{hall.event.club.slug}/history/{hall.event.club.actions.latest('pk').pk}/undo"
        answer = disable_csrf(hall.desk).client.post(line, {"next": "//evil.example/"})
        assert IS_HERE.match(answer.headers["Location"])


class TestDownloads:
    @pytest.mark.long
    def test_download_has_a_safe_file_name_whatever_the_event_is_called(self) -> None:
        hall, _ = build_full_night("playing")
        Event.objects.update(name=HOSTILE[:80])
        Club.objects.update(name=HOSTILE[:80])
        Person.objects.update(name=HOSTILE[:60])
        assert [one for one in list_patterns() if one.endswith(ENDING)]
        short, slug = hall.event.short, hall.event.club.slug
        everything = f"{hall.person}/privacy/everything.zip"
        files = [
            *(build_path(hall, one).replace(ENDING, "") for one in list_patterns() if one.endswith(ENDING)),
            *(f"/e/{short}.ics", f"/c/{slug}/calendar.ics", f"/e/{short}/desk/file", everything),
        ]
        for path in files:
            headers = hall.desk.open(path).response.headers
            assert "X-Evil" not in headers, path
            if disposition := headers.get("Content-Disposition"):
                assert re.fullmatch(r'(attachment|inline); filename="[\w-]+(\.[\w-]+)*\.\w+"', disposition), path
                assert "evil.exe" not in disposition


class TestHostileText:
    @pytest.mark.slow
    def test_search_treats_special_characters_literally(self) -> None:
        hall = Hall()
        slug, short = hall.event.club.slug, hall.event.short
        fields = (
            *(f"/club/{slug}/people?search=", f"/club/{slug}/history?search=", f"/e/{short}/mine?who="),
            *(f"/e/{short}/desk/entries?search=", f"/e/{short}/desk/entries/people?search=", "/find?who="),
            *(f"/e/{short}/desk/history?search=", f"/c/{slug}/ratings?search="),
        )
        names = [person.name for person in hall.event.club.people.all()]
        for field in fields:
            for query in HOSTILE_QUERIES:
                page = hall.desk.open(field + quote(query))
                assert page.status < 500, (field, query)
                if "/people?" in field and f"/club/{slug}" in field and query.strip("\0\u2028 "):
                    found = " ".join(one.text for one in page.find_all("li", "td"))
                    assert not any(name in found for name in names), (field, query)
        assert hall.event.club.people.count() == len(names)

    @pytest.mark.long
    def test_hostile_names_and_reasons_are_shown_as_text(self) -> None:
        hall, paths = build_full_night("playing")
        Event.objects.update(name=HOSTILE_TEXT)
        Club.objects.update(name=HOSTILE_TEXT)
        Person.objects.update(name=FORMATS[:60])
        assert hall.house_rules
        HouseRules.objects.update(name=HOSTILE_TEXT)
        win(hall.match)
        mark(
            hall.match,
            "A 7 7",
            replaced=hall.match.marks.earliest("pk"),
            director=hall.owner,
            reason=HOSTILE_TEXT,
        )
        call_desk(match_id=hall.match.pk, note=HOSTILE_TEXT)
        compute_standings(hall.event)
        for pattern, path in paths.items():
            page = hall.desk.open(path)
            assert page.status < 500, pattern
            assert "&lt;class" not in page.html, pattern
            assert SCRIPT not in page.html, pattern
        assert HOSTILE_TEXT in hall.desk.open(f"/e/{hall.event.short}/desk").text
        assert SCRIPT in hall.desk.open(f"{hall.desk_match}/hands").text

    def test_address_parameter_is_decoded_once(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/club/{hall.event.club.slug}/people?search=%253Cb%253E")
        assert page.find_field("search").value == "%3Cb%3E"

    def test_last_value_of_a_repeated_parameter_is_taken(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/club/{hall.event.club.slug}/people?search=first&search=second")
        assert page.find_field("search").value == "second"
        new = hall.desk.open(f"/club/{hall.event.club.slug}/people/new?name=In+the+address")
        hall.desk.send(new, new.find_form(control_name="contact"), name=["First", "Second"])
        names = set(hall.event.club.people.values_list("name", flat=True))
        assert names & {"First", "Second", "In the address"} == {"Second"}


class TestUnknownFields:
    def test_form_ignores_fields_it_does_not_have(self) -> None:
        hall = Hall()
        page = hall.desk.open(f"/club/{hall.event.club.slug}/people/new")
        beside: dict[str, Any] = {"id": "1", "pk": "1", "club": "999", "club_id": "999", "merged_ids": "[1]"}
        beside |= {"is_active": "", "anonymized_at": "2020-01-01", "role": "owner", "is_superuser": "1"}
        before = hall.event.club.people.count()
        hall.desk.send(page, page.find_form(control_name="contact"), name="Somebody New", **beside)
        made = Person.objects.get(name="Somebody New")
        assert (made.club_id, made.merged_ids, made.is_active) == (hall.event.club_id, [], True)
        assert made.anonymized_at is None
        assert hall.event.club.people.count() == before + 1


class TestServerFiles:
    @pytest.mark.parametrize(
        "path",
        [
            *("/.git/config", "/.git/HEAD", "/.env", "/manage.py", "/config/settings.py", f"/{KEY_FILE}"),
            *("/static/", "/static/js/", "/static/../secret.key", "/static/%2e%2e/secret.key"),
            *(
                "/static/..%2fsecret.key",
                "/static//etc/passwd",
                "/data/secret.key",
                "/backups/",
                "/club-files/",
            ),
        ],
    )
    def test_server_files_are_not_served(self, path: str) -> None:
        answer = Page(Hall().desk.client.get(path))
        assert answer.status in {301, 302, 404}
        assert answer.status == 404 or answer.response.headers["Location"].rstrip("/").endswith("/static")

    @pytest.mark.parametrize(
        "token", ["..", "../../secret.key", "%2e%2e%2fsecret.key", "....//", "/etc/passwd", "1-x", "0" * 400]
    )
    def test_pending_import_is_found_only_by_its_token(self, token: str) -> None:
        hall = Hall()
        for under in ("import", "import/nights", "bringing-in"):
            assert hall.desk.open(f"/club/{hall.event.club.slug}/{under}/{token}").status == 404
