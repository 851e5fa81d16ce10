"""Check-in at the door: known people are entered with one tap, pairs with two, guests by name."""

from typing import Any

import pytest

from clubs.models import Person
from clubs.services.people import find_or_add_people
from tests.builders import build_event, get_refusal_code, play_round
from tests.support.browser import Page
from tests.support.hall import Hall, post_form
from tests.support.office import Office
from tournaments.entries.services.entries import enter_people
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Entry

pytestmark = pytest.mark.django_db

SCRIPT = {"HTTP_HX_REQUEST": "true"}


def build_office(**settings: Any) -> Office:
    """Build a night without entries, in a club that knows four people."""
    office = Office(**settings)
    find_or_add_people(club=office.club, full_names=["Anne A", "Lise L", "Paul P", "Rita R"])
    return office


def build_individual_office() -> Office:
    return build_office(draw_format="swiss_individual")


def open_check_in(office: Office) -> Page:
    return office.browser.open(f"{office.entries}/check-in")


def tap(office: Office, page: Page, name: str) -> Page:
    person = Person.objects.get(name=name)
    form = page.find_one("li", id=f"person-{person.pk}").find_one("form")
    return office.browser.send(page, form, ("person", str(person.pk)))


def list_present(office: Office) -> list[str]:
    return [str(entry) for entry in office.event.entries.exclude(present_at=None)]


class TestSinglesCheckIn:
    @pytest.mark.long
    def test_one_tap_enters_a_person_and_another_reverts_it(self) -> None:
        office = build_individual_office()
        page = tap(office, open_check_in(office), "Lise L")
        assert list_present(office) == ["Lise L"]
        assert page.find_one("h2", id="present").text == "1 person present"
        assert not [
            one
            for one in page.find_all("li")
            if one.attrs.get("id") == f"person-{Person.objects.get(name='Lise L').pk}"
        ]
        page = office.browser.send(page, page.find_one("li", id="entry-1").find_one("form"), ("present", "0"))
        assert list_present(office) == []

    @pytest.mark.slow
    def test_double_tap_enters_a_person_once(self) -> None:
        office = build_individual_office()
        page = open_check_in(office)
        for _ in range(2):
            tap(office, page, "Lise L")
        assert list_present(office) == ["Lise L"]

    @pytest.mark.slow
    def test_unknown_person_is_entered_by_name_as_a_guest(self) -> None:
        office = build_individual_office()
        page = open_check_in(office)
        office.browser.send(page, page.find_form("/check-in", control_name="player_1"), player_1="Ginette Proulx")
        assert list_present(office) == ["Ginette Proulx"]
        assert Person.objects.get(name="Ginette Proulx").is_guest

    @pytest.mark.long
    def test_script_request_updates_only_the_changed_box(self) -> None:
        office = build_individual_office()
        page = open_check_in(office)
        office.browser.client.defaults.update(SCRIPT)
        part = tap(office, page, "Lise L")
        assert [one.attrs["id"] for one in part.find_all("li")] == ["entry-1"]
        assert part.find_one("h2", id="present").attrs["hx-swap-oob"] == "true"
        assert not part.find_all("html")


@pytest.mark.slow
class TestPairCheckIn:
    @pytest.mark.long
    def test_two_taps_enter_a_pair(self) -> None:
        office = build_office()
        page = tap(office, open_check_in(office), "Lise L")
        assert list_present(office) == []
        assert "Tap a partner for Lise L" in page.text
        tap(office, page, "Paul P")
        assert list_present(office) == ["Lise L / Paul P"]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_script_request_updates_both_boxes_of_a_pair(self) -> None:
        office = build_office()
        page = open_check_in(office)
        office.browser.client.defaults.update(SCRIPT)
        lise, paul = (Person.objects.get(name=name) for name in ("Lise L", "Paul P"))
        part = tap(office, page, "Lise L")
        assert part.find_one("button", name="person").attrs["aria-pressed"] == "true"
        assert part.find_one("input", id="first").value == str(lise.pk)
        form = page.find_one("li", id=f"person-{paul.pk}").find_one("form")
        part = office.browser.send(page, form, ("person", str(paul.pk)), first=str(lise.pk))
        assert [one.attrs["id"] for one in part.find_all("li")] == ["entry-1", f"person-{lise.pk}"]
        assert part.find_one("input", id="first").value == ""
        assert list_present(office) == ["Lise L / Paul P"]

    @pytest.mark.slow
    def test_second_tap_on_the_same_person_cancels_the_choice(self) -> None:
        office = build_office()
        page = tap(office, open_check_in(office), "Lise L")
        page = tap(office, page, "Lise L")
        assert "Tap a partner for" not in page.text
        assert list_present(office) == []

    def test_tap_and_name_enter_a_member_with_a_guest(self) -> None:
        office = build_office()
        page = tap(office, open_check_in(office), "Lise L")
        office.browser.send(page, page.find_form("/check-in", control_name="guest"), guest="Ginette Proulx")
        assert list_present(office) == ["Lise L / Ginette Proulx"]
        assert list(Person.objects.filter(is_guest=True).values_list("name", flat=True)) == ["Ginette Proulx"]

    def test_known_pair_is_entered_with_one_tap(self) -> None:
        office = build_office()
        before = build_event(pairs=0, club=office.club)
        lise, paul = (Person.objects.get(name=name) for name in ("Lise L", "Paul P"))
        enter_people(event_id=before.pk, people=[lise.pk, paul.pk])
        page = open_check_in(office)
        form = page.find_one("li", id=f"pair-{lise.pk}-{paul.pk}").find_one("form")
        office.browser.send(page, form, ("pair", f"{lise.pk}-{paul.pk}"))
        assert list_present(office) == ["Lise L / Paul P"]


class TestCheckInSearch:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_search_covers_entries_and_club_list_and_keeps_the_choice(self) -> None:
        office = build_office()
        anne = Person.objects.get(name="Anne A")
        part = office.browser.open(f"{office.entries}/check-in?search=an&first={anne.pk}", **{"HX-Request": "true"})
        assert part.find_one("button", name="person").attrs["aria-pressed"] == "true"
        assert part.find_one(id="lists")
        assert not part.find_all("main")
        page = office.browser.open(f"{office.entries}/check-in?search=zz")
        assert "Nobody found" in page.text
        assert [link.text for link in page.find_all("a", href="#guest")] == ["Add by name"]


class TestCheckInRefusals:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_refused_tap_shows_its_reason_on_the_full_page(self) -> None:
        office = build_individual_office()
        lise = Person.objects.get(name="Lise L")
        page = open_check_in(office)
        enter_people(event_id=office.event.pk, people=[lise.pk])
        office.browser.client.defaults.update(SCRIPT)
        part = tap(office, page, "Lise L")
        assert part.status == 422
        assert part.response.headers["HX-Retarget"] == "#main"
        assert part.alert.startswith("Lise L is already entered.")

    @pytest.mark.parametrize(
        ("people", "guest", "code"),
        [
            (1, "", "tick_two"),
            (2, "Zoé Z", "tick_two"),
            (1, "R2D2", "strange_character"),
            (1, "anne a", "entered_twice"),
        ],
    )
    def test_incomplete_pair_is_refused(self, people: int, guest: str, code: str) -> None:
        office = build_office()
        pks = [person.pk for person in office.club.people.order_by("pk")[:people]]
        assert get_refusal_code(enter_people, event_id=office.event.pk, people=pks, guest=guest) == code
        assert not Entry.objects.exists()

    @pytest.mark.slow
    def test_other_clubs_person_or_ended_event_is_refused(self) -> None:
        office, hall = build_individual_office(), Hall()
        stranger = hall.event.club.people.all()[0].pk
        assert get_refusal_code(enter_people, event_id=office.event.pk, people=[stranger]) == "no_such_person"
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        assert get_refusal_code(enter_people, event_id=hall.event.pk, people=[stranger]) == "event_ended"

    @pytest.mark.long
    @pytest.mark.parametrize("name", ["person", "pair", "guest", "first", "family"])
    def test_nonsense_input_gets_a_readable_refusal(self, name: str) -> None:
        office = build_office()
        for value in ("x", "1-x", "9" * 30, "-1", "", "1-2-3", "²"):
            page = post_form(office.browser, f"{office.entries}/check-in", {"person": "1", name: value})
            assert page.status < 500, value
            assert page.status == 200 or page.alert, value


def test_late_entry_plays_from_the_next_round() -> None:
    hall = Hall()
    find_or_add_people(club=hall.event.club, full_names=["Anne A", "Paul P"])
    pks = [person.pk for person in hall.event.club.people.filter(name__in=["Anne A", "Paul P"])]
    (entry,) = enter_people(event_id=hall.event.pk, people=pks)
    assert (entry.arrives, entry.is_waiting) == (2, False)
