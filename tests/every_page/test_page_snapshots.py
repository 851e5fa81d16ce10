"""Snapshots of every page: a lost sentence, button or link shows up as a changed line.

Each page is opened as every kind of reader, the one with the fewest permissions first; later readers add only
the lines that earlier ones do not see. The frame that pages share is listed with the first page.
``docs/development/adding.md`` says how to renew snapshots.
"""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from django.conf import settings
from django.core.cache import caches

from clubs.models import Role
from tests.builders import FIRST_NAMES, build_account, build_club, build_event, compute_standings, matches_of, win
from tests.every_page.test_every_page import PATHS_BY_PATTERN, build_full_night
from tests.every_page.test_permissions import build_reader
from tests.saved_states import rolled_back
from tests.support.browser import Browser
from tests.support.opened_pages import NIGHT, PAGES, collect_pages, list_state_lines
from tests.support.page_lines import PageLines, get_page_lines
from tests.support.snapshots import FOLDER, Snapshots, take_new_lines
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("rows_from_one"),
    pytest.mark.skipif("sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="numbers of rows"),
]

VIEWS = {
    "visitor": ("playing", "nobody"),
    "desk": ("playing", Role.DESK),
    "director": ("playing", Role.DIRECTOR),
    "owner": ("playing", Role.OWNER),
    "ended": ("ended", Role.OWNER),
}
"""Stage of the night and reader of each view."""
EXCLUDED_PATTERNS = {
    "/club/<slug:slug>/installation",  # differs from computer to computer
    "/club/<slug:slug>/before-the-night",
    "/club/<slug:slug>/phones",
}
SAME_IN_STAGES = (
    "t-code t-code-hands-number match-match_id match-match_id-sheet match-match_id-hands-number",
    "t-code-rules match-match_id-rules e-short-rules rules-key",
    "t-code-ruling match-match_id-ruling e-short-ruling rules-key-ruling",
    "e-short e-short-standings e-short-desk-standings",
    "e-short-standings-entry e-short-desk-standings-entry",
    "c-slug-people-pk club-slug-people-pk-record",
    "c-slug-people-pk-with-partner club-slug-people-pk-with-partner",
    "club-slug-seasons-new club-slug-seasons-pk",
    "club-slug-house-rules-new-base club-slug-house-rules-pk",
    "club-slug-people-new club-slug-people-pk",
    "club-slug-privacy-incidents-new club-slug-privacy-incidents-pk",
    "club-slug-calendar-new club-slug-calendar-pk",
    "e-short-desk-prizes-categories-new e-short-desk-prizes-categories-pk",
    "account account-passkeys-pk",
)
"""Groups of pages with common parts: each snapshot lists only the lines that earlier pages of its group lack."""
FAMILIES = {f"pages/{name}.txt": names for names in SAME_IN_STAGES for name in names.split()}
PATTERNS = [pattern for pattern in PATHS_BY_PATTERN if pattern not in EXCLUDED_PATTERNS]


def get_file_name(pattern: str) -> str:
    """Return the snapshot file of a pattern, such as ``pages/e-short-desk-rounds-number.txt``."""
    slug = re.sub(r"<\w+:(\w+)>", r"\1", pattern).strip("/").replace("/", "-")
    return f"pages/{slug or 'home'}.txt"


def list_page_lines(stage: str, who: str) -> dict[str, PageLines]:
    """Return the lines of every page that this reader may open at this stage of a night."""
    caches["pages"].clear()
    with rolled_back():
        hall, paths = build_full_night(stage)
        reader = build_reader(hall, who)
        pages = {pattern: reader.open(paths[pattern]) for pattern in PATTERNS}
        return {
            pattern: get_page_lines(page.document)
            for pattern, page in pages.items()
            if page.status not in {403, 404} and (page.path != "/sign-in" or pattern == "/sign-in")
        }


@pytest.mark.slow
def test_every_page_matches_its_snapshot(snapshots: Snapshots) -> None:
    views = {view: list_page_lines(*of) for view, of in VIEWS.items()}
    frame: set[str] = set()
    families: defaultdict[str, set[str]] = defaultdict(set)
    found: dict[str, list[str]] = {}
    for pattern in PATTERNS:
        file = get_file_name(pattern)
        seen_lines = families[FAMILIES.get(file, file)]
        lines = found[file] = []
        for view, pages in views.items():
            if page := pages.get(pattern):
                new = take_new_lines(page.frame, frame) + take_new_lines(page.main, seen_lines)
                lines += [f"== {view}", *new] if new else []
    snapshots.compare_all(found)


@pytest.mark.slow
def test_night_states_match_their_snapshot(snapshots: Snapshots) -> None:
    with collect_pages() as pages:
        open_a_night()
    snapshots.compare(NIGHT, list_state_lines(pages, PAGES))


def open_a_night() -> None:
    """Open the pages of a director, a table and a player from the preparation of a night to its end."""
    owner = build_account()
    event = build_event(5, club=build_club(owner=owner))
    desk, phone = Browser(account=owner), Browser()
    address = f"/e/{event.short}"

    def look() -> None:
        for path in ("/desk", "/desk/settings", "/desk/entries"):
            desk.open(address + path)
        for path in (address, f"{address}/standings", f"{address}/mine"):
            phone.open(path)

    look()
    start_event(event_id=event.pk)
    look()
    draw_round(event_id=event.pk, seed=1)
    look()
    publish_round(event_id=event.pk, number=1)
    asking = phone.open(f"{address}/mine?who={FIRST_NAMES[0]}")
    phone.send(asking, asking.find_form("/choose"), ("person", asking.find_all("button", name="person")[0].value))
    look()
    for match in matches_of(event):
        phone.open(f"/t/{match.card.code}")
        win(match)
        phone.open(f"/t/{match.card.code}")
    look()
    close_round(event_id=event.pk, number=1)
    compute_standings(event)
    look()
    end_event(event_id=event.pk)
    look()
    phone.open("/nowhere")
    phone.open("/fr/")


def test_every_snapshot_belongs_to_a_page() -> None:
    files = {f"pages/{file.name}" for file in (FOLDER / "pages").glob("*.txt")}
    assert files <= set(map(get_file_name, PATTERNS))
