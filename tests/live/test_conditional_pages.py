"""Pages that bring themselves up to date: they say which revision they have, and are sent what is new."""

import gzip
import json
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django_htmx.middleware import HtmxMiddleware
from pytest_django.fixtures import Settings

from engine.visibility import Release
from live import conditional_pages
from live.conditional_pages import shared_conditional_page
from tests.builders import mark, matches_of, next_round, play_round, standings_after, win
from tests.every_page.test_every_page import a_full_night
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, tap
from tests.support.markup import read
from tests.tournaments.public.test_languages import public_addresses
from tournaments.events.views import access
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("within_a_minute")]

Watched = tuple[Browser, str]
WATCHED: dict[str, Callable[[Hall], Watched]] = {
    "table": lambda hall: (hall.phone(), hall.table),
    "table at the desk": lambda hall: (hall.desk, hall.ruled),
    "desk": lambda hall: (hall.desk, f"/e/{hall.event.short}/desk"),
    "public page": lambda hall: (hall.phone(), f"/e/{hall.event.short}"),
    "public page of a round": lambda hall: (hall.phone(), f"/e/{hall.event.short}/rounds/1"),
    "public page of a table": lambda hall: (hall.phone(), f"/e/{hall.event.short}/rounds/1/tables/1"),
}
every_watched_page = pytest.mark.parametrize("watched", WATCHED.values(), ids=list(WATCHED))


def polling(page: Page) -> tuple[str, str]:
    """Return where the page asks for news, and the revision it says it has."""
    (asking,) = [one for one in page.every() if {"hx-get", "hx-headers"} <= one.attrs.keys()]
    return asking.attrs["hx-get"], json.loads(asking.attrs["hx-headers"])["If-None-Match"]


def poll(browser: Browser, page: Page, **headers: str) -> Page:
    """Return what the page's own script asks: has this changed?"""
    address, revision = polling(page)
    return browser.open(address, **{"HX-Request": "true", "If-None-Match": revision} | headers)


def first_page(rf: RequestFactory, address: str = "/") -> HttpRequest:
    """Asked for as a browser does, with what the middleware reads of it."""
    request = rf.get(address)
    HtmxMiddleware(lambda _: HttpResponse())(request)
    return request


@every_watched_page
class TestAWatchedPage:
    def test_is_not_sent_again_while_nothing_changes(self, watched: Callable[[Hall], Watched]) -> None:
        browser, path = watched(Hall())
        page = browser.open(path)
        again = poll(browser, page)
        assert (again.status, again.html) == (304, "")
        assert browser.open(path, **{"If-None-Match": page.revision}).status == 304

    def test_is_sent_anew_once_something_changed(self, watched: Callable[[Hall], Watched]) -> None:
        hall = Hall()
        browser, path = watched(hall)
        page = browser.open(path)
        win(hall.match)
        assert poll(browser, page).status == 200
        assert browser.open(path, **{"If-None-Match": page.revision}).status == 200

    def test_is_sent_to_its_script_in_part(self, watched: Callable[[Hall], Watched]) -> None:
        hall = Hall()
        browser, path = watched(hall)
        page = browser.open(path)
        win(hall.match)
        part = poll(browser, page)
        assert "<html" not in part.html
        assert "<html" in browser.open(path).html
        outermost = {one.attrs.get("id") for one in read(part.html).children if not isinstance(one, str)}
        assert outermost <= {"screen", "live", "main", "band", "found", "news"}
        assert poll(browser, part).status == 304

    def test_and_its_part_are_not_taken_for_each_other(self, watched: Callable[[Hall], Watched]) -> None:
        browser, path = watched(Hall())
        page = browser.open(path)
        assert browser.open(path, **{"If-None-Match": polling(page)[1]}).status == 200
        assert poll(browser, page, **{"If-None-Match": page.revision}).status == 200

    def test_is_compared_through_compression(self, watched: Callable[[Hall], Watched]) -> None:
        hall = Hall()
        browser, path = watched(hall)
        packed = browser.client.get(path, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert b"<html" in gzip.decompress(packed.content)
        weak = packed.headers["ETag"]
        headers = {"Accept-Encoding": "gzip", "If-None-Match": weak}
        assert browser.client.get(path, headers=headers).status_code == 304
        win(hall.match)
        assert browser.client.get(path, headers=headers).status_code == 200

    def test_is_another_one_in_another_language(self, watched: Callable[[Hall], Watched]) -> None:
        browser, path = watched(Hall())
        page = browser.open(path)
        french = browser.open(path, **{"If-None-Match": page.revision, "Accept-Language": "fr"})
        assert french.status == 200
        assert french.one("html").attrs["lang"] == "fr-CA"

    def test_is_kept_by_a_browser_only_to_be_asked_for_again(
        self, watched: Callable[[Hall], Watched]
    ) -> None:
        browser, path = watched(Hall())
        headers = browser.open(path).response.headers
        assert {"no-cache", "private"} <= set(headers["Cache-Control"].split(", "))
        assert {"Cookie", "Accept-Language", "HX-Request"} <= set(headers["Vary"].split(", "))


@pytest.mark.parametrize("name", ["table", "table at the desk", "desk"])
def test_a_page_whose_forms_lost_their_token_is_sent_anew(name: str) -> None:
    browser, path = WATCHED[name](Hall())
    page = browser.open(path)
    browser.client.cookies["csrftoken"] = "x" * 32
    assert browser.open(path, **{"If-None-Match": page.revision}).status == 200
    assert poll(browser, page).status == 200


def test_a_page_of_before_an_update_is_sent_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, reader = Hall(), Browser()
    page = reader.open(f"/e/{hall.event.short}")
    monkeypatch.setattr(staticfiles_storage, "manifest_hash", "other names of static files", raising=False)
    assert reader.open(page.path, **{"If-None-Match": page.revision}).status == 200


@pytest.mark.slow
def test_a_phone_at_a_table_moves_on_to_the_next_round_by_itself() -> None:
    hall, phone = Hall(), Browser()
    page = phone.open(hall.table)
    play_round(hall.event)
    next_round(hall.event)
    assert "round 2" in poll(phone, page).text


def test_the_table_is_not_sent_again_for_what_happens_at_another_one() -> None:
    hall, phone = Hall(), Browser()
    page = phone.open(hall.table)
    mark(matches_of(hall.event)[1], "A 6 7")
    assert poll(phone, page).status == 304


def test_a_mark_sent_by_script_is_answered_with_the_part_and_its_new_revision() -> None:
    hall, phone = Hall(), Browser()
    page = phone.open(hall.table)
    phone.client.defaults["HTTP_HX_REQUEST"] = "true"
    part = tap(phone, page, "A-6-7")
    assert (part.status, part.response.headers["HX-Replace-Url"]) == (200, hall.table)
    assert "<html" not in part.html
    assert poll(phone, part).status == 304


@pytest.mark.slow
def test_a_refusal_stays_on_the_screen_until_something_changes() -> None:
    hall = Hall()
    desk = hall.desk.open(f"/e/{hall.event.short}/desk")
    refused = hall.desk.send(desk, desk.form("/close"))
    assert refused.status == 409
    assert poll(hall.desk, refused).status == 304
    win(hall.match)
    assert poll(hall.desk, refused).status == 200


@pytest.mark.slow
def test_a_desk_that_was_left_elsewhere_loads_itself_anew_and_asks_to_sign_in() -> None:
    hall = Hall()
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    hall.desk.client.logout()
    answer = poll(hall.desk, page)
    assert (answer.status, answer.response.headers["HX-Refresh"], answer.html) == (200, "true", "")
    assert hall.desk.open(page.path).path == "/sign-in"


@pytest.mark.slow
def test_the_public_page_changes_neither_by_a_draft_nor_for_it() -> None:
    hall, reader = Hall(), Browser()
    play_round(hall.event)
    standings_after(hall.event)
    path = f"/e/{hall.event.short}"
    before = reader.open(path).one("main").text
    draw_round(event_id=hall.event.pk)
    assert reader.open(path).one("main").text == before


@pytest.mark.parametrize("asked", ["9", "x", "1\r\nX: y", "é", '"', "1" * 5000, "-1", "0"])
def test_a_round_that_is_none_shows_the_last_one(asked: str) -> None:
    hall, reader = Hall(), Browser()
    page = Page(reader.client.get(f"/e/{hall.event.short}", {"round": asked}))
    assert page.status == 200
    assert "round 1" in page.text
    assert poll(reader, page).status == 304


@pytest.mark.slow
def test_a_public_page_that_asks_for_no_news_carries_nothing_to_ask_with() -> None:
    wrong = []
    for address in public_addresses(a_full_night("ended")[1]):
        page = Browser().open(address)
        asks = any(name.startswith("hx-") for one in page.every() for name in one.attrs)
        carries = any("htmx" in one.attrs.get("src", "") for one in page.every("script"))
        if carries != asks:
            wrong.append(address)
    assert wrong == []


class TestAPublicPage:
    """Made once at each revision, for everybody who asks."""

    PATTERNS = (
        *("/e/<slug:short>", "/e/<slug:short>/rounds/<int:number>", "/e/<slug:short>/standings"),
        *("/e/<slug:short>/charts", "/e/<slug:short>/rules", "/e/<slug:short>/embed"),
        "/e/<slug:short>/rounds/<int:number>/tables/<int:table_number>",
        *(
            f"/c/<slug:slug>{rest}"
            for rest in ("", "/embed", "/calendar", "/ratings", "/records", "/privacy")
        ),
        *(f"/c/<slug:slug>/seasons/<int:pk>{rest}" for rest in ("", "/<int:place>", "/<int:place>/embed")),
        *(f"/c/<slug:slug>/people/<int:pk>{rest}" for rest in ("", "/with/<int:partner>")),
    )

    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall()
        win(hall.match)
        standings_after(hall.event)
        return hall

    @pytest.mark.slow
    def test_is_read_by_the_second_one_as_the_first_one_had_it_made(self) -> None:
        hall, paths = a_full_night("playing")
        for address in (paths[pattern] for pattern in self.PATTERNS):
            first = hall.phone().open(address)
            with CaptureQueriesContext(connection) as asked:
                second = Browser(address="192.0.2.77").open(address)
            assert (second.html, second.revision) == (first.html, first.revision), address
            assert len(asked) <= 4, address
            assert "csrf" not in first.html, address
            assert not second.response.cookies, address

    def test_is_made_once_for_all_who_ask_at_once(self, rf: RequestFactory) -> None:
        made: list[HttpResponse] = []
        all_ask = Barrier(8)

        def page() -> HttpResponse:
            time.sleep(0.1)  # long enough for all the others to ask
            made.append(HttpResponse("the page"))
            return made[-1]

        def ask(_: int) -> bytes:
            all_ask.wait()
            return shared_conditional_page(first_page(rf), "1", page).content

        with ThreadPoolExecutor(8) as readers:
            assert set(readers.map(ask, range(8))) == {b"the page"}
        assert len(made) == 1

    def test_that_could_not_be_made_is_tried_again_by_the_next_one(self, rf: RequestFactory) -> None:
        def fails() -> HttpResponse:
            raise Http404

        with pytest.raises(Http404):
            shared_conditional_page(first_page(rf), "1", fails)
        assert shared_conditional_page(first_page(rf), "1", lambda: HttpResponse("now")).content == b"now"

    def test_is_one_page_whatever_else_the_address_asks(self, rf: RequestFactory) -> None:
        made: list[int] = []

        def ask(query: str) -> HttpResponse:
            def page() -> HttpResponse:
                made.append(1)
                return HttpResponse(request.get_full_path())

            request = first_page(rf, f"/?{query}")
            return shared_conditional_page(request, "1", page, reads=["who"])

        pages = [
            ask(query).content for query in ("who=Roy", "who=Roy&fbclid=1", "x=1&x=2&who=Roy", "who=Roi")
        ]
        assert pages == [b"/?who=Roy"] * 3 + [b"/?who=Roi"]
        assert len(made) == 2

    def test_is_dropped_from_memory_before_the_pages_are_too_many_bytes(
        self, rf: RequestFactory, settings: Settings
    ) -> None:
        options = settings.CACHES["pages"]["OPTIONS"]
        large = HttpResponse(b"x" * (options["MAX_BYTES"] // 3))
        made: list[str] = []

        def ask(path: str) -> None:
            def page() -> HttpResponse:
                made.append(path)
                return large

            shared_conditional_page(first_page(rf, path), "1", page)

        for path in ("/1", "/2", "/1", "/3", "/1", "/2"):
            ask(path)
        assert made == ["/1", "/2", "/3", "/2"]

    @pytest.mark.slow
    def test_reads_only_the_parameters_that_it_declares(self, monkeypatch: pytest.MonkeyPatch) -> None:
        declared: list[tuple[str, Collection[str]]] = []
        was_read: set[str] = set()
        whole = conditional_pages.drop_other_parameters

        def declare(request: HttpRequest, reads: Collection[str]) -> bool:
            declared.append((request.path, reads))
            return whole(request, reads)

        for module in (conditional_pages, access):
            monkeypatch.setattr(module, "drop_other_parameters", declare)
        for name in ("get", "getlist", "__getitem__"):
            plain = getattr(QueryDict, name)

            def read(self: QueryDict, key: str, *rest: Any, plain: Any = plain) -> Any:
                was_read.add(key)
                return plain(self, key, *rest)

            monkeypatch.setattr(QueryDict, name, read)
        _, paths = a_full_night("ended")
        addresses = [*public_addresses(paths), f"/api/v1{urlsplit(paths['/e/<slug:short>']).path}/standings"]
        for address in addresses:
            declared.clear()
            was_read.clear()
            Browser().open(address)
            for path, reads in declared:
                assert was_read <= {*reads, "round"}, path  # the page of a round has an address of its own
        assert addresses

    @pytest.mark.slow
    def test_is_another_one_for_each_language_host_and_question(self, hall: Hall) -> None:
        address = f"/e/{hall.event.short}"
        name = hall.event.entries.all()[0].player_1.name.partition(" ")[0]
        english, french = (Browser(language=language).open(address).html for language in ("en", "fr"))
        elsewhere = Page(Browser().client.get(address, headers={"host": "localhost"})).html
        asked = Browser().open(f"{address}?who={name}").html
        assert len({english, french, elsewhere, asked}) == 4

    def test_is_made_anew_for_all_with_the_next_hand(self, hall: Hall) -> None:
        address = f"/e/{hall.event.short}/rounds/1"
        before = hall.phone().open(address).html
        win(matches_of(hall.event)[1])
        assert Browser().open(address).html != before

    def test_is_nobodys_once_the_event_is_hidden(self, hall: Hall) -> None:
        address = f"/e/{hall.event.short}"
        assert hall.phone().open(address).status == 200
        change_release(event_id=hall.event.pk, release=Release(is_public=False))
        assert Browser().open(address).status == 404
