"""Pages on personal information, for owners and for the public."""

import datetime
import io
import json
import zipfile
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.apps import apps
from django.db.models import CharField, DateField, JSONField, TextField
from django.utils import timezone

from clubs.calendar import get_club_today
from clubs.models import Club, Membership, Person, Role
from clubs.services.people import PersonDetails, add_person, change_person, find_or_add_people
from rules import Side
from scoring.models import Match
from tests.builders import build_account, build_club, build_event, build_played_night, compute_standings
from tests.support.browser import Browser, Page
from tests.support.fixed_clock import fixed_clock
from tests.support.markup import parse_html
from tests.support.office import Office
from tests.support.rich_club import ALL_NAMES, CONTACT, NAME, build_rich_club
from tournaments.entries.queries.people import list_entries_of_person
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Entry, Event, Visitor
from tournaments.privacy.queries.erasure import list_idle_people
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.privacy.subject_export import SECTIONS, export_person_data
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import open_season
from wording.labels.subject_export import FIELD_TITLES, SECTION_TITLES

pytestmark = pytest.mark.django_db


class Owner(Office):
    """An owner's office, with its privacy pages and the public one."""

    @property
    def home(self) -> str:
        return f"/club/{self.club.slug}/privacy"

    @property
    def everybody(self) -> Page:
        return Browser().open(f"/c/{self.club.slug}/privacy")

    def save(self, **typed: Any) -> Page:
        page = self.browser.open(self.home)
        return self.browser.send(page, page.find_form(control_name="responsible_name"), **typed)

    def add(self, name: str, **more: Any) -> Person:
        return add_person(club_id=self.club.pk, details=PersonDetails(name=name, **more))

    def get_person_path(self, person: Person) -> str:
        return f"/club/{self.club.slug}/people/{person.pk}"


class TestPublicPrivacyPage:
    @pytest.mark.slow
    def test_privacy_page_names_the_responsible_person_or_owner(self) -> None:
        owner = Owner()
        assert f"{owner.owner.name} is responsible for personal information" in owner.everybody.text
        owner.save(responsible_name="Noëlla Cyr", responsible_contact="418 555-0123")
        assert "Noëlla Cyr is responsible for personal information" in owner.everybody.text
        assert "418 555-0123" in owner.everybody.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_privacy_page_states_shown_names_and_retention(self) -> None:
        owner = Owner()
        assert "“Jeannine R.”" in owner.everybody.text
        assert "As long as needed." in owner.everybody.text
        owner.save(public_names="none", forget_after="3", has_public_people=[])
        page = owner.everybody
        assert "“Player 12”" in page.text
        assert "After 3 years without playing" in page.text
        assert "Your playing record, unless you opted out" not in page.text

    @pytest.mark.parametrize("page", ["calendar", "records", "ratings"])
    def test_club_pages_link_to_the_privacy_page(self, page: str) -> None:
        owner = Owner()
        shown = Browser().open(f"/c/{owner.club.slug}/{page}")
        assert shown.find_link("Personal information") == f"/c/{owner.club.slug}/privacy"

    def test_event_page_links_to_the_privacy_page(self) -> None:
        owner = Owner()
        shown = Browser().open(f"/e/{owner.event.short}")
        assert shown.find_link("Personal information") == f"/c/{owner.club.slug}/privacy"


class TestPrivacySettings:
    @pytest.mark.parametrize(
        ("typed", "field", "message"),
        [
            ({"forget_after": "0"}, "forget_after", "Enter 1 to 50 years"),
            ({"forget_after": "soon"}, "forget_after", "is not a whole number"),
            ({"responsible_name": "x" * 81}, "responsible_name", "too long"),
            ({"responsible_contact": "x" * 121}, "responsible_contact", "120 characters at most"),
        ],
    )
    def test_refused_form_keeps_typed_values(self, typed: dict[str, str], field: str, message: str) -> None:
        page = Owner().save(**typed)
        assert page.status == 422
        assert message in page.get_field_error(field)
        assert page.find_field(field).attrs["value"] == typed[field]

    @pytest.mark.long
    def test_notice_undoes_a_privacy_change(self) -> None:
        owner = Owner()
        page = owner.save(responsible_name="Noëlla Cyr")
        page = owner.browser.send(page, page.find_form("/undo"))
        owner.club.refresh_from_db()
        assert owner.club.responsible_name == ""

    @pytest.mark.long
    def test_director_cannot_undo_privacy_settings(self) -> None:
        owner = Owner()
        owner.save(responsible_name="Noëlla Cyr")
        account = build_account()
        Membership.objects.create(club=owner.club, account=account, role=Role.DIRECTOR)
        page = Browser(account=account).open(f"/club/{owner.club.slug}/history")
        assert [form for form in page.find_all("form") if form.attrs.get("action", "").endswith("/undo")] == []


@pytest.mark.slow
class TestPublicNames:
    def get_standings_text(self, owner: Owner, person: Person) -> str:
        """Return the text of the standings of the person's latest night."""
        entry = Entry.objects.filter(player_1=person).latest("pk")
        return Browser().open(f"/e/{entry.event.short}/standings").text.replace("\u00a0", " ")

    def create_player(self, owner: Owner) -> Person:
        event = build_played_night(club=owner.club)
        compute_standings(end_event(event_id=event.pk))
        refresh_ratings(club_id=owner.club.pk)
        return event.entries.all()[0].player_1

    @pytest.mark.long
    def test_undecided_players_are_numbers_when_the_club_hides_names(self) -> None:
        owner = Owner()
        person = self.create_player(owner)
        assert person.get_public_name(owner.club).replace("\u00a0", " ") in self.get_standings_text(owner, person)
        owner.save(public_names="none")
        assert f"Player {person.pk}" in self.get_standings_text(owner, person)
        assert person.name.partition(" ")[0] not in self.get_standings_text(owner, person)
        change_person(
            club_id=owner.club.pk,
            person_id=person.pk,
            details=PersonDetails(name=person.name, shows_full_name=True),
        )
        assert person.name in self.get_standings_text(owner, person)

    def test_hidden_person_has_a_number_and_no_page(self) -> None:
        owner = Owner()
        person = self.create_player(owner)
        address = f"/c/{owner.club.slug}/people/{person.pk}"
        assert Browser().open(address).status == 200
        page = owner.browser.open(owner.get_person_path(person))
        owner.browser.send(page, page.find_form(control_name="is_hidden"), is_hidden="on", reason="Asked at the door")
        assert f"Player {person.pk}" in self.get_standings_text(owner, person)
        assert Browser().open(address).status == 404
        agreed = owner.browser.open(f"{owner.get_person_path(person)}/privacy").text
        assert "Name hidden on public pages: requested" in agreed
        assert f"recorded by {owner.owner.name} · “Asked at the door”" in agreed

    def test_consent_change_without_a_reason_is_recorded(self) -> None:
        owner = Owner()
        person = owner.add("Jeannine Roy")
        page = owner.browser.open(owner.get_person_path(person))
        owner.browser.send(page, page.find_form(control_name="is_hidden"), is_hidden="on")
        page = owner.browser.open(f"{owner.get_person_path(person)}/privacy")
        (agreed,) = page.find_one("ul", class_="entries").find_all("li")
        assert agreed.text.endswith(f"recorded by {owner.owner.name}")

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_people_have_no_page_when_the_club_disables_them(self) -> None:
        owner = Owner()
        person = self.create_player(owner)
        owner.save(has_public_people=[])
        assert Browser().open(f"/c/{owner.club.slug}/people/{person.pk}").status == 404
        assert f"/people/{person.pk}" not in Browser().open(f"/c/{owner.club.slug}/ratings").html


def create_visitor(person: Person) -> Club:
    """Create another club that knows the person as a guest."""
    host = build_club("Les As de Matane")
    guest = Person.objects.create(club=host, name=person.name, folded_name=person.folded_name)
    Visitor.objects.create(person=person, known_as=guest)
    return host


RELATION_SECTIONS = {
    "clubs.Person.club": "person",
    "clubs.Person.family": "person",
    "tournaments.Entry.player_1": "entries",
    "tournaments.Entry.player_2": "entries",
    "tournaments.Adjustment.entry": "entries",
    "tournaments.Seating.entry": "entries",
    "scoring.Player.person": "matches",
    "scoring.Player.match": "matches",
    "scoring.Mark.match": "matches",
    "scoring.RefusedMark.match": "matches",
    "scoring.Agreement.match": "matches",
    "scoring.Dispute.match": "matches",
    "tournaments.Table.match": "matches",
    "tournaments.Tally.match": "matches",
    "tournaments.PersonRecord.person": "figures",
    "tournaments.AlertSubscription.person": "alerts",
    "clubs.Dues.person": "payments",
    "tournaments.Fee.person": "payments",
    "tournaments.Prize.winner_1": "prizes",
    "tournaments.Prize.winner_2": "prizes",
    "federations.PersonIdentity.person": "person",
    "tournaments.Visitor.person": "elsewhere",
    "tournaments.Visitor.known_as": "elsewhere",
}
"""Section of the personal data export for each relation to a person, an entry or a match."""
FIELDS_NOT_DISCLOSED = {
    "scoring.Dispute.device": "a number of the program for a phone at the table",
    "scoring.RefusedMark.code": "why it came too late, which is said over all of them",
    "tournaments.AlertSubscription.digest": "its address, once more",
    "tournaments.AlertSubscription.language": "that of the page on which they asked",
    "scoring.Mark.digest": "computed from the rest of the mark",
    "tournaments.PersonRecord.history": "told night by night in other words, under after",
    "tournaments.Table.reasons": "follows from the draw of everybody",
    "tournaments.Table.slot": "follows from the draw of everybody",
}
"""Stored text about a person that the export omits, with the reason."""


def to_json(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


class TestPersonDataExport:
    @pytest.mark.long
    @pytest.mark.snapshot
    def test_export_contains_a_page_and_a_json_file(self) -> None:
        rich = build_rich_club()
        browser = Browser(account=rich.owner)
        page = browser.open(f"/club/{rich.club.slug}/people/{rich.person.pk}/privacy")
        response = browser.client.get(page.find_link("Download everything"))
        with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
            json_name, html_name = sorted(archive.namelist(), key=lambda name: name.endswith(".html"))
            everything = json.loads(archive.read(json_name))
            html = archive.read(html_name).decode()
        assert (json_name, html_name) == ("helene-berube-cote.json", "helene-berube-cote.html")
        assert set(everything) == set(SECTIONS)
        assert everything["person"][0]["contact"] == CONTACT
        assert set(everything["person"][0]["other_names"]) == {*ALL_NAMES, f"{NAME} fils"} - {NAME}
        assert all(text in html for text in (NAME, CONTACT, "Matches, hand by hand", "Door prize: "))

    @pytest.mark.slow
    def test_export_states_its_local_date_and_time(self) -> None:
        with fixed_clock():
            rich = build_rich_club()
            address = f"/club/{rich.club.slug}/people/{rich.person.pk}/privacy/everything.zip"
            response = Browser(account=rich.owner).client.get(address)
        with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
            html = archive.read("helene-berube-cote.html").decode()
        assert "has about this person, as of November 17, 2026, 7:30 PM." in parse_html(html).text

    @pytest.mark.long
    @pytest.mark.usefixtures("wrong_clock")
    def test_export_works_without_a_fixed_clock(self) -> None:
        rich = build_rich_club()
        everything = f"/club/{rich.club.slug}/people/{rich.person.pk}/privacy/everything.zip"
        assert Browser(account=rich.owner).client.get(everything).status_code == 200

    @pytest.mark.long
    def test_export_fills_every_section_of_an_active_person(self) -> None:
        rich = build_rich_club()
        rich.person.refresh_from_db()
        create_visitor(rich.person)
        everything = export_person_data(rich.club, rich.person)
        assert [key for key, lines in everything.items() if not lines] == []
        assert len(everything["entries"]) == 3
        assert any(line["adjustments"] for line in everything["entries"])
        assert any(seat["table"] for line in everything["entries"] for seat in line["rounds"])
        matches = everything["matches"]
        assert any(line["hands"] for line in matches)
        assert any(line["calls"] for line in matches)
        assert {line["prize"] for line in everything["prizes"]} == {f"Jambon de {NAME}", f"Panier de {NAME}"}

    def test_export_shows_other_people_by_public_names(self) -> None:
        rich = build_rich_club()
        rich.person.refresh_from_db()
        matches_json = json.dumps(
            export_person_data(rich.club, rich.person)["matches"], default=str, ensure_ascii=False
        )
        assert "Marcel\u00a0C." in matches_json
        assert "Marcel Cyr" not in matches_json

    @pytest.mark.slow
    def test_export_omits_the_history_of_longer_similar_names(self) -> None:
        owner = Owner()
        person, other = owner.add("Anne Roy"), owner.add("Marie-Anne Roy")
        person_pks = {line["details"]["person"] for line in export_person_data(owner.club, person)["history"]}
        assert person_pks == {person.pk}
        person_pks = {line["details"]["person"] for line in export_person_data(owner.club, other)["history"]}
        assert person_pks == {other.pk}

    def test_export_covers_every_relation_to_a_person(self) -> None:
        relations = {"clubs.Person.club", "clubs.Person.family"}
        for target in (Person, Entry, Match):
            for model in apps.get_models():
                relations |= {
                    f"{model._meta.label}.{field.name}"
                    for field in model._meta.concrete_fields
                    if field.remote_field is not None and field.related_model is target
                }
        assert relations == set(RELATION_SECTIONS)
        assert set(RELATION_SECTIONS.values()) <= set(SECTIONS)

    @pytest.mark.long
    def test_export_covers_every_person_column(self) -> None:
        columns = {field.name for field in Person._meta.concrete_fields} - {"id", "folded_name"}
        rich = build_rich_club()
        assert columns <= export_person_data(rich.club, rich.person)["person"][0].keys()

    @pytest.mark.slow
    def test_export_covers_every_field_of_related_rows(self) -> None:
        rich = build_rich_club()
        person = Person.objects.get(pk=rich.person.pk)
        create_visitor(person)
        matches = Match.objects.filter(players__person=person)
        matches[0].agreements.create(game=1, side=Side.A.value, agreed_to="1:W20-6")
        matches[0].refused_marks.create(
            number=8, entry_key=uuid4(), record_data={"made": 8}, code="superseded_elsewhere", waited=70
        )
        list_entries_of_person(person).update(section="Débutants", car="Camionnette rouge")
        everything = export_person_data(rich.club, person)
        theirs = {Person: [person], Entry: list_entries_of_person(person), Match: matches}
        left_out = set()
        for relation, section in RELATION_SECTIONS.items():
            label, _, name = relation.rpartition(".")
            model = apps.get_model(label)
            section_json = to_json(everything[section])
            about = theirs.get(model._meta.get_field(name).related_model, [])
            left_out |= {
                f"{label}.{column.name}"
                for row in model._default_manager.filter(**{f"{name}__in": about})
                for column in model._meta.concrete_fields
                if isinstance(column, CharField | TextField | DateField | JSONField)
                and (value := column.value_from_object(row))
                and to_json(value) not in section_json
            }
        assert left_out == FIELDS_NOT_DISCLOSED.keys()

    @pytest.mark.long
    def test_every_export_key_has_a_title(self) -> None:
        rich = build_rich_club()
        rich.person.refresh_from_db()

        def list_keys(value: Any, depth: int) -> set[str]:
            if isinstance(value, list):
                return {key for one in value for key in list_keys(one, depth)}
            if isinstance(value, dict) and depth:
                return value.keys() | {key for one in value.values() for key in list_keys(one, depth - 1)}
            return set()

        everything = export_person_data(rich.club, rich.person)
        found = {key for lines in everything.values() for key in list_keys(lines, 1)}
        assert found - FIELD_TITLES.keys() == set()
        assert everything.keys() == SECTION_TITLES.keys()


class TestErasurePage:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_erasure_page_previews_effects_before_erasing(self) -> None:
        owner = Owner()
        person = owner.add("Jeannine Roy", contact="555")
        event = build_event(club=owner.club)
        event.name = "Coupe Jeannine Roy"
        event.save()
        browser = owner.browser
        page = browser.open(browser.open(f"{owner.get_person_path(person)}/privacy").find_link("Preview"))
        assert "Erase Jeannine Roy?" in page.text
        assert "0 entries stay" in page.text
        assert "All files prepared for the club (printouts, imports, club file), finished or in progress" in page.text
        assert "This name stays in a title: Coupe Jeannine Roy" in page.text
        assert Person.objects.get(pk=person.pk).name == "Jeannine Roy"
        page = browser.send(page, page.find_form(control_name="people"))
        assert "Erased, results remain: Anonymous 1" in page.text
        assert "Jeannine" not in browser.open(f"/club/{owner.club.slug}/people?group=former").text
        assert "This person can no longer be identified." in browser.open(owner.get_person_path(person)).text

    def test_erasure_page_names_clubs_that_know_the_visitor(self) -> None:
        owner = Owner()
        (person,) = find_or_add_people(club=owner.club, full_names=["Jeannine Roy"])
        host = create_visitor(person)
        page = owner.browser.open(f"{owner.home}/forget?people={person.pk}")
        assert f"Also a guest at {host.name}. Ask that club to erase them there." in page.text

    @pytest.mark.slow
    def test_erasure_is_refused_while_the_person_plays(self) -> None:
        owner = Owner(4)
        person = owner.event.entries.all()[0].player_1
        owner.event.held_on = get_club_today(owner.club)
        owner.event.save()
        page = owner.browser.open(f"{owner.home}/forget?people={person.pk}")
        page = owner.browser.send(page, page.find_form(control_name="people"))
        assert page.status == 409
        assert "End the event or remove the name." in page.alert

    @pytest.mark.long
    def test_anonymous_names_are_numbered_in_the_club_language(self) -> None:
        owner = Owner()
        owner.club.language = "fr"
        owner.club.save()
        people = find_or_add_people(club=owner.club, full_names=["Anne Roy", "Guy Roy", "Luc Roy"])
        for some in (people[1:2], people[::2]):
            anonymize_people(club_id=owner.club.pk, person_ids=[person.pk for person in some])
        found = owner.club.people.filter(pk__in=[one.pk for one in people]).order_by("pk")
        assert [person.name for person in found] == ["Anonyme 2", "Anonyme 1", "Anonyme 3"]


@pytest.mark.slow
class TestErasureCandidates:
    def create_inactive_people(self, owner: Owner) -> list[Person]:
        """Create four people: three inactive for years, the last one a guest, and one who never played."""
        people = find_or_add_people(club=owner.club, full_names=["Anne Roy", "Guy Cyr", "Luc Hudon", "Zoé Zed"])
        owner.club.people.filter(pk=people[3].pk).update(is_guest=True)
        then = timezone.now() - datetime.timedelta(days=5 * 366)
        owner.club.people.update(added_at=then)
        event = build_event(0, club=owner.club)
        event.held_on = then.date()
        event.save()
        for number, person in enumerate(people[1:], start=1):
            Entry.objects.create(event=event, number=number, player_1=person)
        return people

    def test_candidates_appear_only_after_the_retention_period(self) -> None:
        owner = Owner()
        self.create_inactive_people(owner)
        assert "Nobody to erase" in owner.browser.open(f"{owner.home}/people").text
        owner.save(forget_after="6")
        assert "Nobody to erase" in owner.browser.open(f"{owner.home}/people").text

    @pytest.mark.long
    def test_candidates_list_guests_then_longest_absent(self) -> None:
        owner = Owner()
        anne, guy, luc, zoe = self.create_inactive_people(owner)
        owner.save(forget_after="3")
        owner.club.refresh_from_db()
        today = get_club_today(owner.club)
        assert [one.person for one in list_idle_people(owner.club, today)] == [zoe, anne, guy, luc]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_recent_player_is_not_a_candidate(self) -> None:
        owner = Owner()
        anne, *_ = self.create_inactive_people(owner)
        Entry.objects.create(event=build_event(0, club=owner.club), number=1, player_1=anne)
        owner.save(forget_after="3")
        assert "Anne Roy" not in owner.browser.open(f"{owner.home}/people").text

    @pytest.mark.long
    def test_candidates_show_the_season_last_played(self) -> None:
        owner = Owner()
        anne, *_ = self.create_inactive_people(owner)
        day = datetime.date(2019, 11, 5)
        night = build_event(0, club=owner.club)
        Event.objects.filter(pk=night.pk).update(held_on=day)
        Entry.objects.create(event=night, number=1, player_1=anne)
        for name, starts in (("Autumn 2018", 2018), ("Autumn 2019", 2019)):
            first = datetime.date(starts, 9, 1)
            last = first + datetime.timedelta(days=100)
            open_season(club=owner.club, name=name, starts=first, ends=last, ladders=[{"name": "General"}])
        owner.save(forget_after="3")
        owner.club.refresh_from_db()
        shown = {one.person: one.season for one in list_idle_people(owner.club, get_club_today(owner.club))}
        assert shown[anne] == "Autumn 2019"
        assert "Autumn 2018" not in shown.values()

    def test_selected_candidates_are_erased_together(self) -> None:
        owner = Owner()
        people = self.create_inactive_people(owner)
        owner.save(forget_after="3")
        form = owner.browser.open(f"{owner.home}/people").find_form("/forget")
        chosen = [str(person.pk) for person in people[:2]]
        assert set(chosen) <= {box.value for box in form.find_all("input", name="people")}
        page = owner.browser.open(f"{form.attrs['action']}?{urlencode({'people': chosen}, doseq=True)}")
        assert "Erase these 2 people?" in page.text
        page = owner.browser.send(page, page.find_form(control_name="people"))
        assert "Erased, results remain: 2 people" in page.text
        remaining_people = owner.club.people.filter(anonymized_at=None, pk__in=[person.pk for person in people])
        assert list(remaining_people.order_by("pk")) == people[2:]

    def test_candidate_can_be_retained_until_a_date(self) -> None:
        owner = Owner()
        anne, *_ = self.create_inactive_people(owner)
        owner.save(forget_after="3")
        page = owner.browser.open(f"{owner.get_person_path(anne)}/privacy")
        refused = owner.browser.send(page, page.find_form("/keep"), until="2020-01-01")
        assert refused.status == 422
        assert refused.get_field_error("until") == "Choose a future date."
        page = owner.browser.send(page, page.find_form("/keep"), until="2090-01-01")
        assert "Anne Roy: retained until" in page.text
        assert f"forget-{anne.pk}" not in page.html


class TestIncidentRegister:
    def build_form(self, **more: str) -> dict[str, Any]:
        return {
            "happened_on": "2026-01-10",
            "noticed_on": "2026-01-12",
            "what": "A list was left in the hall",
            "information": "Names, telephone numbers",
            "people": "40",
        } | more

    def send(self, owner: Owner, address: str, **more: str) -> Page:
        page = owner.browser.open(f"{owner.home}/incidents/{address}")
        return owner.browser.send(page, page.find_form(control_name="what"), **self.build_form(**more))

    def test_register_entry_cannot_be_undone(self) -> None:
        owner = Owner()
        page = self.send(owner, "new")
        assert all(text in page.text for text in ("A list was left in the hall", "40", "to follow up"))
        assert page.find_one("div", role="status").text
        assert [form for form in page.find_all("form") if "undo" in form.attrs.get("action", "")] == []

    @pytest.mark.slow
    def test_incident_correction_keeps_the_previous_value(self) -> None:
        owner = Owner()
        self.send(owner, "new")
        incident = owner.club.incidents.get()
        self.send(owner, str(incident.pk), people="41")
        (row,) = owner.club.actions.latest("pk").rows
        assert row == ["incident", incident.pk, {"people": 40}, {"people": 41}]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_incident_closes_only_when_complete(self) -> None:
        owner = Owner()
        self.send(owner, "new", risk="serious", done="Taken back the same evening")
        incident = owner.club.incidents.get()
        address = f"{owner.home}/incidents/{incident.pk}"
        page = owner.browser.open(address)
        refused = owner.browser.send(page, page.find_form("/close"))
        assert refused.status == 409
        assert "First enter what was done and the risk" in refused.alert
        notice_dates: dict[str, Any] = {"commission_told_on": "2026-01-14", "people_told_on": "2026-01-13"}
        self.send(owner, str(incident.pk), risk="serious", done="Taken back", **notice_dates)
        page = owner.browser.open(address)
        closed = owner.browser.send(page, page.find_form("/close"))
        assert "closed" in closed.text
        days = {each.text for each in closed.find_all("dd")}
        assert {"January 14, 2026", "January 13, 2026"} <= days
        page = owner.browser.open(address)
        assert "to follow up" in owner.browser.send(page, page.find_form("/close"), ("reopen", "1")).text

    @pytest.mark.slow
    @pytest.mark.snapshot
    @pytest.mark.parametrize(
        ("typed", "field", "message"),
        [
            ({"what": " "}, "what", "Enter a few words."),
            ({"what": "x" * 1001}, "what", "1000 characters at most"),
            ({"people": "-1"}, "people", "too small"),
            ({"people": "9999999"}, "people", "too large"),
            ({"noticed_on": "2026-01-09"}, "noticed_on", "This date is before the incident"),
            ({"happened_on": "2199-01-01"}, "happened_on", "This date is in the future"),
            ({"happened_on": "lately"}, "happened_on", "is not a date"),
        ],
    )
    def test_refused_form_keeps_typed_values(self, typed: dict[str, str], field: str, message: str) -> None:
        owner = Owner()
        page = self.send(owner, "new", **typed)
        assert page.status == 422
        assert message in page.get_field_error(field)
        assert "Names, telephone numbers" in page.html
        assert not owner.club.incidents.exists()
