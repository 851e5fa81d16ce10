"""Measure how long a large table takes to export, by file format."""

from __future__ import annotations

import argparse
import time

from web.sheets.tables import Sheet, number_column, text_column
from web.sheets.writing import FORMATS, render_sheet

FIGURES = 6


def main(argv: list[str]) -> dict[str, float]:
    """Return by file format the least processor seconds, ``FORMAT_s``, and megabytes, ``FORMAT_mb``."""
    parser = argparse.ArgumentParser(prog="bench tables")
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args(argv)
    table = _build_sheet(options.rows)
    figures: dict[str, float] = {}
    for ending in FORMATS:
        seconds = []
        for _ in range(options.times):
            started = time.process_time()
            content = render_sheet(table, ending, decimal=",")
            seconds.append(time.process_time() - started)
        figures[f"{ending}_s"] = round(min(seconds), 2)
        figures[f"{ending}_mb"] = round(len(content) / 1_000_000, 2)
    return figures


def _build_sheet(rows: int) -> Sheet:
    return Sheet(
        key="standings",
        name="Classement",
        columns=(
            number_column("rank"),
            text_column("names"),
            *(number_column(f"figure_{place}") for place in range(FIGURES)),
        ),
        rows=[
            [rank, f"Jeannine R. et Marcel D. ({rank})", *(rank * place for place in range(FIGURES))]
            for rank in range(1, rows + 1)
        ],
    )
