"""A first night, from the link that ``up`` prints to standings that update themselves on every screen."""

import re

import pytest
from playwright.sync_api import expect

from clubs import first_run
from scoring.models import TableCard
from tests.builders import PASSWORD
from tests.journeys.phone import Phone, Phones

PAIRS = """Jeannine Roy and Marcel Dubé
Ghislaine Cyr and Normand Ouellet
Thérèse Lavoie and Réal Michaud
Huguette Morin and Aurèle Thibault
Colette Pelletier and Gaston Levesque
"""
WHILE_THE_WORKER_STARTS = 30_000


def start_a_club(laptop: Phone) -> None:
    page = laptop.page
    laptop.open(f"/start/{first_run.get_first_run_secret()}")
    laptop.take_picture("first-run")
    page.get_by_label("Club name").fill("Les Joyeux Atouts")
    page.get_by_label("Your name").fill("Rita Plourde")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("radio", name="English").check(force=True)
    page.get_by_role("radio", name=re.compile("^Canadian")).check(force=True)
    laptop.tap(laptop.find_button("Create club"))
    expect(page.get_by_role("heading", name="No events yet")).to_be_visible()
    laptop.take_picture("club")


def start_a_night(laptop: Phone) -> None:
    page = laptop.page
    laptop.tap(laptop.link("New night"))
    laptop.take_picture("new-night")
    laptop.tap(page.get_by_text("More options"))
    page.get_by_label("Name of the night").fill("Tuesday")
    page.get_by_role("textbox", name="Tables").fill("2")
    laptop.tap(laptop.find_button("Enter the pairs"))
    page.get_by_label("Add pairs").fill(PAIRS)
    laptop.tap(laptop.find_button("^Add$"))
    expect(page.get_by_text("5 entries").first).to_be_visible()
    laptop.take_picture("entries")
    laptop.tap(laptop.find_button("Start: draw round 1"))
    expect(page.get_by_role("heading", name="Round 1: 2 tables")).to_be_visible()
    laptop.take_picture("draft")
    laptop.tap(laptop.find_button("Publish round 1"))
    expect(page.locator("progress[value='0']")).to_be_visible()
    laptop.take_picture("desk")


def win(phone: Phone) -> None:
    """Let the blue side win with one hand, confirmed after reading it aloud."""
    phone.mark("A-gros_charlemagne-8")
    phone.tap(phone.find_button("Yes, that’s right"))
    expect(phone.page.locator(".agree h2", has_text="win the game")).to_be_visible()


def confirm_result(phone: Phone, side: str) -> None:
    phone.tap(phone.page.locator(f'button[name="side"][value="{side}"]'))
    expect(phone.page.locator(".confirmed")).not_to_have_count(0)


def play_the_first_table(blue: Phone, orange: Phone) -> None:
    """Record hands on the scorekeeper's phone, see them on the other one, and confirm the result on both."""
    for hand, total in (("A-6-7", 6), ("B-5-failed", 11)):
        blue.mark(hand)
        blue.expect_sent_totals(total, 0)
        orange.poll_for_updates()
        orange.expect_sent_totals(total, 0)
    win(blue)
    orange.poll_for_updates()
    expect(orange.page.locator(".agree h2", has_text="win the game")).to_be_visible()
    confirm_result(blue, "A")
    confirm_result(orange, "B")
    blue.poll_for_updates()
    expect(blue.page.get_by_text("Result confirmed. Wait")).to_be_visible()
    blue.take_picture("agreed")


def close_the_round_once_the_last_table_is_done(laptop: Phone, last: Phone) -> None:
    """Try to close the round too early, see the missing table, then close it and draw the next round."""
    laptop.poll_for_updates()
    expect(laptop.page.locator("progress[value='1']")).to_be_visible()
    expect(laptop.page.get_by_text("Waiting for table 2.")).to_be_visible()
    laptop.find_button("Close round 1").press("Enter")  # the button is shown as disabled
    expect(laptop.page.get_by_role("alert")).to_contain_text("Round 1: waiting for 1 table")
    laptop.take_picture("table-missing")
    win(last)
    laptop.poll_for_updates()
    expect(laptop.page.get_by_text("All tables have a result.")).to_be_visible()
    expect(laptop.page.get_by_role("alert")).to_be_hidden()
    laptop.take_picture("all-tables-done")
    laptop.tap(laptop.find_button("Close round 1"))
    laptop.tap(laptop.find_button("Draw round 2"))
    expect(laptop.page.get_by_role("heading", name="Round 2: 2 tables")).to_be_visible()
    laptop.take_picture("second-draft")


@pytest.mark.usefixtures("worker")
def test_first_night_runs_from_the_start_link_to_the_standings(phones: Phones) -> None:
    laptop = phones.open_laptop()
    start_a_club(laptop)
    start_a_night(laptop)
    first, second = TableCard.objects.order_by("number").values_list("code", flat=True)
    blue, orange, other, family = (phones(name) for name in ("blue", "orange", "other", "family"))
    for phone, path in ((blue, f"/t/{first}"), (orange, f"/t/{first}"), (other, f"/t/{second}")):
        phone.open(path)
    family.open("/e/tuesday")

    play_the_first_table(blue, orange)
    close_the_round_once_the_last_table_is_done(laptop, other)

    standings = family.page.locator(".standings li summary")
    expect(standings).to_have_count(5, timeout=WHILE_THE_WORKER_STARTS)
    expect(standings.first).to_contain_text("+43", timeout=WHILE_THE_WORKER_STARTS)
    expect(family.page.get_by_role("heading", name="Round 2")).to_be_hidden()
    family.take_picture("standings")  # without a reload

    laptop.tap(laptop.find_button("Publish round 2"))
    expect(laptop.page.locator("progress")).to_be_visible()
    for screen in (family, blue):
        screen.poll_for_updates()
    expect(family.page.get_by_role("heading", name="Tables of round 2")).to_be_visible()
    expect(blue.page.locator("h1")).to_contain_text("round 2")
    seat = blue.link(r"table \d$|^Stay at this table")  # the draw may leave both pairs at this table
    expect(seat.or_(blue.totals).first).to_be_visible()
    if seat.count():
        blue.tap(seat.first)
    blue.expect_sent_totals(0, 0)
    family.take_picture("second-round")


def test_the_first_page_opens_on_a_phone_in_its_language(phones: Phones) -> None:
    phone = phones(locale="fr-CA")
    phone.open(f"/start/{first_run.get_first_run_secret()}")
    phone.take_picture("first-run")
    assert phone.run_script("document.documentElement.lang") == "fr-CA"
    phone.page.locator("input[name=club_name]").fill("Les Joyeux Atouts")
    phone.page.locator("form:has([name=club_name]) button").click()
    expect(phone.page.locator("#id_name_error")).to_be_visible()
    expect(phone.page.locator("#id_password_error")).to_be_visible()
    assert phone.page.locator("input[name=club_name]").input_value() == "Les Joyeux Atouts"
    phone.take_picture("refused")
