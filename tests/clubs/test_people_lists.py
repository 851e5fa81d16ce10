"""Lists of people as they are pasted or saved: what is read of them, and what is wrong and where."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.people_import import MOST_LINES, ListedPerson, read_people
from errors import Refusal
from tests.builders import refusal_of
from tests.support.workbooks import a_bomb, a_workbook, a_zip, made
from web.sheets import text_of_sheet
from web.sheets.workbooks import grids_of_workbook


def names_of(text: str) -> list[str]:
    return [person.name for person in read_people(text).people]


class TestAPastedList:
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
    def test_may_have_a_telephone_or_an_address_after_each_name(
        self, line: str, name: str, contact: str
    ) -> None:
        (person,) = read_people(line).people
        assert (person.name, person.contact) == (name, contact)

    def test_is_one_name_a_line_in_either_order(self) -> None:
        assert names_of("Jeannine Roy\n\n  Dubé, Marcel \nMadonna") == [
            "Jeannine Roy",
            "Marcel Dubé",
            "Madonna",
        ]

    def test_keeps_the_number_of_each_line(self) -> None:
        assert [person.line for person in read_people("\nAnne A\n\nPaul P").people] == [2, 4]

    @pytest.mark.parametrize(
        ("text", "code", "line"),
        [
            ("Anne A\nR2D2", "strange_character", 2),
            ("x" * 81, "name_too_long", 1),
            ("Anne Roy\tmembre", "columns_unnamed", 1),
            ("Anne\n" * (MOST_LINES + 1), "list_too_long", MOST_LINES + 1),
        ],
    )
    def test_says_what_is_wrong_and_where(self, text: str, code: str, line: int) -> None:
        (refusal,) = read_people(text).refusals
        assert (refusal.code, refusal.details["line"]) == (code, line)

    @pytest.mark.parametrize(
        ("letter", "codes"), [("x", ["name_too_long"]), ("-", ["strange_character"]), (" ", [])]
    )
    def test_with_a_line_that_has_no_end_is_read_all_the_same(self, letter: str, codes: list[str]) -> None:
        listed = read_people(f"Anne Roy\n{letter * 200_000}")  # the square of that would be minutes
        assert [person.name for person in listed.people] == ["Anne Roy"]
        assert [refusal.code for refusal in listed.refusals] == codes

    @given(st.text(max_size=200))
    def test_is_read_or_refused_whatever_it_is(self, text: str) -> None:
        listed = read_people(text)
        assert all(person.name for person in listed.people)
        assert all(isinstance(refusal, Refusal) for refusal in listed.refusals)


class TestASheet:
    def test_has_its_columns_in_any_order_and_either_language(self) -> None:
        header = "Courriel;Nom;Téléphone;Prénom;Visiteur;Groupes;Famille;Ville"
        sheet = f"{header}\na@b;Roy;555;Lise;oui;Dames, Élite;Roy;Matane\n"
        listed = read_people(sheet)
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

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("sheet", "names"),
        [
            ("Nom\nLise Roy\n", ["Lise Roy"]),
            ("Nom complet\tTel\nRoy, Lise\t5\n", ["Lise Roy"]),
            ('name,email\n"Roy, Lise",a@b\n', ["Lise Roy"]),
            ("first_name,last_name\nLise,Roy\nMadonna,\n", ["Lise Roy", "Madonna"]),
        ],
    )
    def test_names_people_in_one_column_or_two(self, sheet: str, names: list[str]) -> None:
        assert names_of(sheet) == names

    def test_says_of_each_bad_line_what_is_wrong_and_in_which_column(self) -> None:
        lines = (",555,", f"Anne A,{'5' * 121},", f"Paul P,5,{'x' * 41}", "Lise L,5,a;b;c / d;e;f;g;h;i")
        sheet = "\n".join(("name,phone,groups", *lines))
        found = [(each.code, each.field, each.details["line"]) for each in read_people(sheet).refusals]
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
    def test_whose_columns_cannot_be_read_is_refused(self, sheet: str, code: str) -> None:
        assert [each.code for each in read_people(sheet).refusals] == [code]


@pytest.mark.slow
class TestAWorkbook:
    def test_is_read_like_any_other_sheet(self) -> None:
        content = a_workbook(
            ["Nom", "Tél", None], ["Édith Roy", 5551234.0, None], [None], ["Paul\nDubé", None]
        )
        listed = read_people(text_of_sheet(content, file="list.xlsx"))
        assert [(one.line, one.name, one.contact) for one in listed.people] == [
            (2, "Édith Roy", "5551234"),
            (4, "Paul Dubé", ""),
        ]

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            (a_bomb, "workbook_too_large"),
            (b"\xd0\xcf\x11\xe0 an old one", "old_workbook"),
            (b"PK\x03\x04 no zip", "not_a_workbook"),
            (a_zip(mimetype="application/vnd.oasis.opendocument.spreadsheet"), "not_a_workbook"),
            (a_workbook(["Nom"], ["Anne"])[:-300], "not_a_workbook"),
            (partial(a_workbook, *[["Anne"]] * 20_002), "sheet_too_long"),
        ],
        ids=["bomb", "old", "no zip", "another kind", "cut off", "long"],
    )
    def test_that_is_none_or_too_large_is_refused(
        self, content: bytes | Callable[[], bytes], code: str
    ) -> None:
        assert refusal_of(text_of_sheet, made(content), file="list.xlsx").code == code

    @given(st.data())
    def test_with_bytes_changed_is_read_or_refused(self, data: st.DataObject) -> None:
        content = bytearray(SMALL)
        for place in data.draw(st.lists(st.integers(4, len(content) - 1), max_size=6)):
            content[place] = data.draw(st.integers(0, 255))
        with suppress(Refusal):
            grids_of_workbook(bytes(content), file="x")


SMALL = a_workbook(["Nom"], ["Anne Roy"])
