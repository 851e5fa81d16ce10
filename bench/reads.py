"""Count the queries and measure the time of the most visited pages."""

from __future__ import annotations

import argparse
import json
from typing import Any

from bench.hall import open_hall


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``tables``, and by page ``[queries, ms]``, the median time to render it without a cache.

    The night is in its third round, then between two rounds, then has a draft.
    """
    parser = argparse.ArgumentParser(prog="bench reads")
    parser.add_argument("--tables", type=int, default=40, help="of the night")
    parser.add_argument("--times", type=int, default=9, help="each page is opened")
    options = parser.parse_args(argv)
    with open_hall(tables=options.tables, role="public") as venue:
        figures: dict[str, Any] = json.loads(venue.run_role("reads", options.times))
    return {"tables": options.tables, **figures}
