"""A whole game as a screen reader presents it: names, their order and announcements of each screen.

In the snapshots ``screens/by-ear-*``, each screen lists only the lines that earlier screens lack.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from clubs.models import Person
from scoring.services.agreement import call_desk
from scoring.services.matches import name_first_dealer
from tests.builders import mark, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.screen_lines import list_screen_lines
from tests.support.snapshots import Snapshots, take_new_lines
from tournaments.messages.services import call_table, end_call

NAMES = ("Jeannine Roy", "Ghislaine Cyr", "Marcel Dubé", "Normand Ouellet")
LISTENER = """
  window.heard = [];
  document.addEventListener("DOMContentLoaded", () => {
    const said = document.getElementById("news");
    new MutationObserver(() => window.heard.push(said.textContent.trim())).observe(said, { childList: true });
  });
"""


@pytest.fixture
def phone(hall: Hall, phones: Phones) -> Phone:
    """A phone at a table where Jeannine Roy and Marcel Dubé are side A, and Marcel Dubé deals first."""
    hall.build_night()
    for player in hall.match.players.all():
        Person.objects.filter(pk=player.person_id).update(name=NAMES[player.seat])
    name_first_dealer(match_id=hall.match.pk, seat=2)
    phone = phones(locale="fr-CA")
    phone.page.add_init_script(LISTENER)
    phone.open(hall.table)
    return phone


@pytest.fixture
def hears(phone: Phone, snapshots: Snapshots) -> Callable[[str], None]:
    """Return a function that compares the screen with the snapshot of a name."""
    seen_lines: set[str] = set()

    def compare(name: str) -> None:
        expect(phone.page.get_by_text("Envoi…").locator("visible=true")).to_have_count(0)
        snapshots.compare(f"screens/by-ear-{name}.txt", take_new_lines(list_screen_lines(phone.page), seen_lines))

    return compare


def read_announcements(phone: Phone) -> list[str]:
    """Return the announcements since the last call."""
    announcements = phone.page.evaluate("window.heard.splice(0)")
    assert isinstance(announcements, list)
    return [re.sub(r"\s+", " ", each) for each in announcements]


def test_screen_reader_announces_a_whole_game(phone: Phone, hears: Callable[[str], None]) -> None:
    hears("nothing-marked")
    phone.tap(phone.find_contract_key("A-8"))
    hears("tricks")
    phone.tap(phone.find_result_key("A-8-8"))
    phone.expect_sent_totals(8, 0)
    hears("marked")
    phone.tap(phone.page.locator('[value="undone"]'))
    phone.expect_sent_totals(0, 0)
    hears("undone")
    phone.tap(phone.page.locator(".last button"))
    phone.expect_sent_totals(8, 0)
    phone.mark("B-mulot-failed")
    phone.expect_sent_totals(15, 0)
    phone.mark("A-gros_charlemagne-8")
    expect(phone.sheet).to_be_visible()
    hears("read-aloud")
    phone.tap(phone.page.locator("[name=confirmed]"))
    expect(phone.page.locator(".agree")).to_be_visible()
    hears("game-over")
    phone.tap(phone.page.locator('[name=side][value="A"]'))
    expect(phone.page.locator(".confirmed")).to_have_count(1)
    hears("one-side-agrees")
    phone.tap(phone.page.locator('[name=side][value="B"]'))
    expect(phone.page.locator(".confirmed")).to_have_count(2)
    hears("both-agree")
    assert len(read_announcements(phone)) == 7


@pytest.mark.long
def test_screen_reader_names_the_authors_of_conflicting_marks(
    hall: Hall, phone: Phone, hears: Callable[[str], None]
) -> None:
    phone.mark("A-6-7")
    phone.expect_sent_totals(6, 0)
    phone.has_sent()
    mark(hall.match, "A 7 7", number=1, device="@Noëlla Guy")
    phone.open(hall.table)
    hears("two-marks")


def test_each_hand_is_announced_once_with_totals_and_next_dealer(hall: Hall, phone: Phone) -> None:
    phone.mark("A-8-8")
    phone.expect_sent_totals(8, 0)
    phone.has_sent()
    first = "Main 1 : Roy et Dubé, 8 réussi. Roy et Dubé 8, Cyr et Ouellet 0. Main 2, Normand donne."
    assert read_announcements(phone) == [first]
    name = "Jeannine Roy-Tremblay"
    Person.objects.filter(name=NAMES[0]).update(name=name)
    mark(hall.match, "B 7 7")
    phone.poll_for_updates()
    phone.expect_sent_totals(8, 7)
    *earlier, second = read_announcements(phone)
    assert second == (
        "Main 2 : Cyr et Ouellet, 7 réussi. Roy-Tremblay et Dubé 8, Cyr et Ouellet 7. Main 3, Jeannine donne."
    )
    # A page that polls between the two writes announces the first hand again, with the new name.
    assert earlier in ([], [first.replace("Roy et Dubé", "Roy-Tremblay et Dubé")])
    call_desk(match_id=hall.match.pk)
    phone.poll_for_updates()
    expect(phone.screen.get_by_text("Le bureau a reçu votre appel")).to_be_visible()
    assert read_announcements(phone) == []
    phone.tap(phone.page.locator('[value="undone"]'))
    phone.expect_sent_totals(8, 0)
    assert read_announcements(phone) == [
        "Main 2 annulée. Roy-Tremblay et Dubé 8, Cyr et Ouellet 0. Main 2, Normand donne."
    ]


@pytest.mark.long
def test_screen_reader_announces_which_side_must_confirm(hall: Hall, phone: Phone) -> None:
    win(hall.match)
    phone.open(hall.table)
    phone.tap(phone.page.locator('[name=side][value="A"]'))
    expect(phone.page.locator(".confirmed")).to_have_count(1)
    assert read_announcements(phone) == ["Cyr et Ouellet : pas encore confirmé."]
    phone.tap(phone.page.locator('[name=side][value="B"]'))
    expect(phone.page.locator(".confirmed")).to_have_count(2)
    assert read_announcements(phone) == ["Les deux équipes ont confirmé."]


def test_status_is_announced_once_by_a_persistent_region(hall: Hall, phone: Phone) -> None:
    region = phone.page.locator("#status[role=status]")
    expect(region).to_have_text("")
    expect(phone.page.locator("#screen [role=status]")).to_have_count(0)  # would be inserted with its text
    call_desk(match_id=hall.match.pk)
    phone.poll_for_updates()
    expect(region).to_have_text("Le bureau a reçu votre appel.")
    assert hall.event is not None
    call_table(event_id=hall.event.pk, table=1)
    phone.poll_for_updates()
    expect(region).to_have_text("Une personne de cette table est attendue au bureau.")
    end_call(event_id=hall.event.pk, table=1)
    phone.poll_for_updates()
    expect(region).to_have_text("")
