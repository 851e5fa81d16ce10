"""Tables as files: what a spreadsheet, a program and a newspaper are given, and that nothing in them runs."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from tests.rules.sheets import law
from web import names
from web.sheets import FORMATS, ColumnKind, Sheet, SheetColumn, render_sheet, text_of_sheet
from web.sheets.formula_escapes import as_typed, escape_formula
from web.sheets.reading import read_rows
from web.sheets.workbooks import grids_of_workbook

FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "'=1",
    '"=1',
    " ' =1",
    "＝1",
    '=HYPERLINK("http://x")',
    "=cmd|' /C calc'!A0",
]
typed = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=30)


def a_table(rows: Sequence[Sequence[Any]] = (), **named: Any) -> Sheet:
    """Rank, names, difference, money and a day."""
    columns = (
        SheetColumn(key="rank", kind=ColumnKind.NUMBER, heading="Rang"),
        SheetColumn(key="names", heading="Paire"),
        SheetColumn(key="difference", kind=ColumnKind.NUMBER, heading="Différence"),
        SheetColumn(key="paid", kind=ColumnKind.MONEY, heading="Payé"),
        SheetColumn(key="day", kind=ColumnKind.DAY, heading="Jour"),
    )
    return Sheet(**{"key": "standings", "name": "Classement", "columns": columns, "rows": rows} | named)


ROWS = [
    (1, "Jeannine Roy", 19, Decimal("5.50"), date(2026, 11, 17)),
    (2, "=1+1", -3, None, None),
]


def csv_rows(table: Sheet, *, decimal: str = ".") -> list[list[str]]:
    text = render_sheet(table, "csv", decimal=decimal).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=";" if decimal == "," else ","))


def sheet_of(table: Sheet) -> Any:
    return load_workbook(io.BytesIO(render_sheet(table, "xlsx"))).worksheets[0]


def cells(table: Sheet) -> list[list[Any]]:
    return [list(row) for row in sheet_of(table).iter_rows()]


class TestCsv:
    def test_has_the_mark_by_which_a_spreadsheet_knows_the_accents(self) -> None:
        assert render_sheet(a_table(), "csv").startswith("\ufeffRang,Paire,Différence".encode())

    def test_is_parted_by_semicolons_where_the_comma_stands_in_numbers(self) -> None:
        assert csv_rows(a_table(ROWS), decimal=",")[1] == [*("1", "Jeannine Roy", "19", "5,50", "2026-11-17")]
        assert csv_rows(a_table(ROWS))[1][3] == "5.50"

    def test_leaves_numbers_as_they_are_also_below_zero(self) -> None:
        assert csv_rows(a_table(ROWS))[2] == ["2", "'=1+1", "-3", "", ""]

    @pytest.mark.parametrize("formula", FORMULAS)
    def test_works_nothing_out_of_what_people_typed(self, formula: str) -> None:
        assert csv_rows(a_table([(1, formula, 0, None, None)]))[1][1] == f"'{formula}"

    @law
    @given(typed)
    def test_no_text_is_left_that_a_spreadsheet_would_work_out(self, text: str) -> None:
        shown = csv_rows(a_table([(1, text, 0, None, None)]))[1][1]
        assert not shown.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert not shown.lstrip(" ").startswith(("=", "+", "-", "@"))

    @law
    @given(st.text())
    def test_what_was_disarmed_is_read_as_it_was_typed(self, text: str) -> None:
        assert as_typed(escape_formula(text)) == text

    @law
    @given(typed.map(names.clean_text))
    def test_is_read_again_as_it_was(self, name: str) -> None:
        content = render_sheet(a_table([(1, name, 0, None, None)]), "csv", decimal=",")
        lines = list(read_rows(text_of_sheet(content, file="x.csv"), ";", file="x.csv"))
        assert lines[1][1][1] == name


class TestExcel:
    @pytest.mark.usefixtures("wrong_clock")
    def test_is_written_whatever_the_clock_says(self) -> None:
        assert cells(a_table(ROWS))[1][1].value == "Jeannine Roy"

    def test_has_numbers_amounts_and_days_as_such(self) -> None:
        rank, _, difference, paid, day = cells(a_table(ROWS))[1]
        assert [one.data_type for one in (rank, difference, paid, day)] == ["n", "n", "n", "d"]
        assert (rank.value, difference.value, paid.value) == (1, 19, 5.5)
        assert day.value.date() == date(2026, 11, 17)
        assert paid.number_format == "0.00"
        assert [one.value for one in cells(a_table(ROWS))[2]] == [2, "=1+1", -3, None, None]

    def test_keeps_its_headings_in_sight_and_is_as_wide_as_what_is_in_it(self) -> None:
        sheet = sheet_of(a_table(ROWS))
        assert sheet.title == "Classement"
        assert sheet.freeze_panes == "A2"
        assert sheet.column_dimensions["B"].width == len("Jeannine Roy") + 2
        assert sheet["A1"].font.bold

    def test_prints_as_wide_as_the_page_with_its_headings_on_each_and_says_what_it_is(self) -> None:
        sheet = sheet_of(a_table(ROWS, about=("Roy & Fils",)))
        assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 0)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.print_title_rows == "$1:$1"
        assert (sheet.oddHeader.center.text, sheet.oddFooter.center.text) == (
            "Classement · Roy && Fils",
            "&P / &N",
        )
        assert sheet.parent.properties.title == "Classement · Roy & Fils"

    def test_is_sorted_and_filtered_by_its_headings(self) -> None:
        assert sheet_of(a_table(ROWS)).auto_filter.ref == "A1:E3"

    @pytest.mark.parametrize("formula", [*FORMULAS, "#REF!", "#N/A"])
    def test_works_nothing_out_of_what_people_typed(self, formula: str) -> None:
        cell = cells(a_table([(1, formula, 0, None, None)]))[1][1]
        assert cell.data_type in ("s", "inlineStr")
        assert cell.quotePrefix == (formula not in ("#REF!", "#N/A"))

    @pytest.mark.slow
    @law
    @given(st.text(max_size=30).filter(lambda text: text.isprintable()))
    def test_has_any_text_as_text(self, text: str) -> None:
        cell = cells(a_table([(1, text, 0, None, None)]))[1][1]
        assert (cell.value or "") == text
        assert cell.value is None or cell.data_type in ("s", "inlineStr")

    @pytest.mark.slow
    @law
    @given(typed)
    def test_is_read_again_as_it_was(self, text: str) -> None:
        content = render_sheet(a_table([(7, text, -3, Decimal("2.50"), None)]), "xlsx")
        (grid,) = grids_of_workbook(content, file="x.xlsx")
        rows = list(csv.reader(io.StringIO(grid.text), delimiter="\t"))
        assert rows[1][:4] == ["7", names.clean_text(text), "-3", "2.5"]

    @pytest.mark.parametrize("name", ["", "a/b[c]:d*?", "x" * 60, "'quoted'", "=1+1"])
    def test_has_a_sheet_whatever_the_table_is_called(self, name: str) -> None:
        assert 1 <= len(sheet_of(a_table(name=name)).title) <= 31

    def test_leaves_out_characters_that_no_workbook_may_have(self) -> None:
        assert cells(a_table([(1, "a\x00b\x1f", 0, None, None)]))[1][1].value == "ab"


class TestJson:
    def test_has_rows_by_stable_keys_and_the_names_of_the_columns_for_people(self) -> None:
        told = json.loads(render_sheet(a_table(ROWS, about=("Mardi", "2026-11-17")), "json"))
        assert told["name"] == "Classement · Mardi · 2026-11-17"
        assert told["columns"][1] == {"key": "names", "name": "Paire"}
        assert told["rows"][0] == {
            "rank": 1,
            "names": "Jeannine Roy",
            "difference": 19,
            "paid": 5.5,
            "day": "2026-11-17",
        }
        assert told["rows"][1]["names"] == "=1+1"


class TestText:
    def test_stands_in_columns_with_numbers_below_each_other(self) -> None:
        told = render_sheet(a_table([row[:3] for row in ROWS], columns=a_table().columns[:3]), "txt").decode()
        assert told.splitlines() == [
            "Classement",
            "",
            "Rang  Paire         Différence",
            "----  ------------  ----------",
            "   1  Jeannine Roy          19",
            "   2  =1+1                  -3",
        ]

    @law
    @given(st.lists(typed, max_size=4))
    def test_has_a_line_a_row_whatever_was_typed(self, texts: list[str]) -> None:
        table = a_table([(1, text, 0, None, None) for text in texts])
        assert render_sheet(table, "txt").decode().count("\n") == 4 + len(texts)


@pytest.mark.parametrize("ending", FORMATS)
def test_an_empty_table_has_its_headings(ending: str) -> None:
    assert render_sheet(a_table(), ending)
