"""Files inlined into a page instead of being linked, because the first paint waits for them.

A reader who opens a page from a link or a QR code has no cached files yet, and each file is another request
through the hall's network, which may fail. So those pages contain their styles; the desk's pages, open all
evening, link theirs, which browsers cache. The policy of the pages names each such file by its digest
(``server.headers``), and a browser accepts no other inline content.

Measured in ``bench/results.md``; why: ``docs/decisions/0023-inline-styles-in-pages-opened-from-links.md``.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest

from clubs.policy import Audience, get_access
from server.static_files import minify_text

STYLE_SHEETS = tuple(
    f"css/{name}.css"
    for name in (
        *("api", "base", "board", "charts", "embed", "event", "handbook", "hands", "home", "nights"),
        *("player_page", "playing_cards", "privacy", "records", "rulebook", "ruling", "sharing", "table"),
    )
)
"""Style sheets of such pages."""
SCRIPTS = ("js/theme.js", "js/network.js", "js/figures.js")
"""Scripts that pages run first. All pages have the first two (without the second, no request may be sent),
tables also the third."""


def is_link_page(request: HttpRequest) -> bool:
    """Check whether the page opens without signing in, by its address alone.

    A page that does not exist counts too, as it must look like one that this reader may not see.
    """
    match = request.resolver_match
    return match is None or get_access(match.func) in {Audience.PUBLIC, Audience.TABLE}


@cache
def read_minified(name: str) -> str:
    """Return the text to inline, minified; the name is one of ``STYLE_SHEETS`` or ``SCRIPTS``."""
    text = Path(str(finders.find(name))).read_text(encoding="utf-8")
    return minify_text(name, text)


@cache
def compute_csp_digest(name: str) -> str:
    """Return the digest as a policy has it: ``'sha256-…'``."""
    return f"'sha256-{b64encode(sha256(read_minified(name).encode()).digest()).decode()}'"
