"""A table that was opened once opens again without a server, if the browser allows service workers."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from scoring.models import TableCard
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones, wait_until

CACHED_PATHS_SCRIPT = """async () => {
  const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const kept = await Promise.all(caches_.map((cache) => cache.keys()));
  return kept.flat().map(({ url }) => new URL(url).pathname);
}"""


def list_cached_paths(page: Page) -> set[str]:
    return set(page.evaluate(CACHED_PATHS_SCRIPT))


def wait_until_cached(page: Page, *paths: str) -> None:
    wait_until(page, lambda: list_cached_paths(page).issuperset(paths))


def open_and_cache_table(hall: Hall, phones: Phones) -> BrowserContext:
    """Open the table on a phone until all of it is cached, and close the page."""
    page = phones.build_context(service_workers="allow").new_page()
    page.goto(hall.table)
    wait_until_cached(page, hall.table, "/offline", "/static/js/table/page.js", "/static/js/table/fold.js")
    page.close()
    return page.context


def test_table_opens_again_without_a_server(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    context = open_and_cache_table(hall, phones)
    hall.server.stop()
    page = context.new_page()
    page.goto(hall.table)
    expect(page.locator("#screen h1")).to_contain_text("Table 1")
    expect(page.locator(".lanes a").first).to_be_visible()
    page.locator('.lanes a[href$="#A-6"]').click()
    page.locator('button[name="said"][value="A-6-7"]').click()
    expect(page.locator("#screen h1 + p")).to_contain_text("Hand 2")


@pytest.mark.long
def test_scripts_requested_during_worker_installation_are_cached(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    page = phones.build_context(service_workers="allow").new_page()
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route("**/show_bundle*.js", hold)
    page.goto(hall.table)
    wait_until(page, lambda: bool(late))
    wait_until_cached(page, hall.table)
    late[0].continue_()
    wait_until_cached(page, "/static/js/table/show_bundle.js", "/static/js/table/read_bundle.js")


EVICT = "async () => Promise.all((await caches.keys()).map((name) => caches.delete(name)))"


def test_evicted_table_is_cached_again_when_opened(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    page = open_and_cache_table(hall, phones).new_page()
    page.goto(hall.table)
    page.evaluate(EVICT)
    page.goto(hall.table)
    wait_until_cached(page, hall.table, "/offline", "/static/js/table/page.js", "/static/js/table/fold.js")
    hall.server.stop()
    page.goto(hall.table)
    expect(page.locator("#screen h1")).to_contain_text("Table 1")


def test_qr_code_link_opens_the_table_offline(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    context = open_and_cache_table(hall, phones)
    hall.server.stop()
    page = context.new_page()
    page.goto(f"{hall.table}?letters=ABCD")
    expect(page.locator("#screen h1")).to_contain_text("Table 1")


@pytest.mark.long
def test_other_page_shows_the_offline_notice_in_its_language(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    context = open_and_cache_table(hall, phones)
    for path, heading in (
        ("/fr/e/nowhere", "Pas de réseau"),
        ("/en/e/nowhere", "No network"),
        ("/", "No network"),
    ):
        hall.server.stop()
        page = context.new_page()
        page.goto(path)
        expect(page.get_by_role("heading", level=2), path).to_have_text(heading)
        hall.server.start()
        page.get_by_role("link").last.click()
        expect(page.get_by_role("heading", name=heading), path).to_be_hidden()
        page.close()


@pytest.mark.long
def test_table_of_a_finished_event_is_removed_from_the_cache(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    context = open_and_cache_table(hall, phones)
    TableCard.objects.filter(topic=event.topic).update(closed_at=timezone.now())
    page = context.new_page()
    page.goto(hall.table)
    page.wait_for_url("**/mine")  # the table of a finished night redirects there
    wait_until(page, lambda: hall.table not in list_cached_paths(page))
    assert list_cached_paths(page) >= {"/offline", "/fr/offline", "/en/offline"}


def test_desk_pages_are_not_cached(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    desk = phones("desk", width=1_280, height=800, service_workers="allow")
    desk.sign_in(hall.owner)
    desk.open(hall.table)
    wait_until_cached(desk.page, hall.table)
    for path in (f"/e/{event.short}/desk", f"/match/{hall.match.pk}", "/"):
        desk.open(path)
        expect(desk.page.get_by_role("heading").first).to_be_visible()
    pages = {path for path in list_cached_paths(desk.page) if not path.startswith("/static/")}
    program = {path for path in pages if path.startswith("/t/screens/")}
    assert pages - program == {hall.table, "/offline", "/fr/offline", "/en/offline"}
