"""Files that people bring, read whatever program wrote them: workbooks of both kinds, headings, contacts."""

from contextlib import suppress
from typing import ClassVar

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from clubs.people_import import COLUMNS, MOST_LINES, read_people
from errors import Refusal
from tests.builders import refusal_of
from tests.long import often
from tests.support.workbooks import a_workbook, a_workbook_of, an_open_sheet, an_open_workbook
from tournaments.entries.entry_import.sheets import COLUMNS as ENTRY_COLUMNS
from tournaments.imports.hand_sheets.words import COLUMNS as HAND_COLUMNS
from web.sheets import Columns, Layout, headings_of, layout_of, text_of_sheet
from web.sheets.workbooks import grids_of_workbook
from wording.labels.columns import column_label

LIST: list[list[object]] = [["Nom", "Tél"], ["Édith Roy", "555-1234"], ["Paul Dubé", None]]
cells = st.none() | st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn")), max_size=8
)


def names_of(text: str) -> list[str]:
    return [one.name for one in read_people(text).people]


@pytest.mark.slow
class TestAnOpenDocumentSheet:
    @hypothesis_settings(max_examples=often(15, long=450))
    @given(st.lists(st.lists(cells, max_size=4), max_size=5))
    def test_is_read_as_the_same_cells_in_excel_are(self, rows: list[list[str | None]]) -> None:
        rows = [[None if value and value.startswith("=") else value for value in row] for row in rows]
        in_open, in_excel = (
            [grid.text for grid in grids_of_workbook(content, file="x")]
            for content in (an_open_workbook(an_open_sheet(*rows)), a_workbook(*rows))
        )
        assert in_open == in_excel

    def test_has_numbers_as_they_are_typed_and_each_line_where_it_was(self) -> None:
        sheet = an_open_sheet(["Nom", "Tél"], [], ["Lise Roy", 4185550101], ["Paul Roy", 12.5])
        (lise, paul) = read_people(text_of_sheet(an_open_workbook(sheet), file="x.ods")).people
        assert [(lise.line, lise.contact), (paul.line, paul.contact)] == [(3, "4185550101"), (4, "12.5")]

    def test_has_numbers_as_they_are_kept_and_not_as_they_are_shown(self) -> None:
        shown = an_open_sheet(["Nom", "Tél"], ["Lise Roy", 4185550101]).replace(
            "<text:p>4185550101<", "<text:p>4,19E+09<"
        )
        (lise,) = read_people(text_of_sheet(an_open_workbook(shown), file="x.ods")).people
        assert lise.contact == "4185550101"

    def test_takes_no_more_room_where_cells_are_repeated_a_million_times(self) -> None:
        wide = 'table:number-columns-repeated="99999999999"><text:p>x</text:p></table:table-cell>'
        many = '<table:table-row table:number-rows-repeated="1048576">'
        row = f"{many}<table:table-cell {wide}</table:table-row>"
        empty = '<table:table-row table:number-rows-repeated="1048576"><table:table-cell/></table:table-row>'
        long = an_open_workbook(f'<table:table table:name="A">{row}</table:table>')
        assert refusal_of(text_of_sheet, long, file="x.ods").code == "sheet_too_long"
        table = an_open_sheet(*LIST).replace("</table:table>", f"{empty}</table:table>")
        assert names_of(text_of_sheet(an_open_workbook(table), file="x.ods")) == ["Édith Roy", "Paul Dubé"]

    def test_leaves_out_notes_and_what_a_merged_cell_covers(self) -> None:
        row = (
            '<table:table-row><table:table-cell table:number-columns-spanned="2">'
            "<office:annotation><text:p>a note</text:p></office:annotation>"
            "<text:p>Lise<text:s/>Roy</text:p></table:table-cell><table:covered-table-cell/></table:table-row>"
        )
        table = f'<table:table table:name="A">{row}</table:table>'
        assert text_of_sheet(an_open_workbook(table), file="x.ods") == "Lise Roy\n"

    def test_leaves_out_a_table_that_stands_inside_of_a_cell(self) -> None:
        inner = an_open_sheet(["not", "read"], ["nor", "this"], name="Inside")
        table = an_open_sheet(*LIST).replace("Édith Roy</text:p>", f"Édith Roy</text:p>{inner}")
        assert inner in table
        assert text_of_sheet(an_open_workbook(table), file="x.ods") == text_of_sheet(
            a_workbook(*LIST), file="x.xlsx"
        )

    def test_says_which_formula_nobody_has_counted(self) -> None:
        formula = '<table:table-cell/><table:table-cell table:formula="of:=1+1"/></table:table-row>'
        table = f'<table:table table:name="A"><table:table-row>{formula}</table:table>'
        content = an_open_workbook(table)
        refusal = refusal_of(text_of_sheet, content, file="x.ods")
        assert refusal.code == "formula_without_value"
        assert (refusal.details["line"], refusal.details["column"]) == (1, "B")

    def test_that_defines_entities_is_refused(self) -> None:
        bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
        content = an_open_workbook(an_open_sheet(["&b;"]).replace("&amp;b;", "&b;"), before=bomb)
        assert refusal_of(text_of_sheet, content, file="x.ods").code == "not_a_workbook"

    @given(st.data())
    def test_with_bytes_changed_is_read_or_refused(self, data: st.DataObject) -> None:
        content = bytearray(an_open_workbook(an_open_sheet(*LIST)))
        for place in data.draw(st.lists(st.integers(4, len(content) - 1), max_size=6)):
            content[place] = data.draw(st.integers(0, 255))
        with suppress(Refusal):
            grids_of_workbook(bytes(content), file="x")


@pytest.mark.slow
class TestAWorkbookOfSeveralSheets:
    COVER: ClassVar[list[list[object]]] = [["Club de Matane"]]

    @pytest.mark.parametrize(
        "content",
        [
            a_workbook_of(Couverture=COVER, Membres=LIST, Vide=[]),
            an_open_workbook(
                an_open_sheet(*COVER, name="Couverture"),
                an_open_sheet(*LIST, name="Membres"),
                an_open_sheet(),
            ),
        ],
        ids=["Excel", "OpenDocument"],
    )
    def test_asks_which_of_those_that_are_not_empty(self, content: bytes) -> None:
        refusal = refusal_of(text_of_sheet, content, file="x")
        assert (refusal.code, refusal.details["names"]) == ("several_sheets", ["Couverture", "Membres"])
        cover, members = refusal.details["sheets"]
        assert (cover.filled, members.filled) == (1, 3)
        assert names_of(members.text) == ["Édith Roy", "Paul Dubé"]

    def test_asks_nothing_where_only_one_has_anything(self) -> None:
        content = a_workbook_of(Couverture=[], Membres=LIST)
        assert names_of(text_of_sheet(content, file="x")) == ["Édith Roy", "Paul Dubé"]

    def test_with_nothing_on_any_of_them_is_an_empty_list(self) -> None:
        assert text_of_sheet(a_workbook_of(A=[], B=[[None]]), file="x") == ""


class TestHeadings:
    @pytest.mark.parametrize(
        "text",
        [
            "Club de Matane, liste 2026\n\nNom;Téléphone\nLise Roy;555\n",
            "Club de Matane;;\nau 1er novembre;;\nNom;Téléphone;Ville\nLise Roy;555;Matane\n",
            '"Liste; des membres"\nNom,Téléphone\nLise Roy,555\n',
            "Liste\tdes membres\nNom\tTéléphone\nLise Roy\t555\n",
        ],
    )
    def test_stand_below_titles_and_what_is_above_is_told(self, text: str) -> None:
        listed = read_people(text)
        assert [(one.name, one.contact) for one in listed.people] == [("Lise Roy", "555")]
        assert listed.above
        assert listed.refusals == ()

    @pytest.mark.parametrize(
        ("heads", "line"),
        [
            ("Nom;Prénom;Téléphone;Cellulaire;Courriel", "Roy;Lise;1;2;l@r"),
            ("Nom :;Prénom :;Tél. (maison);Tél. cell.;Adresse courriel", "Roy;Lise;1;2;l@r"),
            ('"Nom, Prénom";No de tél.;Mobile;E-mail', "Roy, Lise;1;2;l@r"),
            ("First Name,Last Name,E-mail 1 - Value,Phone 1 - Value,Phone 2 - Value", "Lise,Roy,l@r,1,2"),
            ("First Name,Last Name,E-mail Address,Home Phone,Mobile Phone", "Lise,Roy,l@r,1,2"),
            ("Prénom,Nom,Adresse de messagerie,Téléphone (domicile),Tél. mobile", "Lise,Roy,l@r,1,2"),
        ],
    )
    def test_are_known_as_clubs_google_and_outlook_write_them(self, heads: str, line: str) -> None:
        listed = read_people(f"{heads}\n{line}\n")
        assert [(one.name, one.contact) for one in listed.people] == [("Lise Roy", "1, 2, l@r")]
        assert listed.unread == ()

    def test_in_the_first_line_have_nothing_above(self) -> None:
        assert read_people("Nom;Tél\nLise Roy;5\n").above == ()

    def test_are_not_taken_from_a_line_among_names(self) -> None:
        assert names_of("Lise Roy\nContact Dubé\nPaul Nom") == ["Lise Roy", "Contact Dubé", "Paul Nom"]

    def test_in_an_old_excels_csv_are_read_in_its_letters(self) -> None:
        content = "Prénom;Nom;Téléphone\r\nÉdith;Œuvray;555\r\n".encode("cp1252")
        assert names_of(text_of_sheet(content, file="x.csv")) == ["Édith Œuvray"]

    @pytest.mark.parametrize("names", ["Jérôme Côté", "André Roy", "Élise Bérubé\rHélène Roy"])
    def test_in_a_csv_of_an_older_mac_are_read_in_its_letters(self, names: str) -> None:
        content = f"Nom;Tél\r{names}".encode("mac_roman")
        assert names_of(text_of_sheet(content, file="x.csv")) == names.split("\r")

    def test_are_not_looked_for_in_a_page_of_the_web_that_is_called_a_workbook(self) -> None:
        page = b"\r\n<html><table><tr><td>Nom</td></tr></table></html>"
        assert refusal_of(text_of_sheet, page, file="list.xls").code == "old_workbook"

    @given(
        st.lists(st.text("abc ,;", min_size=1, max_size=8), max_size=6),
        st.sampled_from([",", ";", "\t"]),
    )
    def test_are_found_below_whatever_stands_above(self, above: list[str], delimiter: str) -> None:
        sheet = "\n".join([*above, delimiter.join(["Prénom", "Nom", "Tél"]), delimiter.join("ABC"), ""])
        found = headings_of(sheet, COLUMNS)
        assert found is not None
        assert (found.line, found.delimiter) == (len(above) + 1, delimiter)
        assert names_of(sheet) == ["A B"]

    @pytest.mark.slow
    @given(st.text(max_size=120))
    def test_are_looked_for_in_whatever_it_is(self, text: str) -> None:
        with suppress(Refusal):
            headings_of(text, COLUMNS)
        read_people(text)


class TestTheLimit:
    @pytest.mark.slow
    def test_does_not_count_headings_titles_and_empty_lines(self) -> None:
        lines = ["Membres 2026", "", "Nom", *(f"Anne {chr(65 + n % 26)}" for n in range(MOST_LINES))]
        assert len(read_people("\n".join(lines)).people) == MOST_LINES
        (refusal,) = read_people("\n".join([*lines, "", "Paul P", "Zoé Z", ""])).refusals
        assert (refusal.code, refusal.details["most"], refusal.details["lines"]) == (
            "list_too_long",
            MOST_LINES,
            MOST_LINES + 2,
        )

    def test_of_names_alone_counts_those(self) -> None:
        names = "\n\n".join(["Anne Roy"] * MOST_LINES)
        assert len(read_people(names).people) == MOST_LINES
        (refusal,) = read_people(f"{names}\nPaul Roy").refusals
        assert refusal.details["lines"] == MOST_LINES + 1


class TestNamesAlone:
    def test_may_have_a_number_or_a_dash_in_front(self) -> None:
        text = "1. Lise Roy\n2) Paul Roy, 418 555-0101\n- Anne Cyr\n• Zoé Roy\n14- Guy Roy\nPaul - 5"
        assert names_of(text) == ["Lise Roy", "Paul Roy", "Anne Cyr", "Zoé Roy", "Guy Roy", "Paul"]

    @pytest.mark.parametrize(
        "line", ["Anne Cyr et Guy Roy", "CYR, Anne & ROY, Guy", "Anne Cyr / Guy Roy", "Anne Cyr AND Guy Roy"]
    )
    def test_of_two_people_on_a_line_are_two_people(self, line: str) -> None:
        for text in (f"{line}, 418 555-0101", f"Paire;Tél\n{line};418 555-0101"):
            people = read_people(text).people
            assert [(one.name, one.contact) for one in people] == [
                ("Anne Cyr", "418 555-0101"),
                ("Guy Roy", "418 555-0101"),
            ]
            assert len({one.key for one in people}) == 2

    @pytest.mark.parametrize("name", ["Anne et Guy Roy", "Anne/Guy Roy", "Anne et Guy"])
    def test_of_two_people_with_one_surname_are_refused(self, name: str) -> None:
        for text in (name, f"Nom;Tél\n{name};5"):
            (refusal,) = read_people(text).refusals
            assert (refusal.code, refusal.details["name"]) == ("two_people_in_a_line", name)
        assert names_of("Maurice Etienne\nYvette Andrand") == ["Maurice Etienne", "Yvette Andrand"]


class TestContacts:
    def test_of_a_telephone_are_read(self) -> None:
        text = (
            "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Roy;Jeannine;;;\r\nFN:Jeannine Roy\r\n"
            "item1.TEL;type=CELL:418 555-0101\r\n"
            "EMAIL:j\r\n roy@example.org\r\nTEL:999\r\nNOTE:secret\\, long\r\nEND:VCARD\r\n"
            "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Dub=C3=A9;Marc=\n"
            "=C3=A9lin\nTEL;CELL;PREF:555\n"
            "END:VCARD\n"
        )
        assert [(one.line, one.name, one.contact) for one in read_people(text).people] == [
            (1, "Jeannine Roy", "418 555-0101, jroy@example.org"),
            (11, "Marcélin Dubé", "555"),
        ]

    def test_have_the_groups_that_their_owner_put_them_in(self) -> None:
        card = "BEGIN:VCARD\nFN:Jeannine Roy\nCATEGORIES:Women,Elite\nEND:VCARD\n"
        (person,) = read_people(card).people
        assert person.labels == ("Women", "Elite")

    @pytest.mark.parametrize(
        ("card", "told"),
        [
            ("TEL:5", "5"),
            ("N:;;;;\nFN:\nORG:Garage Roy;\nTEL:5", "Garage Roy"),
            ("N:;;;;\nFN:Garage Roy\nORG:Garage Roy;", "Garage Roy"),
            ("KIND:group\nFN:Le comité", "Le comité"),
            ("N:Le comité;;;;\nFN:Le comité\nX-ADDRESSBOOKSERVER-KIND:group", "Le comité"),
            ("NOTE:?", "?"),
        ],
    )
    def test_of_nobody_are_left_out_and_told(self, card: str, told: str) -> None:
        text = f"BEGIN:VCARD\n{card}\nEND:VCARD\nBEGIN:VCARD\nFN:Lise Roy\nORG:Garage Roy\nEND:VCARD"
        listed = read_people(text)
        assert ([one.name for one in listed.people], listed.nobody) == (["Lise Roy"], (told,))
        assert listed.refusals == ()

    def test_of_google_are_in_no_group_of_the_program(self) -> None:
        (person,) = read_people("BEGIN:VCARD\nFN:A Roy\nCATEGORIES:Elite,myContacts,starred\n").people
        assert person.labels == ("Elite",)

    def test_of_the_newest_form_have_telephones_as_people_write_them(self) -> None:
        card = 'TEL;VALUE=uri;TYPE="voice,home":tel:+1-418-555-0120;ext=22\nEMAIL:mailto:rose@example.org'
        (person,) = read_people(f"BEGIN:VCARD\nVERSION:4.0\nFN:A Roy\n{card}\nEND:VCARD").people
        assert person.contact == "+1-418-555-0120 # 22, rose@example.org"

    @given(st.text(max_size=80), st.text(max_size=40))
    def test_are_read_or_refused_whatever_they_say(self, text: str, name: str) -> None:
        listed = read_people(f"BEGIN:VCARD\nFN:{name}\n{text}\nEND:VCARD")
        assert all(one.name for one in listed.people)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("kind", "columns"), [("people", COLUMNS), ("entries", ENTRY_COLUMNS), ("hands", HAND_COLUMNS)]
)
def test_a_column_is_named_as_a_file_may_call_it(kind: str, columns: Columns, language: str) -> None:
    with override(language):
        found = {field: layout_of(column_label(field, kind), columns) for field in columns}
    assert found == {field: Layout(fields=(field,)) for field in columns}
