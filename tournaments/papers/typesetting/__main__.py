"""Command that lays out one document in its own process. That frees the memory, and can be killed at any
time.

``python -m tournaments.papers.typesetting LAYOUT PARTS PDF``: PARTS has a part a line, as JSON. It prints its
progress, a line for each part such as ``3 20``, then ``pages 500``.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from .documents import Values
from .layout import write_pdf


def main(layout: str, parts: Path, pdf: Path) -> None:
    with parts.open(encoding="utf-8") as lines:
        part_count = sum(1 for _ in lines)
    pages = write_pdf(
        pdf, layout, _read_parts(parts), part_count=part_count, progress=lambda done, of: print(done, of, flush=True)
    )
    print("pages", pages, flush=True)


def _read_parts(parts: Path) -> Iterator[Values]:
    with parts.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
