"""The board on a real screen: legible from afar, turns its pages, stays up to date; and the desk's printouts."""

import re
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from clubs.models import Person
from tests.builders import (
    FIFTY_MINUTES,
    build_club,
    build_running_night,
    compute_standings,
    matches_of,
    play_round,
    start_next_round,
)
from tests.journeys.hall import NAMES, Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_accessibility import Judge
from tournaments.models import Event
from tournaments.rounds.services.clock import begin_round

PAPERS = ("Letter", "A4")
SCREENS = {"720p": (1280, 720), "4K": (3840, 2160), "4:3": (1024, 768)}
OUTSIDE = """() => [...document.querySelectorAll(".board-page.current *")].filter((element) => {
  const box = element.getBoundingClientRect();
  const lowest = element.closest(".foot") ? innerHeight
    : document.querySelector(".board-page.current .foot").getBoundingClientRect().top;
  if (!box.width || element.closest("svg, .visually-hidden, .foot span")) return false;
  const isCutOff = box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > lowest + 1;
  return isCutOff || element.scrollWidth > Math.ceil(box.width) + 1;
}).map((element) => element.outerHTML.slice(0, 160))"""
"""Elements beyond the edge of the screen or in the footer, except text that the footer itself cuts."""
OVERFLOW_SCRIPT = """() => [...document.querySelectorAll(".board-page.current .columns > ul > li")].filter((row) =>
  [...row.children].some((part) => part.getBoundingClientRect().height > row.getBoundingClientRect().height)
).map((row) => row.outerHTML.slice(0, 160))"""
"""Rows lower than their content, which then covers the line between two tables."""
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".board-page.current *")]
  .filter((element) => !element.closest(".visually-hidden, svg"))
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((element) => parseFloat(getComputedStyle(element).fontSize)))"""
PICTURE = """() => [...document.querySelectorAll(".board-page.current :is(h2, b, li, td, th, .tile, .shape)")]
  .map((element) => element.getBoundingClientRect())
  .flatMap((box) => [box.left, box.top, box.height].map((pixels) => pixels / innerHeight))"""


def list_outside(wall: Phone) -> object:
    """Return the elements outside the screen, after retries: a busy browser lays a page out in several frames."""
    for _ in range(50):
        if not (outside := wall.run_script(OUTSIDE)):
            return outside
        wall.wait_for_taps()
    return outside


def build_full_hall(hall: Hall, pairs: int = 25, **settings: Any) -> Event:
    """Build a running night with realistic names, some long, some shown in full by consent."""
    event = build_running_night(pairs, club=build_club(owner=hall.owner), **settings)
    for place, person in enumerate(Person.objects.order_by("pk")):
        person.name = f"{NAMES[place % 16].split()[0]} {NAMES[place * 7 // 16 % 16].partition(' ')[2]}"
        person.shows_full_name = place % 9 < 2
        person.save()
    return event


def open_board(phones: Phones, event: Event, size: str = "720p", query: str = "", **more: Any) -> Phone:
    width, height = SCREENS[size]
    wall = phones("wall", width=width, height=height, **more)
    wall.open(f"/e/{event.short}/board{query}")
    return wall


def get_leaf(wall: Phone) -> str:
    """Return the name of the visible page of the board."""
    shown = wall.page.locator(".board-page:visible")
    expect(shown).to_have_count(1)
    return str(shown.get_attribute("data-page"))


def list_leaves(wall: Phone) -> list[str]:
    """List all pages of the board by turning them with the keyboard, back to the first."""
    count = wall.page.locator(".board-page").count()
    found = []
    for _ in range(count):
        found.append(get_leaf(wall))
        wall.page.keyboard.press("ArrowRight")
    return found


def test_every_board_page_fits_the_screen_and_is_legible_from_afar(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall)
    play_round(event)
    compute_standings(event)
    start_next_round(event)
    wall = open_board(phones, event)
    for (size, (width, height)), query in product(SCREENS.items(), ("", "?by=name")):
        wall.page.set_viewport_size({"width": width, "height": height})
        wall.open(f"/e/{event.short}/board{query}")
        whole = min(height, width * 9 / 16)
        for _ in range(wall.page.locator(".board-page").count()):
            where = size, query, get_leaf(wall)
            wall.take_picture(f"{size.replace(':', '-')}-{get_leaf(wall)}")
            assert list_outside(wall) == [], where
            assert wall.run_script(OVERFLOW_SCRIPT) == [], where
            assert float(str(wall.run_script(SMALLEST))) >= 0.04 * whole, where
            wall.page.keyboard.press("ArrowRight")


@pytest.mark.long
def test_table_with_long_names_gets_more_height(hall: Hall, phones: Phones) -> None:
    event = build_running_night(12, club=build_club(owner=hall.owner))
    long_names = {player.person_id for player in matches_of(event)[4].players.all()}
    for place, person in enumerate(Person.objects.order_by("pk")):
        person.name = f"Lo{chr(ord('a') + place)} Roy"
        if person.pk in long_names:
            person.name = f"Marie-Antoinette {person.name}-Beaulieu"
            person.shows_full_name = True
        person.save()
    wall = open_board(phones, event)
    wall.take_picture("a-table-of-long-names")
    assert list_outside(wall) == []
    assert wall.run_script(OVERFLOW_SCRIPT) == []


@pytest.mark.long
def test_longest_round_title_has_room_above_its_line(hall: Hall, phones: Phones) -> None:
    event = build_running_night(12, club=build_club(owner=hall.owner), draw_format="knockout")
    wall = phones("wall", width=1280, height=720, locale="fr-CA")
    wall.open(f"/fr/e/{event.short}/board")
    title = wall.page.locator(".board-page:visible h2")
    expect(title).to_have_text("Huitièmes de finale · Ronde 1 : prenez place")
    wall.take_picture("the-longest-title")
    room = "title => title.parentElement.clientHeight - title.offsetHeight"
    letters = "title => parseFloat(getComputedStyle(title).fontSize)"
    assert title.evaluate(room) >= title.evaluate(letters) / 4


@pytest.mark.long("the first test checks each of these screens")
def test_higher_resolution_shows_the_same_layout(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall)
    sharp, hd_board = (open_board(phones, event, size) for size in ("4K", "720p"))
    for one, other in zip(list(sharp.run_script(PICTURE)), list(hd_board.run_script(PICTURE)), strict=True):  # type: ignore[call-overload]
        assert one == pytest.approx(other, abs=0.004)


def test_board_turns_pages_until_paused_and_keeps_its_page_on_updates(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall, 44)
    wall = open_board(phones, event)
    leaves = list_leaves(wall)
    assert len(leaves) >= 3
    for expected in [*leaves[1:], leaves[0]]:
        before = get_leaf(wall)
        wall.page.clock.run_for(10_000)  # plus the real time that this takes, as the clock keeps running
        assert get_leaf(wall) == before
        wall.page.clock.run_for(6_000)
        assert get_leaf(wall) == expected

    wall.page.keyboard.press("Space")
    wall.page.clock.run_for(40_000)
    assert get_leaf(wall) == leaves[0]
    wall.page.keyboard.press("Space")
    wall.page.clock.run_for(1_000)
    before = get_leaf(wall)
    assert before == leaves[1]
    begin_round(event_id=event.pk, number=1)
    expect(wall.page.get_by_role("heading", level=2)).to_have_text("Round 1")
    assert get_leaf(wall) == before


def test_board_follows_the_event_without_reloading(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall, 8)
    wall = open_board(phones, event)
    wall.run_script("window.sameDocument = true")
    title = wall.page.locator(".board-page:visible h2")

    begin_round(event_id=event.pk, number=1)
    wall.poll_for_updates()
    expect(title).to_have_text("Round 1")

    play_round(event)
    compute_standings(event)
    wall.poll_for_updates()
    expect(title).to_have_text("Standings after round 1")

    start_next_round(event)
    wall.poll_for_updates()
    expect(title).to_have_text("Round 2: take your seats")
    assert wall.run_script("window.sameDocument") is True


def test_board_shows_a_stale_notice_until_updates_resume(hall: Hall, phones: Phones) -> None:
    wall = open_board(phones, build_full_hall(hall, 8))
    stale = wall.page.get_by_text("Not updated since")
    hall.server.stop()
    wall.page.clock.run_for(20_000)
    expect(stale).to_be_hidden()
    wall.page.clock.run_for(15_000)
    expect(stale).to_be_visible()
    assert re.search(r"since \d+:\d\d [AP]M\.", stale.inner_text().replace("\u202f", " "))
    wall.take_picture("stale")
    hall.server.start()
    wall.poll_for_updates()
    wall.page.clock.run_for(1_000)
    expect(stale).to_be_hidden()


def test_board_clock_uses_server_time_and_shows_overtime(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall, 4, match_format=FIFTY_MINUTES)
    begin_round(event_id=event.pk, number=1)
    wall = open_board(phones, event)
    clock = wall.page.locator(".board-page:visible [data-until] b")
    expect(clock).to_have_text(re.compile(r"(50:00|49:5\d)"))
    wall.page.clock.fast_forward("20:00")  # the device's own clock is wrong by so much
    expect(clock).to_have_text(re.compile(r"49:\d\d"))
    event.rounds.update(started_at=timezone.now() - timedelta(minutes=50 + 63))
    wall = open_board(phones, event)  # with a correct clock
    expect(wall.page.locator(".board-page:visible [data-after]")).to_have_text(re.compile(r"^1:03:\d\d over$"))
    expect(wall.page.locator(".board-page:visible [data-until]")).to_be_hidden()


@pytest.mark.long
def test_board_without_scripts_is_one_long_page(hall: Hall, phones: Phones) -> None:
    wall = open_board(phones, build_full_hall(hall, 44), java_script_enabled=False)
    leaves = wall.page.locator(".board-page")
    expect(leaves.locator("visible=true")).to_have_count(leaves.count())
    expect(wall.link("Refresh")).to_be_visible()


CUT_FEET = """[...document.querySelectorAll(".foot p")].filter((line) => line.scrollWidth > line.clientWidth)
  .map((line) => line.textContent)"""


@pytest.mark.long
def test_phone_board_is_one_long_page_without_sideways_scrolling(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall, 12)
    play_round(event)
    compute_standings(event)
    phone = phones(width=320, height=640)
    for query in ("", "?by=name"):
        phone.open(f"/e/{event.short}/board{query}")
        assert phone.run_script("document.documentElement.scrollWidth") == 320
        assert phone.run_script(CUT_FEET) == []
        phone.take_picture("long")


def test_every_printout_takes_the_expected_number_of_sheets(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall, 20)
    play_round(event)
    compute_standings(event)
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    wanted = {
        "sheets": 10,
        "sheets?tables=2,4-6": 4,
        "blank": 1,
        "round": 1,
        "round?by=name": 1,
        "standings": 1,
    }
    sheets = {}
    for what in wanted:
        laptop.open(f"/e/{event.short}/desk/print/{what}")
        sheets[what] = [_count_sheets(laptop.page, paper) for paper in PAPERS]
    assert sheets == {what: [count] * len(PAPERS) for what, count in wanted.items()}


@pytest.mark.long("a hundred pairs; the test before prints the same lists")
def test_long_lists_repeat_their_header_on_every_sheet(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall, 100)
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk/print/round?by=name")
    for paper in PAPERS:
        assert _count_sheets(laptop.page, paper) == 4, paper  # namesakes are also listed by their number
    laptop.open(f"/e/{event.short}/desk/print/round")
    for paper in PAPERS:
        assert 3 <= _count_sheets(laptop.page, paper) <= 5, paper
    laptop.page.emulate_media(media="print")
    assert laptop.run_script("getComputedStyle(document.querySelector('thead')).display") == "table-header-group"
    assert laptop.run_script("getComputedStyle(document.querySelector('tbody tr')).breakInside") == "avoid"


@pytest.mark.long
def test_board_and_printouts_ignore_the_dark_theme(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall, 4)
    laptop = open_board(phones, event, color_scheme="dark")
    laptop.run_script("document.documentElement.dataset.theme = 'dark'")
    assert laptop.run_script("getComputedStyle(document.body).backgroundColor") == "rgb(250, 245, 232)"
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk/print/sheets")
    laptop.page.emulate_media(media="print")
    paper = "getComputedStyle(document.querySelector('.paper'))"
    assert laptop.run_script(f"[{paper}.color, {paper}.backgroundColor]") == [
        "rgb(22, 32, 58)",
        "rgb(255, 255, 255)",
    ]
    boxes = laptop.page.locator(".boxes tbody tr").all()[:12]
    millimetre = 96 / 25.4
    assert min(box["height"] for row in boxes if (box := row.bounding_box())) >= 9 * millimetre


def test_board_and_printouts_have_no_axe_violations(hall: Hall, phones: Phones) -> None:
    event = build_full_hall(hall, 5)
    play_round(event)
    compute_standings(event)
    start_next_round(event)
    phone = phones()
    judge = Judge(phone)
    judge.look_at(f"/e/{event.short}/board")
    judge.look_at(f"/e/{event.short}/board?by=name")
    phone.sign_in(hall.owner)
    for what in ("", "/round", "/round?by=name", "/sheets", "/blank", "/standings", "/sheets?tables=x"):
        judge.look_at(f"/e/{event.short}/desk/print{what}")
    wall = Judge(open_board(phones, event))
    wall.look("wall")
    assert judge.found | wall.found == {}


def _count_sheets(page: Page, paper: str) -> int:
    """Return how many sheets of this paper the page takes when printed."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))
