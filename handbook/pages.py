"""Pages of the handbooks: their order, which one is about a view, and their content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from markdown_it.token import Token

HANDBOOK_FOLDER = Path(__file__).resolve().parent
LANGUAGES = tuple(dict(settings.LANGUAGES))

BOOKS = {
    _("For the director"): (
        "night",
        "table",
        "desk",
        "tournament",
        "rulings",
        "publishing",
        "trouble",
    ),
    _("For the club"): ("club", "seasons", "federations"),
    _("For administrators"): ("install", "backup", "server", "shared", "watch"),
    _("For developers"): ("programs", "contribute"),
}
"""Names of the pages of each handbook, in reading order."""

PAGES = tuple(name for names in BOOKS.values() for name in names)

PAGE_BY_MODULE: Mapping[str, str] = {
    "api": "programs",
    "clubs": "club",
    "clubs.views.club_requests": "shared",
    "clubs.views.tokens": "programs",
    "clubs.views.webhooks": "programs",
    "clubs.views.calendar": "seasons",
    "config": "install",
    "federations": "federations",
    "jobs": "trouble",
    "operations.club_imports": "shared",
    "operations.club_leaving": "shared",
    "operations.doctor": "watch",
    "operations.verifier": "publishing",
    "scoring": "table",
    "scoring.rule_views": "rulings",
    "scoring.sheet_views": "rulings",
    "scoring.phone_log_views": "trouble",
    "tournaments": "desk",
    "tournaments.agenda": "publishing",
    "tournaments.alerts": "publishing",
    "tournaments.attendance": "seasons",
    "tournaments.board": "publishing",
    "tournaments.entries": "tournament",
    "tournaments.event_files": "backup",
    "tournaments.events": "desk",
    "tournaments.events.views.event_templates": "night",
    "tournaments.events.views.nights": "night",
    "tournaments.events.views.settings": "tournament",
    "tournaments.events.views.tournaments": "tournament",
    "tournaments.exports": "publishing",
    "tournaments.history": "rulings",
    "tournaments.imports": "club",
    "tournaments.imports.views.entry_sheets": "tournament",
    "tournaments.interclub": "tournament",
    "tournaments.messages": "desk",
    "tournaments.mirrors": "server",
    "tournaments.money": "club",
    "tournaments.papers": "publishing",
    "tournaments.planner": "tournament",
    "tournaments.privacy": "club",
    "tournaments.public": "publishing",
    "tournaments.publishing": "publishing",
    "tournaments.records": "seasons",
    "tournaments.rounds": "desk",
    "tournaments.seasons": "seasons",
    "tournaments.sharing": "publishing",
    "tournaments.signing": "publishing",
    "tournaments.standings": "publishing",
}
"""The page about the views of a module; the longest matching name counts."""


def find_page(module: str) -> str:
    """Return the name of the page about the views of this module; without one, the first page."""
    parts = module.split(".")
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((PAGE_BY_MODULE[name] for name in names if name in PAGE_BY_MODULE), PAGES[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class HandbookPage:
    """A page in one language.

    It has the ``title``, the first sentence as ``lead``, and all of it but the title as ``html``.
    """

    name: str
    title: str
    lead: str
    html: str


GetAddress = Callable[[str], str]
"""Function that returns the address of another page by its name, or of a picture by its file name."""


def read_source(name: str, language: str) -> str:
    return (HANDBOOK_FOLDER / language / f"{name}.md").read_text(encoding="utf-8")


@cache
def get_page_title(name: str, language: str) -> str:
    return read_source(name, language).partition("\n")[0].removeprefix("# ")


def get_book_titles(language: str) -> dict[str, list[tuple[str, str]]]:
    """Return the names and the titles of the pages, by handbook."""
    return {str(book): [(name, get_page_title(name, language)) for name in names] for book, names in BOOKS.items()}


def read_page(name: str, language: str, *, get_address: GetAddress) -> HandbookPage:
    """Return the page, with its links to other pages (``desk.md``) and pictures (``desk.png``) resolved."""
    from markdown_it import MarkdownIt  # a slow import, which no start should wait for

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(read_source(name, language).partition("\n")[2])
    for token in _flatten_tokens(tokens):
        for attribute in ("href", "src"):
            target = str(token.attrs.get(attribute, ""))
            if target and "://" not in target:
                token.attrs[attribute] = get_address(_get_target_name(target))
        if token.type == "image":
            token.attrs["loading"] = "lazy"
    first = next(token.content for token in tokens if token.type == "inline")
    return HandbookPage(
        name=name,
        title=get_page_title(name, language),
        lead=" ".join(first.split()),
        html=markdown.renderer.render(tokens, markdown.options, {}),
    )


def _get_target_name(target: str) -> str:
    """Return the name of a page, or the file name of a picture."""
    path = PurePosixPath(target)
    return path.stem if path.suffix == ".md" else path.name


def _flatten_tokens(tokens: list[Token]) -> list[Token]:
    return [each for token in tokens for each in (token, *_flatten_tokens(token.children or []))]
