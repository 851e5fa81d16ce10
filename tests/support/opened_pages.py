"""Snapshots of the pages that a test opens, in states that ``test_page_snapshots.py`` does not reach.

A test marked ``snapshot`` is compared with its file in ``tests/snapshots/states``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from typing import Any
from unittest.mock import patch

from django.utils.text import slugify

from .browser import Page
from .page_lines import get_page_lines
from .snapshots import FOLDER, take_new_lines

PAGES = "pages/*.txt"
NIGHT = "night.txt"
ORDINARY_SNAPSHOTS = (PAGES, NIGHT)
"""Every page, and a night from preparation to end: ``tests/every_page/test_page_snapshots.py``."""
MAX_NAME_LENGTH = 56
"""Characters of a file's name, without its suffix."""


def get_snapshot_name(test: str) -> str:
    """Return the name of a test's snapshot: ``states/entry-pages-is-withdrawn.txt``."""
    file, _, name = test.partition(".py::")
    words = f"{file.rpartition('/')[2]} {re.sub('^Test[^:]+::', '', name)}".replace("test_", "")
    slug = slugify(re.sub(r"[\W_]+", " ", words))
    if len(slug) > MAX_NAME_LENGTH:
        slug = f"{slug[: MAX_NAME_LENGTH - 5].rpartition('-')[0]}-{sha256(test.encode()).hexdigest()[:4]}"
    return f"states/{slug}.txt"


@contextmanager
def collect_pages() -> Iterator[list[Page]]:
    """Collect every page that a browser receives while the block runs."""
    pages: list[Page] = []
    initialize = Page.__init__

    def note(page: Page, response: Any) -> None:
        initialize(page, response)
        pages.append(page)

    with patch.object(Page, "__init__", note):
        yield pages


def list_state_lines(pages: list[Page], *snapshots: str) -> list[str]:
    """Return the address and status of each page, with its lines that are neither in the ``snapshots`` nor
    in the pages before it."""
    known_lines = set(_read_known_lines(snapshots or ORDINARY_SNAPSHOTS))
    states: list[str] = []
    for page in pages:
        if page.html.lstrip().startswith("<") and "xml" not in page.response.headers["Content-Type"]:
            lines = get_page_lines(page.document)
            if new := take_new_lines([*lines.frame, *lines.main], known_lines):
                states += [f"== {_get_route(page)}: {page.status}", *new]
    return states


def _get_route(page: Page) -> str:
    found = page.response.wsgi_request.resolver_match
    return f"{page.response.request['REQUEST_METHOD']} {f'/{found.route}' if found else 'no address'}"


@cache
def _read_known_lines(snapshots: tuple[str, ...]) -> frozenset[str]:
    known_lines: set[str] = set()
    for pattern in snapshots:
        for file in FOLDER.glob(pattern):
            take_new_lines(file.read_text(encoding="utf-8").splitlines(), known_lines)
    return frozenset(known_lines)
