"""The pages that a test opens, as outlines: for states of a page that no walk over all addresses comes upon.

A test that is marked ``outlined`` is compared with what is kept of it in ``tests/every_page/outlines/seen``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from typing import Any
from unittest.mock import patch

from operations.data_dir import PROJECT

from .browser import Page
from .outline import outline_of

FOLDER = PROJECT / "tests/every_page/outlines"
SEEN = FOLDER / "seen"


def name_of_outline(test: str) -> str:
    """Of the text that is kept of a test, by its id, below ``SEEN``."""
    file, _, name = test.partition("::")
    return f"{file.removeprefix('tests/').removesuffix('.py')}/{name.replace('::', '.')}.txt"


@contextmanager
def pages_opened() -> Iterator[list[Page]]:
    """Every page that a browser is answered with meanwhile."""
    pages: list[Page] = []
    ordinary = Page.__init__

    def noted(page: Page, response: Any) -> None:
        ordinary(page, response)
        pages.append(page)

    with patch.object(Page, "__init__", noted):
        yield pages


def outlines_of(pages: list[Page]) -> str:
    """Of each its status and the lines that usual pages and those before have not, and how many others."""
    known = set(_usual_lines())
    said = []
    for page in pages:
        if not page.html.lstrip().startswith("<") or "xml" in page.response.headers["Content-Type"]:
            continue
        lines = outline_of(page.document).splitlines()
        said.append(f"== {page.response.request['REQUEST_METHOD']} {_route_of(page)}: {page.status}")
        for is_known, run in groupby(lines, key=lambda line: line.strip() in known):
            some = list(run)
            said += [f"… {len(some)} as usual"] if is_known else some
        known.update(line.strip() for line in lines)
    return "".join(f"{line}\n" for line in said)


def _route_of(page: Page) -> str:
    found = page.response.wsgi_request.resolver_match
    return f"/{found.route}" if found else "no address"


@cache
def _usual_lines() -> frozenset[str]:
    """What stands on the pages of a night that is being played."""
    texts = (file.read_text(encoding="utf-8") for file in (FOLDER / "playing").glob("*.txt"))
    return frozenset(line.strip() for text in texts for line in text.splitlines())
