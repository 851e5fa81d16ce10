"""Files that are written into a page instead of being fetched beside it: what the first paint waits for.

Who opens a page from a link or a square has nothing of ours yet, and each file is another way through the
hall's network, which may fail. So those pages bring their style with them; the desk's pages, which somebody
has all evening, link theirs, which browsers keep. The policy of the pages names each such file by its digest
(``config.headers``), and a browser takes nothing else that is written into one.

Measured in ``bench/results.md``; why so: ``docs/decisions/0023-inline-styles-in-pages-opened-from-links.md``.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest

from clubs.policy import Audience, opening_of
from config.static_files import minify_text

SHEETS = tuple(
    f"css/{name}.css"
    for name in (
        *("base", "board", "cards", "charts", "embed", "event", "handbook", "hands", "nights", "own"),
        *("privacy", "records", "rulebook", "ruling", "table", "telling"),
    )
)
"""All that such a page has."""
SCRIPTS = ("js/theme.js", "js/network.js", "js/figures.js")
"""What pages run first: all of them the first two (without the second, nothing may be asked for), a table the
third."""


def is_opened_from_a_link(request: HttpRequest) -> bool:
    """Whether the page is one that is opened without signing in, by its address alone; or by one where there
    is none, which must not be told from one where there is none for this reader."""
    match = request.resolver_match
    return match is None or opening_of(match.func) in {Audience.PUBLIC, Audience.TABLE}


@cache
def inline_text(name: str) -> str:
    """What is written in, without what only its authors read; of ``SHEETS`` or ``SCRIPTS``."""
    text = Path(str(finders.find(name))).read_text(encoding="utf-8")
    return minify_text(name, text)


@cache
def csp_digest(name: str) -> str:
    """As a policy names it: ``'sha256-…'``."""
    return f"'sha256-{b64encode(sha256(inline_text(name).encode()).digest()).decode()}'"
