"""Under every kind of release: what a page leads its reader to is there."""

from collections.abc import Iterator

import pytest

from clubs.policy import Audience, Permission
from engine.visibility import Names, RanksRelease, Release, Results
from operations.roles_page import addresses
from tests.builders import standings_after
from tests.every_page.test_every_page import a_full_night, a_night
from tests.support.browser import Browser, Page
from tests.support.hall import Hall, post, typed_hand
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import refresh_seasons

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
    pytest.mark.slow,
]

HIDDEN = Release(is_public=False)
RELEASES = (
    Release(),
    HIDDEN,
    Release(draw=False),
    Release(results=Results.NOTHING),
    Release(silent_from=1),
    Release(ranked=RanksRelease.FINAL),
    Release(names=Names.NUMBERS),
    Release(
        entries=False, draw=False, results=Results.NOTHING, ranked=RanksRelease.NEVER, names=Names.NUMBERS
    ),
)
OPENS_TO = {one.pattern: one.opens_to for one in addresses()}
TOLD_OF = ("/e/", "/c/", "/t/")
"""How the addresses begin that may tell of an event."""


def release_all(hall: Hall, release: Release) -> None:
    for event in Event.objects.all():
        change_release(event_id=event.pk, release=release)
    standings_after(hall.event)
    refresh_ratings(club_id=hall.event.club_id)
    refresh_seasons(club_id=hall.event.club_id)


def led_to(page: Page) -> Iterator[str]:
    """Yield where the page leads, or takes a part of it from; its own address in another language is its
    own."""
    for one in page.every():
        for name in ("href", "src", "hx-get"):
            path = one.attrs.get(name, "").removeprefix("http://testserver").partition("#")[0]
            if path.startswith(TOLD_OF):
                yield path


def dead_ends(browser: Browser, paths: list[str]) -> set[tuple[str, str]]:
    """Pages, and the addresses on them at which there is nothing for this reader."""
    found: dict[str, int] = {}
    dead = set()
    for path in paths:
        for other in {*led_to(browser.open(path))}:
            if other not in found:
                found[other] = browser.client.get(other).status_code
            if found[other] == 404:
                dead.add((path, other))
    return dead


def open_to(whom: type[Audience | Permission], paths: dict[str, str]) -> list[str]:
    return [path for pattern, path in paths.items() if isinstance(OPENS_TO[pattern], whom)]


def test_no_page_leads_anybody_to_where_there_is_nothing() -> None:
    hall, paths = a_full_night("playing")
    for release in RELEASES:
        release_all(hall, release)
        assert dead_ends(Browser(), open_to(Audience, paths)) == set(), release


def test_nor_does_the_card_of_a_table_once_the_evening_is_over() -> None:
    hall = a_night("ended")
    leads_on = Browser().open(hall.table).response.headers["Refresh"]
    end = Browser().open(leads_on.removeprefix("0; url="))
    assert end.link("See the standings") == hall.event.public_page
    release_all(hall, HIDDEN)
    assert dead_ends(Browser(), [hall.table]) == set()


def test_the_card_of_a_table_goes_on_where_nobody_may_see_the_event_and_leads_there_once_they_may() -> None:
    hall = a_night("playing")
    release_all(hall, HIDDEN)
    phone = hall.phone()
    page = phone.open(hall.table)
    assert page.status == 200
    assert hall.event.get_absolute_url() not in page.html
    assert post(phone, hall.table, typed_hand(hall.match)).status == 200
    release_all(hall, Release())
    assert phone.open(hall.table).link("See the standings") == hall.event.get_absolute_url()
    assert phone.open(hall.table).revision != page.revision


def test_no_page_of_the_desk_leads_to_what_nobody_may_see() -> None:
    hall, paths = a_full_night("playing")
    release_all(hall, HIDDEN)
    assert dead_ends(hall.desk, open_to(Permission, paths)) == set()
