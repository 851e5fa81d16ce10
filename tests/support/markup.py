"""The elements of a page, and its forms as a browser reads them; a page that is not well-formed fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"input", "meta", "link", "br", "hr", "img", "use", "path", "circle"}


@dataclass(eq=False)
class Element:
    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)
    parent: Element | None = None

    def every(self, *tags: str, **attrs: str) -> Iterator[Element]:
        """The elements inside of these kinds, with these attributes; ``class_`` is one of several."""
        for child in self.children:
            if isinstance(child, Element):
                if (not tags or child.tag in tags) and child._has(attrs):
                    yield child
                yield from child.every(*tags, **attrs)

    def one(self, *tags: str, **attrs: str) -> Element:
        """The only such element."""
        (found,) = self.every(*tags, **attrs)
        return found

    @property
    def text(self) -> str:
        """What it says, spaces as a reader sees them."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.tag not in {"script", "style"}:
                yield from child._texts()
                if child.tag in {"p", "li", "b", "span", "small", "td", "th", "h1", "h2", "div"}:
                    yield " "

    def _has(self, attrs: dict[str, str]) -> bool:
        wanted = dict(attrs)
        one_class = wanted.pop("class_", None)
        if one_class is not None and one_class not in self.attrs.get("class", "").split():
            return False
        return all(self.attrs.get(name) == value for name, value in wanted.items())

    @property
    def is_checked(self) -> bool:
        return "checked" in self.attrs

    @property
    def value(self) -> str:
        """What a field holds."""
        if self.tag == "textarea":
            return "".join(str(child) for child in self.children).removeprefix("\n")  # as browsers do
        if self.tag == "select":
            options = list(self.every("option"))
            chosen = [option for option in options if "selected" in option.attrs] or options[:1]
            return chosen[0].attrs.get("value", "") if chosen else ""
        return self.attrs.get("value", "on" if self.attrs.get("type") in {"radio", "checkbox"} else "")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Element("document")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, parent=self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Element(tag, {name: value or "" for name, value in attrs}, parent=self.at))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.at.tag == tag, f"</{tag}> ends <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def read(html: str) -> Element:
    """The document; every element is closed, and in order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is not closed"
    return reader.root


def fields_of(page: Element, form: Element) -> Iterator[tuple[str, str]]:
    """The names and values that a browser sends with the form, without its buttons."""
    inside = set(form.every("input", "textarea", "select"))
    for control in page.every("input", "textarea", "select"):
        is_of_form = (
            control.attrs["form"] == form.attrs.get("id") if "form" in control.attrs else control in inside
        )
        if not is_of_form or not control.attrs.get("name") or "disabled" in control.attrs:
            continue
        if control.attrs.get("type") in {"radio", "checkbox"} and not control.is_checked:
            continue
        if control.attrs.get("type") != "file":
            yield control.attrs["name"], control.value
