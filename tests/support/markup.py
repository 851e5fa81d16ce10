"""The elements and forms of a page as a browser reads them; malformed HTML fails the test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from html import unescape

VOID_TAGS = {"input", "meta", "link", "br", "hr", "img", "use", "path", "circle"}


@dataclass(eq=False)
class Element:
    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)
    parent: Element | None = None

    def find_all(self, *tags: str, **attrs: str) -> Iterator[Element]:
        """Yield the elements inside with these tags and attributes; ``class_`` is one class of several."""
        class_ = attrs.pop("class_", None)
        for one in self._descendants:
            is_meant = (not tags or one.tag in tags) and attrs.items() <= one.attrs.items()
            if is_meant and (class_ is None or class_ in one.attrs.get("class", "").split()):
                yield one

    @cached_property
    def _descendants(self) -> list[Element]:
        """All elements inside, in the order of the page."""
        found, waiting = [], self.children[::-1]
        while waiting:
            one = waiting.pop()
            if not isinstance(one, str):
                found.append(one)
                waiting += reversed(one.children)
        return found

    def find_one(self, *tags: str, **attrs: str) -> Element:
        """Return the only such element."""
        (found,) = self.find_all(*tags, **attrs)
        return found

    @property
    def text(self) -> str:
        """The text, with spaces as a reader sees them."""
        return " ".join("".join(self._iter_texts()).split())

    def _iter_texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.tag not in {"script", "style", "template"}:
                yield from child._iter_texts()
                if child.tag in {"p", "li", "b", "span", "small", "td", "th", "h1", "h2", "div"}:
                    yield " "

    @property
    def is_checked(self) -> bool:
        return "checked" in self.attrs

    @property
    def value(self) -> str:
        """The value of a field."""
        if self.tag == "textarea":
            return "".join(str(child) for child in self.children).removeprefix("\n")  # as browsers do
        if self.tag == "select":
            options = list(self.find_all("option"))
            chosen = [option for option in options if "selected" in option.attrs] or options[:1]
            return chosen[0].attrs.get("value", chosen[0].text) if chosen else ""
        return self.attrs.get("value", "on" if self.attrs.get("type") in {"radio", "checkbox"} else "")


_TOKEN = re.compile(
    r"""
      <!--.*?-->|<[!?][^>]*>                                        # a remark, or the kind of document
    | </([a-z][^\s/>]*)[^>]*>                                       # 1: an end
    | <(script|style)(\s[^>]*)?>(.*?)</\2\s*>                        # 2, 3, 4: what is not read, whole
    | <([a-z][^\s/>]*)((?:[^>"']++|"[^"]*"|'[^']*')*+)>             # 5, 6: a beginning with its attributes
    | ([^<]+|<)                                                     # 7: text
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_END, _RAW, _START, _TEXT = 1, 4, 6, 7  # the last group of each kind of token
_ATTRIBUTE = re.compile(r"""([^\s=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+)))?""")


def parse_html(html: str) -> Element:
    """Parse a page; every element must be closed, and in order.

    Tests read thousands of pages, for which ``html.parser`` took as long as rendering. The fast libraries repair
    malformed pages, which must fail here.
    """
    root = at = Element("document")
    for token in _TOKEN.finditer(html):
        kind = token.lastindex
        if kind == _TEXT:
            at.children.append(unescape(token[7]))
        elif kind == _START:
            tag, attributes = token[5].lower(), token[6]
            element = Element(tag, dict(_parse_attributes(attributes)), parent=at)
            at.children.append(element)
            if tag not in VOID_TAGS and not attributes.endswith("/"):
                at = element
        elif kind == _END:
            tag = token[1].lower()
            if tag not in VOID_TAGS:
                assert at.tag == tag, f"</{tag}> ends <{at.tag}>"
                assert at.parent is not None
                at = at.parent
        elif kind == _RAW:
            attrs = dict(_parse_attributes(token[3] or ""))
            at.children.append(Element(token[2].lower(), attrs, [token[4]] if token[4] else [], parent=at))
    assert at is root, f"<{at.tag}> is not closed"
    return root


@lru_cache(maxsize=10_000)
def _parse_attributes(text: str) -> dict[str, str]:
    """Parse attributes; the result is cached, for many elements of many pages have equal ones."""
    found = _ATTRIBUTE.findall(text)
    return {name.lower(): unescape(first or second or third) for name, first, second, third in found}


def list_form_fields(page: Element, form: Element) -> Iterator[tuple[str, str]]:
    """Yield the names and values that a browser sends with the form, without its buttons."""
    inside = set(form.find_all("input", "textarea", "select"))
    for control in page.find_all("input", "textarea", "select"):
        is_of_form = control.attrs["form"] == form.attrs.get("id") if "form" in control.attrs else control in inside
        if not is_of_form or not control.attrs.get("name") or "disabled" in control.attrs:
            continue
        if control.attrs.get("type") in {"radio", "checkbox"} and not control.is_checked:
            continue
        if control.attrs.get("type") != "file":
            yield control.attrs["name"], control.value
