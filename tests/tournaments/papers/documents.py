"""Sample documents of each print layout, without a database, and readers of the rendered PDF."""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pypdf import PdfReader
from pypdf.generic import DictionaryObject, IndirectObject

from tournaments.papers.typesetting.documents import Document, Size
from tournaments.papers.typesetting.layout import render_pdf

WORD_KEYS = """agreed awarded bidder byes certificate code contract date director failed hand
    if_asked instead keep legend made none on or other page point place scan sheet signed square table time total
    treasurer"""
LABELS = dict.fromkeys(WORD_KEYS.split(), "Word")
ADDRESS = "http://192.0.2.40:8000/t/123456?sheet=3"


def build_sheet(*names: str, table: str = "7") -> dict[str, Any]:
    about, sides = names[0], list(names)[:2]
    return {"table": table, "about": about, "rules": about, "sides": sides, "address": ADDRESS}


def build_items(layout: str, one: str, other: str) -> list[dict[str, Any]]:
    """Return the items of a layout with these two names wherever people type text."""
    side = {"name": one, "won": True, "seed": "1", "score": "32"}
    match = {"middle": 50, "height": 12.5, "caption": "Match 1", "sides": [side, {**side, "name": other}]}
    row = {"number": "1", "name": other, "cells": [None, "W1\n32–12"], "byes": "1, 2"}
    items: dict[str, list[dict[str, Any]]] = {
        "sheets": [build_sheet(one, other)],
        "cards": [
            {
                "number": "7",
                "code": "123 456",
                "host": "192.0.2.40:8000",
                "letters": "ABCDE",
                "address": ADDRESS,
            }
        ],
        "badges": [{"name": one, "below": other}],
        "certificates": [{"names": one, "with_whom": other, "for_what": "First place"}],
        "lists": [{"cells": ["7", one, "yes", other]}],
        "treasurer": [
            {
                "title": one,
                "columns": [{"title": "Pair", "share": 1}, {"title": "Paid", "kind": "number", "mm": 26}],
                "rows": [[other, "$5"]],
                "total": ["Total", "$5"],
                "signed": True,
            }
        ],
        "poster": [{"address": ADDRESS, "typed": one}],
        "charts": [
            {"kind": "bracket", "title": one, "columns": [{"name": "Final", "matches": [match]}]},
            {"kind": "cross", "title": one, "columns": ["1", "2"], "has-byes": True, "rows": [row]},
        ],
    }
    return items[layout]


LAYOUTS = ("sheets", "cards", "badges", "certificates", "lists", "charts", "poster", "treasurer")
PAGES = {"charts": 2}
"""Number of pages of the document with the items of ``build_items``; other layouts have one page."""


def build_document(
    layout: str,
    items: Sequence[Mapping[str, Any]],
    *,
    size: Size = Size.LETTER,
    title: str = "Paper",
    about: str = "",
    language: str = "fr",
    in_a_part: int = 0,
    two: bool = False,
) -> Document:
    shared = {
        "lines": 12,
        "two": two,
        "brief": "Made: the bidding side scores.",
        "other": "en",
        "off": title,
        "about": about or title,
        "heading": title,
        "foot": title,
        "empty": "Nobody",
        "club": title,
        "day": "Saturday",
        "hours": "7:00 PM",
        "places": [title, title],
        "facts": [{"name": "Price", "text": title}],
        "table": [
            {"title": "Table", "kind": "tile", "mm": 18},
            {"title": "Name", "side": 0, "share": 1},
            {"title": "Present", "kind": "box", "mm": 15},
            {"title": "Name", "kind": "strong", "share": 1},
        ],
    }
    return Document(
        layout=layout,
        title=title,
        author=title,
        language=language,
        size=size,
        labels=LABELS,
        common=shared,
        items=items,
        items_per_part=in_a_part,
    )


def print_document(document: Document) -> PdfReader:
    """Render the only part of a document as a PDF."""
    (part,) = document.iter_parts()
    return PdfReader(io.BytesIO(render_pdf(document.layout, json.loads(json.dumps(part)))))


def extract_text(pdf: PdfReader) -> str:
    """Return the text of all pages with whitespace collapsed."""
    return " ".join(" ".join(page.extract_text() for page in pdf.pages).replace("\u200b", "").split())


def list_tags(pdf: PdfReader) -> list[str]:
    """Return the structure tags in reading order, as for a screen reader: ``H1``, ``TH``, ``Figure: My page``."""
    found: list[str] = []
    waiting: list[Any] = [pdf.root_object.get("/StructTreeRoot")]
    while waiting:
        one = waiting.pop()
        if isinstance(one, IndirectObject):
            one = one.get_object()
        if isinstance(one, DictionaryObject):
            if "/S" in one:
                found.append(": ".join(str(one[key]) for key in ("/S", "/Alt") if key in one)[1:])
            waiting.append(one.get("/K"))
        elif isinstance(one, list):
            waiting += reversed(one)
    return found


def list_sizes(pdf: PdfReader, word: str) -> list[float]:
    """Return the size in points of each piece of text with this word."""
    sizes = []

    def visit(text: str, _: Any, matrix: Any, __: Any, size: float) -> None:
        if word in text and text.strip():
            sizes.append(abs(size * matrix[3]))

    for page in pdf.pages:
        page.extract_text(visitor_text=visit)
    return sizes


def list_fonts(pdf: PdfReader) -> dict[str, bool]:
    """Return whether each font of the PDF is embedded, by font name."""
    found = {}
    for page in pdf.pages:
        for font in page["/Resources"].get("/Font", {}).values():  # type: ignore[attr-defined]
            (drawn,) = font.get_object()["/DescendantFonts"]
            facts: DictionaryObject = drawn.get_object()["/FontDescriptor"].get_object()
            is_there = any(name in facts for name in ("/FontFile", "/FontFile2", "/FontFile3"))
            found[str(facts["/FontName"])] = is_there
    return found
