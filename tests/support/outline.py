"""The outline of a page as lines of text: what it says, where it leads, what is typed and pressed in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.urls import Resolver404, resolve

from config import __version__

from .markup import Element

UNTOLD = {"path", "circle", "script", "style", "template", "meta", "link"}
"""Elements that say nothing by themselves: drawings, and what is for the browser."""
FRAME = {"header", "nav", "footer"}
"""What many pages have alike: told by its words, but where the whole page is asked for."""
WITHIN_A_LINE = {"abbr", "b", "br", "em", "i", "kbd", "small", "span", "strong", "svg", "time", "use", "wbr"}
NOT_TOLD = {"class", "d", "style", "viewbox"}
"""Attributes that say how something looks; classes stand with the element."""
NAMED = {"number", "table_number", "year", "place", "step", "ending", "base", "on"}
"""Parts of an address that say where it leads; the others are keys, another one each time."""
SECRET = r"(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*(?:\d|[A-Z]{2}))[\w-]{24,}"
PASSING = {
    rf"\bCharlemagne {re.escape(__version__)}(?![\w.])": "Charlemagne VERSION",
    r"otpauth://[^\s\]]+": "otpauth:SECRET",
    r"\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b": "SECRET",
    r"/(invitation|link|live|start)/[\w-]{20,}": r"/\1/SECRET",
    r"\b[0-9a-f]{4}(?:[ \u00a0][0-9a-f]{4}){3,15}\b": "DIGITS",
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}": "KEY",
    r"\b(?=\w*[0-9a-f]\d)[0-9a-f]{12,64}\b": "DIGEST",
    rf"(?<![\w-])(?:\w+%3A)*(?:\d+:)?{SECRET}(?:%3A[\w-]+)*": "SECRET",
    r"\b\d{3}[ \u00a0]?\d{3}\b(?![,.]\d)": "CODE",
    r"\bcard=[\w-]{22}(?![\w-])": "card=SECRET",
    r"(asked for: |letters=|letters\": \")[A-Z]{5}\b": r"\1WORD",
    r"/mine/\d+": "/mine/PERSON",
    r"\b[BCDFGHJKLMNPQRSTVWXZ]{6}\b": "LETTERS",
    r"\b(Director|Helper|Owner|Club) \d+\b": r"\1",
}
"""What is another one each time, and what stands for it."""
_SQUARES = re.compile(
    r"^( *)li span\[aria-label=Square 1 of .*\n(?:\1li span\[aria-label=Square \d.*\n)*", re.MULTILINE
)
"""Squares of a message: how many it takes is another number each time, since its keys are others."""
_PART = re.compile(r"<\w+:(\w+)>")
_ICON = re.compile(r"^i-")


def outline_of(page: Element, *, is_whole: bool = False) -> str:
    """A line for each element that says something, deeper where it stands in another; ``is_whole`` tells of
    the frame that many pages have alike, too."""
    head = "".join(f"title: {fixed(one.text)}\n" for one in page.every("title"))
    body = next(page.every("body"), page)
    lines = "".join(f"{' ' * depth}{line}\n" for depth, line in _lines(body, 0, is_whole=is_whole))
    return head + _SQUARES.sub(r"\1li squares\n", lines)


Lines = Iterator[tuple[int, str]]
"""Each after how deep it stands."""


def _lines(element: Element, depth: int, *, is_whole: bool) -> Lines:
    """What is in an element; in the frame, its words only."""
    if element.tag in FRAME and not is_whole:
        yield depth, fixed(element.text)
        return
    if hidden := [_hidden(one) for one in element.every("input", type="hidden") if element.tag == "form"]:
        yield depth, f"hidden: {' '.join(hidden)}"
    said = ""
    for child in element.children:
        if isinstance(child, str) or _is_within_a_line(child):
            said += child if isinstance(child, str) else _within_a_line(child)
        elif child.tag not in UNTOLD and child.attrs.get("type") != "hidden":
            if said.strip():
                yield depth, fixed(said)
            said = ""
            yield from _element(child, depth, is_whole=is_whole)
    if said.strip():
        yield depth, fixed(said)


def _element(element: Element, depth: int, *, is_whole: bool) -> Lines:
    """Its own line, which goes on with what it says if that is all there is in it."""
    if element.tag == "svg":
        yield depth, f"icons: {' '.join(_ICON.sub('', one.attrs['id']) for one in element.every('symbol'))}"
        return
    is_of_frame = element.parent is not None and element.parent.tag == "body" and "hidden" in element.attrs
    if is_of_frame and not is_whole:
        return
    inside = list(_lines(element, depth + 1, is_whole=is_whole))
    if len(inside) == 1:
        yield depth, f"{_told(element)} {inside[0][1]}"
    else:
        yield depth, _told(element)
        yield from inside


def _is_within_a_line(element: Element) -> bool:
    """Whether it is part of a sentence, and nothing in it is more than that."""
    if any(element.every("symbol")):
        return False
    return element.tag in WITHIN_A_LINE and all(one.tag in WITHIN_A_LINE | UNTOLD for one in element.every())


def _within_a_line(element: Element) -> str:
    inside = "".join(
        one if isinstance(one, str) else _within_a_line(one)
        for one in element.children
        if isinstance(one, str) or one.tag not in UNTOLD
    )
    match element.tag:
        case "br":
            return " / "
        case "use":
            return f"({element.attrs['href']})"
        case "svg" if inside.strip():
            return inside.strip()
    return f"{_told(element)}{{{inside.strip()}}}" if element.attrs else inside


def _told(element: Element) -> str:
    """Its kind, classes and attributes, as a style sheet would name them."""
    classes = "".join(f".{one}" for one in element.attrs.get("class", "").split())
    is_target = element.tag == "main"
    told = [name for name in sorted(element.attrs) if name not in NOT_TOLD and (name != "id" or is_target)]
    others = " ".join(f"{name}={_value(element, name)}" for name in told)
    return f"{element.tag}{classes}[{others}]" if others else f"{element.tag}{classes}"


def _hidden(field: Element) -> str:
    return f"{field.attrs['name']}={_value(field, 'value')}"


def _value(element: Element, name: str) -> str:
    value = element.attrs.get(name, "")
    if element.attrs.get("name") == "csrfmiddlewaretoken":
        return "TOKEN" if name == "value" else value
    return _address(value) if name in {"href", "action", "src"} or value.startswith("/") else fixed(value)


def _address(address: str) -> str:
    """Where it leads, with the keys in it named."""
    path, mark, asked = address.partition("?")
    try:
        found = resolve(path.partition("#")[0])
    except Resolver404:
        return fixed(address)
    known = {name: str(value) for name, value in found.kwargs.items() if name in NAMED}
    route = _PART.sub(lambda part: known.get(part[1], part[1].upper()), str(found.route))
    return f"/{route}{mark}{fixed(asked)}"


def fixed(text: str) -> str:
    """On one line, and the same each time."""
    text = " ".join(text.split())
    for passing, fixed in PASSING.items():
        text = re.sub(passing, fixed, text)
    return text
