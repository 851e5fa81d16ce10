"""Write the handbooks as a static website: `manage.py handbook FOLDER`."""

from pathlib import Path
from shutil import copytree
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from config.management.terminal_command import TerminalCommand
from handbook.pages import HANDBOOK_FOLDER, LANGUAGES, PAGES, get_book_titles, read_page


class Command(TerminalCommand):
    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        count = write_site(folder)
        self.stdout.write(f"{count} pages: {folder / 'fr' / 'index.html'}")


def write_site(folder: Path) -> int:
    """Write every page as ``LANGUAGE/NAME.html`` and a contents page as ``LANGUAGE/index.html``, with their
    pictures.

    Returns how many HTML files these are. Other files in the folder stay.
    """
    for language in LANGUAGES:
        (folder / language).mkdir(parents=True, exist_ok=True)
        copytree(HANDBOOK_FOLDER / "pictures" / language, folder / language / "pictures", dirs_exist_ok=True)
        with override(language):
            for name in ("index", *PAGES):
                (folder / language / f"{name}.html").write_text(_render_page(name, language), encoding="utf-8")
    return len(LANGUAGES) * (1 + len(PAGES))


def _render_page(name: str, language: str) -> str:
    (other,) = set(LANGUAGES) - {language}
    page = None if name == "index" else read_page(name, language, get_address=_get_address)
    return render_to_string(
        "handbook/file.html",
        {
            "page": page,
            "title": gettext("Help") if page is None else page.title,
            "books": get_book_titles(language),
            "style": "".join(map(_read_style, ("css/base.css", "css/handbook.css"))),
            "language": language,
            "other": f"../{other}/{name}.html",
            "other_language": other,
            "other_name": dict(settings.LANGUAGES)[other],
        },
    )


def _get_address(target: str) -> str:
    return f"{target}.html" if target in PAGES else f"pictures/{target}"


def _read_style(name: str) -> str:
    return Path(str(finders.find(name))).read_text(encoding="utf-8")
