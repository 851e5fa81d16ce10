"""A whole night by plain forms, as in a browser without scripts, from the first-run link to the standings."""

import pytest

from clubs import first_run
from jobs.models import Job, Status
from jobs.services import run_job
from scoring.models import Mark, TableCard
from tests.builders import PASSWORD
from tests.support.browser import Browser, Page

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PAIRS = """Jeannine Roy and Marcel Dubé
Ghislaine Cyr / Normand Ouellet

Thérèse Lavoie, Réal Michaud
Huguette Morin & Aurèle Thibault
"""


def run_queued_jobs() -> None:
    for job in Job.objects.filter(status=Status.QUEUED):
        run_job(job.pk)


def start_a_club(browser: Browser) -> Page:
    page = browser.open(f"/start/{first_run.get_first_run_secret()}")
    return browser.send(
        page,
        page.find_form(control_name="club_name"),
        club_name="Les Joyeux Atouts",
        name="Rita Plourde",
        password=PASSWORD,
        language="en",
        ruleset="canadian",
    )


def start_a_night(browser: Browser, club_page: Page) -> Page:
    page = browser.open(club_page.find_link("New night"))
    page = browser.send(page, page.find_form(control_name="table_count"), name="Tuesday", table_count="2")
    page = browser.send(page, page.find_form("/entries"), entries=PAIRS)
    assert "4 entries" in page.text
    page = browser.send(page, page.find_form("/start"))
    assert "Draft, not public yet." in page.text
    return browser.send(page, page.find_form("/publish"))


def tap(browser: Browser, page: Page, notation: str) -> Page:
    """Press the button of this notation, the second of two taps; the first tap only opens its part of the page."""
    button = page.find_one("button", name="said", value=notation)
    return browser.send(page, page.find_one(id=button.attrs["form"]), ("said", notation))


def mark_a_match(phone: Browser, code: str) -> Page:
    home = phone.open("/")
    page = phone.send(home, home.find_form(control_name="code"), code=f"{code[:3]} {code[3:]}")
    page = tap(phone, page, "A-6-7")
    confirmation = tap(phone, page, "B-gros_charlemagne-8")
    assert "win the game" in confirmation.find_one(role="alertdialog").text
    page = phone.send(confirmation, confirmation.find_form(control_name="confirmed"), ("confirmed", "1"))
    for letter in "AB":
        page = phone.send(page, page.find_form("/agree"), ("side", letter))
    assert "Both sides have confirmed" in page.text
    return page


@pytest.mark.long
def test_night_runs_from_setup_to_standings_without_scripts() -> None:
    organizer = Browser()
    desk = start_a_night(organizer, start_a_club(organizer))
    assert "Show table cards" in desk.text

    for card in TableCard.objects.order_by("number"):
        mark_a_match(Browser(address=f"192.0.2.{card.number + 1}"), card.code)
    assert Mark.objects.count() == 4
    run_queued_jobs()

    desk = organizer.open(desk.path)
    assert "All tables have a result." in desk.text
    desk = organizer.send(desk, desk.find_form("/close"))
    desk = organizer.send(desk, desk.find_form("/draw"))
    assert "Round 2: 2 tables" in desk.text

    public = Browser().open(desk.find_link("Public page"))
    ranks = [row.text for row in public.find_all("summary") if row.text[0].isdecimal()]
    assert [row.split()[0] for row in ranks] == ["1", "1", "3", "3"]
    assert all(row.endswith("Difference: +26 Points for: 32") for row in ranks[:2])
    assert "Round 2" not in public.text

    desk = organizer.send(desk, desk.find_form("/publish"))
    assert "Round 2" in Browser().open(desk.find_link("Public page")).text


def test_every_changing_form_answers_with_a_redirect() -> None:
    organizer = Browser()
    page = start_a_night(organizer, start_a_club(organizer))
    card = TableCard.objects.first()
    assert card is not None
    phone = Browser()
    table = phone.open(f"/t/{card.code}")
    button = table.find_one("button", name="said", value="A-6-6")
    answer = phone.send(table, table.find_one(id=button.attrs["form"]), ("said", "A-6-6"), follow=False)
    assert (answer.status, answer.response.headers["Location"]) == (302, table.path)
    undone = organizer.send(page, page.find_form("/close"), follow=False)
    assert undone.status == 409
