"""Uploaded lists are read whatever program wrote them: Excel, OpenDocument, text, and contacts."""

from contextlib import suppress
from typing import ClassVar

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from clubs.people_import import COLUMNS, MAX_LINES, parse_people
from errors import Refusal
from tests.builders import get_refusal
from tests.long_runs import choose_count
from tests.support.workbooks import build_open_sheet, build_open_workbook, build_workbook, build_workbook_with_sheets
from tournaments.imports.entry_sheets import COLUMNS as ENTRY_COLUMNS
from tournaments.imports.hand_sheets.words import COLUMNS as HAND_COLUMNS
from web.sheets.columns import Columns, Layout, find_headings, get_layout
from web.sheets.decoding import read_sheet_text
from web.sheets.workbooks import parse_workbook
from wording.labels.columns import column_label

LIST: list[list[object]] = [["Nom", "Tél"], ["Édith Roy", "555-1234"], ["Paul Dubé", None]]
cells = st.none() | st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn")), max_size=8
)


def list_names(text: str) -> list[str]:
    return [one.name for one in parse_people(text).people]


@pytest.mark.slow
class TestOpenDocumentSheet:
    @pytest.mark.long
    @hypothesis_settings(max_examples=choose_count(15, long=450))
    @given(st.lists(st.lists(cells, max_size=4), max_size=5))
    def test_open_document_cells_equal_excel_cells(self, rows: list[list[str | None]]) -> None:
        rows = [[None if value and value.startswith("=") else value for value in row] for row in rows]
        in_open, in_excel = (
            [grid.text for grid in parse_workbook(content, file="x")]
            for content in (build_open_workbook(build_open_sheet(*rows)), build_workbook(*rows))
        )
        assert in_open == in_excel

    @pytest.mark.long
    def test_numbers_and_line_numbers_are_preserved(self) -> None:
        sheet = build_open_sheet(["Nom", "Tél"], [], ["Lise Roy", 4185550101], ["Paul Roy", 12.5])
        (lise, paul) = parse_people(read_sheet_text(build_open_workbook(sheet), file="x.ods")).people
        assert [(lise.line, lise.contact), (paul.line, paul.contact)] == [(3, "4185550101"), (4, "12.5")]

    def test_stored_number_is_read_instead_of_the_displayed_one(self) -> None:
        shown = build_open_sheet(["Nom", "Tél"], ["Lise Roy", 4185550101]).replace(
            "<text:p>4185550101<", "<text:p>4,19E+09<"
        )
        (lise,) = parse_people(read_sheet_text(build_open_workbook(shown), file="x.ods")).people
        assert lise.contact == "4185550101"

    @pytest.mark.long
    def test_repeated_cells_are_bounded_or_refused(self) -> None:
        wide = 'table:number-columns-repeated="99999999999"><text:p>x</text:p></table:table-cell>'
        many = '<table:table-row table:number-rows-repeated="1048576">'
        row = f"{many}<table:table-cell {wide}</table:table-row>"
        empty = '<table:table-row table:number-rows-repeated="1048576"><table:table-cell/></table:table-row>'
        long = build_open_workbook(f'<table:table table:name="A">{row}</table:table>')
        assert get_refusal(read_sheet_text, long, file="x.ods").code == "sheet_too_long"
        table = build_open_sheet(*LIST).replace("</table:table>", f"{empty}</table:table>")
        assert list_names(read_sheet_text(build_open_workbook(table), file="x.ods")) == ["Édith Roy", "Paul Dubé"]

    def test_notes_and_covered_cells_are_ignored(self) -> None:
        row = (
            '<table:table-row><table:table-cell table:number-columns-spanned="2">'
            "<office:annotation><text:p>a note</text:p></office:annotation>"
            "<text:p>Lise<text:s/>Roy</text:p></table:table-cell><table:covered-table-cell/></table:table-row>"
        )
        table = f'<table:table table:name="A">{row}</table:table>'
        assert read_sheet_text(build_open_workbook(table), file="x.ods") == "Lise Roy\n"

    @pytest.mark.long
    def test_table_nested_in_a_cell_is_ignored(self) -> None:
        inner = build_open_sheet(["not", "read"], ["nor", "this"], name="Inside")
        table = build_open_sheet(*LIST).replace("Édith Roy</text:p>", f"Édith Roy</text:p>{inner}")
        assert inner in table
        assert read_sheet_text(build_open_workbook(table), file="x.ods") == read_sheet_text(
            build_workbook(*LIST), file="x.xlsx"
        )

    def test_formula_without_a_value_is_reported_with_its_cell(self) -> None:
        formula = '<table:table-cell/><table:table-cell table:formula="of:=1+1"/></table:table-row>'
        table = f'<table:table table:name="A"><table:table-row>{formula}</table:table>'
        content = build_open_workbook(table)
        refusal = get_refusal(read_sheet_text, content, file="x.ods")
        assert refusal.code == "formula_without_value"
        assert (refusal.details["line"], refusal.details["column"]) == (1, "B")

    def test_document_with_entities_is_refused(self) -> None:
        bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
        content = build_open_workbook(build_open_sheet(["&b;"]).replace("&amp;b;", "&b;"), prolog=bomb)
        assert get_refusal(read_sheet_text, content, file="x.ods").code == "not_a_workbook"

    @given(st.data())
    def test_corrupted_open_document_is_read_or_refused(self, data: st.DataObject) -> None:
        content = bytearray(build_open_workbook(build_open_sheet(*LIST)))
        for place in data.draw(st.lists(st.integers(4, len(content) - 1), max_size=6)):
            content[place] = data.draw(st.integers(0, 255))
        with suppress(Refusal):
            parse_workbook(bytes(content), file="x")


@pytest.mark.slow
class TestWorkbookTabs:
    COVER: ClassVar[list[list[object]]] = [["Club de Matane"]]

    @pytest.mark.parametrize(
        "content",
        [
            build_workbook_with_sheets(Couverture=COVER, Membres=LIST, Vide=[]),
            build_open_workbook(
                build_open_sheet(*COVER, name="Couverture"),
                build_open_sheet(*LIST, name="Membres"),
                build_open_sheet(),
            ),
        ],
        ids=["Excel", "OpenDocument"],
    )
    def test_workbook_with_several_filled_tabs_asks_which(self, content: bytes) -> None:
        refusal = get_refusal(read_sheet_text, content, file="x")
        assert (refusal.code, refusal.details["names"]) == ("several_sheets", ["Couverture", "Membres"])
        cover, members = refusal.details["sheets"]
        assert (cover.filled_row_count, members.filled_row_count) == (1, 3)
        assert list_names(members.text) == ["Édith Roy", "Paul Dubé"]

    def test_single_filled_tab_is_chosen_automatically(self) -> None:
        content = build_workbook_with_sheets(Couverture=[], Membres=LIST)
        assert list_names(read_sheet_text(content, file="x")) == ["Édith Roy", "Paul Dubé"]

    def test_empty_workbook_is_an_empty_list(self) -> None:
        assert read_sheet_text(build_workbook_with_sheets(A=[], B=[[None]]), file="x") == ""


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
    def test_headings_below_a_title_are_found(self, text: str) -> None:
        listed = parse_people(text)
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
    def test_headings_of_common_address_books_are_recognized(self, heads: str, line: str) -> None:
        listed = parse_people(f"{heads}\n{line}\n")
        assert [(one.name, one.contact) for one in listed.people] == [("Lise Roy", "1, 2, l@r")]
        assert listed.unread == ()

    def test_first_line_headings_have_nothing_above(self) -> None:
        assert parse_people("Nom;Tél\nLise Roy;5\n").above == ()

    def test_names_that_look_like_headings_stay_names(self) -> None:
        assert list_names("Lise Roy\nContact Dubé\nPaul Nom") == ["Lise Roy", "Contact Dubé", "Paul Nom"]

    def test_csv_of_an_old_excel_is_decoded(self) -> None:
        content = "Prénom;Nom;Téléphone\r\nÉdith;Œuvray;555\r\n".encode("cp1252")
        assert list_names(read_sheet_text(content, file="x.csv")) == ["Édith Œuvray"]

    @pytest.mark.parametrize("names", ["Jérôme Côté", "André Roy", "Élise Bérubé\rHélène Roy"])
    def test_csv_of_an_older_mac_is_decoded(self, names: str) -> None:
        content = f"Nom;Tél\r{names}".encode("mac_roman")
        assert list_names(read_sheet_text(content, file="x.csv")) == names.split("\r")

    def test_html_page_named_xls_is_refused(self) -> None:
        page = b"\r\n<html><table><tr><td>Nom</td></tr></table></html>"
        assert get_refusal(read_sheet_text, page, file="list.xls").code == "old_workbook"

    @pytest.mark.long
    @given(
        st.lists(st.text("abc ,;", min_size=1, max_size=8), max_size=6),
        st.sampled_from([",", ";", "\t"]),
    )
    def test_headings_are_found_below_any_lines(self, above: list[str], delimiter: str) -> None:
        sheet = "\n".join([*above, delimiter.join(["Prénom", "Nom", "Tél"]), delimiter.join("ABC"), ""])
        found = find_headings(sheet, COLUMNS)
        assert found is not None
        assert (found.line, found.delimiter) == (len(above) + 1, delimiter)
        assert list_names(sheet) == ["A B"]

    @pytest.mark.long
    @given(st.text(max_size=120))
    def test_heading_search_survives_any_text(self, text: str) -> None:
        with suppress(Refusal):
            find_headings(text, COLUMNS)
        parse_people(text)


class TestLineLimit:
    @pytest.mark.slow
    def test_line_limit_ignores_headings_titles_and_empty_lines(self) -> None:
        lines = ["Membres 2026", "", "Nom", *(f"Anne {chr(65 + n % 26)}" for n in range(MAX_LINES))]
        assert len(parse_people("\n".join(lines)).people) == MAX_LINES
        (refusal,) = parse_people("\n".join([*lines, "", "Paul P", "Zoé Z", ""])).refusals
        assert (refusal.code, refusal.details["most"], refusal.details["lines"]) == (
            "list_too_long",
            MAX_LINES,
            MAX_LINES + 2,
        )

    @pytest.mark.long
    def test_line_limit_counts_a_plain_list_of_names(self) -> None:
        names = "\n\n".join(["Anne Roy"] * MAX_LINES)
        assert len(parse_people(names).people) == MAX_LINES
        (refusal,) = parse_people(f"{names}\nPaul Roy").refusals
        assert refusal.details["lines"] == MAX_LINES + 1


class TestPlainNameList:
    def test_leading_numbers_and_dashes_are_ignored(self) -> None:
        text = "1. Lise Roy\n2) Paul Roy, 418 555-0101\n- Anne Cyr\n• Zoé Roy\n14- Guy Roy\nPaul - 5"
        assert list_names(text) == ["Lise Roy", "Paul Roy", "Anne Cyr", "Zoé Roy", "Guy Roy", "Paul"]

    @pytest.mark.parametrize(
        "line", ["Anne Cyr et Guy Roy", "CYR, Anne & ROY, Guy", "Anne Cyr / Guy Roy", "Anne Cyr AND Guy Roy"]
    )
    def test_line_with_two_names_yields_two_people(self, line: str) -> None:
        for text in (f"{line}, 418 555-0101", f"Paire;Tél\n{line};418 555-0101"):
            people = parse_people(text).people
            assert [(one.name, one.contact) for one in people] == [
                ("Anne Cyr", "418 555-0101"),
                ("Guy Roy", "418 555-0101"),
            ]
            assert len({one.key for one in people}) == 2

    @pytest.mark.parametrize("name", ["Anne et Guy Roy", "Anne/Guy Roy", "Anne et Guy"])
    def test_two_people_sharing_a_surname_are_refused(self, name: str) -> None:
        for text in (name, f"Nom;Tél\n{name};5"):
            (refusal,) = parse_people(text).refusals
            assert (refusal.code, refusal.details["name"]) == ("two_people_in_a_line", name)
        assert list_names("Maurice Etienne\nYvette Andrand") == ["Maurice Etienne", "Yvette Andrand"]


class TestVCards:
    def test_phone_contacts_are_read(self) -> None:
        text = (
            "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Roy;Jeannine;;;\r\nFN:Jeannine Roy\r\n"
            "item1.TEL;type=CELL:418 555-0101\r\n"
            "EMAIL:j\r\n roy@example.org\r\nTEL:999\r\nNOTE:secret\\, long\r\nEND:VCARD\r\n"
            "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Dub=C3=A9;Marc=\n"
            "=C3=A9lin\nTEL;CELL;PREF:555\n"
            "END:VCARD\n"
        )
        assert [(one.line, one.name, one.contact) for one in parse_people(text).people] == [
            (1, "Jeannine Roy", "418 555-0101, jroy@example.org"),
            (11, "Marcélin Dubé", "555"),
        ]

    def test_contact_categories_become_labels(self) -> None:
        card = "BEGIN:VCARD\nFN:Jeannine Roy\nCATEGORIES:Women,Elite\nEND:VCARD\n"
        (person,) = parse_people(card).people
        assert person.labels == ("Women", "Elite")

    @pytest.mark.parametrize(
        ("card", "skipped_name"),
        [
            ("TEL:5", "5"),
            ("N:;;;;\nFN:\nORG:Garage Roy;\nTEL:5", "Garage Roy"),
            ("N:;;;;\nFN:Garage Roy\nORG:Garage Roy;", "Garage Roy"),
            ("KIND:group\nFN:Le comité", "Le comité"),
            ("N:Le comité;;;;\nFN:Le comité\nX-ADDRESSBOOKSERVER-KIND:group", "Le comité"),
            ("NOTE:?", "?"),
        ],
    )
    def test_contacts_without_a_person_are_skipped_and_reported(self, card: str, skipped_name: str) -> None:
        text = f"BEGIN:VCARD\n{card}\nEND:VCARD\nBEGIN:VCARD\nFN:Lise Roy\nORG:Garage Roy\nEND:VCARD"
        listed = parse_people(text)
        assert ([one.name for one in listed.people], listed.nobody) == (["Lise Roy"], (skipped_name,))
        assert listed.refusals == ()

    def test_google_system_groups_are_ignored(self) -> None:
        (person,) = parse_people("BEGIN:VCARD\nFN:A Roy\nCATEGORIES:Elite,myContacts,starred\n").people
        assert person.labels == ("Elite",)

    def test_vcard_4_phone_and_email_uris_are_readable(self) -> None:
        card = 'TEL;VALUE=uri;TYPE="voice,home":tel:+1-418-555-0120;ext=22\nEMAIL:mailto:rose@example.org'
        (person,) = parse_people(f"BEGIN:VCARD\nVERSION:4.0\nFN:A Roy\n{card}\nEND:VCARD").people
        assert person.contact == "+1-418-555-0120 # 22, rose@example.org"

    @pytest.mark.slow
    @given(st.text(max_size=80), st.text(max_size=40))
    def test_any_contact_text_is_read_or_refused(self, text: str, name: str) -> None:
        listed = parse_people(f"BEGIN:VCARD\nFN:{name}\n{text}\nEND:VCARD")
        assert all(one.name for one in listed.people)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("kind", "columns"), [("people", COLUMNS), ("entries", ENTRY_COLUMNS), ("hands", HAND_COLUMNS)]
)
def test_column_label_is_recognized_as_an_import_heading(kind: str, columns: Columns, language: str) -> None:
    with override(language):
        found = {field: get_layout(column_label(field, kind), columns) for field in columns}
    assert found == {field: Layout(fields=(field,)) for field in columns}
