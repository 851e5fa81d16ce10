"""Docstrings are true and begin as a reader expects: with a verb or a noun, and names that exist."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from operations.data_dir import PROJECT

from .test_names import ROOMS

QUOTED = re.compile(r"``[^`]*``")
NAME = re.compile(r"``([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)``")
WORD = re.compile(r"[A-Za-z_]\w*")
FILES = {"csv", "html", "js", "json", "mjs", "py"}
"""How the name of a file ends."""
OF_A_VALUE = {"course", "mirror", "order"}
"""Modules are called so, and also a value that has the attribute which is named."""
CLAUSE = re.compile(r"(Wh(o|om|ose|at|ich|ere|en|y|oever|atever)|How|Those|The same|The inverse)\b")
OF_NO_CODE = {"json_script": "of Django", "place_1": "an example", "rows__0": "an example"}


@cache
def sources() -> dict[str, str]:
    paths = (path for room in (*ROOMS, "tests") for path in sorted((PROJECT / room).rglob("*.py")))
    return {path.relative_to(PROJECT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def words_of_modules() -> dict[str, set[str]]:
    """By the name of each module and package, the words in it that are not quoted so; of all under ``""``."""
    words: defaultdict[str, set[str]] = defaultdict(set)
    for path, text in sources().items():
        places = path.removesuffix(".py").split("/")
        for place in (*places, ""):
            words[place].update(places, WORD.findall(QUOTED.sub("", text)))
    return words


def is_there(name: str) -> bool:
    *places, last = name.split(".")
    module = places[-1] if places else ""
    if last in FILES or module in OF_A_VALUE or name in OF_NO_CODE:
        return True
    words = words_of_modules()
    return last in words.get(module, words[""]) and words[""].issuperset(places)


def missing_names(text: str) -> Iterator[str]:
    return (name for name in NAME.findall(text) if not is_there(name))


@pytest.mark.slow
def test_a_name_between_backticks_is_there() -> None:
    missing = {path: set(missing_names(text)) for path, text in sources().items()}
    assert {path: names for path, names in missing.items() if names} == {}


@pytest.mark.parametrize("name", ["scoring.fold.fold_matches", "_no_such_helper"])
def test_a_name_that_is_gone_is_known(name: str) -> None:
    assert list(missing_names(f"``{name}``")) == [name]


def untold_refusals(text: str) -> Iterator[tuple[str, str]]:
    """Public functions, each with a code that it refuses by itself and does not tell of."""
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef) and not function.name.startswith("_"):
            told = ast.get_docstring(function) or ""
            for node in ast.walk(function):
                match node:
                    case ast.Call(func=ast.Name(id="Refusal"), args=[ast.Constant(value=str(code)), *_]):
                        if code not in told:
                            yield function.name, code


@pytest.mark.slow
def test_a_service_tells_of_each_refusal_that_it_makes_itself() -> None:
    services = {path: text for path, text in sources().items() if "services" in re.split("[/.]", path)}
    untold = {path: list(untold_refusals(text)) for path, text in services.items()}
    assert {path: found for path, found in untold.items() if found} == {}


def test_a_refusal_that_is_not_told_of_is_known() -> None:
    service = 'def pay() -> None:\n    """Pays. Refuses: {}."""\n    raise Refusal("not_asked")\n'
    assert list(untold_refusals(service.format("event_ended"))) == [("pay", "not_asked")]
    assert list(untold_refusals(service.format("not_asked"))) == []


@pytest.mark.slow
def test_no_docstring_begins_with_a_question_word() -> None:
    assert [line for path, text in sources().items() for line in clauses_in(path, text)] == []


def clauses_in(path: str, text: str) -> Iterator[str]:
    """Yield the first line of each docstring that is a clause, such as "What the server answers"."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = (ast.get_docstring(node) or "").partition("\n")[0]
            if CLAUSE.match(first):
                yield f"{path}: {first}"
