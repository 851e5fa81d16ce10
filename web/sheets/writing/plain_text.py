"""Text in columns, to paste into an e-mail or a newspaper's form."""

from web.sheets.tables import ColumnKind, Sheet

from .cell_text import cell_text

_TO_THE_RIGHT = frozenset({ColumnKind.NUMBER, ColumnKind.MONEY})


def render_plain_text(table: Sheet, *, decimal: str) -> bytes:
    """Render the title, the headings, a rule and the rows, with numbers aligned to the right."""
    rows = [[" ".join(cell_text(value, decimal=decimal).split()) for value in row] for row in table.rows]
    headings = [column.heading for column in table.columns]
    widths = [max(map(len, cells)) for cells in zip(headings, *rows, strict=True)]
    to_the_right = [column.kind in _TO_THE_RIGHT for column in table.columns]

    def line(cells: list[str]) -> str:
        padded = zip(cells, widths, to_the_right, strict=True)
        return "  ".join(
            cell.rjust(width) if is_right else cell.ljust(width) for cell, width, is_right in padded
        ).rstrip()

    lines = [line(headings), line(["-" * width for width in widths]), *map(line, rows)]
    return "\n".join([table.title, "", *lines, ""]).encode()
