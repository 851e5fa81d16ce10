"""Mutants of scripts: changed comparisons, conditions, numbers and statements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.mutants.mutant import Mutant

_NOT_CODE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""", re.DOTALL)
OPPOSITES = {
    "===": "!==",
    "!==": "===",
    "<=": "<",
    ">=": ">",
    "<": "<=",
    ">": ">=",
    "&&": "||",
    "||": "&&",
    "true": "false",
    "false": "true",
    "+": "-",
}
_OPERATOR = re.compile(r"===|!==|(?<= )(?:<=|>=|<|>|\+)(?= )|&&|\|\||\btrue\b|\bfalse\b")
_NUMBER = re.compile(r"(?<![\w.])\d[\d_]*(?![\w.])")
_NOT = re.compile(r"(?<=[\s(&|])!(?=[\w(])")
_CALL = re.compile(r"^[ \t]*(?P<said>[\w.?]+\([^\n]*\));$", re.MULTILINE)
_EARLY = re.compile(r"\b(?:return|continue|break)\b[^;\n{}]*;")
_TEST = re.compile(r"\bif \((?P<test>[^\n]*?)\) (?=\{|return|continue|break|\w)")


def list_script_mutants(path: str, text: str) -> list[Mutant]:
    code = _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return [
        Mutant(path=path, line=1 + text.count("\n", 0, start), start=start, end=end, new=new, description=what)
        for start, end, new, what in _iter_changes(code, text)
    ]


Change = tuple[int, int, str, str]


def _iter_changes(code: str, text: str) -> Iterator[Change]:
    """Yield changes found in the code without strings and comments, described with a line of the full text."""
    for start, end, new, what in (*_iter_expression_changes(code), *_iter_statement_changes(code)):
        first = text.rfind("\n", 0, start) + 1
        line = text[first:].partition("\n")[0].strip()
        yield start, end, new, what + line[:80]


def _iter_expression_changes(code: str) -> Iterator[Change]:
    for match in _OPERATOR.finditer(code):
        new = OPPOSITES[match[0]]
        yield *match.span(), new, f"{match[0]} → {new} in "
    for match in _NUMBER.finditer(code):
        new = str(int(match[0].replace("_", "")) + 1)
        yield *match.span(), new, f"{match[0]} → {new} in "
    for match in _NOT.finditer(code):
        yield *match.span(), "", "without ! in "


def _iter_statement_changes(code: str) -> Iterator[Change]:
    for match in _TEST.finditer(code):
        if match["test"].count("(") == match["test"].count(")"):
            for word in ("true", "false"):
                yield *match.span("test"), word, f"if ({word}) for "
    for match in _CALL.finditer(code):
        if match[0].count("(") == match[0].count(")"):
            yield *match.span("said"), "void 0", "without "
    for match in _EARLY.finditer(code):
        if re.search(r"\bif \(", code[: match.start()].rpartition("\n")[2]):
            yield *match.span(), ";", "goes on instead of "
