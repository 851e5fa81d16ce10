"""Mutants of templates: removed filters and parts, conditions always true or false, changed values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.mutants.mutant import Mutant

_VALUE = re.compile(r"\{\{ *(?P<value>[\w.]+)(?P<filters>(?:\|[\w.]+(?::(?:\"[^\"]*\"|[\w.]+))?)*) *\}\}")
_LAST_FILTER = re.compile(r"\|[\w.]+(?::(?:\"[^\"]*\"|[\w.]+))?$")
_CONDITION = re.compile(r"\{% (?P<word>if|elif) (?P<test>[^%]+) %\}")
_PART = re.compile(r"\{% include [^%]+ %\}")
_LINE = re.compile(r"^[ \t]*<(\w+)\b[^\n]*</\1>[ \t]*\n", re.MULTILINE)
_BLOCK = re.compile(r"\{%-? *(?:end)?(\w+)")
_BLOCK_TAGS = frozenset({"if", "elif", "else", "for", "empty", "with", "block", "partialdef", "kept"})
OPPOSITES = {"and": "or", "or": "and", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPERATOR = re.compile(r"(?<= )(?:and|or|==|!=|<=|>=|<|>|not)(?= )|\bnot(?= )")


def list_template_mutants(path: str, text: str) -> list[Mutant]:
    found = [*_iter_value_changes(text), *_iter_condition_changes(text), *_iter_dropped_lines(text)]
    return [
        Mutant(path=path, line=1 + text.count("\n", 0, start), start=start, end=end, new=new, description=what)
        for start, end, new, what in found
    ]


Change = tuple[int, int, str, str]


def _iter_value_changes(text: str) -> Iterator[Change]:
    values = list(_VALUE.finditer(text))
    names = sorted({match["value"] for match in values})
    for match in values:
        start, end = match.span()
        if match["filters"]:
            replacement = "{{ " + match["value"] + _LAST_FILTER.sub("", match["filters"]) + " }}"
            yield start, end, replacement, f"{match[0]} → {replacement}"
        if len(names) > 1:
            other = names[(names.index(match["value"]) + 1) % len(names)]
            yield *match.span("value"), other, f"{other} for {match[0]}"


def _iter_condition_changes(text: str) -> Iterator[Change]:
    for match in _CONDITION.finditer(text):
        for word, adverb in (("True", "always"), ("False", "never")):
            yield *match.span("test"), word, f"{adverb} {match[0]}"
        for operator in _OPERATOR.finditer(match["test"]):
            start = match.start("test") + operator.start()
            new = OPPOSITES.get(operator[0], "")
            yield start, start + len(operator[0]), new, f"{operator[0]} → {new or 'nothing'} in {match[0]}"


def _iter_dropped_lines(text: str) -> Iterator[Change]:
    for match in _PART.finditer(text):
        yield *match.span(), "", f"without {match[0]}"
    for match in _LINE.finditer(text):
        if _is_whole(match[0]):
            yield *match.span(), "", f"without {match[0].strip()[:60]}"


def _is_whole(line: str) -> bool:
    """Return whether every block tag opened in the line is closed in it."""
    opened = [word for word in _BLOCK.findall(line) if word in _BLOCK_TAGS]
    return line.count("{% if ") == line.count("{% endif") and (
        not opened
        or all(line.count(f"{{% {word} ") == line.count(f"{{% end{word}") for word in ("for", "with", "block"))
    )
