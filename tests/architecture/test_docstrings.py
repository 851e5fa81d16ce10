"""Docstrings name code that exists, list a service's refusals and begin with a verb or a noun."""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from operations.data_dir import PROJECT

from .test_names import PACKAGES

QUOTED_CODE = re.compile(r"``[^`]*``")
NAME = re.compile(r"``([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)``")
RAISED = re.compile(r"Raises ([A-Z]\w+)(?: (?:and|or) ([A-Z]\w+))?")
EXCEPTION_LINE = re.compile(r"^\s*(?:class|raise|except|from|import)\b.*", re.MULTILINE)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
FILES = {"csv", "html", "js", "json", "mjs", "py"}
"""File extensions, which look like attributes in a file's name."""
VALUE_NAMES = {"course", "mirror", "order"}
"""Modules that share their name with a variable, whose attribute may be meant."""
CLAUSE = re.compile(r"(Wh(o|om|ose|at|ich|ere|en|y|oever|atever)|How|Those|The same|The inverse)\b")
NON_CODE_NAMES = {"json_script": "of Django", "place_1": "an example", "rows__0": "an example"}


@cache
def read_sources() -> dict[str, str]:
    paths = (path for room in (*PACKAGES, "tests") for path in sorted((PROJECT / room).rglob("*.py")))
    return {path.relative_to(PROJECT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def collect_module_words() -> dict[str, set[str]]:
    """Return the words of each module and package without quoted code, by its name; under ``""``, all words."""
    words: defaultdict[str, set[str]] = defaultdict(set)
    for path, text in read_sources().items():
        places = path.removesuffix(".py").split("/")
        for place in (*places, ""):
            words[place].update(places, IDENTIFIER.findall(QUOTED_CODE.sub("", text)))
    return words


def is_there(name: str) -> bool:
    *places, last = name.split(".")
    module = places[-1] if places else ""
    if last in FILES or module in VALUE_NAMES or name in NON_CODE_NAMES:
        return True
    words = collect_module_words()
    return last in words.get(module, words[""]) and words[""].issuperset(places)


def find_missing_names(text: str) -> Iterator[str]:
    return (name for name in NAME.findall(text) if not is_there(name))


@pytest.mark.slow
def test_name_between_backticks_exists() -> None:
    missing = {path: set(find_missing_names(text)) for path, text in read_sources().items()}
    assert {path: names for path, names in missing.items() if names} == {}


@pytest.mark.parametrize("name", ["scoring.fold.fold_matches", "_no_such_helper"])
@pytest.mark.slow
def test_check_detects_a_missing_name(name: str) -> None:
    assert list(find_missing_names(f"``{name}``")) == [name]


@pytest.mark.slow
def test_exceptions_named_in_docstrings_exist() -> None:
    lines = (line for text in read_sources().values() for line in EXCEPTION_LINE.findall(text))
    known_names = {"Django", *dir(builtins), *IDENTIFIER.findall("\n".join(lines))}
    missing = {
        path: {name for found in RAISED.findall(text) for name in found if name} - known_names
        for path, text in read_sources().items()
    }
    assert {path: names for path, names in missing.items() if names} == {}


def find_undocumented_refusals(text: str) -> Iterator[tuple[str, str]]:
    """Yield each public function with a code that it refuses and its docstring does not name."""
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef) and not function.name.startswith("_"):
            docstring = ast.get_docstring(function) or ""
            for node in ast.walk(function):
                match node:
                    case (
                        ast.Call(func=ast.Name(id="Refusal"), args=[ast.Constant(value=str(code)), *_])
                        | ast.Call(func=ast.Name(id="get_or_refuse"), args=[_, ast.Constant(value=str(code))])
                    ):
                        if code not in docstring:
                            yield function.name, code


@pytest.mark.slow
def test_service_docstring_lists_its_own_refusals() -> None:
    services = {path: text for path, text in read_sources().items() if "services" in re.split("[/.]", path)}
    untold = {path: list(find_undocumented_refusals(text)) for path, text in services.items()}
    assert {path: found for path, found in untold.items() if found} == {}


def test_check_detects_an_undocumented_refusal() -> None:
    service = 'def pay() -> None:\n    """Pays. Refuses: {}."""\n    raise Refusal("not_asked")\n'
    assert list(find_undocumented_refusals(service.format("event_ended"))) == [("pay", "not_asked")]
    assert list(find_undocumented_refusals(service.format("not_asked"))) == []


@pytest.mark.slow
def test_no_docstring_begins_with_a_question_word() -> None:
    assert [line for path, text in read_sources().items() for line in find_clause_docstrings(path, text)] == []


def find_clause_docstrings(path: str, text: str) -> Iterator[str]:
    """Yield the first line of each docstring that is a clause, such as "What the server answers"."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = (ast.get_docstring(node) or "").partition("\n")[0]
            if CLAUSE.match(first):
                yield f"{path}: {first}"
