"""Pages of a club's people: list, person, history and merge."""

from datetime import timedelta
from typing import Any

import pytest

from clubs.models import Person
from clubs.people import PAGE
from clubs.services.people import PersonDetails, add_person, change_person, find_or_add_people
from tests.builders import TUESDAY, build_event
from tests.support.browser import Page
from tests.support.hall import Hall
from tests.support.office import Office
from tournaments.models import Event

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("searches without accents and case"),
]


@pytest.fixture
def office() -> Office:
    return Office()


def get_people_path(office: Office, rest: str = "") -> str:
    return f"/club/{office.club.slug}/people{rest}"


def list_names(page: Page) -> list[str]:
    return [next(one.find_all("span")).text for one in page.find_one("ul", class_="list").find_all("a")]


class TestPeopleList:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_people_list_is_paginated(self, office: Office) -> None:
        find_or_add_people(club=office.club, full_names=[f"Roy {'x' * n}" for n in range(1, PAGE + 2)])
        page = office.browser.open(get_people_path(office))
        assert len(list_names(page)) == PAGE
        assert f"1 to {PAGE} of {PAGE + 1} people" in page.text
        further = office.browser.open(page.find_link("Next page"))
        assert f"{PAGE + 1} to {PAGE + 1} of {PAGE + 1} people" in further.text
        assert not [one for one in further.find_all("a") if one.text == "Next page"]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_people_search_works_with_form_and_htmx(self, office: Office) -> None:
        find_or_add_people(club=office.club, full_names=["Édith Roy", "Paul Dubé"])
        page = office.browser.open(get_people_path(office, "?search=ed"))
        assert list_names(page) == ["Édith Roy"]
        part = office.browser.open(get_people_path(office, "?search=ed"), **{"HX-Request": "true"})
        assert "Édith Roy" in part.text
        assert not part.find_all("html")
        assert office.browser.open(get_people_path(office, "?search=zz")).find_link("Add zz")

    @pytest.mark.long
    def test_people_list_filters_by_group(self, office: Office) -> None:
        for details in (
            PersonDetails(name="Anne"),
            PersonDetails(name="Guy", is_guest=True),
            PersonDetails(name="Zoé", is_active=False),
        ):
            add_person(club_id=office.club.pk, details=details)
        shown = {
            group: list_names(office.browser.open(get_people_path(office, f"?group={group}")))
            for group in ("active", "members", "guests", "former", "nonsense")
        }
        assert shown == {
            "active": ["Anne", "Guy"],
            "members": ["Anne"],
            "guests": ["Guy"],
            "former": ["Zoé"],
            "nonsense": ["Anne", "Guy"],
        }

    @pytest.mark.parametrize("query", ["page=0", "page=99999999", "page=x", "done=x", "done=1", "done=²"])
    def test_people_list_ignores_invalid_parameters(self, office: Office, query: str) -> None:
        assert office.browser.open(get_people_path(office, f"?{query}")).status == 200


class TestPersonPage:
    @pytest.mark.long
    def test_notice_undoes_an_added_person(self, office: Office) -> None:
        page = office.browser.open(get_people_path(office, "/new"))
        page = office.browser.send(page, page.find_form(control_name="contact"), name="Jeannine Roy")
        assert "Added: Jeannine Roy" in page.text
        page = office.browser.send(page, page.find_form("/undo"))
        assert "Undid: Added: Jeannine Roy" in page.text
        assert not office.club.people.exists()
        page = office.browser.send(page, page.find_form("/undo"))
        assert office.club.people.get().name == "Jeannine Roy"

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_known_name_asks_for_confirmation(self, office: Office) -> None:
        find_or_add_people(club=office.club, full_names=["Jeannine Roy"])
        page = office.browser.open(get_people_path(office, "/new"))
        page = office.browser.send(page, page.find_form(control_name="contact"), name="jeannine roy", contact="555")
        assert page.status == 422
        assert "The club already has a “Jeannine Roy”. Same person?" in page.alert
        assert page.find_field("contact").value == "555"
        assert page.find_link("Same person") == get_people_path(office, f"/{office.club.people.get().pk}")
        page = office.browser.send(page, page.find_form(control_name="namesake"), ("namesake", "1"))
        assert page.path == get_people_path(office)
        assert office.club.people.count() == 2

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_person_form_shows_saved_details(self, office: Office) -> None:
        (person,) = find_or_add_people(club=office.club, full_names=["Jeannine Roy"])
        page = office.browser.open(get_people_path(office, f"/{person.pk}"))
        assert "Otherwise, “Jeannine R.”." in page.text
        typed: dict[str, Any] = {"kind": "guest", "family": "Roy", "label": "Women", "shows_full_name": "on"}
        page = office.browser.send(page, page.find_form(control_name="contact"), **typed)
        assert "Changed: Jeannine Roy" in page.text
        page = office.browser.open(get_people_path(office, f"/{person.pk}"))
        assert page.list_checked_values("kind") == ["guest"]
        assert page.list_checked_values("labels") == ["Women"]
        assert page.list_checked_values("shows_full_name") == ["on"]
        assert page.find_field("family").value == "Roy"

    @pytest.mark.long
    @pytest.mark.parametrize("tick", ["is_active", "shows_full_name", "is_rated", "is_hidden"])
    @pytest.mark.parametrize("is_ticked", [True, False])
    def test_unrelated_change_keeps_checkbox_values(self, office: Office, tick: str, is_ticked: bool) -> None:
        (person,) = find_or_add_people(club=office.club, full_names=["Jeannine Roy"])
        for typed in ({tick: ["on"] if is_ticked else []}, {"contact": "418 555-0112"}):
            page = office.browser.open(get_people_path(office, f"/{person.pk}"))
            office.browser.send(page, page.find_form(control_name="contact"), **typed)
        person.refresh_from_db()
        assert (person.contact, getattr(person, tick)) == ("418 555-0112", is_ticked)

    def test_person_page_links_to_privacy_identity_and_merge(self, office: Office) -> None:
        (person,) = find_or_add_people(club=office.club, full_names=["Jeannine Roy"])
        page = office.browser.open(get_people_path(office, f"/{person.pk}"))
        for words, rest in {
            "Consents, data export, erasure": "privacy",
            "Profile in another club": "identity",
            "Merge with another person": "merge",
        }.items():
            assert page.find_link(words) == get_people_path(office, f"/{person.pk}/{rest}")

    def test_refused_form_keeps_typed_values(self, office: Office) -> None:
        page = office.browser.open(get_people_path(office, "/new"))
        page = office.browser.send(
            page, page.find_form(control_name="contact"), name="R2D2", contact="555", label="Kids"
        )
        assert (page.status, page.find_field("contact").value) == (422, "555")
        assert "“R2D2” cannot contain “2”." in page.get_field_error("name")
        assert page.list_checked_values("labels") == ["Kids"]

    def test_inactive_person_is_not_offered_for_an_event(self, office: Office) -> None:
        find_or_add_people(club=office.club, full_names=["Anne Roy", "Paul Roy"])
        Person.objects.filter(name="Paul Roy").update(is_active=False)
        page = office.browser.open(f"{office.entries}/people")
        assert "Anne Roy" in page.text
        assert "Paul Roy" not in page.text

    def test_person_of_another_club_is_not_found(self, office: Office) -> None:
        (person,) = find_or_add_people(club=Office().club, full_names=["Jeannine Roy"])
        assert office.browser.open(get_people_path(office, f"/{person.pk}")).status == 404


@pytest.mark.slow
class TestClubHistory:
    @pytest.mark.long
    def test_history_names_the_author_and_undoes_changes(self, office: Office) -> None:
        page = office.browser.open(get_people_path(office, "/new"))
        office.browser.send(page, page.find_form(control_name="contact"), name="Jeannine Roy")
        history = f"/club/{office.club.slug}/history"
        page = office.browser.open(history)
        assert "Added: Jeannine Roy" in page.text
        assert office.owner.name in page.text
        page = office.browser.send(page, page.find_form("/undo"))
        assert page.path == history
        assert not office.club.people.exists()

    def test_history_refuses_to_undo_an_outdated_change(self, office: Office) -> None:
        person = add_person(club_id=office.club.pk, details=PersonDetails(name="Anne Roy"))
        page = office.browser.open(f"/club/{office.club.slug}/history")
        change_person(club_id=office.club.pk, person_id=person.pk, details=PersonDetails(name="Anne Cyr"))
        page = office.browser.send(page, page.find_form("/undo"))
        assert page.status == 409
        assert page.alert


@pytest.mark.long
@pytest.mark.parametrize("page", ["", "/standings", "/charts", "/board", "/desk"])
def test_renamed_person_updates_every_event_page(page: str) -> None:
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
def test_renamed_person_updates_the_table_page() -> None:
    hall = Hall()
    phone = hall.add_phone()
    revision = phone.open(hall.table).revision
    person = hall.match.players.all()[0].person
    change_person(club_id=person.club_id, person_id=person.pk, details=PersonDetails(name="Zénaïde Zed"))
    page = phone.open(hall.table, **{"If-None-Match": revision})
    assert page.status == 200
    assert "Zénaïde Zed" in page.text


class TestPersonMerge:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_merge_moves_entries_and_can_be_undone(self) -> None:
        hall = Hall()
        club, entry = hall.event.club, hall.event.entries.all()[0]
        played = entry.player_1
        turned = " ".join(reversed(played.name.split()))
        target = add_person(club_id=club.pk, details=PersonDetails(name=turned))
        page = hall.desk.open(f"/club/{club.slug}/people/alike")
        page = hall.desk.open(page.find_link(turned))
        page = hall.desk.open(f"/club/{club.slug}/people/{target.pk}/merge?other={played.pk}")
        assert "1 entry is moved:" in page.text
        assert hall.event.name in page.text
        page = hall.desk.send(page, page.find_form("/merge"))
        assert f"Merged: {turned} and {played.name}" in page.text
        assert hall.event.entries.all()[0].player_1 == target
        hall.desk.send(page, page.find_form("/undo"))
        assert hall.event.entries.all()[0].player_1 == played

    @pytest.mark.slow
    def test_merge_preview_lists_events_latest_first(self) -> None:
        hall = Hall()
        club, played = hall.event.club, hall.event.entries.all()[0].player_1
        target = add_person(club_id=club.pk, details=PersonDetails(name="Zénaïde Zed"))
        for day in (9, 2):
            night = build_event(club=club)
            Event.objects.filter(pk=night.pk).update(held_on=TUESDAY + timedelta(days=day))
        page = hall.desk.open(f"/club/{club.slug}/people/{target.pk}/merge?other={played.pk}")
        lines = page.find_one("ul", class_="entries").find_all("li")
        for line, date_text in zip(lines, ("November 26", "November 19", "November 17"), strict=True):
            assert date_text in line.text

    def test_merge_candidates_are_sorted_by_name(self) -> None:
        hall = Hall()
        club = hall.event.club
        person, *_ = [
            add_person(club_id=club.pk, details=PersonDetails(name=name))
            for name in ("Rita Zed", "Yves Zed", "Anne Zed", "Marc Zed")
        ]
        page = hall.desk.open(f"/club/{club.slug}/people/{person.pk}/merge?search=zed")
        offered = [one.text for one in page.find_one("main").find_all("a") if " Zed Member." in one.text]
        assert [text.partition(" Zed")[0] for text in offered] == ["Anne", "Marc", "Yves"]

    def test_merge_search_reports_no_match_only_after_a_search(self) -> None:
        hall = Hall()
        lone = add_person(club_id=hall.event.club_id, details=PersonDetails(name="Rita Zed"))
        address = f"/club/{hall.event.club.slug}/people/{lone.pk}/merge"
        assert "Nobody found" not in hall.desk.open(address).text
        assert "Nobody found" in hall.desk.open(f"{address}?search=zzz").text

    @pytest.mark.slow
    def test_merge_candidates_show_their_details(self) -> None:
        hall = Hall()
        club = hall.event.club
        details = PersonDetails(name="Rita Zed", family="Les Zed", labels=("Débutants",), contact="418 555-0100")
        person = add_person(club_id=club.pk, details=details)
        other = add_person(club_id=club.pk, details=PersonDetails(name="Zed Rita", is_guest=True))
        page = hall.desk.open(f"/club/{club.slug}/people/alike")
        merge = hall.desk.open(page.find_link("Zed Rita"))
        for text in (page.text, merge.text):
            assert f"{person.name} Member. Les Zed. Débutants. Added" in text
            assert "418 555-0100" in text
            assert f"{other.name} Guest. Added" in text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_merge_is_refused_when_both_played_one_event(self) -> None:
        hall = Hall()
        one, other = hall.event.entries.all()[:2]
        address = f"/club/{hall.event.club.slug}/people/{one.player_1.pk}/merge"
        name = other.player_1.name
        page = hall.desk.open(f"{address}?search={name}")
        page = hall.desk.open(f"{address}{page.find_link(name)}")
        assert "so they are two people" in page.text
        (event,) = page.find_one("ul", class_="entries").find_all("li")
        assert event.find_one("span", class_="secondary").text == "November 17, 2026"
        assert not [form for form in page.find_all("form") if form.attrs.get("action", "").endswith("/merge")]
