"""Parsing of pasted lists and spreadsheets of people, with errors by line and column."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.people_import import MAX_LINES, ListedPerson, parse_people
from errors import Refusal
from tests.builders import get_refusal
from tests.support.workbooks import build_workbook, build_zip, build_zip_bomb, get_content
from web.sheets.decoding import read_sheet_text
from web.sheets.workbooks import parse_workbook


def list_names(text: str) -> list[str]:
    return [person.name for person in parse_people(text).people]


class TestPastedList:
    @pytest.mark.parametrize(
        ("line", "name", "contact"),
        [
            ("Jeannine Roy, 418 555-0101", "Jeannine Roy", "418 555-0101"),
            ("Roy, Jeannine, (418) 555-0101", "Jeannine Roy", "(418) 555-0101"),
            ("Jeannine Roy 418-555-0101 poste 2", "Jeannine Roy", "418-555-0101 poste 2"),
            ("Jeannine Roy\tjroy@example.org", "Jeannine Roy", "jroy@example.org"),
            ("Jeannine Roy", "Jeannine Roy", ""),
        ],
    )
    def test_pasted_line_may_include_a_contact(self, line: str, name: str, contact: str) -> None:
        (person,) = parse_people(line).people
        assert (person.name, person.contact) == (name, contact)

    def test_pasted_names_accept_either_order(self) -> None:
        assert list_names("Jeannine Roy\n\n  Dubé, Marcel \nMadonna") == [
            "Jeannine Roy",
            "Marcel Dubé",
            "Madonna",
        ]

    def test_pasted_people_keep_their_line_numbers(self) -> None:
        assert [person.line for person in parse_people("\nAnne A\n\nPaul P").people] == [2, 4]

    @pytest.mark.parametrize(
        ("text", "code", "line"),
        [
            ("Anne A\nR2D2", "strange_character", 2),
            ("x" * 81, "name_too_long", 1),
            ("Anne Roy\tmembre", "columns_unnamed", 1),
            ("Anne\n" * (MAX_LINES + 1), "list_too_long", MAX_LINES + 1),
        ],
    )
    def test_refusal_reports_the_error_and_line(self, text: str, code: str, line: int) -> None:
        (refusal,) = parse_people(text).refusals
        assert (refusal.code, refusal.details["line"]) == (code, line)

    @pytest.mark.long
    @pytest.mark.parametrize(("letter", "codes"), [("x", ["name_too_long"]), ("-", ["nobody_named"]), (" ", [])])
    def test_overlong_line_is_parsed_in_linear_time(self, letter: str, codes: list[str]) -> None:
        listed = parse_people(f"Anne Roy\n{letter * 200_000}")  # quadratic time would take minutes
        assert [person.name for person in listed.people] == ["Anne Roy"]
        assert [refusal.code for refusal in listed.refusals] == codes

    @pytest.mark.slow
    @given(st.text(max_size=200))
    def test_any_text_is_parsed_or_refused(self, text: str) -> None:
        listed = parse_people(text)
        assert all(person.name for person in listed.people)
        assert all(isinstance(refusal, Refusal) for refusal in listed.refusals)


class TestSheet:
    def test_sheet_columns_accept_any_order_and_language(self) -> None:
        header = "Courriel;Nom;Téléphone;Prénom;Visiteur;Groupes;Famille;Ville"
        sheet = f"{header}\na@b;Roy;555;Lise;oui;Dames, Élite;Roy;Matane\n"
        listed = parse_people(sheet)
        assert listed.people == (
            ListedPerson(
                line=2,
                name="Lise Roy",
                contact="555, a@b",
                family="Roy",
                is_guest=True,
                labels=("Dames", "Élite"),
            ),
        )
        assert listed.unread == ("Ville",)

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("sheet", "names"),
        [
            ("Nom\nLise Roy\n", ["Lise Roy"]),
            ("Nom complet\tTel\nRoy, Lise\t5\n", ["Lise Roy"]),
            ('name,email\n"Roy, Lise",a@b\n', ["Lise Roy"]),
            ("first_name,last_name\nLise,Roy\nMadonna,\n", ["Lise Roy", "Madonna"]),
        ],
    )
    def test_sheet_names_use_one_column_or_two(self, sheet: str, names: list[str]) -> None:
        assert list_names(sheet) == names

    def test_refusals_name_the_line_and_column(self) -> None:
        lines = (",555,", f"Anne A,{'5' * 121},", f"Paul P,5,{'x' * 41}", "Lise L,5,a;b;c / d;e;f;g;h;i")
        sheet = "\n".join(("name,phone,groups", *lines))
        found = [(each.code, each.field, each.details["line"]) for each in parse_people(sheet).refusals]
        assert found == [
            ("name_required", "name", 2),
            ("contact_too_long", "contact", 3),
            ("label_too_long", "labels", 4),
            ("too_many_labels", "labels", 5),
        ]

    @pytest.mark.parametrize(
        ("sheet", "code"),
        [
            ("phone\n555\n", "column_missing"),
            ("name,name\nA,B\n", "column_twice"),
            ('name,tel\n"A,5\n', "malformed_csv"),
        ],
    )
    def test_unreadable_columns_are_refused(self, sheet: str, code: str) -> None:
        assert [each.code for each in parse_people(sheet).refusals] == [code]


@pytest.mark.long
class TestWorkbook:
    def test_workbook_is_parsed_like_a_sheet(self) -> None:
        content = build_workbook(["Nom", "Tél", None], ["Édith Roy", 5551234.0, None], [None], ["Paul\nDubé", None])
        listed = parse_people(read_sheet_text(content, file="list.xlsx"))
        assert [(one.line, one.name, one.contact) for one in listed.people] == [
            (2, "Édith Roy", "5551234"),
            (4, "Paul Dubé", ""),
        ]

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            (build_zip_bomb, "workbook_too_large"),
            (b"\xd0\xcf\x11\xe0 an old one", "old_workbook"),
            (b"PK\x03\x04 no zip", "not_a_workbook"),
            (build_zip(mimetype="application/vnd.oasis.opendocument.spreadsheet"), "not_a_workbook"),
            (build_workbook(["Nom"], ["Anne"])[:-300], "not_a_workbook"),
            (partial(build_workbook, *[["Anne"]] * 20_002), "sheet_too_long"),
        ],
        ids=["bomb", "old", "no zip", "another kind", "cut off", "long"],
    )
    def test_invalid_or_oversized_workbook_is_refused(self, content: bytes | Callable[[], bytes], code: str) -> None:
        assert get_refusal(read_sheet_text, get_content(content), file="list.xlsx").code == code

    @given(st.data())
    def test_corrupted_workbook_is_parsed_or_refused(self, data: st.DataObject) -> None:
        content = bytearray(SMALL)
        for place in data.draw(st.lists(st.integers(4, len(content) - 1), max_size=6)):
            content[place] = data.draw(st.integers(0, 255))
        with suppress(Refusal):
            parse_workbook(bytes(content), file="x")


SMALL = build_workbook(["Nom"], ["Anne Roy"])
