"""The club's people: the list, one person, and the way back from what was done."""

from datetime import timedelta
from typing import Any

import pytest

from clubs.models import Person
from clubs.people import PAGE
from clubs.services import PersonDetails, add_person, change_person, find_or_add_people
from tests.builders import TUESDAY, an_event
from tests.support.browser import Page
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.models import Event

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("names are found whatever their accents and case"),
]


@pytest.fixture
def office() -> Office:
    return Office()


def address(office: Office, rest: str = "") -> str:
    return f"/club/{office.club.slug}/people{rest}"


def names_in(page: Page) -> list[str]:
    return [next(one.every("span")).text for one in page.one("ul", class_="list").every("a")]


class TestTheList:
    @pytest.mark.snapshot
    def test_has_a_page_of_all_and_leads_on(self, office: Office) -> None:
        find_or_add_people(club=office.club, full_names=[f"Roy {'x' * n}" for n in range(1, PAGE + 2)])
        page = office.browser.open(address(office))
        assert len(names_in(page)) == PAGE
        assert f"1 to {PAGE} of {PAGE + 1} people" in page.text
        further = office.browser.open(page.link("Next page"))
        assert f"{PAGE + 1} to {PAGE + 1} of {PAGE + 1} people" in further.text
        assert not [one for one in further.every("a") if one.text == "Next page"]

    @pytest.mark.snapshot
    def test_is_searched_by_a_form_and_as_somebody_types(self, office: Office) -> None:
        find_or_add_people(club=office.club, full_names=["Édith Roy", "Paul Dubé"])
        page = office.browser.open(address(office, "?search=ed"))
        assert names_in(page) == ["Édith Roy"]
        part = office.browser.open(address(office, "?search=ed"), **{"HX-Request": "true"})
        assert "Édith Roy" in part.text
        assert not part.every("html")
        assert office.browser.open(address(office, "?search=zz")).link("Add zz")

    def test_parts_members_guests_and_those_who_do_not_come_any_more(self, office: Office) -> None:
        for details in (
            PersonDetails(name="Anne"),
            PersonDetails(name="Guy", is_guest=True),
            PersonDetails(name="Zoé", is_active=False),
        ):
            add_person(club_id=office.club.pk, details=details)
        shown = {
            group: names_in(office.browser.open(address(office, f"?group={group}")))
            for group in ("active", "members", "guests", "former", "nonsense")
        }
        assert shown == {
            "active": ["Anne", "Guy"],
            "members": ["Anne"],
            "guests": ["Guy"],
            "former": ["Zoé"],
            "nonsense": ["Anne", "Guy"],
        }

    @pytest.mark.parametrize("asked", ["page=0", "page=99999999", "page=x", "done=x", "done=1", "done=²"])
    def test_bears_anything_in_its_address(self, office: Office, asked: str) -> None:
        assert office.browser.open(address(office, f"?{asked}")).status == 200


class TestAPerson:
    @pytest.mark.slow
    def test_is_added_with_a_name_only_and_undone_from_the_notice(self, office: Office) -> None:
        page = office.browser.open(address(office, "/new"))
        page = office.browser.send(page, page.form(having="contact"), name="Jeannine Roy")
        assert "Added: Jeannine Roy" in page.text
        page = office.browser.send(page, page.form("/undo"))
        assert "Undid: Added: Jeannine Roy" in page.text
        assert not office.club.people.exists()
        page = office.browser.send(page, page.form("/undo"))
        assert office.club.people.get().name == "Jeannine Roy"

    @pytest.mark.snapshot
    def test_whose_name_is_known_is_asked_about(self, office: Office) -> None:
        find_or_add_people(club=office.club, full_names=["Jeannine Roy"])
        page = office.browser.open(address(office, "/new"))
        page = office.browser.send(page, page.form(having="contact"), name="jeannine roy", contact="555")
        assert page.status == 422
        assert "The club already has a “Jeannine Roy”. Same person?" in page.alert
        assert page.field("contact").value == "555"
        assert page.link("Same person") == address(office, f"/{office.club.people.get().pk}")
        page = office.browser.send(page, page.form(having="namesake"), ("namesake", "1"))
        assert page.path == address(office)
        assert office.club.people.count() == 2

    @pytest.mark.snapshot
    def test_is_changed_and_the_form_shows_what_is_kept(self, office: Office) -> None:
        (person,) = find_or_add_people(club=office.club, full_names=["Jeannine Roy"])
        page = office.browser.open(address(office, f"/{person.pk}"))
        assert "Otherwise, “Jeannine R.”." in page.text
        typed: dict[str, Any] = {"kind": "guest", "family": "Roy", "label": "Women", "shows_full_name": "on"}
        page = office.browser.send(page, page.form(having="contact"), **typed)
        assert "Changed: Jeannine Roy" in page.text
        page = office.browser.open(address(office, f"/{person.pk}"))
        assert page.chosen("kind") == ["guest"]
        assert page.chosen("labels") == ["Women"]
        assert page.chosen("shows_full_name") == ["on"]
        assert page.field("family").value == "Roy"

    @pytest.mark.parametrize("tick", ["is_active", "shows_full_name", "is_rated", "is_hidden"])
    @pytest.mark.parametrize("is_ticked", [True, False])
    def test_stays_ticked_or_not_when_something_else_is_changed(
        self, office: Office, tick: str, is_ticked: bool
    ) -> None:
        (person,) = find_or_add_people(club=office.club, full_names=["Jeannine Roy"])
        for typed in ({tick: ["on"] if is_ticked else []}, {"contact": "418 555-0112"}):
            page = office.browser.open(address(office, f"/{person.pk}"))
            office.browser.send(page, page.form(having="contact"), **typed)
        person.refresh_from_db()
        assert (person.contact, getattr(person, tick)) == ("418 555-0112", is_ticked)

    def test_leads_to_all_that_can_be_done_about_them(self, office: Office) -> None:
        (person,) = find_or_add_people(club=office.club, full_names=["Jeannine Roy"])
        page = office.browser.open(address(office, f"/{person.pk}"))
        for words, rest in {
            "Consents, data export, erasure": "privacy",
            "Profile in another club": "identity",
            "Merge with another person": "merge",
        }.items():
            assert page.link(words) == address(office, f"/{person.pk}/{rest}")

    def test_with_a_name_that_none_is_keeps_what_was_typed(self, office: Office) -> None:
        page = office.browser.open(address(office, "/new"))
        page = office.browser.send(
            page, page.form(having="contact"), name="R2D2", contact="555", label="Kids"
        )
        assert (page.status, page.field("contact").value) == (422, "555")
        assert "“R2D2” cannot contain “2”." in page.said_at("name")
        assert page.chosen("labels") == ["Kids"]

    def test_who_does_not_come_any_more_is_not_offered_for_an_event(self, office: Office) -> None:
        find_or_add_people(club=office.club, full_names=["Anne Roy", "Paul Roy"])
        Person.objects.filter(name="Paul Roy").update(is_active=False)
        page = office.browser.open(f"{office.entries}/people")
        assert "Anne Roy" in page.text
        assert "Paul Roy" not in page.text

    def test_of_another_club_is_not_there(self, office: Office) -> None:
        (person,) = find_or_add_people(club=Office().club, full_names=["Jeannine Roy"])
        assert office.browser.open(address(office, f"/{person.pk}")).status == 404


class TestTheHistory:
    @pytest.mark.slow
    def test_says_who_did_what_and_takes_it_back(self, office: Office) -> None:
        page = office.browser.open(address(office, "/new"))
        office.browser.send(page, page.form(having="contact"), name="Jeannine Roy")
        history = f"/club/{office.club.slug}/history"
        page = office.browser.open(history)
        assert "Added: Jeannine Roy" in page.text
        assert office.owner.name in page.text
        page = office.browser.send(page, page.form("/undo"))
        assert page.path == history
        assert not office.club.people.exists()

    def test_refuses_what_was_changed_since_in_words(self, office: Office) -> None:
        person = add_person(club_id=office.club.pk, details=PersonDetails(name="Anne Roy"))
        page = office.browser.open(f"/club/{office.club.slug}/history")
        change_person(club_id=office.club.pk, person_id=person.pk, details=PersonDetails(name="Anne Cyr"))
        page = office.browser.send(page, page.form("/undo"))
        assert page.status == 409
        assert page.alert


@pytest.mark.parametrize("page", ["", "/standings", "/charts", "/board", "/desk"])
def test_another_name_is_on_every_page_of_the_event_at_once(page: str) -> None:
    hall = Hall()
    path = f"/e/{hall.event.short}{page}"
    revision = hall.desk.open(path).revision
    person = hall.event.entries.all()[0].player_1
    change_person(
        club_id=person.club_id,
        person_id=person.pk,
        details=PersonDetails(name="Zénaïde Zed", shows_full_name=True),
    )
    assert hall.desk.open(path, **{"If-None-Match": revision}).status == 200


@pytest.mark.slow
def test_another_name_is_at_the_table_at_once() -> None:
    hall = Hall()
    phone = hall.phone()
    revision = phone.open(hall.table).revision
    person = hall.match.players.all()[0].person
    change_person(club_id=person.club_id, person_id=person.pk, details=PersonDetails(name="Zénaïde Zed"))
    page = phone.open(hall.table, **{"If-None-Match": revision})
    assert page.status == 200
    assert "Zénaïde Zed" in page.text


class TestOnePersonOfTwo:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_proposed_by_their_names_shown_in_its_effects_done_and_undone(self) -> None:
        hall = Hall()
        club, entry = hall.event.club, hall.event.entries.all()[0]
        played = entry.player_1
        turned = " ".join(reversed(played.name.split()))
        kept = add_person(club_id=club.pk, details=PersonDetails(name=turned))
        page = hall.desk.open(f"/club/{club.slug}/people/alike")
        page = hall.desk.open(page.link(turned))
        page = hall.desk.open(f"/club/{club.slug}/people/{kept.pk}/merge?other={played.pk}")
        assert "1 entry is moved:" in page.text
        assert hall.event.name in page.text
        page = hall.desk.send(page, page.form("/merge"))
        assert f"Merged: {turned} and {played.name}" in page.text
        assert hall.event.entries.all()[0].player_1 == kept
        hall.desk.send(page, page.form("/undo"))
        assert hall.event.entries.all()[0].player_1 == played

    def test_is_shown_with_the_events_that_become_the_others_the_last_one_first(self) -> None:
        hall = Hall()
        club, played = hall.event.club, hall.event.entries.all()[0].player_1
        kept = add_person(club_id=club.pk, details=PersonDetails(name="Zénaïde Zed"))
        for day in (9, 2):
            night = an_event(club=club)
            Event.objects.filter(pk=night.pk).update(held_on=TUESDAY + timedelta(days=day))
        page = hall.desk.open(f"/club/{club.slug}/people/{kept.pk}/merge?other={played.pk}")
        lines = page.one("ul", class_="entries").every("li")
        for line, said in zip(lines, ("November 26", "November 19", "November 17"), strict=True):
            assert said in line.text

    def test_others_of_the_name_are_offered_by_name(self) -> None:
        hall = Hall()
        club = hall.event.club
        person, *_ = [
            add_person(club_id=club.pk, details=PersonDetails(name=name))
            for name in ("Rita Zed", "Yves Zed", "Anne Zed", "Marc Zed")
        ]
        page = hall.desk.open(f"/club/{club.slug}/people/{person.pk}/merge?search=zed")
        offered = [one.text for one in page.one("main").every("a") if " Zed Member." in one.text]
        assert [text.partition(" Zed")[0] for text in offered] == ["Anne", "Marc", "Yves"]

    def test_nobody_is_found_only_once_somebody_was_looked_for(self) -> None:
        hall = Hall()
        lone = add_person(club_id=hall.event.club_id, details=PersonDetails(name="Rita Zed"))
        address = f"/club/{hall.event.club.slug}/people/{lone.pk}/merge"
        assert "Nobody found" not in hall.desk.open(address).text
        assert "Nobody found" in hall.desk.open(f"{address}?search=zzz").text

    def test_each_of_two_of_a_name_is_shown_with_what_the_club_knows_of_them(self) -> None:
        hall = Hall()
        club = hall.event.club
        known = PersonDetails(
            name="Rita Zed", family="Les Zed", labels=("Débutants",), contact="418 555-0100"
        )
        kept = add_person(club_id=club.pk, details=known)
        other = add_person(club_id=club.pk, details=PersonDetails(name="Zed Rita", is_guest=True))
        page = hall.desk.open(f"/club/{club.slug}/people/alike")
        merge = hall.desk.open(page.link("Zed Rita"))
        for text in (page.text, merge.text):
            assert f"{kept.name} Member. Les Zed. Débutants. Added" in text
            assert "418 555-0100" in text
            assert f"{other.name} Guest. Added" in text

    @pytest.mark.snapshot
    def test_is_looked_for_by_name_and_refused_where_both_took_part(self) -> None:
        hall = Hall()
        one, other = hall.event.entries.all()[:2]
        address = f"/club/{hall.event.club.slug}/people/{one.player_1.pk}/merge"
        name = other.player_1.name
        page = hall.desk.open(f"{address}?search={name}")
        page = hall.desk.open(f"{address}{page.link(name)}")
        assert "so they are two people" in page.text
        (event,) = page.one("ul", class_="entries").every("li")
        assert event.one("span", class_="second").text == "November 17, 2026"
        assert not [form for form in page.every("form") if form.attrs.get("action", "").endswith("/merge")]
