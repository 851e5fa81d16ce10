"""At the door: whom the club knows is entered with a tap, or two for a pair, and a guest by a name."""

from typing import Any

import pytest

from clubs.models import Person
from clubs.services import find_or_add_people
from tests.builders import an_event, code_of, play_round
from tests.support.browser import Page
from tests.support.hall import Hall, post
from tests.support.office import Office
from tournaments.entries.services.entries import enter_people
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Entry

pytestmark = pytest.mark.django_db

SCRIPT = {"HTTP_HX_REQUEST": "true"}


def an_office(**settings: Any) -> Office:
    """A night that nobody has come to yet, in a club that knows four."""
    office = Office(**settings)
    find_or_add_people(club=office.club, full_names=["Anne A", "Lise L", "Paul P", "Rita R"])
    return office


def individual() -> Office:
    return an_office(draw_format="swiss_individual")


def door(office: Office) -> Page:
    return office.browser.open(f"{office.entries}/check-in")


def tap(office: Office, page: Page, name: str) -> Page:
    person = Person.objects.get(name=name)
    form = page.one("li", id=f"person-{person.pk}").one("form")
    return office.browser.send(page, form, ("person", str(person.pk)))


def came(office: Office) -> list[str]:
    return [str(entry) for entry in office.event.entries.exclude(present_at=None)]


class TestWhereEachPlaysAlone:
    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_is_one_tap_and_another_one_takes_it_back(self) -> None:
        office = individual()
        page = tap(office, door(office), "Lise L")
        assert came(office) == ["Lise L"]
        assert page.one("h2", id="present").text == "1 person present"
        assert not [
            one
            for one in page.every("li")
            if one.attrs.get("id") == f"person-{Person.objects.get(name='Lise L').pk}"
        ]
        page = office.browser.send(page, page.one("li", id="entry-1").one("form"), ("present", "0"))
        assert came(office) == []

    @pytest.mark.slow
    def test_by_two_taps_on_one_page_is_one_entry(self) -> None:
        office = individual()
        page = door(office)
        for _ in range(2):
            tap(office, page, "Lise L")
        assert came(office) == ["Lise L"]

    def test_of_whom_the_club_does_not_know_takes_a_name_and_makes_a_guest(self) -> None:
        office = individual()
        page = door(office)
        office.browser.send(page, page.form("/check-in", having="player_1"), player_1="Ginette Proulx")
        assert came(office) == ["Ginette Proulx"]
        assert Person.objects.get(name="Ginette Proulx").is_guest

    def test_with_a_script_changes_the_box_in_its_place(self) -> None:
        office = individual()
        page = door(office)
        office.browser.client.defaults.update(SCRIPT)
        part = tap(office, page, "Lise L")
        assert [one.attrs["id"] for one in part.every("li")] == ["entry-1"]
        assert part.one("h2", id="present").attrs["hx-swap-oob"] == "true"
        assert not part.every("html")


class TestWhereAPairPlays:
    @pytest.mark.slow
    def test_is_two_taps(self) -> None:
        office = an_office()
        page = tap(office, door(office), "Lise L")
        assert came(office) == []
        assert "Tap a partner for Lise L" in page.text
        tap(office, page, "Paul P")
        assert came(office) == ["Lise L / Paul P"]

    @pytest.mark.snapshot
    def test_is_two_taps_with_a_script_and_both_boxes_say_so(self) -> None:
        office = an_office()
        page = door(office)
        office.browser.client.defaults.update(SCRIPT)
        lise, paul = (Person.objects.get(name=name) for name in ("Lise L", "Paul P"))
        part = tap(office, page, "Lise L")
        assert part.one("button", name="person").attrs["aria-pressed"] == "true"
        assert part.one("input", id="first").value == str(lise.pk)
        form = page.one("li", id=f"person-{paul.pk}").one("form")
        part = office.browser.send(page, form, ("person", str(paul.pk)), first=str(lise.pk))
        assert [one.attrs["id"] for one in part.every("li")] == ["entry-1", f"person-{lise.pk}"]
        assert part.one("input", id="first").value == ""
        assert came(office) == ["Lise L / Paul P"]

    def test_is_taken_back_by_a_second_tap_on_the_first(self) -> None:
        office = an_office()
        page = tap(office, door(office), "Lise L")
        page = tap(office, page, "Lise L")
        assert "Tap a partner for" not in page.text
        assert came(office) == []

    @pytest.mark.slow
    def test_with_a_guest_is_a_tap_and_a_name(self) -> None:
        office = an_office()
        page = tap(office, door(office), "Lise L")
        office.browser.send(page, page.form("/check-in", having="guest"), guest="Ginette Proulx")
        assert came(office) == ["Lise L / Ginette Proulx"]
        assert list(Person.objects.filter(is_guest=True).values_list("name", flat=True)) == ["Ginette Proulx"]

    @pytest.mark.slow
    def test_that_has_played_together_is_one_tap(self) -> None:
        office = an_office()
        before = an_event(pairs=0, club=office.club)
        lise, paul = (Person.objects.get(name=name) for name in ("Lise L", "Paul P"))
        enter_people(event_id=before.pk, people=[lise.pk, paul.pk])
        page = door(office)
        form = page.one("li", id=f"pair-{lise.pk}-{paul.pk}").one("form")
        office.browser.send(page, form, ("pair", f"{lise.pk}-{paul.pk}"))
        assert came(office) == ["Lise L / Paul P"]


class TestTheSearch:
    @pytest.mark.snapshot
    def test_is_among_those_entered_and_the_clubs_list_and_keeps_whom_was_chosen(self) -> None:
        office = an_office()
        anne = Person.objects.get(name="Anne A")
        part = office.browser.open(
            f"{office.entries}/check-in?search=an&first={anne.pk}", **{"HX-Request": "true"}
        )
        assert part.one("button", name="person").attrs["aria-pressed"] == "true"
        assert part.one(id="lists")
        assert not part.every("main")
        page = office.browser.open(f"{office.entries}/check-in?search=zz")
        assert "Nobody found" in page.text
        assert [link.text for link in page.every("a", href="#guest")] == ["Add by name"]


class TestRefusals:
    @pytest.mark.snapshot
    def test_say_what_is_wrong_on_the_whole_page(self) -> None:
        office = individual()
        lise = Person.objects.get(name="Lise L")
        page = door(office)
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
    def test_of_what_is_no_pair(self, people: int, guest: str, code: str) -> None:
        office = an_office()
        pks = [person.pk for person in office.club.people.order_by("pk")[:people]]
        assert code_of(enter_people, event_id=office.event.pk, people=pks, guest=guest) == code
        assert not Entry.objects.exists()

    @pytest.mark.slow
    def test_of_somebody_of_another_club_and_after_the_end(self) -> None:
        office, hall = individual(), Hall()
        stranger = hall.event.club.people.all()[0].pk
        assert code_of(enter_people, event_id=office.event.pk, people=[stranger]) == "no_such_person"
        play_round(hall.event)
        end_event(event_id=hall.event.pk)
        assert code_of(enter_people, event_id=hall.event.pk, people=[stranger]) == "event_ended"

    @pytest.mark.parametrize("name", ["person", "pair", "guest", "first", "family"])
    @pytest.mark.parametrize("value", ["x", "1-x", "9" * 30, "-1", "", "1-2-3", "²"])
    def test_of_nonsense_are_in_words(self, name: str, value: str) -> None:
        office = an_office()
        page = post(office.browser, f"{office.entries}/check-in", {"person": "1", name: value})
        assert page.status < 500
        assert page.status == 200 or page.alert


def test_who_comes_after_the_start_plays_from_the_next_round() -> None:
    hall = Hall()
    find_or_add_people(club=hall.event.club, full_names=["Anne A", "Paul P"])
    pks = [person.pk for person in hall.event.club.people.filter(name__in=["Anne A", "Paul P"])]
    (entry,) = enter_people(event_id=hall.event.pk, people=pks)
    assert (entry.arrives, entry.is_waiting) == (2, False)
