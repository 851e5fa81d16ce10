"""No page links to a missing page, whatever the event's visibility."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import pytest

from clubs.policy import Audience, Permission
from engine.visibility import Names, RanksRelease, Release, Results
from server.addresses import list_addresses
from tests.builders import compute_standings
from tests.every_page.test_every_page import build_full_night, build_night
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, build_hand_form, post_form
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import refresh_seasons

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
    pytest.mark.slow,
]

HIDDEN_RELEASE = Release(is_public=False)
RELEASES = (
    Release(),
    HIDDEN_RELEASE,
    Release(draw=False),
    Release(results=Results.NOTHING),
    Release(silent_from=1),
    Release(ranked=RanksRelease.FINAL),
    Release(names=Names.NUMBERS),
    Release(entries=False, draw=False, results=Results.NOTHING, ranked=RanksRelease.NEVER, names=Names.NUMBERS),
)
AUDIENCES_BY_PATTERN = {one.pattern: one.access for one in list_addresses()}
PUBLIC_PREFIXES = ("/e/", "/c/", "/t/")
"""Prefixes of addresses that may show an event."""


def release_all(hall: Hall, release: Release) -> None:
    for event in Event.objects.all():
        change_release(event_id=event.pk, release=release)
    compute_standings(hall.event)
    refresh_ratings(club_id=hall.event.club_id)
    refresh_seasons(club_id=hall.event.club_id)


def iter_link_targets(page: Page) -> Iterator[str]:
    """Yield the addresses with ``PUBLIC_PREFIXES`` that the page links to or loads, without links to translations."""
    for one in page.find_all():
        for name in ("href", "src", "hx-get"):
            path = one.attrs.get(name, "").removeprefix("http://testserver").partition("#")[0]
            if path.startswith(PUBLIC_PREFIXES):
                yield path


def choose_ends(addresses: Iterable[str]) -> set[str]:
    """Return the first and last address of each kind."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for address in addresses:
        kinds[re.sub(r"\d+|=[^&]*", "", address)].append(address)
    return {end for kind in kinds.values() for end in (kind[0], kind[-1])}


def find_dead_ends(
    browser: Browser, paths: list[str], choose: Callable[[Iterable[str]], set[str]] = set
) -> set[tuple[str, str]]:
    """Return each page with a chosen link that is a 404 for this reader."""
    found: dict[str, int] = {}
    dead = set()
    for path in paths:
        for other in choose(iter_link_targets(browser.open(path))):
            if other not in found:
                found[other] = browser.client.get(other).status_code
            if found[other] == 404:
                dead.add((path, other))
    return dead


def open_to(whom: type[Audience | Permission], paths: dict[str, str]) -> list[str]:
    return [path for pattern, path in paths.items() if isinstance(AUDIENCES_BY_PATTERN[pattern], whom)]


@pytest.mark.long
def test_pages_link_only_to_accessible_addresses() -> None:
    hall, paths = build_full_night("playing")
    for release in RELEASES:
        release_all(hall, release)
        choose = set if release in {RELEASES[0], RELEASES[-1]} else choose_ends
        assert find_dead_ends(Browser(), open_to(Audience, paths), choose) == set(), release


@pytest.mark.long
def test_ended_table_card_links_only_to_accessible_pages() -> None:
    hall = build_night("ended")
    leads_on = Browser().open(hall.table).response.headers["Refresh"]
    end = Browser().open(leads_on.removeprefix("0; url="))
    assert end.find_link("See the standings") == hall.event.public_page
    release_all(hall, HIDDEN_RELEASE)
    assert find_dead_ends(Browser(), [hall.table]) == set()


@pytest.mark.long
def test_table_card_works_while_the_event_is_hidden() -> None:
    hall = build_night("playing")
    release_all(hall, HIDDEN_RELEASE)
    phone = hall.add_phone()
    page = phone.open(hall.table)
    assert page.status == 200
    assert hall.event.get_absolute_url() not in page.html
    assert post_form(phone, hall.table, build_hand_form(hall.match)).status == 200
    release_all(hall, Release())
    assert phone.open(hall.table).find_link("See the standings") == hall.event.get_absolute_url()
    assert phone.open(hall.table).revision != page.revision


def test_desk_pages_do_not_link_to_hidden_pages() -> None:
    hall, paths = build_full_night("playing")
    release_all(hall, HIDDEN_RELEASE)
    assert find_dead_ends(hall.desk, open_to(Permission, paths), choose_ends) == set()
