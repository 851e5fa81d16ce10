"""Several boards in a large hall: the director chooses on a phone what each shows, legible from afar."""

import re
from datetime import timedelta
from typing import Any, Literal

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.models import Person
from tests.builders import FIFTY_MINUTES, build_club, build_running_night, compute_standings, mark, matches_of, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones, wait_until
from tests.journeys.test_board import SMALLEST, get_leaf, list_outside
from tournaments.board.boards import Board, Scene
from tournaments.board.services import add_board, show_on_board
from tournaments.models import Event
from tournaments.rounds.services.clock import begin_round, call_last_hand

SCREENS = {"720p": (1280, 720), "4K": (3840, 2160)}
NAMES_SCRIPT = """() =>
  [...document.querySelectorAll(".board-page.current li > span:not(.tile), .board-page.current tbody th")]
  .map((name) => parseFloat(getComputedStyle(name).fontSize))"""
"""Font sizes of the names on the visible page, in pixels."""
LONG = ("Jean-Baptiste de la Bruère-Montarville", "Marie-Paule Saint-Pierre-Desrosiers", "Yvon Beaulieu")


def build_large_hall(hall: Hall, pairs: int = 120, **settings: Any) -> Event:
    """Build a running night with long names, a third of them shown in full."""
    event = build_running_night(pairs, club=build_club(owner=hall.owner), **settings)
    people = list(Person.objects.order_by("pk"))
    for place, person in enumerate(people):
        person.name = f"{LONG[place % 3]} {chr(65 + place % 26)}{chr(97 + place // 26)}"
        person.shows_full_name = place % 3 == 0
    Person.objects.bulk_update(people, ["name", "shows_full_name"])
    return event


def open_board(phones: Phones, event: Event, number: int) -> Phone:
    wall = phones(f"wall-{number}", width=1280, height=720)
    wall.open(f"/e/{event.short}/board/{number}")
    return wall


def test_sixty_tables_of_long_names_are_legible_from_afar(hall: Hall, phones: Phones) -> None:
    event = build_large_hall(hall)
    matches = matches_of(event)
    for match in matches[:20]:
        win(match)
    mark(matches[30], "A 6 7")
    compute_standings(event)
    add_board(event_id=event.pk, details=Board(name="Grande salle"))
    add_board(event_id=event.pk, details=Board(name="Bar", first_table=57, last_table=60, is_dark=True))
    wall = phones("wall", width=1280, height=720)
    for number, scene in ((1, Scene.ROTATING), (1, Scene.NAMES), (2, Scene.TABLES), (2, Scene.STANDINGS)):
        show_on_board(event_id=event.pk, number=number, scene=scene)
        for is_playing in (False, True) if scene is Scene.TABLES else (False,):
            if is_playing:
                begin_round(event_id=event.pk, number=1)
            for size, (width, height) in SCREENS.items():
                wall.page.set_viewport_size({"width": width, "height": height})
                wall.open(f"/e/{event.short}/board/{number}")
                for _ in range(wall.page.locator(".board-page").count()):
                    where = size, scene, get_leaf(wall)
                    wall.take_picture("-".join(where))
                    assert list_outside(wall) == [], where
                    assert float(str(wall.run_script(SMALLEST))) >= 0.04 * height, where
                    heights = wall.run_script(NAMES_SCRIPT)
                    assert isinstance(heights, list)
                    assert heights, where
                    assert min(heights) >= 0.04 * height, where
                    wall.page.keyboard.press("ArrowRight")


def test_director_chooses_on_a_phone_what_each_room_shows(hall: Hall, phones: Phones) -> None:
    event = build_large_hall(hall, 24, match_format=FIFTY_MINUTES)
    begin_round(event_id=event.pk, number=1)
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/boards")
    for name, first, last in (("Grande salle", "1", "8"), ("Bar", "9", "12")):
        phone.page.get_by_label("Name").fill(name)
        phone.page.get_by_label("First table").fill(first)
        phone.page.get_by_label("Last table").fill(last)
        phone.tap(phone.find_button("Add a wall screen"))
    large, bar = (open_board(phones, event, number) for number in (1, 2))
    expect(bar.page.locator(".board-page:visible .tile")).to_have_text([f"Table {n}" for n in (9, 10, 11, 12)])
    expect(large.page.locator(".board-page:visible .tile").first).to_have_text("Table 1")

    phone.tap(phone.page.get_by_role("form", name="Bar").get_by_role("button", name="Clock"))
    expect(phone.page.locator("[aria-pressed=true]")).to_have_text(["Tables, standings", "Clock"])
    phone.take_picture("boards")
    bar.poll_for_updates()
    clock = bar.page.locator(".board-page:visible .face [data-until] b")
    expect(clock).to_have_text(re.compile(r"\d\d:\d\d"))
    box = clock.bounding_box()
    assert box is not None
    assert box["height"] > 0.3 * 720
    bar.take_picture("clock")
    expect(large.page.locator(".board-page:visible .tile").first).to_have_text("Table 1")

    call_last_hand(event_id=event.pk, number=1)
    bar.poll_for_updates()
    expect(bar.page.locator(".board-page:visible .last-hand")).to_be_visible()
    assert list_outside(bar) == []
    bar.take_picture("last-hand")

    phone.tap(phone.link("Address, QR code, room").nth(1))
    expect(phone.page.get_by_role("textbox", name="Wall screen address")).to_have_value(re.compile(r"/board/2$"))
    phone.take_picture("board")
    phone.page.get_by_label("Dark background").check()
    phone.tap(phone.find_button("Save"))
    bar.poll_for_updates()
    expect(bar.page.locator("body")).to_have_css("background-color", "rgb(14, 21, 40)")
    bar.take_picture("dark")
    assert large.run_script("getComputedStyle(document.body).backgroundColor") == "rgb(250, 245, 232)"


def test_table_score_appears_on_the_wall_during_play(
    hall: Hall, phones: Phones, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.board.presenters.board.LIVE", 1)
    event = build_large_hall(hall, 8)
    begin_round(event_id=event.pk, number=1)
    add_board(event_id=event.pk, details=Board(name="Salle"))
    show_on_board(event_id=event.pk, number=1, scene=Scene.TABLES)
    wall = open_board(phones, event, 1)
    score = wall.page.locator(".board-page:visible .score").first
    expect(score).to_have_text(re.compile("^0"))
    mark(matches_of(event)[0], "A 6 7")
    Event.objects.get(pk=event.pk).rounds.update(started_at=timezone.now() - timedelta(minutes=1))

    def has_come() -> bool:
        wall.poll_for_updates()
        return not score.inner_text().startswith("0")

    wait_until(wall.page, has_come)
    wall.take_picture("live")


@pytest.mark.long
def test_wall_keeps_its_last_page_when_the_server_is_gone(hall: Hall, phones: Phones) -> None:
    event = build_large_hall(hall, 8)
    add_board(event_id=event.pk, details=Board(name="Salle", is_dark=True))
    wall = open_board(phones, event, 1)
    names = wall.page.locator(".board-page:visible .columns").inner_text()
    hall.server.stop()
    wall.page.clock.run_for(60_000)
    expect(wall.page.get_by_text("Not updated since")).to_be_visible()
    assert wall.page.locator(".board-page:visible .columns").inner_text() == names
    wall.take_picture("gone")
    hall.server.start()


@pytest.mark.long
def test_board_has_no_animations(hall: Hall, phones: Phones) -> None:
    event = build_large_hall(hall, 44)
    add_board(event_id=event.pk, details=Board(name="Salle"))
    wall = open_board(phones, event, 1)
    motions: tuple[Literal["reduce", "no-preference"], ...] = ("reduce", "no-preference")
    for motion in motions:
        wall.page.emulate_media(reduced_motion=motion)
        wall.page.reload()
        for _ in range(wall.page.locator(".board-page").count()):
            assert wall.run_script("document.getAnimations().length") == 0, motion
            wall.page.keyboard.press("ArrowRight")
