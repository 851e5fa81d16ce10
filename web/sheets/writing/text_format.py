"""Text in columns, to paste into an e-mail or a newspaper's form."""

from web.sheets.tables import ColumnKind, Sheet

from .cell_text import format_cell

_RIGHT_ALIGNED_KINDS = frozenset({ColumnKind.NUMBER, ColumnKind.MONEY})


def render_text_table(table: Sheet, *, decimal: str) -> bytes:
    """Render the title, the headings, a rule and the rows, with numbers aligned to the right."""
    rows = [[" ".join(format_cell(value, decimal=decimal).split()) for value in row] for row in table.rows]
    headings = [column.heading for column in table.columns]
    widths = [max(map(len, cells)) for cells in zip(headings, *rows, strict=True)]
    right_aligned = [column.kind in _RIGHT_ALIGNED_KINDS for column in table.columns]

    def format_line(cells: list[str]) -> str:
        padded = zip(cells, widths, right_aligned, strict=True)
        return "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width) for cell, width, is_right in padded
        ).rstrip()

    lines = [format_line(headings), format_line(["-" * width for width in widths]), *map(format_line, rows)]
    return "\n".join([table.title, "", *lines, ""]).encode()
