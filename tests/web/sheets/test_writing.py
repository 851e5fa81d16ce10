"""Tables as files for spreadsheets, programs and newspapers; no cell runs as a formula."""

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

from tests.rules.sheets import property_settings
from web import names
from web.sheets.decoding import read_rows, read_sheet_text
from web.sheets.formula_escapes import escape_formula, unescape_formula
from web.sheets.tables import ColumnKind, Sheet, SheetColumn
from web.sheets.workbooks import parse_workbook
from web.sheets.writing import FORMATS, render_sheet

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


def build_sheet(rows: Sequence[Sequence[Any]] = (), **named: Any) -> Sheet:
    """Build a table with a rank, names, a difference, an amount and a day."""
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


def read_csv_rows(table: Sheet, *, decimal: str = ".") -> list[list[str]]:
    text = render_sheet(table, "csv", decimal=decimal).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=";" if decimal == "," else ","))


def read_worksheet(table: Sheet) -> Any:
    return load_workbook(io.BytesIO(render_sheet(table, "xlsx"))).worksheets[0]


def list_cells(table: Sheet) -> list[list[Any]]:
    return [list(row) for row in read_worksheet(table).iter_rows()]


class TestCsv:
    def test_csv_begins_with_a_byte_order_mark(self) -> None:
        assert render_sheet(build_sheet(), "csv").startswith("\ufeffRang,Paire,Différence".encode())

    def test_csv_with_decimal_commas_uses_semicolons(self) -> None:
        assert read_csv_rows(build_sheet(ROWS), decimal=",")[1] == [*("1", "Jeannine Roy", "19", "5,50", "2026-11-17")]
        assert read_csv_rows(build_sheet(ROWS))[1][3] == "5.50"

    def test_csv_preserves_negative_numbers(self) -> None:
        assert read_csv_rows(build_sheet(ROWS))[2] == ["2", "'=1+1", "-3", "", ""]

    @pytest.mark.parametrize("formula", FORMULAS)
    def test_csv_escapes_typed_formulas(self, formula: str) -> None:
        assert read_csv_rows(build_sheet([(1, formula, 0, None, None)]))[1][1] == f"'{formula}"

    @pytest.mark.long
    @property_settings
    @given(typed)
    def test_csv_leaves_no_text_that_evaluates(self, text: str) -> None:
        shown = read_csv_rows(build_sheet([(1, text, 0, None, None)]))[1][1]
        assert not shown.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert not shown.lstrip(" ").startswith(("=", "+", "-", "@"))

    @pytest.mark.long
    @property_settings
    @given(st.text())
    def test_escaped_text_is_restored_exactly(self, text: str) -> None:
        assert unescape_formula(escape_formula(text)) == text

    @property_settings
    @given(typed.map(names.clean_text))
    def test_csv_text_survives_a_round_trip(self, name: str) -> None:
        content = render_sheet(build_sheet([(1, name, 0, None, None)]), "csv", decimal=",")
        lines = list(read_rows(read_sheet_text(content, file="x.csv"), ";", file="x.csv"))
        assert lines[1][1][1] == name


class TestExcel:
    @pytest.mark.usefixtures("wrong_clock")
    def test_workbook_is_written_with_any_system_clock(self) -> None:
        assert list_cells(build_sheet(ROWS))[1][1].value == "Jeannine Roy"

    def test_workbook_stores_typed_numbers_amounts_and_dates(self) -> None:
        rank, _, difference, paid, day = list_cells(build_sheet(ROWS))[1]
        assert [one.data_type for one in (rank, difference, paid, day)] == ["n", "n", "n", "d"]
        assert (rank.value, difference.value, paid.value) == (1, 19, 5.5)
        assert day.value.date() == date(2026, 11, 17)
        assert paid.number_format == "0.00"
        assert [one.value for one in list_cells(build_sheet(ROWS))[2]] == [2, "=1+1", -3, None, None]

    def test_workbook_freezes_headings_and_fits_column_widths(self) -> None:
        sheet = read_worksheet(build_sheet(ROWS))
        assert sheet.title == "Classement"
        assert sheet.freeze_panes == "A2"
        assert sheet.column_dimensions["B"].width == len("Jeannine Roy") + 2
        assert sheet["A1"].font.bold

    def test_workbook_prints_to_page_width_with_repeated_headings(self) -> None:
        sheet = read_worksheet(build_sheet(ROWS, about=("Roy & Fils",)))
        assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 0)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.print_title_rows == "$1:$1"
        assert (sheet.oddHeader.center.text, sheet.oddFooter.center.text) == (
            "Classement · Roy && Fils",
            "&P / &N",
        )
        assert sheet.parent.properties.title == "Classement · Roy & Fils"

    def test_workbook_has_filters_on_its_headings(self) -> None:
        assert read_worksheet(build_sheet(ROWS)).auto_filter.ref == "A1:E3"

    @pytest.mark.parametrize("formula", [*FORMULAS, "#REF!", "#N/A"])
    def test_workbook_stores_formulas_as_text(self, formula: str) -> None:
        cell = list_cells(build_sheet([(1, formula, 0, None, None)]))[1][1]
        assert cell.data_type in ("s", "inlineStr")
        assert cell.quotePrefix == (formula not in ("#REF!", "#N/A"))

    @pytest.mark.long
    @property_settings
    @given(st.text(max_size=30).filter(lambda text: text.isprintable()))
    def test_workbook_stores_any_text_unchanged(self, text: str) -> None:
        cell = list_cells(build_sheet([(1, text, 0, None, None)]))[1][1]
        assert (cell.value or "") == text
        assert cell.value is None or cell.data_type in ("s", "inlineStr")

    @pytest.mark.slow
    @property_settings
    @given(typed)
    def test_workbook_survives_a_round_trip(self, text: str) -> None:
        content = render_sheet(build_sheet([(7, text, -3, Decimal("2.50"), None)]), "xlsx")
        (grid,) = parse_workbook(content, file="x.xlsx")
        rows = list(csv.reader(io.StringIO(grid.text), delimiter="\t"))
        assert rows[1][:4] == ["7", names.clean_text(text), "-3", "2.5"]

    @pytest.mark.parametrize("name", ["", "a/b[c]:d*?", "x" * 60, "'quoted'", "=1+1"])
    def test_worksheet_title_is_valid_for_any_table_name(self, name: str) -> None:
        assert 1 <= len(read_worksheet(build_sheet(name=name)).title) <= 31

    def test_workbook_drops_illegal_characters(self) -> None:
        assert list_cells(build_sheet([(1, "a\x00b\x1f", 0, None, None)]))[1][1].value == "ab"


class TestJson:
    def test_json_has_stable_keys_and_column_names(self) -> None:
        sheet_data = json.loads(render_sheet(build_sheet(ROWS, about=("Mardi", "2026-11-17")), "json"))
        assert sheet_data["name"] == "Classement · Mardi · 2026-11-17"
        assert sheet_data["columns"][1] == {"key": "names", "name": "Paire"}
        assert sheet_data["rows"][0] == {
            "rank": 1,
            "names": "Jeannine Roy",
            "difference": 19,
            "paid": 5.5,
            "day": "2026-11-17",
        }
        assert sheet_data["rows"][1]["names"] == "=1+1"


class TestText:
    def test_text_table_aligns_numbers_in_columns(self) -> None:
        table_text = render_sheet(
            build_sheet([row[:3] for row in ROWS], columns=build_sheet().columns[:3]), "txt"
        ).decode()
        assert table_text.splitlines() == [
            "Classement",
            "",
            "Rang  Paire         Différence",
            "----  ------------  ----------",
            "   1  Jeannine Roy          19",
            "   2  =1+1                  -3",
        ]

    @property_settings
    @given(st.lists(typed, max_size=4))
    def test_text_table_has_one_line_per_row(self, texts: list[str]) -> None:
        table = build_sheet([(1, text, 0, None, None) for text in texts])
        assert render_sheet(table, "txt").decode().count("\n") == 4 + len(texts)


@pytest.mark.parametrize("ending", FORMATS)
def test_empty_table_still_has_headings(ending: str) -> None:
    assert render_sheet(build_sheet(), ending)
