"""Personal information, as owners and everybody find it on the pages."""

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

from clubs.calendar import today_in
from clubs.models import Club, Membership, Person, Role
from clubs.services import PersonDetails, add_person, change_person, find_or_add_people
from rules import Side
from scoring.models import Match
from tests.builders import a_club, a_played_night, an_account, an_event, standings_after
from tests.support.browser import Browser, Page
from tests.support.evening import that_evening
from tests.support.markup import read
from tests.support.office import Office
from tests.support.rich_club import CALLED, CONTACT, NAME, a_rich_club
from tournaments.entries.queries.people import events_of_person
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Entry, Event, Visitor
from tournaments.privacy.queries.erasure import idle_people
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.privacy.subject_export import RELATED, SECTIONS, everything_about
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import open_season
from wording.labels.subject_export import FIELD_TITLES, SECTION_TITLES

pytestmark = pytest.mark.django_db


class Owner(Office):
    """An owner, and the pages on personal information."""

    @property
    def home(self) -> str:
        return f"/club/{self.club.slug}/privacy"

    @property
    def everybody(self) -> Page:
        return Browser().open(f"/c/{self.club.slug}/privacy")

    def save(self, **typed: Any) -> Page:
        page = self.browser.open(self.home)
        return self.browser.send(page, page.form(having="responsible_name"), **typed)

    def add(self, name: str, **more: Any) -> Person:
        return add_person(club_id=self.club.pk, details=PersonDetails(name=name, **more))

    def of(self, person: Person) -> str:
        return f"/club/{self.club.slug}/people/{person.pk}"


class TestThePageForEverybody:
    def test_names_an_owner_until_somebody_is_named(self) -> None:
        owner = Owner()
        assert f"{owner.owner.name} is responsible for personal information" in owner.everybody.text
        owner.save(responsible_name="Noëlla Cyr", responsible_contact="418 555-0123")
        assert "Noëlla Cyr is responsible for personal information" in owner.everybody.text
        assert "418 555-0123" in owner.everybody.text

    @pytest.mark.snapshot
    def test_says_what_the_club_shows_and_for_how_long(self) -> None:
        owner = Owner()
        assert "“Jeannine R.”" in owner.everybody.text
        assert "As long as needed." in owner.everybody.text
        owner.save(public_names="none", forget_after="3", has_public_people=[])
        page = owner.everybody
        assert "“Player 12”" in page.text
        assert "After 3 years without playing" in page.text
        assert "Your playing record, unless you opted out" not in page.text

    @pytest.mark.parametrize("page", ["calendar", "records", "ratings"])
    def test_is_linked_from_the_public_pages(self, page: str) -> None:
        owner = Owner()
        shown = Browser().open(f"/c/{owner.club.slug}/{page}")
        assert shown.link("Personal information") == f"/c/{owner.club.slug}/privacy"

    def test_is_linked_from_the_page_of_an_event(self) -> None:
        owner = Owner()
        shown = Browser().open(f"/e/{owner.event.short}")
        assert shown.link("Personal information") == f"/c/{owner.club.slug}/privacy"


class TestTheSettings:
    @pytest.mark.parametrize(
        ("typed", "field", "said"),
        [
            ({"forget_after": "0"}, "forget_after", "Enter 1 to 50 years"),
            ({"forget_after": "soon"}, "forget_after", "is not a whole number"),
            ({"responsible_name": "x" * 81}, "responsible_name", "too long"),
            ({"responsible_contact": "x" * 121}, "responsible_contact", "120 characters at most"),
        ],
    )
    def test_refuse_at_the_field_and_keep_what_was_typed(
        self, typed: dict[str, str], field: str, said: str
    ) -> None:
        page = Owner().save(**typed)
        assert page.status == 422
        assert said in page.said_at(field)
        assert page.field(field).attrs["value"] == typed[field]

    def test_stand_in_the_history_and_are_undone_there(self) -> None:
        owner = Owner()
        page = owner.save(responsible_name="Noëlla Cyr")
        page = owner.browser.send(page, page.form("/undo"))
        owner.club.refresh_from_db()
        assert owner.club.responsible_name == ""

    def test_are_an_owners_to_undo(self) -> None:
        owner = Owner()
        owner.save(responsible_name="Noëlla Cyr")
        account = an_account()
        Membership.objects.create(club=owner.club, account=account, role=Role.DIRECTOR)
        page = Browser(account=account).open(f"/club/{owner.club.slug}/history")
        assert [form for form in page.every("form") if form.attrs.get("action", "").endswith("/undo")] == []


@pytest.mark.slow
class TestPublicNames:
    def shown(self, owner: Owner, person: Person) -> str:
        """The standings of a night that the person has played."""
        entry = Entry.objects.filter(player_1=person).latest("pk")
        return Browser().open(f"/e/{entry.event.short}/standings").text.replace("\u00a0", " ")

    def played(self, owner: Owner) -> Person:
        event = a_played_night(club=owner.club)
        standings_after(end_event(event_id=event.pk))
        refresh_ratings(club_id=owner.club.pk)
        return event.entries.all()[0].player_1

    def test_are_numbers_for_those_who_chose_nothing_where_the_club_wants_it_so(self) -> None:
        owner = Owner()
        person = self.played(owner)
        assert person.name_in_public(owner.club).replace("\u00a0", " ") in self.shown(owner, person)
        owner.save(public_names="none")
        assert f"Player {person.pk}" in self.shown(owner, person)
        assert person.name.partition(" ")[0] not in self.shown(owner, person)
        change_person(
            club_id=owner.club.pk,
            person_id=person.pk,
            details=PersonDetails(name=person.name, shows_full_name=True),
        )
        assert person.name in self.shown(owner, person)

    def test_who_is_hidden_has_a_number_and_no_page(self) -> None:
        owner = Owner()
        person = self.played(owner)
        address = f"/c/{owner.club.slug}/people/{person.pk}"
        assert Browser().open(address).status == 200
        page = owner.browser.open(owner.of(person))
        owner.browser.send(page, page.form(having="is_hidden"), is_hidden="on", reason="Asked at the door")
        assert f"Player {person.pk}" in self.shown(owner, person)
        assert Browser().open(address).status == 404
        agreed = owner.browser.open(f"{owner.of(person)}/privacy").text
        assert "Name hidden on public pages: requested" in agreed
        assert f"recorded by {owner.owner.name} · “Asked at the door”" in agreed

    def test_chosen_without_a_reason_are_written_down_without_one(self) -> None:
        owner = Owner()
        person = owner.add("Jeannine Roy")
        page = owner.browser.open(owner.of(person))
        owner.browser.send(page, page.form(having="is_hidden"), is_hidden="on")
        page = owner.browser.open(f"{owner.of(person)}/privacy")
        (agreed,) = page.one("ul", class_="entries").every("li")
        assert agreed.text.endswith(f"recorded by {owner.owner.name}")

    @pytest.mark.snapshot
    def test_nobody_has_a_page_where_the_club_shows_none(self) -> None:
        owner = Owner()
        person = self.played(owner)
        owner.save(has_public_people=[])
        assert Browser().open(f"/c/{owner.club.slug}/people/{person.pk}").status == 404
        assert f"/people/{person.pk}" not in Browser().open(f"/c/{owner.club.slug}/ratings").html


def a_visitor(person: Person) -> Club:
    """Another club, which knows the person as a guest."""
    host = a_club("Les As de Matane")
    guest = Person.objects.create(club=host, name=person.name, folded_name=person.folded_name)
    Visitor.objects.create(person=person, known_as=guest)
    return host


NOT_TOLD = {
    "scoring.Dispute.device": "a number of the program for a phone at the table",
    "scoring.RefusedMark.code": "why it came too late, which is said over all of them",
    "tournaments.AlertSubscription.digest": "its address, once more",
    "tournaments.AlertSubscription.language": "that of the page on which they asked",
    "scoring.Mark.digest": "computed from the rest of the mark",
    "tournaments.PersonRecord.history": "told night by night in other words, under after",
    "tournaments.Table.reasons": "follows from the draw of everybody",
    "tournaments.Table.slot": "follows from the draw of everybody",
}
"""Words about somebody that are kept and not among what they are given."""


def in_json(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


class TestEverythingAboutSomebody:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_comes_as_a_page_and_as_a_file_for_programs(self) -> None:
        rich = a_rich_club()
        browser = Browser(account=rich.owner)
        page = browser.open(f"/club/{rich.club.slug}/people/{rich.person.pk}/privacy")
        response = browser.client.get(page.link("Download everything"))
        with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
            plain, told = sorted(archive.namelist(), key=lambda name: name.endswith(".html"))
            everything = json.loads(archive.read(plain))
            html = archive.read(told).decode()
        assert (plain, told) == ("helene-berube-cote.json", "helene-berube-cote.html")
        assert set(everything) == set(SECTIONS)
        assert everything["person"][0]["contact"] == CONTACT
        assert set(everything["person"][0]["other_names"]) == {*CALLED, f"{NAME} fils"} - {NAME}
        assert all(text in html for text in (NAME, CONTACT, "Matches, hand by hand", "Door prize: "))

    def test_says_on_which_day_and_at_what_hour_of_the_club_it_was_so(self) -> None:
        with that_evening():
            rich = a_rich_club()
            address = f"/club/{rich.club.slug}/people/{rich.person.pk}/privacy/everything.zip"
            response = Browser(account=rich.owner).client.get(address)
        with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
            html = archive.read("helene-berube-cote.html").decode()
        assert "has about this person, as of November 17, 2026, 7:30 PM." in read(html).text

    @pytest.mark.usefixtures("wrong_clock")
    def test_comes_whatever_the_clock_says(self) -> None:
        rich = a_rich_club()
        everything = f"/club/{rich.club.slug}/people/{rich.person.pk}/privacy/everything.zip"
        assert Browser(account=rich.owner).client.get(everything).status_code == 200

    def test_has_every_section_for_somebody_who_has_done_everything(self) -> None:
        rich = a_rich_club()
        rich.person.refresh_from_db()
        a_visitor(rich.person)
        everything = everything_about(rich.club, rich.person)
        assert [key for key, lines in everything.items() if not lines] == []
        assert len(everything["entries"]) == 3
        assert any(line["adjustments"] for line in everything["entries"])
        assert any(seat["table"] for line in everything["entries"] for seat in line["rounds"])
        matches = everything["matches"]
        assert any(line["hands"] for line in matches)
        assert any(line["calls"] for line in matches)
        assert {line["prize"] for line in everything["prizes"]} == {f"Jambon de {NAME}", f"Panier de {NAME}"}

    def test_names_others_only_as_everybody_may_read_them(self) -> None:
        rich = a_rich_club()
        rich.person.refresh_from_db()
        said = json.dumps(
            everything_about(rich.club, rich.person)["matches"], default=str, ensure_ascii=False
        )
        assert "Marcel\u00a0C." in said
        assert "Marcel Cyr" not in said

    def test_tells_nothing_of_somebody_whose_longer_name_has_theirs_in_it(self) -> None:
        owner = Owner()
        person, other = owner.add("Anne Roy"), owner.add("Marie-Anne Roy")
        told = {line["details"]["person"] for line in everything_about(owner.club, person)["history"]}
        assert told == {person.pk}
        told = {line["details"]["person"] for line in everything_about(owner.club, other)["history"]}
        assert told == {other.pk}

    def test_every_relation_to_a_person_an_entry_or_a_match_is_in_a_section(self) -> None:
        told = {"clubs.Person.club", "clubs.Person.family"}
        for target in (Person, Entry, Match):
            for model in apps.get_models():
                told |= {
                    f"{model._meta.label}.{field.name}"
                    for field in model._meta.concrete_fields
                    if field.remote_field is not None and field.related_model is target
                }
        assert told == set(RELATED)
        assert set(RELATED.values()) <= set(SECTIONS)

    def test_every_column_of_a_person_is_told(self) -> None:
        columns = {field.name for field in Person._meta.concrete_fields} - {"id", "folded_name"}
        rich = a_rich_club()
        assert columns <= everything_about(rich.club, rich.person)["person"][0].keys()

    def test_every_word_and_moment_of_each_row_about_them_is_told(self) -> None:
        rich = a_rich_club()
        person = Person.objects.get(pk=rich.person.pk)
        a_visitor(person)
        matches = Match.objects.filter(players__person=person)
        matches[0].agreements.create(game=1, side=Side.A.value, agreed_to="1:W20-6")
        matches[0].refused_marks.create(
            number=8, entry_key=uuid4(), record_data={"made": 8}, code="superseded_elsewhere", waited=70
        )
        events_of_person(person).update(section="Débutants", car="Camionnette rouge")
        everything = everything_about(rich.club, person)
        theirs = {Person: [person], Entry: events_of_person(person), Match: matches}
        left_out = set()
        for relation, section in RELATED.items():
            label, _, name = relation.rpartition(".")
            model = apps.get_model(label)
            said = in_json(everything[section])
            about = theirs.get(model._meta.get_field(name).related_model, [])
            left_out |= {
                f"{label}.{column.name}"
                for row in model._default_manager.filter(**{f"{name}__in": about})
                for column in model._meta.concrete_fields
                if isinstance(column, CharField | TextField | DateField | JSONField)
                and (value := column.value_from_object(row))
                and in_json(value) not in said
            }
        assert left_out == NOT_TOLD.keys()

    def test_every_key_has_words(self) -> None:
        rich = a_rich_club()
        rich.person.refresh_from_db()

        def keys(value: Any, depth: int) -> set[str]:
            if isinstance(value, list):
                return {key for one in value for key in keys(one, depth)}
            if isinstance(value, dict) and depth:
                return value.keys() | {key for one in value.values() for key in keys(one, depth - 1)}
            return set()

        everything = everything_about(rich.club, rich.person)
        found = {key for lines in everything.values() for key in keys(lines, 1)}
        assert found - FIELD_TITLES.keys() == set()
        assert everything.keys() == SECTION_TITLES.keys()


class TestForgetting:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_shows_first_what_goes_and_what_stays_and_then_does_it(self) -> None:
        owner = Owner()
        person = owner.add("Jeannine Roy", contact="555")
        event = an_event(club=owner.club)
        event.name = "Coupe Jeannine Roy"
        event.save()
        browser = owner.browser
        page = browser.open(browser.open(f"{owner.of(person)}/privacy").link("Preview"))
        assert "Erase Jeannine Roy?" in page.text
        assert "0 entries stay" in page.text
        assert (
            "All files prepared for the club (printouts, imports, club file), finished or in progress"
            in page.text
        )
        assert "Title that keeps this name: Coupe Jeannine Roy" in page.text
        assert Person.objects.get(pk=person.pk).name == "Jeannine Roy"
        page = browser.send(page, page.form(having="people"))
        assert "Erased, results remain: Anonymous 1" in page.text
        assert "Jeannine" not in browser.open(f"/club/{owner.club.slug}/people?group=former").text
        assert "This person can no longer be identified." in browser.open(owner.of(person)).text

    def test_says_which_other_clubs_know_the_person_as_a_visitor(self) -> None:
        owner = Owner()
        (person,) = find_or_add_people(club=owner.club, full_names=["Jeannine Roy"])
        host = a_visitor(person)
        page = owner.browser.open(f"{owner.home}/forget?people={person.pk}")
        assert f"Also a guest at {host.name}. Ask that club to erase them there." in page.text

    def test_is_refused_while_the_person_plays(self) -> None:
        owner = Owner(4)
        person = owner.event.entries.all()[0].player_1
        owner.event.held_on = today_in(owner.club)
        owner.event.save()
        page = owner.browser.open(f"{owner.home}/forget?people={person.pk}")
        page = owner.browser.send(page, page.form(having="people"))
        assert page.status == 409
        assert "End the event or remove the name." in page.alert

    @pytest.mark.slow
    def test_counts_on_in_the_language_of_the_club(self) -> None:
        owner = Owner()
        owner.club.language = "fr"
        owner.club.save()
        people = find_or_add_people(club=owner.club, full_names=["Anne Roy", "Guy Roy", "Luc Roy"])
        for some in (people[1:2], people[::2]):
            anonymize_people(club_id=owner.club.pk, person_ids=[person.pk for person in some])
        found = owner.club.people.filter(pk__in=[one.pk for one in people]).order_by("pk")
        assert [person.name for person in found] == ["Anonyme 2", "Anonyme 1", "Anonyme 3"]


class TestPeopleToForget:
    def long_ago(self, owner: Owner) -> list[Person]:
        """Four who have not played for years: the last one a guest, and one who has never played at all."""
        people = find_or_add_people(
            club=owner.club, full_names=["Anne Roy", "Guy Cyr", "Luc Hudon", "Zoé Zed"]
        )
        owner.club.people.filter(pk=people[3].pk).update(is_guest=True)
        then = timezone.now() - datetime.timedelta(days=5 * 366)
        owner.club.people.update(added_at=then)
        event = an_event(0, club=owner.club)
        event.held_on = then.date()
        event.save()
        for number, person in enumerate(people[1:], start=1):
            Entry.objects.create(event=event, number=number, player_1=person)
        return people

    @pytest.mark.slow
    def test_are_nobody_until_the_club_says_after_how_many_years(self) -> None:
        owner = Owner()
        self.long_ago(owner)
        assert "Nobody to erase" in owner.browser.open(f"{owner.home}/people").text
        owner.save(forget_after="6")
        assert "Nobody to erase" in owner.browser.open(f"{owner.home}/people").text

    def test_are_guests_first_then_who_was_away_longest(self) -> None:
        owner = Owner()
        anne, guy, luc, zoe = self.long_ago(owner)
        owner.save(forget_after="3")
        owner.club.refresh_from_db()
        today = today_in(owner.club)
        assert [one.person for one in idle_people(owner.club, today)] == [zoe, anne, guy, luc]

    @pytest.mark.snapshot
    def test_who_has_played_since_is_not_proposed(self) -> None:
        owner = Owner()
        anne, *_ = self.long_ago(owner)
        Entry.objects.create(event=an_event(0, club=owner.club), number=1, player_1=anne)
        owner.save(forget_after="3")
        assert "Anne Roy" not in owner.browser.open(f"{owner.home}/people").text

    def test_are_shown_with_the_season_in_which_they_last_played(self) -> None:
        owner = Owner()
        anne, *_ = self.long_ago(owner)
        day = datetime.date(2019, 11, 5)
        night = an_event(0, club=owner.club)
        Event.objects.filter(pk=night.pk).update(held_on=day)
        Entry.objects.create(event=night, number=1, player_1=anne)
        for name, starts in (("Autumn 2018", 2018), ("Autumn 2019", 2019)):
            first = datetime.date(starts, 9, 1)
            last = first + datetime.timedelta(days=100)
            open_season(club=owner.club, name=name, starts=first, ends=last, ladders=[{"name": "General"}])
        owner.save(forget_after="3")
        owner.club.refresh_from_db()
        shown = {one.person: one.season for one in idle_people(owner.club, today_in(owner.club))}
        assert shown[anne] == "Autumn 2019"
        assert "Autumn 2018" not in shown.values()

    @pytest.mark.slow
    def test_are_ticked_and_forgotten_together(self) -> None:
        owner = Owner()
        people = self.long_ago(owner)
        owner.save(forget_after="3")
        form = owner.browser.open(f"{owner.home}/people").form("/forget")
        chosen = [str(person.pk) for person in people[:2]]
        assert set(chosen) <= {box.value for box in form.every("input", name="people")}
        page = owner.browser.open(f"{form.attrs['action']}?{urlencode({'people': chosen}, doseq=True)}")
        assert "Erase these 2 people?" in page.text
        page = owner.browser.send(page, page.form(having="people"))
        assert "Erased, results remain: 2 people" in page.text
        kept = owner.club.people.filter(anonymized_at=None, pk__in=[person.pk for person in people])
        assert list(kept.order_by("pk")) == people[2:]

    @pytest.mark.slow
    def test_are_kept_longer_until_a_day(self) -> None:
        owner = Owner()
        anne, *_ = self.long_ago(owner)
        owner.save(forget_after="3")
        page = owner.browser.open(f"{owner.of(anne)}/privacy")
        refused = owner.browser.send(page, page.form("/keep"), until="2020-01-01")
        assert refused.status == 422
        assert refused.said_at("until") == "Choose a future date."
        page = owner.browser.send(page, page.form("/keep"), until="2090-01-01")
        assert "Anne Roy: retained until" in page.text
        assert f"forget-{anne.pk}" not in page.html


class TestTheRegister:
    def typed(self, **more: str) -> dict[str, Any]:
        return {
            "happened_on": "2026-01-10",
            "noticed_on": "2026-01-12",
            "what": "A list was left in the hall",
            "information": "Names, telephone numbers",
            "people": "40",
        } | more

    def send(self, owner: Owner, address: str, **more: str) -> Page:
        page = owner.browser.open(f"{owner.home}/incidents/{address}")
        return owner.browser.send(page, page.form(having="what"), **self.typed(**more))

    def test_keeps_what_happened_and_lets_nothing_take_it_out(self) -> None:
        owner = Owner()
        page = self.send(owner, "new")
        assert all(text in page.text for text in ("A list was left in the hall", "40", "to follow up"))
        assert page.one("div", role="status").text
        assert [form for form in page.every("form") if "undo" in form.attrs.get("action", "")] == []

    def test_is_corrected_with_what_stood_there_kept(self) -> None:
        owner = Owner()
        self.send(owner, "new")
        incident = owner.club.incidents.get()
        self.send(owner, str(incident.pk), people="41")
        (row,) = owner.club.actions.latest("pk").rows
        assert row == ["incident", incident.pk, {"people": 40}, {"people": 41}]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_closed_once_everything_is_written(self) -> None:
        owner = Owner()
        self.send(owner, "new", risk="serious", done="Taken back the same evening")
        incident = owner.club.incidents.get()
        address = f"{owner.home}/incidents/{incident.pk}"
        page = owner.browser.open(address)
        refused = owner.browser.send(page, page.form("/close"))
        assert refused.status == 409
        assert "First enter what was done and the risk" in refused.alert
        told: dict[str, Any] = {"commission_told_on": "2026-01-14", "people_told_on": "2026-01-13"}
        self.send(owner, str(incident.pk), risk="serious", done="Taken back", **told)
        page = owner.browser.open(address)
        closed = owner.browser.send(page, page.form("/close"))
        assert "closed" in closed.text
        days = {each.text for each in closed.every("dd")}
        assert {"January 14, 2026", "January 13, 2026"} <= days
        page = owner.browser.open(address)
        assert "to follow up" in owner.browser.send(page, page.form("/close"), ("reopen", "1")).text

    @pytest.mark.snapshot
    @pytest.mark.parametrize(
        ("typed", "field", "said"),
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
    def test_refuses_at_the_field_and_keeps_what_was_typed(
        self, typed: dict[str, str], field: str, said: str
    ) -> None:
        owner = Owner()
        page = self.send(owner, "new", **typed)
        assert page.status == 422
        assert said in page.said_at(field)
        assert "Names, telephone numbers" in page.html
        assert not owner.club.incidents.exists()
