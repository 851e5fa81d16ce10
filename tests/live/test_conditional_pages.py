"""Pages that update themselves: they state their revision, and receive what changed since."""

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
from tests.builders import compute_standings, mark, matches_of, play_round, start_next_round, win
from tests.every_page.test_every_page import build_full_night
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, tap
from tests.support.markup import parse_html
from tests.tournaments.public.test_languages import iter_public_addresses
from tournaments.events.views import access
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("within_a_minute")]

WatchedPage = tuple[Browser, str]
WATCHED_PAGES: dict[str, Callable[[Hall], WatchedPage]] = {
    "table": lambda hall: (hall.add_phone(), hall.table),
    "table at the desk": lambda hall: (hall.desk, hall.desk_match),
    "desk": lambda hall: (hall.desk, f"/e/{hall.event.short}/desk"),
    "public page": lambda hall: (hall.add_phone(), f"/e/{hall.event.short}"),
    "public page of a round": lambda hall: (hall.add_phone(), f"/e/{hall.event.short}/rounds/1"),
    "public page of a table": lambda hall: (hall.add_phone(), f"/e/{hall.event.short}/rounds/1/tables/1"),
}
parametrize_watched_pages = pytest.mark.parametrize("watched", WATCHED_PAGES.values(), ids=list(WATCHED_PAGES))


def get_polling(page: Page) -> tuple[str, str]:
    """Return the address that the page polls, and the revision that it sends."""
    (asking,) = [one for one in page.find_all() if {"hx-get", "hx-headers"} <= one.attrs.keys()]
    return asking.attrs["hx-get"], json.loads(asking.attrs["hx-headers"])["If-None-Match"]


def poll(browser: Browser, page: Page, **headers: str) -> Page:
    """Send the request with which the page's script asks whether it has changed."""
    address, revision = get_polling(page)
    return browser.open(address, **{"HX-Request": "true", "If-None-Match": revision} | headers)


def build_request(rf: RequestFactory, address: str = "/") -> HttpRequest:
    """Build a request with the attributes that the middleware adds."""
    request = rf.get(address)
    HtmxMiddleware(lambda _: HttpResponse())(request)
    return request


@parametrize_watched_pages
class TestWatchedPage:
    def test_unchanged_page_answers_304(self, watched: Callable[[Hall], WatchedPage]) -> None:
        browser, path = watched(Hall())
        page = browser.open(path)
        again = poll(browser, page)
        assert (again.status, again.html) == (304, "")
        assert browser.open(path, **{"If-None-Match": page.revision}).status == 304

    @pytest.mark.long
    def test_changed_page_is_sent_again(self, watched: Callable[[Hall], WatchedPage]) -> None:
        hall = Hall()
        browser, path = watched(hall)
        page = browser.open(path)
        win(hall.match)
        assert poll(browser, page).status == 200
        assert browser.open(path, **{"If-None-Match": page.revision}).status == 200

    @pytest.mark.long
    def test_script_request_gets_only_a_part(self, watched: Callable[[Hall], WatchedPage]) -> None:
        hall = Hall()
        browser, path = watched(hall)
        page = browser.open(path)
        win(hall.match)
        part = poll(browser, page)
        assert "<html" not in part.html
        assert "<html" in browser.open(path).html
        outermost = {one.attrs.get("id") for one in parse_html(part.html).children if not isinstance(one, str)}
        assert outermost <= {"screen", "live", "main", "band", "found", "news"}
        assert poll(browser, part).status == 304

    @pytest.mark.long
    def test_page_and_part_have_distinct_entity_tags(self, watched: Callable[[Hall], WatchedPage]) -> None:
        browser, path = watched(Hall())
        page = browser.open(path)
        assert browser.open(path, **{"If-None-Match": get_polling(page)[1]}).status == 200
        assert poll(browser, page, **{"If-None-Match": page.revision}).status == 200

    @pytest.mark.long
    def test_compressed_page_is_compared_by_its_entity_tag(self, watched: Callable[[Hall], WatchedPage]) -> None:
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

    @pytest.mark.long
    def test_another_language_gets_another_page(self, watched: Callable[[Hall], WatchedPage]) -> None:
        browser, path = watched(Hall())
        page = browser.open(path)
        french = browser.open(path, **{"If-None-Match": page.revision, "Accept-Language": "fr"})
        assert french.status == 200
        assert french.find_one("html").attrs["lang"] == "fr-CA"

    def test_browser_must_revalidate_a_watched_page(self, watched: Callable[[Hall], WatchedPage]) -> None:
        browser, path = watched(Hall())
        headers = browser.open(path).response.headers
        assert {"no-cache", "private"} <= set(headers["Cache-Control"].split(", "))
        assert {"Cookie", "Accept-Language", "HX-Request"} <= set(headers["Vary"].split(", "))


@pytest.mark.long
@pytest.mark.parametrize("name", ["table", "table at the desk", "desk"])
def test_page_without_a_valid_form_token_is_sent_again(name: str) -> None:
    browser, path = WATCHED_PAGES[name](Hall())
    page = browser.open(path)
    browser.client.cookies["csrftoken"] = "x" * 32
    assert browser.open(path, **{"If-None-Match": page.revision}).status == 200
    assert poll(browser, page).status == 200


def test_page_from_before_an_update_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, reader = Hall(), Browser()
    page = reader.open(f"/e/{hall.event.short}")
    monkeypatch.setattr(staticfiles_storage, "manifest_hash", "other names of static files", raising=False)
    assert reader.open(page.path, **{"If-None-Match": page.revision}).status == 200


@pytest.mark.long
def test_table_page_moves_on_to_the_next_round() -> None:
    hall, phone = Hall(), Browser()
    page = phone.open(hall.table)
    play_round(hall.event)
    start_next_round(hall.event)
    assert "round 2" in poll(phone, page).text


def test_mark_at_another_table_does_not_refresh_the_table_page() -> None:
    hall, phone = Hall(), Browser()
    page = phone.open(hall.table)
    mark(matches_of(hall.event)[1], "A 6 7")
    assert poll(phone, page).status == 304


@pytest.mark.long
def test_script_mark_returns_the_part_with_its_revision() -> None:
    hall, phone = Hall(), Browser()
    page = phone.open(hall.table)
    phone.client.defaults["HTTP_HX_REQUEST"] = "true"
    part = tap(phone, page, "A-6-7")
    assert (part.status, part.response.headers["HX-Replace-Url"]) == (200, hall.table)
    assert "<html" not in part.html
    assert poll(phone, part).status == 304


@pytest.mark.long
def test_refusal_stays_visible_until_something_changes() -> None:
    hall = Hall()
    desk = hall.desk.open(f"/e/{hall.event.short}/desk")
    refused = hall.desk.send(desk, desk.find_form("/close"))
    assert refused.status == 409
    assert poll(hall.desk, refused).status == 304
    win(hall.match)
    assert poll(hall.desk, refused).status == 200


@pytest.mark.slow
def test_signed_out_desk_reloads_to_the_sign_in_page() -> None:
    hall = Hall()
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    hall.desk.client.logout()
    answer = poll(hall.desk, page)
    assert (answer.status, answer.response.headers["HX-Refresh"], answer.html) == (200, "true", "")
    assert hall.desk.open(page.path).path == "/sign-in"


@pytest.mark.long
def test_draft_does_not_change_the_public_page() -> None:
    hall, reader = Hall(), Browser()
    play_round(hall.event)
    compute_standings(hall.event)
    path = f"/e/{hall.event.short}"
    before = reader.open(path).find_one("main").text
    draw_round(event_id=hall.event.pk)
    assert reader.open(path).find_one("main").text == before


@pytest.mark.parametrize("round_value", ["9", "x", "1\r\nX: y", "é", '"', "1" * 5000, "-1", "0"])
def test_invalid_round_number_shows_the_last_round(round_value: str) -> None:
    hall, reader = Hall(), Browser()
    page = Page(reader.client.get(f"/e/{hall.event.short}", {"round": round_value}))
    assert page.status == 200
    assert "round 1" in page.text
    assert poll(reader, page).status == 304


@pytest.mark.long
def test_static_public_pages_load_no_polling_script() -> None:
    wrong = []
    for address in iter_public_addresses(build_full_night("ended")[1]):
        page = Browser().open(address)
        asks = any(name.startswith("hx-") for one in page.find_all() for name in one.attrs)
        carries = any("htmx" in one.attrs.get("src", "") for one in page.find_all("script"))
        if carries != asks:
            wrong.append(address)
    assert wrong == []


class TestSharedPublicPage:
    """A page rendered once for each revision and shared by all readers."""

    PATTERNS = (
        *("/e/<slug:short>", "/e/<slug:short>/rounds/<int:number>", "/e/<slug:short>/standings"),
        *("/e/<slug:short>/charts", "/e/<slug:short>/rules", "/e/<slug:short>/embed"),
        "/e/<slug:short>/rounds/<int:number>/tables/<int:table_number>",
        *(f"/c/<slug:slug>{rest}" for rest in ("", "/embed", "/calendar", "/ratings", "/records", "/privacy")),
        *(f"/c/<slug:slug>/seasons/<int:pk>{rest}" for rest in ("", "/<int:place>", "/<int:place>/embed")),
        *(f"/c/<slug:slug>/people/<int:pk>{rest}" for rest in ("", "/with/<int:partner>")),
    )

    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall()
        win(hall.match)
        compute_standings(hall.event)
        return hall

    @pytest.mark.long
    def test_second_reader_gets_the_page_cached_for_the_first(self) -> None:
        hall, paths = build_full_night("playing")
        for address in (paths[pattern] for pattern in self.PATTERNS):
            first = hall.add_phone().open(address)
            with CaptureQueriesContext(connection) as queries:
                second = Browser(address="192.0.2.77").open(address)
            assert (second.html, second.revision) == (first.html, first.revision), address
            assert len(queries) <= 4, address
            assert "csrf" not in first.html, address
            assert not second.response.cookies, address

    def test_concurrent_readers_share_one_render(self, rf: RequestFactory) -> None:
        made: list[HttpResponse] = []
        all_ask = Barrier(8)

        def page() -> HttpResponse:
            time.sleep(0.1)  # long enough for all other readers to ask
            made.append(HttpResponse("the page"))
            return made[-1]

        def ask(_: int) -> bytes:
            all_ask.wait()
            return shared_conditional_page(build_request(rf), "1", page).content

        with ThreadPoolExecutor(8) as readers:
            assert set(readers.map(ask, range(8))) == {b"the page"}
        assert len(made) == 1

    def test_failed_render_is_retried_for_the_next_reader(self, rf: RequestFactory) -> None:
        def fails() -> HttpResponse:
            raise Http404

        with pytest.raises(Http404):
            shared_conditional_page(build_request(rf), "1", fails)
        assert shared_conditional_page(build_request(rf), "1", lambda: HttpResponse("now")).content == b"now"

    def test_undeclared_query_parameters_share_one_page(self, rf: RequestFactory) -> None:
        made: list[int] = []

        def ask(query: str) -> HttpResponse:
            def page() -> HttpResponse:
                made.append(1)
                return HttpResponse(request.get_full_path())

            request = build_request(rf, f"/?{query}")
            return shared_conditional_page(request, "1", page, query_params=["who"])

        pages = [ask(query).content for query in ("who=Roy", "who=Roy&fbclid=1", "x=1&x=2&who=Roy", "who=Roi")]
        assert pages == [b"/?who=Roy"] * 3 + [b"/?who=Roi"]
        assert len(made) == 2

    def test_page_cache_evicts_pages_beyond_its_byte_limit(self, rf: RequestFactory, settings: Settings) -> None:
        options = settings.CACHES["pages"]["OPTIONS"]
        large = HttpResponse(b"x" * (options["MAX_BYTES"] // 3))
        made: list[str] = []

        def ask(path: str) -> None:
            def page() -> HttpResponse:
                made.append(path)
                return large

            shared_conditional_page(build_request(rf, path), "1", page)

        for path in ("/1", "/2", "/1", "/3", "/1", "/2"):
            ask(path)
        assert made == ["/1", "/2", "/3", "/2"]

    @pytest.mark.long
    def test_public_page_reads_only_declared_parameters(self, monkeypatch: pytest.MonkeyPatch) -> None:
        declared: list[tuple[str, Collection[str]]] = []
        was_read: set[str] = set()
        whole = conditional_pages.drop_other_parameters

        def declare(request: HttpRequest, reads: Collection[str]) -> bool:
            declared.append((request.path, reads))
            return whole(request, reads)

        for module in (conditional_pages, access):
            monkeypatch.setattr(module, "drop_other_parameters", declare)
        for name in ("get", "getlist", "__getitem__"):
            original_method = getattr(QueryDict, name)

            def read(self: QueryDict, key: str, *rest: Any, query_dict: Any = original_method) -> Any:
                was_read.add(key)
                return query_dict(self, key, *rest)

            monkeypatch.setattr(QueryDict, name, read)
        _, paths = build_full_night("ended")
        addresses = [*iter_public_addresses(paths), f"/api/v1{urlsplit(paths['/e/<slug:short>']).path}/standings"]
        for address in addresses:
            declared.clear()
            was_read.clear()
            Browser().open(address)
            for path, reads in declared:
                assert was_read <= {*reads, "round"}, path  # the page of a round has an address of its own
        assert addresses

    @pytest.mark.long
    def test_cache_separates_languages_hosts_and_parameters(self, hall: Hall) -> None:
        address = f"/e/{hall.event.short}"
        name = hall.event.entries.all()[0].player_1.name.partition(" ")[0]
        english, french = (Browser(language=language).open(address).html for language in ("en", "fr"))
        elsewhere = Page(Browser().client.get(address, headers={"host": "localhost"})).html
        search_html = Browser().open(f"{address}?who={name}").html
        assert len({english, french, elsewhere, search_html}) == 4

    def test_next_hand_refreshes_the_page_for_everyone(self, hall: Hall) -> None:
        address = f"/e/{hall.event.short}/rounds/1"
        before = hall.add_phone().open(address).html
        win(matches_of(hall.event)[1])
        assert Browser().open(address).html != before

    def test_hidden_event_page_is_removed_from_the_cache(self, hall: Hall) -> None:
        address = f"/e/{hall.event.short}"
        assert hall.add_phone().open(address).status == 200
        change_release(event_id=hall.event.pk, release=Release(is_public=False))
        assert Browser().open(address).status == 404
