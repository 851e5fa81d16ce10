"""Adding entries from a file, with a preview, and from the club's people."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Person
from tests.builders import build_event
from tests.support.browser import Page
from tests.support.hall import post_form
from tests.support.office import Office
from tests.support.workbooks import build_workbook, build_zip, get_content
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_import import add_entry_list
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


class TestEntryFile:
    def upload(self, office: Office, content: bytes, name: str = "list.csv") -> Page:
        page = office.browser.open(f"{office.entries}/file")
        return office.browser.send(page, page.find_form(control_name="file"), file=SimpleUploadedFile(name, content))

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_entry_file_is_previewed_then_added(self) -> None:
        office = Office(pairs=1)
        content = "Joueur 1;Joueur 2;Cote;Courriel\r\nÉdith Roy;Zoé Dubé;1500;a@b\r\n".encode("cp1252")
        page = self.upload(office, content)
        assert "1 entry to add" in page.text
        assert "Édith Roy and Zoé Dubé rating 1500" in page.text
        assert "Columns ignored: Courriel." in page.text
        assert office.event.entries.count() == 1
        for _ in range(2):
            added = office.browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
            assert added.path == office.entries
        added_entry = Entry.objects.get(event=office.event, number=2)
        assert (str(added_entry), added_entry.rating) == ("Édith Roy / Zoé Dubé", 1500)
        assert office.event.entries.count() == 2

    @pytest.mark.long
    def test_entry_file_accepts_workbooks_and_any_text_encoding(self) -> None:
        typed = "Joueur 1{0}Joueur 2{0}Cote\nÉdith Roy{0}Zoé Dubé{0}1500\n"
        for content in (
            build_workbook(["Joueur 1", "Joueur 2", "Cote"], ["Édith Roy", "Zoé Dubé", 1500]),
            typed.format(";").encode("cp1252"),
            typed.format(",").encode("utf-8-sig"),
            typed.format("\t").encode("utf-16"),
        ):
            office = Office()
            page = self.upload(office, content, "list.xlsx")
            assert "Édith Roy and Zoé Dubé rating 1500" in page.text
            office.browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
            assert str(office.event.entries.get()) == "Édith Roy / Zoé Dubé"

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (build_workbook(["Joueur 1", "Joueur 2"], ["Anne", "=A2"]), "Line 2, column B: the formula"),
            (build_workbook(["Équipe", "Ville"], ["Anne", "Paul"]), "player_1"),
            pytest.param(
                partial(build_workbook, ["Joueur 1", "Joueur 2"], *[["A", "B"]] * 10_000),
                "lines",
                marks=pytest.mark.long("two seconds; clubs/test_people_lists.py counts the lines of a sheet"),
            ),
            (build_workbook(), "No entries in this file."),
            (build_zip(readme="hello"), "cannot be read"),
        ],
        ids=["formula", "other columns", "ten thousand", "empty", "renamed zip"],
    )
    def test_invalid_workbook_is_refused_with_a_reason(
        self, content: bytes | Callable[[], bytes], message: str
    ) -> None:
        page = self.upload(Office(), get_content(content), "list.xlsx")
        assert page.status in (413, 422)
        assert message in page.text
        assert not Entry.objects.exists()

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_merged_cells_name_the_line_without_a_player(self) -> None:
        book = build_workbook(["Joueur 1", "Joueur 2"], ["Anne", "Paul"], [None, "Zoé"])
        page = self.upload(Office(), book, "list.xlsx")
        refused = page.find_one("table", class_="refused").find_one("tbody")
        assert [cell.text for cell in refused.find_one("tr").find_all("td")][:2] == ["3", "Joueur 1"]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_file_preview_shows_who_is_kept_apart(self) -> None:
        office = Office()
        content = b"Joueur 1;Joueur 2;Ne pas rencontrer\nAnne A;Paul A;Lise L\nLise L;Yvon L;\n"
        page = self.upload(office, content)
        assert "never meets 2" in page.text

    @pytest.mark.slow
    def test_valid_lines_are_added_and_bad_lines_stay_editable(self) -> None:
        office = Office()
        page = self.upload(office, b"player_1;player_2;rating\nAnne;Paul;9\nLise;;x\nRita;Omer;high\n")
        assert page.status == 200
        assert "1 entry to add" in page.text
        assert "Lines to correct: 2." in page.text
        page = office.browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        assert page.status == 422
        assert "Entries added: 1." in page.alert
        assert page.find_field("text").value.split() == ["player_1,player_2,rating", "Lise,,x", "Rita,Omer,high"]
        refused = page.find_one("table", class_="refused").find_one("tbody")
        rows = [[cell.text for cell in row.find_all("td")] for row in refused.find_all("tr")]
        assert [row[:2] for row in rows] == [["2", "player_2"], ["3", "rating"]]
        corrected = "player_1,player_2,rating\nLise,Yvon,7\nRita,Omer,8\n"
        page = office.browser.send(page, page.find_form(control_name="text"), text=corrected)
        office.browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        assert [entry.rating for entry in office.event.entries.all()] == [9, 7, 8]

    @pytest.mark.long
    def test_file_preview_asks_about_people_with_known_names(self) -> None:
        office = Office()
        add_entry_list(event_id=build_event(pairs=0, club=office.club).pk, text="Anne Roy et Paul Roy")
        page = self.upload(office, b"player_1,player_2,team\nAnne Roy,Zo\xc3\xa9 Cyr,Matane\n")
        assert page.list_checked_values("who anne roy") == ["new"]
        office.browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        assert office.club.people.filter(name="Anne Roy").count() == 2
        assert office.event.entries.get().player_1.is_guest

    @pytest.mark.slow
    @pytest.mark.parametrize("is_file", [True, False])
    def test_couples_with_one_surname_are_asked_about(self, *, is_file: bool) -> None:
        office = Office()
        text = "Luc et Anne Roy\nLise & Yvon Cyr\nLuc et Pia Roy\nGuy Dubé et Eva Jean\n"
        add_entry_list(event_id=build_event(pairs=0, club=office.club).pk, text="Yvon Cyr et Lise Cyr")
        page = self.upload(office, text.encode()) if is_file else office.paste_entries(text)
        assert "“Luc and Anne Roy”: one surname for both? Luc Roy and Anne Roy" in page.text
        assert "Luc Roy and Pia Roy" not in page.text, "the same Luc Roy twice"
        assert page.list_checked_values("couple 2") == ["shared"]
        assert page.list_checked_values("who lise cyr"), "who is meant by the whole name is asked at once"
        assert office.event.entries.count() == 0
        form, answers = page.find_form(control_name="couple 1"), {"couple 1": "typed"}
        button = ("confirmed", "1") if is_file else ("asked", "1")
        page = office.browser.send(page, form, button, **cast("dict[str, Any]", answers))
        assert [str(entry) for entry in office.event.entries.order_by("number")][:2] == [
            "Luc / Anne Roy",
            "Lise Cyr / Yvon Cyr",
        ]
        assert office.club.people.filter(name="Lise Cyr").count() == 1

    def test_file_of_bad_lines_lists_each_line_and_column(self) -> None:
        office = Office()
        page = self.upload(office, b"player_1,player_2,rating\n\nLise,,x\nRita,Omer,high\n")
        assert page.status == 422
        refused = page.find_one("table", class_="refused").find_one("tbody")
        rows = [[cell.text for cell in row.find_all("td")] for row in refused.find_all("tr")]
        assert rows == [
            ["3", "player_2", "Enter a name."],
            ["4", "rating", "“high” is not a rating. Enter a whole number from 0 to 9999."],
        ]
        assert not page.find_all("button", name="confirmed")
        assert not Entry.objects.exists()

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "No entries in this file."),
            (b"player_1,player_2\n", "No entries in this file."),
            (b"x" * (1024 * 1024 + 1), "The file list.csv is too large."),
            (b"\x81\x8d", "Not UTF-8."),
        ],
        ids=["empty", "headings only", "too large", "no text"],
    )
    def test_invalid_list_shows_an_error_at_the_field(self, content: bytes, message: str) -> None:
        page = self.upload(Office(), content)
        assert page.status in (413, 422)
        assert page.get_field_error("file").startswith(message)

    def test_upload_without_a_file_is_refused(self) -> None:
        office = Office()
        page = office.browser.open(f"{office.entries}/file")
        assert (
            office.browser.send(page, page.find_form(control_name="file")).get_field_error("file")
            == "Choose a file first."
        )

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_line_entered_meanwhile_is_refused_on_confirmation(self) -> None:
        office = Office()
        page = self.upload(office, b"player_1,player_2\nAnne,Paul\nLise,Omer\n")
        add_entry(event_id=office.event.pk, players=["Lise", "Yvon"])
        page = office.browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        assert page.status == 422
        assert "Lise is already entered." in page.text
        assert office.event.entries.count() == 2


class TestEntriesFromClubPeople:
    @pytest.mark.slow
    def test_director_ticks_known_pairs_or_two_people(self) -> None:
        office = Office()
        before = build_event(pairs=0, club=office.club)
        add_entry_list(event_id=before.pk, text="Anne A et Paul A\nLise L et Yvon L\nRita R et Omer R")
        page = office.browser.open(f"{office.entries}/people")
        form = page.find_form(control_name="person")
        pairs = [one.value for one in page.find_all("input", name="pair")]
        people = {one.value for one in page.find_all("input", name="person")}
        loose = [pk for pk in people if pk not in pairs[0].split("-")][:1]
        page = office.browser.send(page, form, pair=pairs[:1], person=loose)
        assert page.status == 422
        assert page.alert == "Select two people to add a pair."
        assert page.list_checked_values("person") == loose
        others = [pk for pair in pairs[1:] for pk in pair.split("-")]
        page = office.browser.send(page, page.find_form(control_name="person"), pair=pairs[:1], person=others[::2])
        assert [str(one) for one in office.event.entries.all()] == ["Anne A / Paul A", "Lise L / Rita R"]

    @pytest.mark.slow
    def test_singles_event_enters_each_selected_person(self) -> None:
        office = Office()
        before = build_event(pairs=0, club=office.club)
        add_entry_list(event_id=before.pk, text="Anne A et Paul A\nLise L et Yvon L")
        office.event = build_event(pairs=0, club=office.club, draw_format="swiss_individual")
        page = office.browser.open(f"{office.entries}/people")
        people = sorted({one.value for one in page.find_all("input", name="person")}, key=int)
        office.browser.send(page, page.find_form(control_name="person"), person=people[:3])
        assert [str(one) for one in office.event.entries.all()] == ["Anne A", "Paul A", "Lise L"]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_people_search_filters_by_name(self) -> None:
        office = Office()
        before = build_event(pairs=0, club=office.club)
        add_entry_list(event_id=before.pk, text="Anne A et Paul A\nLise L et Yvon L")
        page = office.browser.open(f"{office.entries}/people?search=yv")
        assert len(page.find_all("input", name="person")) == 1
        assert "Nobody found" in office.browser.open(f"{office.entries}/people?search=zz").text

    @pytest.mark.long
    def test_selected_people_survive_another_search(self) -> None:
        office = Office()
        before = build_event(pairs=0, club=office.club)
        add_entry_list(event_id=before.pk, text="Anne A et Paul A\nLise L et Yvon L\nRita R et Omer R")
        page = office.browser.open(f"{office.entries}/people")
        pair = next(one.value for one in page.find_all("input", name="pair"))
        lise, omer = (str(Person.objects.get(name=name).pk) for name in ("Lise L", "Omer R"))
        looked_for: Any = {"pair": [pair], "person": [lise], "search": "omer"}
        page = office.browser.send(page, page.find_form(control_name="person"), ("what", "search"), **looked_for)
        assert not office.event.entries.exists()
        assert (page.list_checked_values("pair"), page.list_checked_values("person")) == ([pair], [lise])
        assert {one.value for one in page.find_all("input", name="person")} == {lise, omer}
        for name in ("nobody", ""):
            chosen: Any = {"pair": [pair], "person": [lise, omer], "search": name}
            page = office.browser.send(page, page.find_form(control_name="person"), ("what", "search"), **chosen)
        office.browser.send(page, page.find_form(control_name="person"))
        assert [str(one) for one in office.event.entries.all()] == ["Anne A / Paul A", "Lise L / Omer R"]

    @pytest.mark.parametrize("value", ["x", "1-x", "9" * 30, "-1", "", "1-2-3"])
    def test_unknown_person_or_pair_is_refused(self, value: str) -> None:
        office = Office()
        for name in ("pair", "person"):
            page = post_form(office.browser, f"{office.entries}/people", {name: value})
            assert page.status == 422
            assert page.alert
