"""Content of a page, one line for each fragment: texts, links and fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import Resolver404, resolve

from config import __version__
from tests.builders import FIRST_NAMES, SURNAMES

from .markup import Element

SILENT_TAGS = {"path", "circle", "script", "style", "template", "meta", "link"}
"""Elements without a line: drawings, scripts, styles and metadata."""
INLINE_TAGS = {"abbr", "b", "br", "em", "i", "kbd", "small", "span", "strong", "svg", "time", "use", "wbr"}
HIDDEN_ATTRIBUTES = {"class", "d", "id", "style", "viewbox"}
"""Attributes for style sheets and scripts; the classes are written with the element."""
TOKEN_FIELDS = {"csrfmiddlewaretoken", "key"}
"""Hidden fields of nearly every form."""
NAMED_PARAMETERS = {"number", "table_number", "year", "place", "step", "ending", "base", "on"}
"""URL parameters whose values are written; the others are keys, which change."""
FIRST_NAME = rf"(?:{'|'.join(FIRST_NAMES)})"
INITIAL = r"[A-HÉ]\."
SURNAME = rf"(?:{'|'.join(SURNAMES)})\b"
NAME = rf"(?:{SURNAME}, )?(?:{FIRST_NAME}-{FIRST_NAME}|{INITIAL}[-\u2011]{INITIAL})(?:\s(?:{SURNAME}|[A-JÉ]\.))?"
SECRET = r"(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*(?:\d|[A-Z]{2}))[\w-]{24,}"
PLACEHOLDERS = {
    rf"\bCharlemagne {re.escape(__version__)}(?![\w.])": "Charlemagne VERSION",
    r"otpauth://[^\s\]]+": "otpauth:SECRET",
    r"\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b": "SECRET",
    r"/(invitation|link|live|start)/[\w-]{20,}": r"/\1/SECRET",
    r"\b[0-9a-f]{4}(?:[ \u00a0][0-9a-f]{4}){3,15}\b": "DIGITS",
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}": "KEY",
    r"\b\d+\.(?:[0-9a-f]{64}|rows)\b": "SEEN",
    r"\b(?=\w*[0-9a-f]\d)[0-9a-f]{12,64}\b": "DIGEST",
    rf"(?<![\w-])(?:\w+%3A)*(?:\d+:)?{SECRET}(?:%3A[\w-]+)*": "SECRET",
    r"\b\d{3}[ \u00a0]?\d{3}\b(?![,.]\d)": "CODE",
    r"\bcard=[\w-]{22}(?![\w-])": "card=SECRET",
    r"(asked\): |letters=|letters: \")[A-Z]{5}\b": r"\1WORD",
    r"/mine/\d+": "/mine/PERSON",
    r"(\bPhone \d+ )\([\w-]{4}\)": r"\1(DEVICE)",
    r"\b(?:[BCDFGHJKLMNPQRSTVWXZ]{6}|[BCDFGHJKLMNPQRSTVWXZ]{10})\b": "LETTERS",
    r"\b(Director|Helper|Owner|Club) \d+\b": r"\1",
    r"(aria-label=[\w ]+) \d+ of \d+": r"\1 N of N",
    rf"\b{NAME}": "NAME",
    r"\bnext=/[^\s\]]*": "next=PAGE",
}
"""Patterns of text that changes from run to run or from test to test, with their replacements."""
_PART = re.compile(r"<\w+:(\w+)>")


@dataclass(frozen=True)
class PageLines:
    """Lines of a page: its main part, and the frame around it, which many pages share."""

    frame: list[str]
    main: list[str]


def get_page_lines(page: Element) -> PageLines:
    """Return a line for each element that has text or attributes to show."""
    titles = [f"title: {normalize(one.text)}" for one in page.find_all("title")]
    body = next(page.find_all("body"), page)
    main = [line for one in body.find_all("main") for line in _iter_lines(one)]
    return PageLines([*titles, *_iter_lines(body)], main)


def _iter_lines(element: Element) -> Iterator[str]:
    """Yield the element with its first text, unless it only groups others, then the lines inside it."""
    own, text = _describe(element), ""
    is_spoken = bool(element.attrs.keys() - HIDDEN_ATTRIBUTES)
    for child in (*element.children, None):
        if isinstance(child, str) or (child and _is_inline(child)):
            text += child if isinstance(child, str) else _format_inline(child)
        elif child is None or not _is_silent(child):
            if text.strip() or (own and is_spoken):
                yield f"{own} {normalize(text)}".strip()
            own = text = ""
            yield from _iter_lines(child) if child else ()


def _is_silent(element: Element) -> bool:
    """Return whether the element has no lines here; the main part of a page is listed separately."""
    is_set_of_icons = element.tag == "svg" and any(element.find_all("symbol"))
    return element.tag in SILENT_TAGS | {"main"} or element.attrs.get("type") == "hidden" or is_set_of_icons


def _is_inline(element: Element) -> bool:
    """Return whether the element, with all that is in it, is part of a sentence."""
    return element.tag in INLINE_TAGS and all(one.tag in INLINE_TAGS | SILENT_TAGS for one in element.find_all())


def _format_inline(element: Element) -> str:
    inside = "".join(
        one if isinstance(one, str) else _format_inline(one)
        for one in element.children
        if isinstance(one, str) or one.tag not in SILENT_TAGS
    )
    match element.tag:
        case "br":
            return " / "
        case "use":
            return f"({element.attrs['href']})"
        case "svg" if inside.strip():
            return inside.strip()
    return f"{_describe(element)}{{{inside.strip()}}}" if element.attrs else inside


def _describe(element: Element) -> str:
    """Describe the element's tag, classes and attributes like a CSS selector, and a form's hidden fields."""
    classes = "".join(f".{one}" for one in element.attrs.get("class", "").split())
    others = " ".join(
        f"{name}={_get_value(element, name)}" for name in sorted(element.attrs.keys() - HIDDEN_ATTRIBUTES)
    )
    hidden = [one for one in element.find_all("input", type="hidden") if element.tag == "form"]
    sent = [
        f"{one.attrs['name']}={_get_value(one, 'value')}" for one in hidden if one.attrs["name"] not in TOKEN_FIELDS
    ]
    return " ".join([f"{element.tag}{classes}{f'[{others}]' if others else ''}", *map(normalize, sent)])


def _get_value(element: Element, name: str) -> str:
    value = element.attrs.get(name, "")
    return _format_address(value) if name in {"href", "action", "src"} or value.startswith("/") else normalize(value)


def _format_address(address: str) -> str:
    """Return the route of an address, with the names of keys in place of their values."""
    path, mark, query = address.partition("?")
    try:
        found = resolve(path.partition("#")[0])
    except Resolver404:
        return normalize(address)
    url_params = {name: str(value) for name, value in found.kwargs.items() if name in NAMED_PARAMETERS}
    route = _PART.sub(lambda part: url_params.get(part[1], part[1].upper()), str(found.route))
    return f"/{route}{mark}{normalize(query)}"


def normalize(text: str) -> str:
    """Return the text on one line, with placeholders for what changes from run to run."""
    text = " ".join(text.split())
    for changing, placeholder in PLACEHOLDERS.items():
        text = re.sub(changing, placeholder, text)
    return text
