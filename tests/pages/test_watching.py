"""Pages that bring themselves up to date: they say which revision they have, and are sent what is new."""

import gzip
import json
from collections.abc import Callable

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage

from tests.builders import mark, matches_of, next_round, play_round, standings_after, win
from tests.pages.browser import Browser, Page
from tests.pages.hall import Hall, tap
from tests.pages.markup import read
from tournaments.services import draw_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("within_a_minute")]

Watched = tuple[Browser, str]
WATCHED: dict[str, Callable[[Hall], Watched]] = {
    "table": lambda hall: (hall.phone(), hall.table),
    "table at the desk": lambda hall: (hall.desk, hall.ruled),
    "desk": lambda hall: (hall.desk, f"/e/{hall.event.short}/desk"),
    "public page": lambda hall: (hall.phone(), f"/e/{hall.event.short}"),
    "public page of a round": lambda hall: (hall.phone(), f"/e/{hall.event.short}?round=1"),
}
every_watched_page = pytest.mark.parametrize("watched", WATCHED.values(), ids=list(WATCHED))


def polling(page: Page) -> tuple[str, str]:
    """Where the page asks for news, and the revision it says it has."""
    (asking,) = [one for one in page.every() if "hx-get" in one.attrs]
    return asking.attrs["hx-get"], json.loads(asking.attrs["hx-headers"])["If-None-Match"]


def poll(browser: Browser, page: Page, **headers: str) -> Page:
    """What the page's own script asks: has this changed?"""
    address, revision = polling(page)
    return browser.open(address, **{"HX-Request": "true", "If-None-Match": revision} | headers)


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
        (outermost,) = [one for one in read(part.html).children if not isinstance(one, str)]
        assert outermost.attrs.get("id") in {"screen", "live", "main"}
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
        assert set(headers["Cache-Control"].split(", ")) == {"no-cache", "private"}
        assert {"Cookie", "Accept-Language", "HX-Request"} <= set(headers["Vary"].split(", "))

    def test_whose_forms_lost_their_token_is_sent_anew(self, watched: Callable[[Hall], Watched]) -> None:
        browser, path = watched(Hall())
        page = browser.open(path)
        browser.client.cookies["csrftoken"] = "x" * 32
        assert browser.open(path, **{"If-None-Match": page.revision}).status == 200
        assert poll(browser, page).status == 200


def test_a_page_of_before_an_update_is_sent_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, reader = Hall(), Browser()
    page = reader.open(f"/e/{hall.event.short}")
    monkeypatch.setattr(staticfiles_storage, "manifest_hash", "other names of static files", raising=False)
    assert reader.open(page.path, **{"If-None-Match": page.revision}).status == 200


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


def test_a_refusal_stays_on_the_screen_until_something_changes() -> None:
    hall = Hall()
    desk = hall.desk.open(f"/e/{hall.event.short}/desk")
    refused = hall.desk.send(desk, desk.form("/close"))
    assert refused.status == 409
    assert poll(hall.desk, refused).status == 304
    win(hall.match)
    assert poll(hall.desk, refused).status == 200


def test_a_desk_that_was_left_elsewhere_loads_itself_anew_and_asks_to_sign_in() -> None:
    hall = Hall()
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    hall.desk.client.logout()
    answer = poll(hall.desk, page)
    assert (answer.status, answer.response.headers["HX-Refresh"], answer.html) == (200, "true", "")
    assert hall.desk.open(page.path).path == "/sign-in"


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
    assert "Round 1" in page.text
    assert poll(reader, page).status == 304
